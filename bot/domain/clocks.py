"""Clocks: how long a decision may take, and what becomes of one that is not made in time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

MINUTE = 60.0
HOUR = 60 * MINUTE
DAY = 24 * HOUR

REMINDERS = (0.5, 0.1)
"""What is left of an allowance when its seat's person is reminded."""

HOUR_APART = 60 * MINUTE
"""Seconds between two reminders of the same person, from :attr:`Pace.DAY` on."""

MIN_AFTER_UNDO_S = HOUR
"""What a seat has at least to decide again what it has taken back; or its allowance, if that is shorter."""

STAND_IN_AFTER = 3
"""Decisions in a row that were made for a seat, until a computer player keeps it."""


class Pace(Enum):
    """How long the decisions of a match may take: chosen with the table, the same for all."""

    LIVE = "live"
    EVENING = "evening"
    DAY = "day"
    SLOW = "slow"
    NONE = "none"
    """As long as anybody likes."""

    @property
    def allowance(self) -> float:
        """Return the seconds that every decision has; raises ``KeyError`` for :attr:`NONE`."""
        return _ALLOWANCES[self]

    @property
    def reserve(self) -> float:
        """Return the seconds that a seat has beyond its allowances, once a match."""
        return _RESERVES.get(self, 0.0)

    @property
    def over_days(self) -> bool:
        """Return whether a decision may take a day or longer: then people may be on holiday."""
        return self in (Pace.DAY, Pace.SLOW)


_ALLOWANCES = {Pace.LIVE: 10 * MINUTE, Pace.EVENING: HOUR, Pace.DAY: DAY, Pace.SLOW: 3 * DAY}
_RESERVES = {Pace.DAY: 3 * DAY, Pace.SLOW: 7 * DAY}


class TimeUp(Enum):
    """Who decides for a seat whose time is up, where that is not up to the one who waits."""

    PASS = "pass"  # noqa: S105 - a move, no password
    """The game's rules, where they know a pass; else a computer player."""
    COMPUTER = "computer"
    """A computer player."""


class Nudge(Enum):
    """Whether those who wait have had a seat's person told, once an allowance."""

    NONE = 0
    ASKED = 1
    """They have asked for it, and it is still to be sent."""
    SENT = 2


