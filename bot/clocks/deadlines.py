"""What happens when a seat's time is up."""

from __future__ import annotations

from bot.clocks.outages import Outages
from bot.domain.clocks import STAND_IN_AFTER
from bot.domain.match import RowKind
from bot.domain.tables import Status
from bot.matches.loaded_table import LoadedTable
from bot.matches.table_cache import TableCache
from bot.matches.thoughts import Thinkers
from engines.core.contract import Seat, Words


class Deadlines:
    """Judges who has not decided in time: by the clocks in the database, whoever is asked when."""

    def __init__(self, cache: TableCache, thinkers: Thinkers, outages: Outages) -> None:
        self._cache = cache
        self._thinkers = thinkers
        self._outages = outages
        self._asked_until: dict[int, float] = {}
        """By shard: up to which time it was last asked what is past."""

    async def past(self) -> list[str]:
        """Return the matches in service with a clock that has run out, the first one of each shard first."""
        found: list[str] = []
        async with self._cache.store.read() as reader:
            for served in self._outages.served():
                self._asked_until |= dict.fromkeys(served.ids, served.until)
                found += await reader.past_deadline(served.until, served.count, served.ids)
        return found

    async def next_in(self) -> float | None:
        """Return the seconds until the next clock of a match in service runs out; ``None``: none runs.

        One that has run out since it was asked what is past is next, too: in 0 seconds.
        """
        found: list[float] = []
        async with self._cache.store.read() as reader:
            for served in self._outages.served():
                asked = [self._asked_until.get(shard, served.until) for shard in served.ids]
                after = min(served.until, *asked)
                deadline = await reader.next_deadline(after, served.count, served.ids)
                found += [] if deadline is None else [max(0.0, deadline - served.until)]
        return min(found, default=None)

    async def judge(self, table_id: str) -> None:
        """Do for every seat of a match whose time is up what its table agreed on; raises ``Refusal``.

        With two, the one who waits is asked. Else the house decides, and after the third time in a row a
        computer player keeps the seat. A seat that decides while this goes on has decided in time.
        """
        while True:
            table = await self._cache.get(table_id)
            seat = self._late_seat(table)
            if seat is None:
                return
            if table.is_claimable():
                await self._tell(table_id, seat)
            else:
                await self._decide(table, seat)

    def _late_seat(self, table: LoadedTable) -> Seat | None:
        """Return the seat whose time has been up for longest, and nobody has done anything about it."""
        if table.info.status is not Status.RUNNING:
            return None
        until = self._outages.until(table.info.place.guild_id)
        if until is None:
            return None
        late = {
            seat: clock.deadline
            for seat, clock in table.row.clocks.items()
            if seat in table.row.asked and not clock.overdue and clock.deadline is not None
            if clock.deadline <= until and clock.stopped_at is None
        }
        # Where both are late, nobody waits.
        if not late or (table.is_claimable() and len(table.row.asked) > 1):
            return None
        return min(late, key=lambda seat: (late[seat], seat))

    async def _tell(self, table_id: str, seat: Seat) -> None:
        async def work(table: LoadedTable) -> None:
            if self._late_seat(table) != seat:
                return
            deadline = int(table.row.clocks[seat].deadline or 0)
            number = table.require_log().sentences(seat)
            request = f"time_up:{table_id}:{seat}:{deadline}:{number}"
            new = table.with_row(RowKind.TIME_UP, seat, (), request, self._cache.clock())
            await self._cache.settle(table, new)

        await self._cache.attempt(table_id, work)

    async def _decide(self, table: LoadedTable, seat: Seat) -> None:
        decision = table.seat_view(seat).decision
        words = await self._thinkers.decide_for(table, seat)
        if words is None:
            return  # it is not asked any more

        async def work(table: LoadedTable) -> None:
            # Nobody waited with a lock in hand while the sentence was thought of.
            if self._late_seat(table) == seat and table.seat_view(seat).decision == decision:
                await self._lapse(table, seat, words)

        await self._cache.attempt(table.id, work)

    async def _lapse(self, table: LoadedTable, seat: Seat, words: Words) -> None:
        now, number = self._cache.clock(), table.require_log().sentences(seat)
        request = f"lapse:{table.id}:{seat}:{number}"
        lag = self._cache.lag(table.info.place.guild_id)
        said = table.with_row(RowKind.LAPSE, seat, words, request, now, lag)
        after = await self._cache.settle(table, said, actor=seat)
        if after.info.status is Status.RUNNING and after.row.clocks[seat].missed >= STAND_IN_AFTER:
            kept = after.with_chair(seat, stand_in=True)
            kept = kept.with_row(RowKind.STAND_IN, seat, (), f"stand_in:{table.id}:{seat}:{number}", now)
            await self._cache.settle(after, kept)
