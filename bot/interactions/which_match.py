"""Which match a command or a choice means."""

from __future__ import annotations

from collections.abc import Iterable

from bot.domain.refusals import Refusal
from bot.domain.tables import MatchLine, Status, TableInfo
from bot.interactions.reply import Reply
from bot.matches.queries import Queries
from engines.core.contract import msg


class WhichMatch:
    """Finds the match that a command or a choice means."""

    def __init__(self, queries: Queries) -> None:
        self._queries = queries

    async def match(self, reply: Reply, named: str | None) -> str:
        """Return the id of the match; raises :class:`Refusal` if none or several could be meant."""
        found = await self.named_or_here(reply, named)
        return found or _only_running(await self._queries.matches(reply.person))

    async def named_or_here(self, reply: Reply, named: str | None) -> str | None:
        """Return the id of the named match, or else of the thread's; ``None`` if there is neither.

        The players of a match can name it anywhere, others only in its own server. Raises :class:`Refusal`
        for any other.
        """
        if named is not None:
            table = await self._queries.table(named)
            ours = table.place.guild_id == reply.interaction.guild_id
            if not ours and table.seat_of(reply.person.id) is None:
                raise Refusal(msg("error.unknown_match"))
            return table.id
        here = await self.here(reply)
        return None if here is None else here.id

    async def here(self, reply: Reply) -> TableInfo | None:
        """Return the table whose thread this is; ``None`` outside of matches' threads."""
        channel = reply.interaction.channel_id
        return await self._queries.table_of_thread(channel) if channel is not None else None

    async def match_to_complete(self, reply: Reply) -> str | None:
        """Return the id of the match for completions: from memory, unless processes share the database."""
        lines = await self._queries.listed(reply.person)
        named = reply.interaction.namespace.match
        here = reply.interaction.channel_id
        for line in lines:
            if line.table.id == named or (named is None and line.table.thread_id == here):
                return line.table.id
        try:
            return _only_running(lines)
        except Refusal:
            return None


def _only_running(lines: Iterable[MatchLine]) -> str:
    """Return a person's only running match, or the only one that waits for them; raises :class:`Refusal`."""
    running = [line for line in lines if line.table.status is Status.RUNNING]
    for some in (running, [line for line in running if line.asked]):
        if len(some) == 1:
            return some[0].table.id
    raise Refusal(msg("error.which_match" if running else "error.no_match"))
