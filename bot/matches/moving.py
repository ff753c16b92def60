"""A match that goes on in another channel of its server."""

from __future__ import annotations

from bot.domain.jobs import JobKind, NewJob
from bot.domain.refusals import refusal
from bot.domain.tables import HandledRequest, Place, RequestId, TableInfo, Who, person_id
from bot.matches.loaded_table import LoadedTable
from bot.matches.table_cache import TableCache


class Moving:
    """The use case of moving."""

    def __init__(self, cache: TableCache) -> None:
        self._cache = cache

    async def move(
        self, table_id: str, person: Who, place: Place, request_id: RequestId, *, manages: bool = False
    ) -> TableInfo:
        """Let a match go on in another channel, where it gets a new message, thread and board.

        That is up to whoever plays in it, or ``manages`` its server. Raises ``Refusal`` for anybody else,
        for a place on another server, and unless the match is on.
        """
        who, request = person_id(person), str(request_id)

        async def work(table: LoadedTable) -> TableInfo:
            if await self._cache.handled(request, table_id, who, "move") is not None:
                return table.info
            # Who manages one server has no say on another.
            if place.guild_id != table.info.place.guild_id:
                raise refusal("move_elsewhere")
            chair = table.chair_of(who)
            if (chair is None or chair.withdrawn) and not manages:
                raise refusal("move")
            table.require_running()
            if place == table.info.place:
                raise refusal("moved")
            now = self._cache.clock()
            jobs = [NewJob(table_id, kind, due=now) for kind in (JobKind.LOBBY, JobKind.BOARD)]
            note = HandledRequest(request, table_id, who, "move")
            moved = table.with_info(place=place, thread_id=None)
            return (await self._cache.commit(table, moved, jobs=jobs, request=note)).info

        return await self._cache.attempt(table_id, work)
