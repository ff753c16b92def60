"""The sky: points, their names, and the tables that bit boards of them need.

A set of points is an ``int``. Rows are laid one after the other, row a lowest, so that the lowest
bit of a set is its lowest point (row a first, then number). A row of bits has as many places as the
longest row of points; since the six corners are absent, a step over the edge always lands on a bit
that is no point, and one neighbour is one shift away, whatever the row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TypeAlias

DIRECTIONS: tuple[str, ...] = ("E", "NE", "NW", "W", "SW", "SE")
"""The six directions, on a board that has row a at the bottom."""

Spans: TypeAlias = tuple[int, int, int, int, int, int]
"""How far a set of points goes in six ways: the most of q, r and q + r, and of -q, -r and -(q + r)."""

_LETTERS = "abcdefghijklm"


def bits(points: int) -> Iterator[int]:
    """Yield the single points of a set, lowest first, each as a set of its own."""
    while points:
        low = points & -points
        yield low
        points ^= low


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Board:
    """One size of board. There are two of them, made once: :data:`BOARDS`.

    ``up``: the shift of each of the directions E, NE, NW; W, SW, SE are the same shifts down.
    ``wall`` are the bits around the points (the edge, the corners, the centre) that are no points.
    ``order`` are the points as a position text lists them: row m to row a, each from the left.
    ``units`` names every single point and every straight row, ``a2`` or ``a2:a4``, by its points.
    ``ring``: the bits beside each of these, those of the wall too.
    ``spans``: of every point q, r and q + r, each once as it is and once with the other sign.
    ``bands``: of each of these six, the points that have at most a value, by that value.
    """

    key: str
    edge: int
    full: int
    wall: int
    up: tuple[int, int, int]
    names: dict[int, str]
    points: dict[str, int]
    order: tuple[int, ...]
    ring: dict[int, int]
    units: dict[int, str]
    unit_points: dict[str, int]
    spans: dict[int, Spans]
    bands: tuple[dict[int, int], ...]

    def __reduce__(self) -> tuple[Callable[[str], Board], tuple[str]]:
        return board_of, (self.key,)

    def spread(self, points: int) -> int:
        """Return ``points`` and all bits beside them, those of the wall too."""
        _, longer, row = self.up
        # With what is to the east of them, points have all their other neighbours in two shifts.
        east = points | points << 1
        return east | points >> 1 | east << row | east >> longer

    def one_stretch(self, unit: int, contact: int) -> bool:
        """Return whether ``contact``, a part of the ring of a unit, is in one piece (or empty, or all of it).

        Of units longer than the board's edge it says no: two ends of the ring might stand side by side in
        the layout of the bits that are far from each other on the board.
        """
        if unit.bit_count() > self.edge:
            return False
        count = contact.bit_count()
        if count <= 1:
            return True
        east, north_east, north_west = self.up
        pairs = (
            (contact & contact >> east).bit_count()
            + (contact & contact >> north_east).bit_count()
            + (contact & contact >> north_west).bit_count()
        )
        return count <= pairs + 1

    def flood(self, seeds: int, room: int) -> int:
        """Return the points of ``room`` that are connected with ``seeds``, which lie in it."""
        # The spread is written out for speed, here and wherever it is asked for again and again.
        _, longer, row = self.up
        seen, last = seeds, 0
        while seen != last:
            last = seen
            east = seen | seen << 1
            seen = (east | seen >> 1 | east << row | east >> longer) & room
        return seen

    def approach(self, seeds: int, room: int, goals: int) -> tuple[int, int]:
        """Return how many points of ``room`` are between ``seeds`` and the nearest ``goals``, and those.

        No goals: none can be reached. Seeds and goals lie in ``room`` and are not beside each other.
        """
        _, longer, row = self.up
        front, steps = seeds, 0
        while True:
            east = front | front << 1
            wider = (east | front >> 1 | east << row | east >> longer) & room
            if wider & goals or wider == front:
                return steps, wider & goals
            front = wider
            steps += 1

    def parts(self, room: int) -> Iterator[int]:
        """Yield the connected parts of a set, the one with the lowest point first."""
        while room:
            part = self.flood(room & -room, room)
            yield part
            room ^= part

    def reach(self, spans: Spans, margin: int) -> int:
        """Return the points of a hexagon that goes ``margin`` farther than ``spans`` in every way."""
        zone = self.full
        for band, most in zip(self.bands, spans, strict=True):
            zone &= band.get(most + margin, zone)
        return zone

    def shifted(self, points: int, direction: str, steps: int) -> int:
        """Return ``points`` moved rigidly; what leaves the board lands on bits that are no points."""
        index = DIRECTIONS.index(direction)
        if index < len(self.up):
            return points << self.up[index] * steps
        return points >> self.up[index - len(self.up)] * steps

    def listed(self, points: int) -> tuple[str, ...]:
        """Return the names of a set's points, lowest first."""
        return tuple(self.names[bit] for bit in bits(points))


