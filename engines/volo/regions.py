"""Regions: what the opponent's birds can reach over vacant points, and which flights cut it.

Few flights cut anything, and to find out by flooding the board costs more than all else. But to cut,
a landing must close a ring of walls: it touches one wall (a flock, or the edge with all flocks that
touch it, the centre among them) in two places that are not beside each other. Only such landings
are flooded.
"""

from __future__ import annotations

from collections.abc import Iterator

from engines.volo.board import Board
from engines.volo.sides import Side

RING = 6
"""The fewest points that enclose one."""


def regions(board: Board, walls: int, birds: int) -> Iterator[int]:
    """Yield each region of ``birds`` where ``walls`` are the birds of the other seat, lowest first."""
    room = board.full & ~walls
    for part in board.parts(room):
        if part & birds:
            yield part


def regions_to_choose(board: Board, own: int, landing: int, other: int) -> tuple[int, ...]:
    """Return the regions of which one must be kept after a flight landed; none where there is no choice.

    ``own`` are the mover's birds after the flight: as one flock they win, and nothing is removed.
    """
    if not is_cut(board, own, other) or board.flood(landing, own) == own:
        return ()
    return tuple(regions(board, own, other))


def reachable(board: Board, side: int, other: int) -> int:
    """Return the points that the birds ``side`` reach over vacant and own points."""
    return board.flood(side, board.full & ~other)


def is_cut(board: Board, walls: int, birds: int) -> bool:
    """Return whether ``birds`` lie in two regions or more."""
    room = board.full & ~walls
    return birds & ~board.flood(birds & -birds, room) != 0


def risky_points(board: Board, side: Side) -> int:
    """Return the points, of those beside the side's birds, where one more bird might close a ring."""
    found = _two_places(board, board.wall | side.anchored)
    for birds, _, _ in side.flocks:
        if not birds & side.anchored and birds.bit_count() >= RING - 1:
            found |= _two_places(board, birds)
    return found


def _two_places(board: Board, wall: int) -> int:
    """Return the bits that touch ``wall`` in two places or more: whose ring goes in and out of it twice."""
    east, north_east, north_west = board.up
    around = (
        wall >> east,
        wall >> north_east,
        wall >> north_west,
        wall << east,
        wall << north_east,
        wall << north_west,
    )
    one = two = 0
    before = around[5]
    for now in around:
        begins = now & ~before
        two |= one & begins
        one |= begins
        before = now
    return two


def may_close(board: Board, side: Side, unit: int, landing: int) -> bool:
    """Return whether a row's landing might close a ring."""
    beside = board.spread(landing) & ~landing
    long = landing.bit_count()
    # A row from edge to edge would find its own two ends side by side in the layout of the bits.
    if long > board.edge or _places(board, (board.wall | side.anchored) & ~unit & beside) > 1:
        return True
    return any(
        _places(board, birds & ~unit & beside) > 1
        for birds, _, _ in side.flocks
        if not birds & side.anchored and birds.bit_count() + long >= RING
    )


def _places(board: Board, contact: int) -> int:
    """Return how many stretches of a landing's ring are in ``contact``; a whole ring counts as none."""
    pairs = sum((contact & contact >> shift).bit_count() for shift in board.up)
    return contact.bit_count() - pairs
