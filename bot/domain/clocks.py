"""Clocks: how long a decision may take, and what becomes of one that is not made in time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

MINUTE = 60.0
HOUR = 60 * MINUTE
DAY = 24 * HOUR

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


_ALLOWANCES = {Pace.LIVE: 10 * MINUTE, Pace.EVENING: HOUR, Pace.DAY: DAY, Pace.SLOW: 3 * DAY}
_RESERVES = {Pace.DAY: 3 * DAY, Pace.SLOW: 7 * DAY}


class TimeUp(Enum):
    """Who decides for a seat whose time is up, where that is not up to the one who waits."""

    PASS = "pass"  # noqa: S105 - a move, no password
    """The game's rules, where they know a pass; else a computer player."""
    COMPUTER = "computer"
    """A computer player."""


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

    def begun(self, pace: Pace, now: float) -> Clock:
        """Return the clock of a decision that is asked from ``now`` on."""
        until = now + pace.allowance
        return replace(self, until=until, deadline=until + self.reserve, overdue=False)

    def answered(self, now: float) -> Clock:
        """Return the clock once the seat has decided: what it took beyond its allowance is gone."""
        left = self.reserve if self.deadline is None else max(0.0, min(self.reserve, self.deadline - now))
        return replace(self, reserve=left, overdue=False)

    def ran_out(self) -> Clock:
        """Return the clock once its deadline is past, where nobody decides for its seat."""
        return replace(self, overdue=True)

    def off(self) -> Clock:
        """Return the clock of a seat that the public sees decide no more."""
        return self if self.deadline is None else replace(self, until=None, deadline=None, overdue=False)

    def given(self, pace: Pace, now: float) -> Clock:
        """Return the clock with another allowance, from ``now`` on where its time is up."""
        if self.until is None or self.deadline is None:
            return self
        late = max(0.0, now - self.deadline)
        by = pace.allowance + late
        return replace(self, until=self.until + by, deadline=self.deadline + by, overdue=False)

    def counted(self, *, missed: bool) -> Clock:
        """Return the clock once a decision was made by the seat's person, or for them."""
        count = self.missed + 1 if missed else 0
        return self if count == self.missed else replace(self, missed=count)