@dataclass(frozen=True, slots=True)
class Remaining:
    """What a clock had left at one moment, in seconds; kept with a turn that may be taken back."""

    reserve: float
    allowance: float | None = None
    """Until its allowance ends, less than 0 after that; ``None``: the public did not see the seat decide."""
    total: float | None = None
    """Until its deadline; ``None`` as ``allowance``."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a seat that a person holds. All times are Unix times, all spans seconds.

    ``until`` and ``deadline`` are set while the public sees the seat decide: they change with what the public
    learns alone, though the seat may have decided already in secret.
    """

    reserve: float
    """What is left for decisions that take longer than their allowance."""
    until: float | None = None
    """When the allowance ends, and the reserve begins to shrink."""
    deadline: float | None = None
    """When the reserve is used up too."""
    missed: int = 0
    """Decisions in a row that were made for the seat."""
    overdue: bool = False
    """The deadline is past, and the one who waits may say what becomes of it."""
    remind_at: float | None = None
    """When the seat's person is reminded next; ``None``: not any more."""
    reminded: int = 0
    """How many of the reminders of this allowance are over, whether anybody was told or not."""
    nudge: Nudge = Nudge.NONE
    stopped_at: float | None = None
    """Since when the clock stands still; ``None``: it runs."""

    def begun(self, pace: Pace, now: float) -> Clock:
        """Return the clock of a decision that is asked from ``now`` on."""
        until = now + pace.allowance
        begun = replace(self, until=until, deadline=until + self.reserve, overdue=False, stopped_at=None)
        return begun.with_reminders(pace)

    def answered(self, now: float) -> Clock:
        """Return the clock once the seat has decided: what it took beyond its allowance is gone."""
        left = self.reserve if self.deadline is None else max(0.0, min(self.reserve, self.deadline - now))
        return replace(self, reserve=left, overdue=False)

    def ran_out(self) -> Clock:
        """Return the clock once its deadline is past, where nobody decides for its seat."""
        return replace(self, overdue=True, remind_at=None)

    def off(self) -> Clock:
        """Return the clock of a seat that the public sees decide no more."""
        if self.deadline is None:
            return self
        return Clock(self.reserve, missed=self.missed)

    def given(self, pace: Pace, now: float) -> Clock:
        """Return the clock with another allowance, from ``now`` on where its time is up."""
        if self.until is None or self.deadline is None:
            return self
        late = max(0.0, now - self.deadline)
        by = pace.allowance + late
        longer = replace(self, until=self.until + by, deadline=self.deadline + by, overdue=False)
        return longer.with_reminders(pace)

    # --- turns that are taken back --------------------------------------------------------------------

    def remaining(self, now: float) -> Remaining:
        """Return what is left."""
        clock = self.going(now)
        if clock.until is None or clock.deadline is None:
            return Remaining(clock.reserve)
        return Remaining(clock.reserve, clock.until - now, clock.deadline - now)

    def restored(self, kept: Remaining, pace: Pace, now: float) -> Clock:
        """Return the clock with what it had left at an earlier moment, for the same decision."""
        if kept.allowance is None or kept.total is None:
            return replace(self, reserve=kept.reserve).begun(pace, now)
        if kept.total > 0:
            return self._resumed(kept.reserve, kept.allowance, kept.total, pace, now)
        # Late by then, or done in secret: the reserve of the latter is not touched.
        least = _min_after_undo(pace)
        return self._resumed(kept.reserve, least, least, pace, now)

    def charged(self, kept: Remaining, pace: Pace, now: float) -> Clock:
        """Return the clock of a seat that decides again what it had decided at an earlier moment.

        It has the lesser of what was left then and what is left now. Both are known to the public: what a
        seat does in secret shows in neither.
        """
        if kept.allowance is None or kept.total is None:
            return self.answered(now).begun(pace, now)
        left = self.remaining(now)
        allowance, total = kept.allowance, kept.total
        if left.allowance is not None and left.total is not None:
            allowance, total = min(allowance, left.allowance), min(total, left.total)
        reserve = max(0.0, total - max(0.0, allowance))
        allowance = max(0.0, allowance, _min_after_undo(pace) - reserve)
        return self._resumed(reserve, allowance, allowance + reserve, pace, now)

    def _resumed(self, reserve: float, allowance: float, total: float, pace: Pace, now: float) -> Clock:
        until, deadline = now + allowance, now + total
        clock = replace(self, reserve=reserve, until=until, deadline=deadline, overdue=False, stopped_at=None)
        return clock.with_reminders(pace).told(pace, now)

    def counted(self, *, missed: bool) -> Clock:
        """Return the clock once a decision was made by the seat's person, or for them."""
        count = self.missed + 1 if missed else 0
        return self if count == self.missed else replace(self, missed=count)

    # --- reminders ------------------------------------------------------------------------------------

    def with_reminders(self, pace: Pace) -> Clock:
        """Return the clock with all reminders of its allowance still to come."""
        return replace(self, reminded=0, nudge=Nudge.NONE, remind_at=self._reminder(pace, 0))

    def told(self, pace: Pace, now: float) -> Clock:
        """Return the clock once its person was reminded, or would have been: what was due is over."""
        over = self.reminded
        while (at := self._reminder(pace, over)) is not None and at <= now:
            over += 1
        nudge = Nudge.SENT if self.nudge is Nudge.ASKED else self.nudge
        return replace(self, reminded=over, remind_at=self._reminder(pace, over), nudge=nudge)

    def held_back(self, until: float) -> Clock:
        """Return the clock with its next reminder put off; one that would come too late never does."""
        late = self.deadline is None or until >= self.deadline
        return replace(self, remind_at=None if late else until)

    def nudged(self, now: float) -> Clock:
        """Return the clock once those who wait have asked that its person be told."""
        return replace(self, nudge=Nudge.ASKED, remind_at=now)

    def _reminder(self, pace: Pace, number: int) -> float | None:
        """Return when a reminder is due; ``None``: there is none of that number."""
        if self.until is None or number >= len(REMINDERS):
            return None
        return self.until - pace.allowance * REMINDERS[number]

    # --- standing still -------------------------------------------------------------------------------

    def stopped(self, now: float) -> Clock:
        """Return the clock standing still."""
        return self if self.deadline is None or self.stopped_at is not None else replace(self, stopped_at=now)

    def going(self, now: float) -> Clock:
        """Return the clock running on, with what it had left when it was stopped."""
        if self.stopped_at is None:
            return self
        by = max(0.0, now - self.stopped_at)
        until, deadline, remind_at = (
            None if at is None else at + by for at in (self.until, self.deadline, self.remind_at)
        )
        return replace(self, until=until, deadline=deadline, remind_at=remind_at, stopped_at=None)


def _min_after_undo(pace: Pace) -> float:
    return min(MIN_AFTER_UNDO_S, pace.allowance)
