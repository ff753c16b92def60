"""The state, and what one viewer knows of it."""

from __future__ import annotations

from dataclasses import dataclass

from engines.core.contract import Seat, Viewer

FINGERS = (1, 2, 3)


@dataclass(frozen=True, slots=True, repr=False)
class Public:
    """What everybody knows. ``ended`` is why the match is over; empty while it runs."""

    goal: int
    rounds: tuple[tuple[int, int], ...] = ()
    ready: tuple[bool, bool] = (False, False)
    ended: str = ""
    left: Seat | None = None

    def scores(self) -> tuple[int, int]:
        """Return the rounds that each seat has won: seat 0 the even ones, seat 1 the odd ones."""
        odd = sum(sum(both) % 2 for both in self.rounds)
        return len(self.rounds) - odd, odd


@dataclass(frozen=True, slots=True, repr=False)
class State:
    """The whole truth. ``shown``: the fingers behind each back, 0 where a seat has not decided."""

    public: Public
    shown: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True, repr=False)
class View:
    """All that ``viewer`` knows; ``own`` is 0 for the public and for who has not decided."""

    viewer: Viewer
    public: Public
    own: int = 0


def waiting(public: Public) -> frozenset[Seat]:
    """Return who must decide: it is no secret."""
    if public.ended:
        return frozenset()
    return frozenset(seat for seat in (0, 1) if not public.ready[seat])
