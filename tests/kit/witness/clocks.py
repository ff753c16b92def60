"""Clocks, computed from the log: allowance, reserve and deadline of every seat at every moment (ADR 37).

A clock is the time left at one moment; from then on, it loses the seconds that count. Outages, pauses and,
from pace *day* on, holidays of its holder do not count.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from engines.core.match import is_note
from tests.kit.witness.course import ENTRIES, Moment
from tests.kit.witness.rules import (
    ALLOWANCE_S,
    CREDITED_FROM_S,
    LEAST_AFTER_UNDO_S,
    LOOK_EVERY_S,
    NOTED_EVERY_S,
    OVER_DAYS,
    RESERVE_S,
)
from tests.kit.witness.spans import after, covered
from tests.kit.witness.transcript import (
    FOR_EVER,
    ClockShown,
    Finding,
    Holiday,
    MatchRecord,
    Row,
    Seat,
    Span,
    Transcript,
)

RULE = "ADR 37"


@dataclass(frozen=True, slots=True)
class Patience:
    """The precision of a run: seconds by which recorded times may differ from computed ones."""

    step_s: float = 3.0
    """From a step to its commit, and from a deadline to its judgement."""
    edge_s: float = 5.0
    """At each start or end of an outage or holiday, until it is noticed."""
    set_s: float = 15.0
    """Each time the machine's clock is set, until that is noticed."""
    row_s: float = 1e-6
    """Between a row and its press or response; sums of large times are exact to a microsecond."""
    database_s: float = 0.0
    """The total time for which the database may have been too slow to count as available."""


@dataclass(frozen=True, slots=True)
class Left:
    """The time that a seat has left, in seconds."""

    reserve_s: float
    allowance_s: float | None = None
    """``None``: the seat is not publicly pending."""
    total_s: float | None = None
    """Until its deadline; ``None`` as for :attr:`allowance_s`."""


@dataclass(frozen=True, slots=True)
class Reckoned:
    """A seat's clock at the time ``since``."""

    since: float
    reserve_s: float
    allowance_s: float | None = None
    total_s: float | None = None

    @property
    def runs(self) -> bool:
        """Return whether the seat is publicly pending."""
        return self.total_s is not None


