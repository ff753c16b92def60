"""Regions: what birds can reach over vacant points, and which landings cut the opponent's apart.

Few flights cut anything, and to find out by flooding the board costs more than all else. But to cut,
a landing must close a ring of walls: it touches one wall (a flock; or the edge with all flocks that
touch it, the centre among them) in two places that are not beside each other. Only such landings are
checked, and only until the smaller side of the cut is known.
"""

from __future__ import annotations

from functools import lru_cache

from engines.volo.board import Board
from engines.volo.sides import Side

RING = 6
"""The fewest points that enclose one."""


def regions(board: Board, walls: int, birds: int) -> list[int]:
    """Return each region of ``birds`` where ``walls`` are the birds of the other seat, lowest first."""
    room = board.full ^ walls
    found: list[int] = []
    while birds:
        region = board.flood(birds & -birds, room)
        found.append(region)
        birds &= ~region
    return sorted(found, key=lambda region: region & -region)


def regions_to_choose(board: Board, own: int, landing: int, other: int) -> tuple[int, ...]:
    """Return the regions of which one must be kept after a flight landed; none where there is no choice.

    ``own`` are the mover's birds after the flight: as one flock they win, and nothing is removed.
    """
    found = regions(board, own, other)
    if len(found) > 1 and board.flood(landing, own) != own:
        return tuple(found)
    return ()


def reachable(board: Board, side: int, other: int) -> int:
    """Return the points that the birds ``side`` reach over vacant and own points."""
    return board.flood(side, board.full ^ other)


def is_cut(board: Board, walls: int, birds: int) -> bool:
    """Return whether ``birds`` lie in two regions or more."""
    return birds & ~board.flood(birds & -birds, board.full ^ walls) != 0


def may_cut(board: Board, walls: int, landing: int, birds: int) -> bool:
    """Return whether ``birds`` might lie in several regions, if they lay in one before the landing.

    ``walls`` are the birds of the other seat, the landed ones among them. What was one region is now one
    that surrounds the landing, or falls apart into regions that are all beside it. The first and the last
    point beside it are grown in turn: until they have met, or one of them cannot grow.
    """
    _, longer, row = board.up
    room = board.full ^ walls
    near = board.ring[landing] & room
    one, two = near & -near, 1 << near.bit_length() - 1
    while near:
        east = one | one << 1
        more = (east | one >> 1 | east << row | east >> longer) & room
        if more == one:
            return birds & ~one != 0 and (birds & one != 0 or near & ~(one | two) != 0)
        if more & two:
            more = two = more | two
            if not near & ~more:
                return False
        one, two = two, more
    return False


def risky_points(board: Board, side: Side) -> int:
    """Return the points, of those beside the side's birds, where one more bird might close a ring."""
    found = _two_places(board, board.wall | side.anchored)
    for flock in side.flocks:
        if not flock.anchored and flock.size >= RING - 1:
            found |= _two_places(board, flock.birds)
    return found


@lru_cache(maxsize=1 << 8)
def _two_places(board: Board, wall: int) -> int:
    # The bits whose ring goes in and out of the wall twice, found for all places at once.
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
    beside, anchored = board.ring[landing] & ~unit, side.anchored
    if not board.one_stretch(landing, beside & (board.wall | anchored)):
        return True
    loose = beside & (side.birds ^ anchored)
    if loose:
        size = landing.bit_count()
        for flock in side.flocks:
            contact = loose & flock.birds
            if contact and flock.size + size >= RING and not board.one_stretch(landing, contact):
                return True
    return False
