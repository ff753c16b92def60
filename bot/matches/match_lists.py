"""Every person's list of matches, in memory, so that completions need no database access."""

from __future__ import annotations

from collections.abc import Callable

from bot.domain.tables import MatchLine, PersonId, Status, TableRow
from engines.core.contract import Seat

RECENT_SECONDS = 7 * 86_400.0
"""How long an ended match stays in its players' lists, in seconds."""

_ORDER = (Status.RUNNING, Status.OPEN, Status.FROZEN, Status.OVER, Status.CLOSED)


class MatchLists:
    """All people's lists, kept up to date with every table that is loaded or changed."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lines: dict[PersonId, dict[str, MatchLine]] = {}
        self._listed: dict[str, frozenset[PersonId]] = {}
        """The people whose lists contain a table, by table id."""

    def __len__(self) -> int:
        """Return how many tables are in any list."""
        return len(self._listed)

    def put(self, row: TableRow) -> None:
        """Update the lists of a table's people; also remove old matches from them."""
        table_id = row.info.id
        # A table that closed before its match began is in no list.
        given_up = row.info.status is Status.CLOSED and not row.info.begun
        chairs = () if given_up else row.info.chairs
        seats = {chair.person.id: chair.seat for chair in chairs if chair.person is not None}
        people = frozenset(seats)
        for person in self._listed.pop(table_id, frozenset()) - people:
            self._lines[person].pop(table_id, None)
        for person, seat in seats.items():
            lines = self._lines.setdefault(person, {})
            lines[table_id] = _line(row, seat)
            # Old matches are removed on the next change, so no timer is needed.
            for old in [key for key, line in lines.items() if not self._recent(line)]:
                del lines[old]
                self._listed.pop(old, None)
        if people:
            self._listed[table_id] = people

    def drop(self, person: PersonId) -> None:
        """Drop the list of a person who deleted their data."""
        for table_id in self._lines.pop(person, {}):
            self._listed[table_id] = self._listed.get(table_id, frozenset()) - {person}

    def of(self, person: PersonId) -> tuple[MatchLine, ...]:
        """Return a person's current matches and those that ended recently, the most urgent first."""
        lines = self._lines.get(person, {}).values()
        return tuple(sorted(filter(self._recent, lines), key=urgency))

    def _recent(self, line: MatchLine) -> bool:
        ended = line.table.status in (Status.OVER, Status.CLOSED)
        return not ended or line.since > self._clock() - RECENT_SECONDS


def line_of(row: TableRow, person: PersonId) -> MatchLine:
    """Return a table as a line of a person's list."""
    return _line(row, row.info.seat_of(person))


def _line(row: TableRow, seat: Seat | None) -> MatchLine:
    asked_at = row.asked_since.get(seat) if row.info.status is Status.RUNNING and seat is not None else None
    since = row.changed_at if asked_at is None else asked_at
    clock = row.clocks.get(seat) if asked_at is not None and seat is not None else None
    deadline = None if clock is None or clock.stopped_at is not None else clock.deadline
    return MatchLine(row.info, seat, asked_at is not None, since, deadline=deadline)


def urgency(line: MatchLine) -> tuple[int, float, str]:
    """Sort key: matches that wait for the person, longest wait first; then the others by status.

    These are running, open, frozen, over, closed; within a status, the latest changed comes first.
    """
    if line.asked:
        return 0, line.since, line.table.id
    return 1 + _ORDER.index(line.table.status), -line.since, line.table.id