class Clocks:
    """The clocks of a match over its whole course."""

    def __init__(
        self, record: MatchRecord, moments: Sequence[Moment], run: Transcript, patience: Patience
    ) -> None:
        self.record = record
        self._moments = moments
        self._run = run
        self._patience = patience
        self.allowance_s = ALLOWANCE_S[record.pace]
        self._over_days = record.pace in OVER_DAYS
        reserve = RESERVE_S.get(record.pace, 0.0)
        self._spans: dict[Seat, list[Span]] = {}
        self.after: list[dict[Seat, Reckoned]] = []
        """After each moment: the clocks of the seats held by people."""
        self._before: dict[int, dict[Seat, Left]] = {}
        """By row number: the time that each seat had left just before the row."""
        seats = [seat for seat, person in moments[0].holders.items() if person is not None]
        fresh = {seat: Reckoned(record.begun_at, reserve) for seat in seats}
        first = moments[0]
        self.after.append(
            {seat: self._begun(now, first.at) if seat in first.asked & first.public else now
             for seat, now in fresh.items()}
        )  # fmt: skip
        for before, moment in pairwise(moments):
            self.after.append(self._step(before, moment, self.after[-1]))

    # --- time left ----------------------------------------------------------------------------------

    @cached_property
    def _pauses(self) -> list[Span]:
        found: list[Span] = []
        for moment in self._moments:
            if moment.paused and (not found or found[-1][1] < FOR_EVER):
                found.append((moment.at, FOR_EVER))
            elif not moment.paused and found and found[-1][1] == FOR_EVER:
                found[-1] = (found[-1][0], moment.at)
        return found

    def idle(self, seat: Seat) -> list[Span]:
        """Return the spans that do not count for a seat."""
        if seat not in self._spans:
            holidays = self._holidays(seat) if self._over_days else []
            self._spans[seat] = [*self._run.outages, *self._pauses, *holidays]
        return self._spans[seat]

    def _holidays(self, seat: Seat) -> list[Span]:
        """Return the holidays of a seat's holder at the time."""
        turns: list[tuple[float, int | None]] = []
        for moment in self._moments:
            person = moment.holders[seat]
            if not turns or turns[-1][1] != person:
                turns.append((moment.at if turns else float("-inf"), person))
        ends = [*(at for at, _ in turns[1:]), FOR_EVER]
        return [
            (max(since, each.begun), min(until, each.ended))
            for (since, person), until in zip(turns, ends, strict=True)
            for each in self._run.holidays
            if each.person == person
        ]

    def left(self, seat: Seat, clock: Reckoned, at: float) -> Left:
        """Return the time that a clock has left at a given time."""
        if clock.allowance_s is None or clock.total_s is None:
            return Left(clock.reserve_s)
        gone = (at - clock.since) - covered(self.idle(seat), clock.since, at)
        return Left(clock.reserve_s, clock.allowance_s - gone, clock.total_s - gone)

    def due(self, seat: Seat, clock: Reckoned) -> float:
        """Return the deadline of a running clock."""
        assert clock.total_s is not None
        return after(self.idle(seat), clock.since, clock.total_s)

    # --- steps --------------------------------------------------------------------------------------

    def _step(self, before: Moment, now: Moment, clocks: dict[Seat, Reckoned]) -> dict[Seat, Reckoned]:
        row = now.row
        assert row is not None
        self._before[row.seq] = {seat: self.left(seat, clock, row.at) for seat, clock in clocks.items()}
        step = self._undone if row.kind == "undo" else self._moved
        return {seat: step(before, now, row, seat, clock) for seat, clock in clocks.items()}

    def _moved(self, before: Moment, now: Moment, row: Row, seat: Seat, clock: Reckoned) -> Reckoned:
        acted = seat == row.seat and row.kind in ENTRIES and not is_note(now.match.game, row.words)
        is_asked, was_asked = seat in now.asked, seat in before.asked
        stands = seat in now.people and not now.over
        if was_asked and ((acted and now.is_public) or not is_asked or not stands):
            clock = self._spent(seat, clock, row.at)
        if not stands or seat not in now.public:
            return Reckoned(row.at, clock.reserve_s)
        begins = now.is_public and (acted or not was_asked)
        passed_on = row.kind == "replace" and row.seat == seat
        # A secret decision changes no clock.
        if not clock.runs or passed_on or (is_asked and begins):
            return self._begun(clock, row.at)
        return self._given(seat, clock, row.at) if row.kind == "grant" and row.seat == seat else clock

    def _begun(self, clock: Reckoned, at: float) -> Reckoned:
        return Reckoned(at, clock.reserve_s, self.allowance_s, self.allowance_s + clock.reserve_s)

    def _spent(self, seat: Seat, clock: Reckoned, at: float) -> Reckoned:
        """Return a clock after its seat's decision: time beyond the allowance is lost."""
        total = self.left(seat, clock, at).total_s
        reserve = clock.reserve_s if total is None else max(0.0, min(clock.reserve_s, total))
        return replace(clock, reserve_s=reserve)

    def _given(self, seat: Seat, clock: Reckoned, at: float) -> Reckoned:
        """Return a clock with a new allowance, starting now if its time is up."""
        left = self.left(seat, clock, at)
        if left.allowance_s is None or left.total_s is None:
            return clock
        more = self.allowance_s + max(0.0, -left.total_s)
        return Reckoned(at, clock.reserve_s, left.allowance_s + more, left.total_s + more)

    def _undone(self, before: Moment, now: Moment, row: Row, seat: Seat, clock: Reckoned) -> Reckoned:
        """Return a clock after a turn was taken back: agreeing costs no time, but the asker pays."""
        then, asks = self._before[int(row.words[0])].get(seat, Left(clock.reserve_s)), seat == row.seat
        if seat not in now.people or seat not in now.public:
            if asks:
                spent = self._spent(seat, clock, row.at) if seat in before.asked else clock
                return Reckoned(row.at, spent.reserve_s)
            return Reckoned(row.at, then.reserve_s)
        if then.allowance_s is None or then.total_s is None:
            own = self._spent(seat, clock, row.at).reserve_s if asks else then.reserve_s
            return self._begun(Reckoned(row.at, own), row.at)
        least = min(LEAST_AFTER_UNDO_S, self.allowance_s)
        if not asks:
            if then.total_s > 0:
                return Reckoned(row.at, then.reserve_s, then.allowance_s, then.total_s)
            return Reckoned(row.at, then.reserve_s, least, least)
        allowance, total = then.allowance_s, then.total_s
        left = self.left(seat, clock, row.at)
        if left.allowance_s is not None and left.total_s is not None:
            allowance, total = min(allowance, left.allowance_s), min(total, left.total_s)
        reserve = max(0.0, total - max(0.0, allowance))
        allowance = max(0.0, allowance, least - reserve)
        return Reckoned(row.at, reserve, allowance, allowance + reserve)

    # --- tolerances ---------------------------------------------------------------------------------

    def slop(self, seat: Seat, since: float, at: float) -> float:
        """Return the tolerance, in seconds, of a time computed over a span."""
        run, edge = self._run, self._patience.edge_s
        ends = sum(since - 1 <= end <= at + 1 for span in self.idle(seat) for end in span)
        sets = sum(since - 60 <= each <= at + 1 for each in run.clock_sets)
        return self._patience.step_s + edge * ends + self._patience.set_s * sets

    def made_up_s(self, since: float, at: float) -> float:
        """Return how many seconds more than were lost the bot may compensate over a span.

        Two failed requests in a row are an outage, but the witness does not know these.
        """
        kills = sum(since - NOTED_EVERY_S <= kill <= at for kill in self._run.kills)
        return NOTED_EVERY_S * kills + covered([*self._run.troubles, *self._run.slow_writes], since, at)

    def grace_s(self, at: float) -> float:
        """Return by how many seconds a deadline may be enforced later: lost time that is not compensated."""
        known = [span for span in self._run.outages if span[0] <= at]
        # A frozen process knows the start only by the time of its last check.
        lost = covered(known, self._run.begun_at, at) + NOTED_EVERY_S * len(known)
        slow = self._patience.database_s
        return min(CREDITED_FROM_S, lost + slow + self.made_up_s(self._run.begun_at, at))

    def drift_s(self, at: float) -> float:
        """Return by how many seconds shown clocks may differ: they do not follow less than a minute."""
        return CREDITED_FROM_S if any(each <= at for each in self._run.clock_sets) else 0.0

    def owed_s(self, at: float) -> float:
        """Return by how many seconds a clock may lag: lost time that is not compensated yet."""
        outages = [each for each in self._run.outages if each[0] <= at]
        # A current outage, or one that has just ended, has not been checked yet.
        fresh = (min(at, ended) - begun for begun, ended in outages if ended + CREDITED_FROM_S >= at)
        # The same of slow writes: the one that moves deadlines may wait for them.
        writes = covered(self._run.slow_writes, at - CREDITED_FROM_S, at)
        return self.grace_s(at) + sum(fresh) + writes


