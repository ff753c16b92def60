"""A server's own rules for opening tables. ``admission`` enforces them."""

from __future__ import annotations

from collections.abc import Callable

from bot.domain.tables import ServerRules
from bot.matches.table_cache import TableCache


class Servers:
    """The use cases of server rules. The caller has checked that the person may change them."""

    def __init__(self, cache: TableCache) -> None:
        self._cache = cache

    async def rules(self, guild_id: int) -> ServerRules:
        """Return the rules of a server."""
        async with self._cache.store.read() as reader:
            return await reader.server_rules(guild_id)

    async def change(self, guild_id: int, change: Callable[[ServerRules], ServerRules]) -> ServerRules:
        """Change the rules of a server; raises what ``change`` raises."""
        async with self._cache.store.transaction() as transaction:
            rules = change(await transaction.server_rules(guild_id))
            await transaction.save_server_rules(guild_id, rules)
        return rules
