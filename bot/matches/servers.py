"""A server's own rules: who may open tables there, and which."""

from __future__ import annotations

from collections.abc import Callable

from bot.domain.clocks import Pace
from bot.domain.refusals import refusal
from bot.domain.servers import Opener, Opening, ServerRules
from bot.domain.tables import Place
from bot.matches.table_cache import TableCache


class Servers:
    """Use cases. Whether somebody may change the rules, their caller has seen."""

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

    async def check_open(self, place: Place, opener: Opener, pace: Pace | None) -> Pace:
        """Return the pace of a table that is about to be opened; ``None``: its host names none.

        Raises ``Refusal`` where the rules of the server forbid it. Who manages the server may open any.
        """
        async with self._cache.store.read() as reader:
            rules = await reader.server_rules(place.guild_id)
            count = await reader.count_on_server(place.guild_id)
        if not opener.manages:
            _check(rules, place, opener, count)
            if pace is not None and pace not in rules.paces:
                raise refusal("server_pace")
        return rules.pace if pace is None else pace

    async def check_rematch(self, place: Place, opener: Opener, pace: Pace) -> Pace:
        """Return the pace of a rematch: that of its match, or else the server's own; raises ``Refusal``."""
        rules = await self.rules(place.guild_id)
        return await self.check_open(place, opener, pace if pace in rules.paces or opener.manages else None)


def _check(rules: ServerRules, place: Place, opener: Opener, count: int) -> None:
    if rules.opening is Opening.MANAGERS:
        raise refusal("server_managers")
    if rules.opening is Opening.ROLES and not opener.roles & set(rules.roles):
        raise refusal("server_roles")
    if rules.channels and place.channel_id not in rules.channels:
        raise refusal("server_channels")
    if rules.most is not None and count >= rules.most:
        raise refusal("server_most", n=rules.most)
