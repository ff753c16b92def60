"""A table as it is in memory: its row, its match's log, its drafts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from bot.domain.people import Person, PersonId
from bot.domain.refusals import refusal
from bot.domain.tables import Chair, Status, TableInfo, TableRow
from bot.matches.match_log import MatchLog
from bot.matches.seat_drafts import NO_DRAFTS, SeatDrafts
from bot.matches.seat_view import SeatView
from engines.core.contract import Seat


@dataclass(frozen=True, slots=True, repr=False)
class LoadedTable:
    """A table in memory, equal to what is committed. Never changed in place."""

    row: TableRow
    log: MatchLog | None = None
    """``None`` before the match begins, and where it cannot be replayed."""
    drafts: Mapping[Seat, SeatDrafts] = field(default_factory=dict)
    seat_views: dict[Seat, SeatView] = field(default_factory=dict, compare=False)
    """Filled as they are asked for. A table with another log needs a new dictionary."""

    def __repr__(self) -> str:
        return f"<LoadedTable {self.info.id}>"

    @property
    def info(self) -> TableInfo:
        """Return what everybody may know."""
        return self.row.info

    @property
    def id(self) -> str:
        """Return the table's id."""
        return self.row.info.id

    def require_log(self) -> MatchLog:
        """Return the match's log; raises ``Refusal`` where there is no match to look at."""
        if self.log is not None:
            return self.log
        status = self.info.status
        if status is Status.OPEN:
            raise refusal("not_started")
        raise refusal("closed") if status is Status.CLOSED else refusal("frozen")

    def require_running(self) -> MatchLog:
        """Return the match's log; raises ``Refusal`` unless the match is on."""
        log = self.require_log()
        if self.info.status is not Status.RUNNING:
            raise refusal("over")
        return log

    def require_playing(self, seat: Seat) -> MatchLog:
        """Return the match's log; raises ``Refusal`` unless the match is on and the seat still in it."""
        log = self.require_running()
        if any(chair.withdrawn for chair in self.row.info.chairs if chair.seat == seat):
            raise refusal("withdrawn")
        return log

    def seat_of(self, person: PersonId) -> Seat:
        """Return a person's seat; raises ``Refusal`` where there is no match or they have no seat in it."""
        self.require_log()
        chair = self.chair_of(person)
        if chair is None or chair.seat is None:
            raise refusal("not_seated")
        return chair.seat

    def playing_seat(self, person: PersonId) -> Seat:
        """Return a person's seat; raises ``Refusal`` unless the match is on and they are still in it."""
        self.require_running()
        seat = self.seat_of(person)
        self.require_playing(seat)
        return seat

    def seat_view(self, seat: Seat) -> SeatView:
        """Return what a seat sees and may say; raises ``Refusal`` where there is no match."""
        found = self.seat_views.get(seat)
        if found is None:
            found = self.seat_views[seat] = SeatView(self.require_log(), seat)
        return found

    def drafts_of(self, seat: Seat) -> SeatDrafts:
        """Return a seat's drafts."""
        return self.drafts.get(seat, NO_DRAFTS)

    def with_drafts(self, seat: Seat, drafts: SeatDrafts) -> LoadedTable:
        """Return the table with one seat's drafts changed."""
        return replace(self, drafts={**self.drafts, seat: drafts})

    def with_info(self, **changes: Any) -> LoadedTable:
        """Return the table with what everybody may know changed."""
        return replace(self, row=replace(self.row, info=replace(self.info, **changes)))

    def chair_of(self, person: PersonId) -> Chair | None:
        """Return a person's chair, before the match too."""
        return next((c for c in self.row.info.chairs if c.person is not None and c.person.id == person), None)

    def people(self) -> tuple[Person, ...]:
        """Return the persons at the table, in the order of their chairs."""
        return tuple(chair.person for chair in self.info.chairs if chair.person is not None)

    def playing(self) -> tuple[Chair, ...]:
        """Return the chairs whose seats are still in the match, by seat."""
        chairs = [chair for chair in self.row.info.chairs if not chair.withdrawn]
        return tuple(sorted(chairs, key=lambda chair: -1 if chair.seat is None else chair.seat))
