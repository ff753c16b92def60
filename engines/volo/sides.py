"""The birds of one seat, with what the turn generator needs to know of them at every turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engines.volo.board import Board, Spans, bits


class Turn(NamedTuple):
    """A legal turn. An add moves no birds and has no word; a pass has neither birds nor a landing.

    ``unit``: the birds that fly; ``landing``: where they land, or the point of an add. ``word``: direction
    and steps, ``NE2``. Where a flight cuts the opponent's birds apart, ``keep`` is the lowest point of the
    region that stays, and ``gone`` are the birds that fly away.
    """

    unit: int
    landing: int
    word: str
    keep: int
    gone: int


class Flock:
    """Two birds or more that are connected.

    ``beside`` are the bits beside them, those of the wall too; ``anchored``: there are some of the wall.
    ``row``: they stand in one straight row. ``spans`` is how far they go, or went: after a flight the
    hexagon around them may be too large. ``notes`` belong to :mod:`engines.volo.flights`.
    """

    __slots__ = ("anchored", "beside", "birds", "notes", "row", "size", "spans")

    def __init__(self, board: Board, birds: int, spans: Spans) -> None:
        self.birds = birds
        self.spans = spans
        self.size = birds.bit_count()
        self.beside = board.spread(birds) & ~birds
        self.row = birds in board.units
        self.anchored = self.beside & board.wall != 0
        self.notes: object = None


def _widest(spans: Sequence[Spans]) -> Spans:
    # Written out for speed: it runs at every flight.
    a, b, c, d, e, f = spans[0]
    for span in spans:
        a = max(span[0], a)
        b = max(span[1], b)
        c = max(span[2], c)
        d = max(span[3], d)
        e = max(span[4], e)
        f = max(span[5], f)
    return a, b, c, d, e, f


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
        """Return the side with one more bird, which is beside no other."""
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
        touched = board.ring[landing]
        joined = self.singles & touched & ~unit
        merged = joined
        spans = [board.spans[bit] for bit in bits(joined | landing)]
        kept: list[Flock] = []
        for flock in self.flocks:
            if flock.beside & landing or flock.birds & unit:
                merged |= flock.birds
                spans.append(flock.spans)
            else:
                kept.append(flock)
        # The flocks that the landing touches become one with the flock that the unit has left.
        kept.append(Flock(board, merged & ~unit | landing, _widest(spans)))
        return _side(board, self.birds & ~unit | landing, self.singles & ~unit & ~joined, tuple(kept))

    def without(self, board: Board, gone: int) -> Side:
        """Return the side after the flocks ``gone`` flew away."""
        flocks = tuple(flock for flock in self.flocks if not flock.birds & gone)
        return _side(board, self.birds & ~gone, self.singles & ~gone, flocks)

    def all_flocks(self) -> tuple[int, ...]:
        """Return every flock, the one with the lowest bird first."""
        flocks = (*bits(self.singles), *(flock.birds for flock in self.flocks))
        return tuple(sorted(flocks, key=lambda birds: birds & -birds))


def side_of(board: Board, birds: int) -> Side:
    """Return the side of any birds."""
    parts = tuple(board.parts(birds))
    singles = sum(part for part in parts if part & (part - 1) == 0)
    flocks = (part for part in parts if not part & singles)
    made = tuple(Flock(board, part, _widest([board.spans[bit] for bit in bits(part)])) for part in flocks)
    return _side(board, birds, singles, made)


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
    for flock in flocks:
        twice |= once & flock.beside
        once |= flock.beside
        if flock.anchored:
            anchored |= flock.birds
    return Side(birds, singles, flocks, once, twice, anchored)
