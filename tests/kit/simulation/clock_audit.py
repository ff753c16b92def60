"""The audit of clocks by true time: no early, double or missing enforcement, and pauses where required."""

from __future__ import annotations

from collections.abc import Iterator

from bot.domain.clocks import HOUR, Pace
from bot.domain.match import LogRow, RowKind
from bot.domain.tables import Status
from bot.matches.loaded_table import LoadedTable
from bot.matches.match_log import MatchLog
from engines.core.contract import Seat
from tests.kit.simulation.findings import JUDGED_WITHIN, Evidence, Finding
from tests.kit.simulation.ledger import FOR_EVER, Span, length

GRACE = 30.0
"""Seconds by which a commit may be later than its recorded time."""

JUDGING = (RowKind.LAPSE, RowKind.TIME_UP)
ANEW = (RowKind.GRANT, RowKind.BACK, RowKind.REPLACE)
"""Rows after which a seat has its full time, or more."""


def clocks(world: Evidence, table: LoadedTable) -> Iterator[Finding]:
    """Yield seats whose deadline was enforced early, twice or not at all, and clocks that fail to pause."""
    if table.info.pace is Pace.NONE:
        return
    yield from _early(world, table)
    yield from _twice(table)
    if table.info.status is Status.RUNNING:
        yield from _not_judged(world, table)
        yield from _standing(world, table)


# --- starts of clocks ---------------------------------------------------------------------------------


def begins(log: MatchLog) -> Iterator[tuple[LogRow, set[Seat], set[Seat]]]:
    """Yield every row, the seats whose clocks start with it at the latest, and seats whose clocks may start.

    A seat that decides secretly is asked again at the next public event, or is still deciding.
    """
    match = log.match
    now, in_secret = MatchLog.begin(match.game, match.setup, match.seed, log.people), set[Seat]()
    for row in log.rows:
        before, now = now, now.then(row)
        begun = set(now.public.waiting - before.public.waiting)
        is_public = now.public is not before.public
        if row.kind is RowKind.UNDO:
            begun |= set(range(match.setup.seats))
        elif row.seat is not None and row.kind.entry is not None:
            (begun if is_public else in_secret).add(row.seat)
        in_secret -= begun
        if row.seat is not None and row.kind in ANEW:
            begun.add(row.seat)
        yield row, begun, begun | (in_secret if is_public else set())


def versions(log: MatchLog) -> dict[int, int]:
    """Return the public version after each row, by row number."""
    match, found = log.match, dict[int, int]()
    now = MatchLog.begin(match.game, match.setup, match.seed, log.people)
    for row in log.rows:
        now = now.then(row)
        found[row.seq] = now.public.version
    return found


def pauses(world: Evidence, table: LoadedTable) -> list[Span]:
    """Return the agreed pauses."""
    found: list[Span] = []
    for row in table.require_log().rows:
        at = world.ledger.rows[table.id, row.seq]
        if row.kind is RowKind.PAUSE:
            found.append((at, FOR_EVER))
        elif row.kind is RowKind.RESUME and found:
            found[-1] = (found[-1][0], at)
    return found


# --- enforcement --------------------------------------------------------------------------------------


