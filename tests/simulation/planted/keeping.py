"""What people were told is done, and is not."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack
from typing import Any
from unittest import mock

from bot.clocks.absences import Absences
from bot.domain.match import DraftRow, LogRow, RowKind
from bot.domain.refusals import refusal
from bot.domain.tables import HandledRequest, Person, PersonId, RequestId, Who
from bot.matches import motions
from bot.matches.loaded_table import LoadedTable, SeatDrafts
from bot.matches.match_log import MatchLog
from bot.matches.motions import Motions
from bot.matches.settings import Settings
from bot.matches.table_cache import TableCache
from bot.store import Transaction
from engines.core.contract import Seat


def settings_not_kept() -> AbstractContextManager[Any]:
    """Say that direct messages are on or off, and leave them as they were."""

    async def nothing(self: Settings, person: Who, dms: bool) -> None:
        return

    return mock.patch.object(Settings, "set_dms", nothing)


def consent_not_kept() -> AbstractContextManager[Any]:
    """Thank whoever answers a proposal, and note nothing."""

    async def nothing(
        self: Motions, table_id: str, person: Who, request_id: RequestId, *, agrees: bool
    ) -> bool:
        return False

    return mock.patch.object(Motions, "answer", nothing)


def replaced_draft_survives() -> AbstractContextManager[Any]:
    """Leave a seat's draft to whoever takes it over."""
    return mock.patch.object(SeatDrafts, "emptied", lambda self: self)


def anybody_takes_an_offered_seat() -> AbstractContextManager[Any]:
    """Give an offered seat to the first who asks."""

    async def take_seat(self: Motions, table_id: str, person: Person, request_id: RequestId) -> None:
        async def work(table: LoadedTable) -> None:
            offer = table.row.offer
            if offer is None or any(each.id == person.id for each in table.people()):
                raise refusal("no_seat_offered")
            request, now = str(request_id), self._cache.clock()
            new = motions._passed_on(table, offer.seat, person, request, now)  # noqa: SLF001
            note = HandledRequest(request, table_id, person.id, "take_seat")
            await self._cache.settle(table, new, request=note)

        await self._cache.attempt(table_id, work)

    return mock.patch.object(Motions, "take_seat", take_seat)


def a_seat_that_is_not_late_is_claimed() -> AbstractContextManager[Any]:
    """Let anybody claim a match against somebody else."""

    async def claim(self: Absences, table_id: str, person: Who, request_id: RequestId) -> None:
        def other(table: LoadedTable, who: PersonId) -> Seat:
            own = table.playing_seat(who)
            return next(seat for seat in range(table.info.setup.seats) if seat != own)

        def claimed(table: LoadedTable, late: Seat) -> LoadedTable:
            return table.with_chair(late, withdrawn=True)

        await self._carry_out(table_id, person, request_id, RowKind.CLAIM, other, claimed)

    return mock.patch.object(Absences, "claim", claim)


def undo_goes_back_too_far() -> AbstractContextManager[Any]:
    """Take one turn more back than was agreed on."""
    taken_back = MatchLog.taken_back

    def further(self: MatchLog, row: LogRow, earlier: MatchLog) -> MatchLog:
        stood = [each for each in self.earlier if len(each.rows) < len(earlier.rows)]
        return taken_back(self, row, stood[-1] if stood else earlier)

    return mock.patch.object(MatchLog, "taken_back", further)


def requests_never_remembered() -> AbstractContextManager[Any]:
    """Take a request that comes again for a new one."""

    async def nothing(self: Transaction, request: HandledRequest, at: float) -> None:
        return

    async def unknown(
        self: TableCache, request: str, table_id: str, person: PersonId, act: str
    ) -> HandledRequest | None:
        return None

    stack = ExitStack()
    stack.enter_context(mock.patch.object(TableCache, "handled", unknown))
    stack.enter_context(mock.patch.object(Transaction, "add_request", nothing))
    return stack


def drafts_not_written() -> AbstractContextManager[Any]:
    """Keep drafts in memory alone."""

    async def nothing(self: Transaction, table_id: str, row: DraftRow) -> None:
        return

    return mock.patch.object(Transaction, "save_draft", nothing)