# --- findings -------------------------------------------------------------------------------------------


def judged(clocks: Clocks, moments: Sequence[Moment], run: Transcript) -> Iterator[Finding]:
    """Yield the seats whose deadline was enforced too early, too late, or not at all."""
    name, rows = clocks.record.id, [*moments[1:], None]
    for number, (before, moment) in enumerate(zip(moments, rows, strict=True)):
        row = None if moment is None else moment.row
        until = run.ended_at if row is None else row.committed_at
        by_house = row is not None and row.request.startswith(("lapse:", "time_up:"))
        for seat, clock in clocks.after[number].items():
            if not clock.runs or seat not in before.asked:
                continue
            due, slop = clocks.due(seat, clock), clocks.slop(seat, clock.since, until)
            slop += clocks.made_up_s(clock.since, until)
            is_judged = by_house and row is not None and row.seat == seat
            if is_judged and row is not None and row.at < due - slop:
                yield Finding("judged early", f"{name}: row {row.seq}, {due - row.at:.1f} s too soon", RULE)
            if not _judgeable(before, seat):
                continue
            from_ = max(due, before.at if before.row is None else before.row.committed_at)
            late = until - from_ - covered([*clocks.idle(seat), *run.troubles, *run.leaps], from_, until)
            # A seat that has become the only late one is noticed with the next check (ADR 37).
            rest = LOOK_EVERY_S if due < before.at else 0.0
            if late > slop + rest + clocks.grace_s(until):
                kind = "judged late" if is_judged else "not judged"
                yield Finding(kind, f"{name}: seat {seat} was due {late:.1f} s before {_what(row)}", RULE)


def _judgeable(moment: Moment, seat: Seat) -> bool:
    """Return whether a seat's expired deadline must be enforced."""
    if moment.over or seat in moment.late:
        return False
    # If both are late, nobody waits.
    return not (moment.between_two and len(moment.asked) > 1)


def _what(row: Row | None) -> str:
    return "the end" if row is None else f"row {row.seq}, {row.kind}"


def shown(clocks: Clocks, moments: Sequence[Moment]) -> Iterator[Finding]:
    """Yield the clocks in the database that differ from the computed ones."""
    times = [moment.at if moment.row is None else moment.row.committed_at for moment in moments]
    last = {(each.seat, each.at): each for each in clocks.record.clocks}
    for each in last.values():
        number = bisect_right(times, each.at) - 1
        if number < 0 or moments[number].over:
            continue
        clock = clocks.after[number].get(each.seat)
        if clock is not None and (found := _difference(clocks, each, clock)):
            when = _what(moments[number].row)
            yield Finding("clock wrong", f"{clocks.record.id}: seat {each.seat} after {when}: {found}", RULE)


def _difference(clocks: Clocks, seen: ClockShown, clock: Reckoned) -> str:
    left, begun = clocks.left(seen.seat, clock, seen.at), clocks.record.begun_at
    slop = clocks.slop(seen.seat, begun, seen.at) + clocks.drift_s(seen.at)
    most, least = slop + clocks.made_up_s(begun, seen.at), slop + clocks.owed_s(seen.at)
    if (seen.deadline_s is None) != (left.total_s is None):
        return "a clock runs" if left.total_s is None else "no clock runs"
    pairs = (
        ("reserve", seen.reserve_s, left.reserve_s),
        ("allowance", seen.until_s, left.allowance_s),
        ("deadline", seen.deadline_s, left.total_s),
    )
    for what, theirs, ours in pairs:
        if theirs is not None and ours is not None and not ours - least <= theirs <= ours + most:
            return f"{what} has {theirs:.1f} s left, reckoned are {ours:.1f} (- {least:.0f}, + {most:.0f})"
    return ""


def holidays_end(run: Transcript) -> Iterator[Holiday]:
    """Yield the holidays that continued although their end was acknowledged."""
    for each in run.holidays:
        back = (p for p in run.presses if p.act == "end holiday" and p.done and p.person == each.person)
        if any(each.begun < press.at and press.answered_at + 60.0 < each.ended for press in back):
            yield each
