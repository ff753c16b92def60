"""Moving a match to another channel of its server."""

from __future__ import annotations

from functools import partial

from bot.domain.jobs import JobKind, NewJob, Shown
from bot.domain.refusals import Act, refusal
from bot.domain.tables import MEMBER, HandledRequest, Opener, Place, RequestId, TableInfo, Who, person_id
from bot.matches.admission import Admission, AdmissionRequest, Way
from bot.matches.loaded_table import LoadedTable
from bot.matches.table_cache import TableCache
from bot.store import Transaction


def thread_surface(channel_id: int) -> str:
    """Return the surface that stores the thread a match left in a channel, to reuse if it returns."""
    return f"thread:{channel_id}"


class Moving:
    """The use case of moving."""

    def __init__(self, cache: TableCache, admission: Admission) -> None:
        self._cache = cache
        self._admission = admission

    async def move(
        self, table_id: str, person: Who, place: Place, request_id: RequestId, opener: Opener = MEMBER
    ) -> TableInfo:
        """Move a match to another channel, into the thread that it left there or a new one.

        Allowed for its players and for managers of its server, within the server's rules. Raises ``Refusal``
        for anybody else, for a place on another server, and unless the match is running.
        """
        who, request = person_id(person), str(request_id)

        async def work(table: LoadedTable) -> TableInfo:
            if await self._cache.handled(request, table_id, who, "move") is not None:
                return table.info
            # Managing one server gives no rights on another.
            if place.guild_id != table.info.place.guild_id:
                raise refusal("move_elsewhere")
            chair = table.chair_of(who)
            if (chair is None or chair.withdrawn) and not opener.manages:
                raise refusal("move")
            table.require_running()
            if place == table.info.place:
                raise refusal("moved")
            now, left = self._cache.clock(), table.info
            async with self._cache.store.read() as reader:
                there = await reader.shown(table_id, thread_surface(place.channel_id))
            older = None if there is None or there.message is None else there.message.message_id
            acts = (Act.MOVE,) if older is not None else (Act.MOVE, Act.THREAD)
            wish = AdmissionRequest(Way.MOVE, request, who, place, opener, table_id, acts=acts)

            async def note_thread(unit: Transaction) -> None:
                if left.thread_id is not None:
                    channel = left.place.channel_id
                    await unit.set_shown(table_id, thread_surface(channel), Shown(channel, left.thread_id))

            jobs = [NewJob(table_id, kind, due=now) for kind in (JobKind.LOBBY, JobKind.BOARD)]
            moved = await self._cache.commit(
                table,
                table.with_info(place=place, thread_id=older),
                jobs=jobs,
                request=HandledRequest(request, table_id, who, "move"),
                admit=partial(self._admission.admit, wish=wish, now=now),
                also=note_thread,
            )
            return moved.info

        return await self._cache.attempt(table_id, work)