def places(edge: int) -> Iterator[tuple[str, tuple[int, int], bool]]:
    """Yield of every place, row a first, then number: name, axial (q, r), whether it is a point."""
    radius = edge - 1
    for letter in range(2 * radius + 1):
        r = radius - letter
        for number in range(1, 2 * radius + 2 - abs(r)):
            q = max(-radius, -radius - r) + number - 1
            # The centre and the corners: there, and only there, nothing but 0 and the radius occurs.
            absent = {abs(q), abs(r), abs(q + r)} <= {0, radius}
            yield f"{_LETTERS[letter]}{number}", (q, r), not absent


def _make(key: str, edge: int) -> Board:
    radius, width = edge - 1, 2 * edge - 1
    # One row of bits below row a keeps what moves down from it from being lost.
    points = {
        name: 1 << (radius - r + 1) * width + q + radius + 1
        for name, (q, r), present in places(edge)
        if present
    }
    names = {bit: name for name, bit in points.items()}
    spans: dict[int, Spans] = {
        points[name]: (q, r, q + r, -q, -r, -q - r) for name, (q, r), present in places(edge) if present
    }
    full = sum(names)
    up = (1, width + 1, width)
    units = dict(_units(names, up))
    near = tuple(sign * shift for sign in (1, -1) for shift in up)
    ring = {unit: reduce(or_, (_shift(unit, shift) for shift in near)) & ~unit for unit in units}
    return Board(
        key,
        edge,
        full,
        wall=reduce(or_, ring.values()) & ~full,
        up=up,
        names=names,
        points=points,
        order=tuple(sorted(names, key=lambda bit: (-ord(names[bit][0]), bit))),
        ring=ring,
        units=units,
        unit_points={name: row for row, name in units.items()},
        spans=spans,
        bands=tuple(_band(spans, way, radius) for way in range(6)),
    )


def _band(spans: dict[int, Spans], way: int, radius: int) -> dict[int, int]:
    return {most: sum(bit for bit in spans if spans[bit][way] <= most) for most in range(-radius, radius)}


def _shift(points: int, by: int) -> int:
    return points << by if by > 0 else points >> -by


def _units(names: dict[int, str], up: tuple[int, int, int]) -> Iterator[tuple[int, str]]:
    for bit, name in names.items():
        yield bit, name
        for shift in up:
            row, end = bit, bit << shift
            while end in names:
                row |= end
                yield row, f"{name}:{names[end]}"
                end <<= shift


BOARDS: dict[str, Board] = {board.key: board for board in (_make("standard", 7), _make("small", 6))}
"""The boards by the key of the option that chooses them: 120 points, and 84."""


def board_of(key: str) -> Board:
    """Return the board ``key``; raises ``KeyError``."""
    return BOARDS[key]


BY_POINTS: dict[int, Board] = {len(board.order): board for board in BOARDS.values()}
"""The boards by their number of points."""
