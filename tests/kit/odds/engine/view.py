"""The state, and what one viewer knows of it."""

from __future__ import annotations

from dataclasses import dataclass

from engines.core.contract import Seat, Viewer
from engines.core.kit import SecretChoice, SecretChoiceView

SEATS = (0, 1)
FINGERS = (1, 2, 3)


@dataclass(frozen=True, slots=True, repr=False)
class Public:
    """What everybody knows. ``ended`` is why the match is over, empty while it runs; ``left``: who left."""

    goal: int
    rounds: tuple[tuple[int, int], ...] = ()
    ended: str = ""
    left: Seat | None = None

    def scores(self) -> tuple[int, int]:
        """Return the rounds that each seat has won: seat 0 the even ones, seat 1 the odd ones."""
        odd = sum(sum(both) % 2 for both in self.rounds)
        return len(self.rounds) - odd, odd


@dataclass(frozen=True, slots=True, repr=False)
class State:
    """The whole truth. ``fingers``: what both hold behind their backs; nobody is asked once it is over."""

    public: Public
    fingers: SecretChoice[int]


@dataclass(frozen=True, slots=True, repr=False)
class View:
    """All that ``viewer`` knows."""

    viewer: Viewer
    public: Public
    fingers: SecretChoiceView[int]