def _early(world: Evidence, table: LoadedTable) -> Iterator[Finding]:
    """Yield the seats whose deadline was enforced before their allowance had passed in counted time."""
    log, ledger, allowance = table.require_log(), world.ledger, table.info.pace.allowance
    still = [*ledger.outages(), *pauses(world, table)]
    begun: dict[Seat, tuple[float, float]] = {}
    """The start of a seat's decision, and its seconds for it."""
    first = (ledger.begun[table.id], allowance)

    def left(seat: Seat, at: float, given: tuple[float, float]) -> float:
        """Return the seconds that a seat had left."""
        since, seconds = given
        holidays = _holidays(world, table, seat) if table.info.pace.over_days else []
        return seconds - (at - since - length([*still, *holidays], since, at))

    before: dict[int, dict[Seat, tuple[float, float]]] = {}
    for row, anew, perhaps in begins(log):
        at = ledger.rows[table.id, row.seq]
        before[row.seq] = dict(begun)
        # People who have left the server count as late at once.
        if row.kind in JUDGING and row.seat is not None and not row.request.startswith("gone:"):
            early = left(row.seat, at, begun.get(row.seat, first))
            if early > GRACE:
                yield Finding("judged early", f"{table.id}: row {row.seq}, {early:.0f} s too soon")
        for seat in perhaps - anew:
            # A seat that had decided secretly is asked again, without what was granted before.
            since, _ = begun.get(seat, first)
            begun[seat] = (since, allowance)
        for seat in anew:
            since, seconds = begun.get(seat, first)
            begun[seat] = (since, seconds + allowance) if row.kind is RowKind.GRANT else (at, allowance)
            if row.kind is RowKind.UNDO:
                # It has its time before the turn; the asker has its current time, but at least an hour.
                then = ledger.rows[table.id, row.takes_back]
                had = left(seat, then, before[row.takes_back].get(seat, first))
                least = 0.0
                if seat == row.seat:
                    had, least = min(had, left(seat, at, (since, seconds))), min(HOUR, allowance)
                # Both commits may be later than the times of their rows.
                begun[seat] = (at, max(had - GRACE, least))


def _holidays(world: Evidence, table: LoadedTable, seat: Seat) -> list[Span]:
    """Return the holidays of a seat's holder at that time."""
    rows = table.require_log().rows
    passed = [row for row in rows if row.kind is RowKind.REPLACE and row.seat == seat]
    ends = [world.ledger.rows[table.id, row.seq] for row in passed]
    person = table.info.chair_at(seat).person
    holders = [each.person.id for each in table.info.former if each.seat == seat]
    holders += [] if person is None else [person.id]
    times = zip([0.0, *ends], [*ends, FOR_EVER], strict=True)
    return [
        (max(since, begun), min(until, ended))
        for holder, (since, until) in zip(holders, times, strict=False)
        for begun, ended in world.ledger.holidays([holder])
    ]


def _twice(table: LoadedTable) -> Iterator[Finding]:
    """Yield the deadlines that were declared expired twice."""
    said: set[Seat] = set()
    for row, _, anew in begins(table.require_log()):
        if row.kind is RowKind.TIME_UP and row.seat is not None:
            if row.seat in said:
                yield Finding("judged twice", f"{table.id}: row {row.seq}")
            said.add(row.seat)
        said -= anew
        # A seat that decided secretly and is asked again before the next public event is as late as before.
        if row.seat is not None and (row.kind.entry is not None or row.kind is RowKind.STAND_IN):
            said.discard(row.seat)


def _not_judged(world: Evidence, table: LoadedTable) -> Iterator[Finding]:
    """Yield the seats whose time was up long ago without enforcement."""
    rows, soon = table.require_log().rows, world.wall() - JUDGED_WITHIN
    # If both are late, nobody waits; and a seat that has just decided has not waited for long.
    if table.is_claimable() and len(table.row.asked) > 1:
        return
    if rows and world.ledger.rows[table.id, rows[-1].seq] >= world.ledger.now() - JUDGED_WITHIN:
        return
    for seat, clock in table.row.clocks.items():
        due = clock.deadline is not None and clock.deadline < soon and clock.stopped_at is None
        if due and seat in table.row.asked and not clock.overdue:
            yield Finding("not judged", f"{table.id}: the time of seat {seat} is up")


def _standing(world: Evidence, table: LoadedTable) -> Iterator[Finding]:
    """Yield clocks that run in a holiday or pause, and clocks that are stopped outside of both."""
    away = {person for (person,) in world.ask_database("SELECT person FROM holiday WHERE ended IS NULL")}
    paused = table.require_log().paused
    for chair in table.info.chairs:
        clock = None if chair.seat is None else table.row.clocks.get(chair.seat)
        if clock is None or clock.deadline is None or chair.person is None:
            continue
        on_holiday = chair.person.id in away and table.info.pace.over_days
        if (on_holiday or paused) and clock.stopped_at is None:
            why = "on holiday" if on_holiday else "paused"
            yield Finding("clock runs", f"{table.id}: seat {chair.seat} is {why}, and its clock runs")
        elif not on_holiday and not paused and clock.stopped_at is not None:
            yield Finding("clock stands", f"{table.id}: seat {chair.seat} is there, and its clock stands")
