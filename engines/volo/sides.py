"""The birds of one seat, with what the generator of turns wants to know of them at every turn."""

from __future__ import annotations

from typing import TypeAlias

from engines.volo.board import Board, bits

Flock: TypeAlias = tuple[int, int, int]
"""A flock of two birds or more: its birds; what is beside them; what a row of them could touch."""


class Side:
    """The birds of one seat. Never changed: every turn makes a new one.

    ``birds``: all of them. ``singles``: those that are a flock of their own. ``flocks``: the others.
    ``once``: bits beside a bird; ``twice``: bits beside two flocks or more. ``anchored``: the birds
    of all flocks that touch the wall. (In ``once`` and ``twice`` only vacant points mean anything.)
    """

    __slots__ = ("anchored", "birds", "flocks", "once", "singles", "twice")

    def __init__(
        self, birds: int, singles: int, flocks: tuple[Flock, ...], once: int, twice: int, anchored: int
    ) -> None:
        self.birds = birds
        self.singles = singles
        self.flocks = flocks
        self.once = once
        self.twice = twice
        self.anchored = anchored

    @property
    def united(self) -> bool:
        """Return whether all birds are one flock; no bird at all is none."""
        if self.flocks:
            return len(self.flocks) == 1 and not self.singles
        return self.singles != 0 and self.singles & (self.singles - 1) == 0

    def added(self, board: Board, bird: int) -> Side:
        """Return the side with one bird more, that stands beside no other."""
        ring = board.ring[bird]
        return Side(
            self.birds | bird,
            self.singles | bird,
            self.flocks,
            self.once | ring,
            self.twice | self.once & ring,
            self.anchored | bird if ring & board.wall else self.anchored,
        )

    def flown(self, board: Board, unit: int, landing: int) -> Side:
        """Return the side after ``unit`` flew to ``landing`` and joined what is there."""
        touched = board.spread(landing)
        singles = self.singles & ~unit
        merged = singles & touched | unit
        kept: list[Flock] = []
        for flock in self.flocks:
            if flock[1] & landing or flock[0] & unit:
                merged |= flock[0]
            else:
                kept.append(flock)
        kept.append(make_flock(board, merged & ~unit | landing))
        return _side(board, self.birds & ~unit | landing, singles & ~touched, tuple(kept))

    def without(self, board: Board, gone: int) -> Side:
        """Return the side after the flocks ``gone`` flew away."""
        flocks = tuple(flock for flock in self.flocks if not flock[0] & gone)
        return _side(board, self.birds & ~gone, self.singles & ~gone, flocks)

    def all_flocks(self) -> tuple[int, ...]:
        """Return every flock, the one with the lowest bird first."""
        return tuple(
            sorted((*bits(self.singles), *(flock[0] for flock in self.flocks)), key=lambda f: f & -f)
        )


def side_of(board: Board, birds: int) -> Side:
    """Return the side of any birds."""
    parts = tuple(board.parts(birds))
    singles = sum(part for part in parts if part & (part - 1) == 0)
    flocks = tuple(make_flock(board, part) for part in parts if not part & singles)
    return _side(board, birds, singles, flocks)


def _side(board: Board, birds: int, singles: int, flocks: tuple[Flock, ...]) -> Side:
    ring, wall = board.ring, board.wall
    once = twice = anchored = 0
    left = singles
    while left:
        bird = left & -left
        left ^= bird
        near = ring[bird]
        twice |= once & near
        once |= near
        if near & wall:
            anchored |= bird
    for mask, near, _ in flocks:
        twice |= once & near
        once |= near
        if near & wall:
            anchored |= mask
    return Side(birds, singles, flocks, once, twice, anchored)


def make_flock(board: Board, birds: int) -> Flock:
    """Return the flock of these birds, two or more.

    A row of n birds, the flock's rest left behind, that touches the rest after its flight has no
    point farther than n from it: that, for its longest row, is the third part.
    """
    beside = board.spread(birds)
    reach = board.spread(beside)
    shifts = board.up
    rows = [birds & birds >> shift for shift in shifts]
    span = 2
    while any(rows := [row & birds >> shift * span for row, shift in zip(rows, shifts, strict=True)]):
        reach = board.spread(reach)
        span += 1
    return birds, beside, reach
