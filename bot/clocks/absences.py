"""People who are away: what becomes of timed-out seats, their return, and holidays, which stop clocks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.domain.clocks import Holiday, current_holiday, holiday_left
from bot.domain.jobs import JobKind, NewJob
from bot.domain.match import RowKind
from bot.domain.refusals import refusal
from bot.domain.tables import HandledRequest, RequestId, Status, Who, person_id
from bot.matches.clocks import next_clocks, with_holidays
from bot.matches.loaded_table import LoadedTable
from bot.matches.table_cache import TableCache
from bot.store import Transaction
from engines.core.contract import Seat


class Absences:
    """Each use case takes effect once per request, and raises ``Refusal``."""

    def __init__(self, cache: TableCache) -> None:
        self._cache = cache

    async def claim(self, table_id: str, person: Who, request_id: RequestId) -> None:
        """Claim a match whose other seat is timed out, as if its person had resigned."""

        def claimed(table: LoadedTable, late: Seat) -> LoadedTable:
            return table.with_chair(late, withdrawn=True)

        await self._settle(table_id, person, request_id, RowKind.CLAIM, claimed)

    async def let_computer_play(self, table_id: str, person: Who, request_id: RequestId) -> None:
        """Let a computer player take over the other seat until its person returns."""

        def kept(table: LoadedTable, late: Seat) -> LoadedTable:
            return table.with_chair(late, stand_in=True)

        await self._settle(table_id, person, request_id, RowKind.STAND_IN, kept)

    async def wait_longer(self, table_id: str, person: Who, request_id: RequestId) -> None:
        """Grant the other seat another allowance."""
        await self._settle(table_id, person, request_id, RowKind.GRANT, lambda table, _: table)

    async def come_back(self, table_id: str, person: Who, request_id: RequestId) -> None:
        """Give a seat back to its person; its clock restarts if it is pending."""

        def own(table: LoadedTable, who: int) -> Seat:
            seat = table.seat_of(who)
            table.require_playing(seat)
            if not table.info.chair_at(seat).stand_in:
                raise refusal("not_away")
            return seat

        def back(table: LoadedTable, seat: Seat) -> LoadedTable:
            return table.with_chair(seat, stand_in=False)

        await self._carry_out(table_id, person, request_id, RowKind.BACK, own, back)

    async def gone(self, table_id: str, seat: Seat) -> None:
        """Time out, without delay, the seat of a person who can no longer play; raises ``Refusal``.

        With two players and clocks, the waiting one is asked; else a computer player takes over the seat.
        """

        async def work(table: LoadedTable) -> None:
            table.require_present(seat)
            number, now = len(table.require_log().rows), self._cache.clock()
            request = f"gone:{table_id}:{seat}:{number}"
            if not table.is_claimable():
                kept = table.with_chair(seat, stand_in=True)
                await self._cache.settle(table, kept.with_row(RowKind.STAND_IN, seat, (), request, now))
                return
            clock = table.row.clocks.get(seat)
            if clock is not None and clock.deadline is not None and not clock.overdue:
                new = table.with_row(RowKind.TIME_UP, seat, (), request, now)
                await self._cache.settle(table, new)

        await self._cache.attempt(table_id, work)

    async def _settle(
        self,
        table_id: str,
        person: Who,
        request_id: RequestId,
        kind: RowKind,
        change: Callable[[LoadedTable, Seat], LoadedTable],
    ) -> None:
        def late(table: LoadedTable, who: int) -> Seat:
            own = table.playing_seat(who)
            found = next((s for s, clock in table.row.clocks.items() if clock.overdue and s != own), None)
            if found is None:
                is_own = any(clock.overdue for clock in table.row.clocks.values())
                raise refusal("own_overdue" if is_own else "not_overdue")
            return found

        await self._carry_out(table_id, person, request_id, kind, late, change)

    async def _carry_out(
        self,
        table_id: str,
        person: Who,
        request_id: RequestId,
        kind: RowKind,
        whose: Callable[[LoadedTable, int], Seat],
        change: Callable[[LoadedTable, Seat], LoadedTable],
    ) -> None:
        """Apply ``change`` to the table and log a row for the seat that ``whose`` returns."""
        who, request = person_id(person), str(request_id)

        async def work(table: LoadedTable) -> None:
            if await self._cache.handled(request, table_id, who, kind.value) is not None:
                return
            seat = whose(table, who)
            row = f"{kind.value}:{request}"
            new = change(table, seat).with_row(kind, seat, (), row, self._cache.clock())
            note = HandledRequest(request, table_id, who, kind.value)
            await self._cache.settle(table, new, actor=table.seat_of(who), request=note)

        await self._cache.attempt(table_id, work)


MIN_HOLIDAY_S = 3_600.0
"""Minimum seconds left to begin a holiday."""


class Holidays:
    """Use cases: people begin and end their own holidays, and their clocks follow."""

    def __init__(self, cache: TableCache) -> None:
        self._cache = cache

    async def of(self, person: Who) -> tuple[Holiday | None, float]:
        """Return a person's current holiday, if any, and their remaining seconds this year."""
        async with self._cache.store.read() as reader:
            found = await reader.holidays(person_id(person))
        return current_holiday(found), holiday_left(found, self._cache.clock())

    async def begin(self, person: Who) -> None:
        """Begin a holiday, unless one is on.

        Raises ``Refusal`` if no time is left, or if the person has made no decision since the last holiday.
        """
        who, now = person_id(person), self._cache.clock()
        async with self._cache.store.transaction() as transaction:
            found = await transaction.holidays(who)
            if current_holiday(found) is None:
                if (seconds := holiday_left(found, now)) < MIN_HOLIDAY_S:
                    raise refusal("no_holiday_left")
                decided = await transaction.last_decision(who) or 0.0
                if found and decided < (found[-1].ended or now):
                    raise refusal("holiday_again")
                await transaction.begin_holiday(who, Holiday(now, now + seconds, None))
        await self.settle()

    async def end(self, person: Who) -> None:
        """End a person's holiday, if they are on one."""
        async with self._cache.store.transaction() as transaction:
            await transaction.end_holiday(person_id(person), self._cache.clock())
        await self.settle()

    async def next_end_in(self) -> float | None:
        """Return the seconds until the next holiday ends automatically; ``None``: nobody is on holiday."""
        async with self._cache.store.read() as reader:
            end = await reader.next_holiday_end()
        return None if end is None else max(0.0, end - self._cache.clock())

    async def settle(self) -> None:
        """End holidays that have used up their time, and stop or resume the clocks in all their matches."""
        async with self._cache.store.read() as reader:
            end = await reader.next_holiday_end()
        if end is not None and end <= (now := self._cache.clock()):
            async with self._cache.store.transaction() as transaction:
                await transaction.end_holidays(now)
        async with self._cache.store.read() as reader:
            matches = await reader.unsettled_holidays()
        for match in matches:
            await self._cache.attempt(match, self._settle)

    async def _settle(self, table: LoadedTable) -> None:
        if table.info.status is not Status.RUNNING:
            return
        new, now = await with_holidays(self._cache.store, table), self._cache.clock()
        if new is not table:
            served = now - self._cache.lag(table.info.place.guild_id)
            row = replace(new.row, clocks=next_clocks(table, new, served, None))

            async def mark_stale(transaction: Transaction) -> None:
                # The board shows who is on holiday, but its version stays the same.
                await transaction.mark_stale([table.id])

            jobs = [NewJob(table.id, JobKind.BOARD, due=now)]
            await self._cache.commit(table, replace(new, row=row), jobs=jobs, also=mark_stale)
