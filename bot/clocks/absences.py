"""Use cases for timed-out seats: the waiting player's choices, and the return of the absent one."""

from __future__ import annotations

from collections.abc import Callable

from bot.domain.match import RowKind
from bot.domain.refusals import refusal
from bot.domain.tables import HandledRequest, RequestId, Who, person_id
from bot.matches.loaded_table import LoadedTable
from bot.matches.table_cache import TableCache
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
                raise refusal("not_overdue")
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
