"""Enforce expired deadlines of decisions, and close matches that nobody has played for thirty days."""

from __future__ import annotations

from bot.clocks.outages import Outages
from bot.domain.clocks import DAY, STAND_IN_AFTER, Pace
from bot.domain.jobs import JobKind, NewJob
from bot.domain.match import RowKind
from bot.domain.surfaces import IDLE
from bot.domain.tables import Status
from bot.matches.loaded_table import LoadedTable
from bot.matches.motions import Closing, last_act
from bot.matches.table_cache import TableCache
from bot.matches.thoughts import Thinkers
from engines.core.contract import Seat, Words


class Deadlines:
    """Handles seats that did not decide in time, by the clocks in the database."""

    def __init__(self, cache: TableCache, thinkers: Thinkers, outages: Outages) -> None:
        self._cache = cache
        self._thinkers = thinkers
        self._outages = outages
        self._asked_until: dict[int, float] = {}
        """By shard: the time up to which :meth:`past` last looked."""

    async def past(self) -> list[str]:
        """Return the matches in service with an expired clock, earliest deadline first within shards."""
        found: list[str] = []
        async with self._cache.store.read() as reader:
            for served in self._outages.served():
                self._asked_until |= dict.fromkeys(served.ids, served.until)
                found += await reader.past_deadline(served.until, served.count, served.ids)
        return found

    async def next_in(self) -> float | None:
        """Return the seconds until the next deadline of a match in service; ``None``: no clock runs.

        The result is 0 if a deadline has expired since :meth:`past` last looked.
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
        """Handle every timed-out seat of a match by its table's rules; raises ``Refusal``.

        With two players, the waiting one is asked. Else the bot decides, and after the third time in a row a
        computer player takes over the seat. A seat that decides meanwhile counts as in time.
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
        """Return the unhandled seat whose time has been up for longest."""
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
        # If both of two players are late, neither is waiting for the other.
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
            return  # no longer pending

        async def work(table: LoadedTable) -> None:
            # The table was not locked during the computation: check that it is still late.
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


CLOSED_AFTER = 30 * DAY
WARNED_BEFORE = 7 * DAY

LOOK_INTERVAL_S = 3_600.0
"""Seconds between searches for idle matches."""


class Idle:
    """Finds and closes idle matches. Matches without clocks are never closed."""

    def __init__(self, cache: TableCache, closing: Closing, outages: Outages) -> None:
        self._outages = outages
        self._cache = cache
        self._closing = closing
        self._looked_at = float("-inf")

    async def due(self) -> list[str]:
        """Return the matches to check; empty until :data:`LOOK_INTERVAL_S` has passed."""
        now = self._cache.clock()
        if abs(now - self._looked_at) < LOOK_INTERVAL_S:
            return []
        self._looked_at = now
        before = now - CLOSED_AFTER + WARNED_BEFORE
        async with self._cache.store.read() as reader:
            return [
                match
                for served in self._outages.served()
                for match in await reader.unchanged_since(before, served.count, served.ids)
            ]

    async def warn_or_close(self, table_id: str) -> None:
        """Announce that an idle match will be closed, or close it; raises ``Refusal``."""
        table = await self._cache.get(table_id)
        if table.info.status is not Status.RUNNING or table.info.pace is Pace.NONE:
            return
        now, last = self._cache.clock(), last_act(table)
        if now < last + CLOSED_AFTER - WARNED_BEFORE:
            return
        said_at = await self._said_at(table, last)
        if said_at is None:
            async with self._cache.store.transaction() as transaction:
                await transaction.enqueue([NewJob(table_id, JobKind.IDLE, str(int(last)), due=now)])
            self._cache.wake()
        elif now >= max(last + CLOSED_AFTER, said_at + WARNED_BEFORE):
            await self._closing.close_idle(table_id, last)

    async def _said_at(self, table: LoadedTable, last: float) -> int | None:
        async with self._cache.store.read() as reader:
            said = await reader.shown(table.id, IDLE)
        return None if said is None or said.epoch != int(last) else said.version
