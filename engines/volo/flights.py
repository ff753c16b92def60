"""All flights of a side, found by shifting whole boards.

Of the three conditions on a flight the first (a free way) is followed for all birds, or all rows of
one length and direction, at once. The second (the flock grows) means that the landing touches a
flock other than the one left. The third (nobody is left behind) is checked landing by landing,
and only where the first two hold.

Flights that leave birds of their flock behind must end beside them. So they depend on the points
around the flock alone, and are listed anew only when something there has changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from engines.volo.board import BOARDS, DIRECTIONS, Board
from engines.volo.sides import Flock, Turn

_Way: TypeAlias = tuple[bool, int, tuple[tuple[str, int], ...]]
"""A direction: whether it leads up, to higher bits; how far one step shifts; of every number of steps its
word, and how far they shift.

Points are moved in line, ``points << by if up else points >> by``: a call would cost more than the shift."""
_Rows: TypeAlias = tuple[int, int, int, int]
"""All rows of one length along one axis in a flock, the flock itself not among them: the set of their lowest
birds; the lowest such row there is; how far a row's highest bird is from its lowest; and the places where
such a row touches the flock, written as lowest birds."""
_Axis: TypeAlias = tuple[tuple[_Way, ...], tuple[_Way, ...], tuple[_Rows, ...]]
"""The ways along an axis, those across it, and a flock's rows along it, the shortest ones first."""

# A call of a named tuple costs twice as much, and here the generator spends its time.
_new: Any = tuple.__new__


def _ways(board: Board) -> tuple[_Way, ...]:
    def way(number: int) -> _Way:
        shift = board.up[number % 3]
        steps = ((f"{DIRECTIONS[number]}{count}", shift * count) for count in range(1, 2 * board.edge))
        return number < 3, shift, tuple(steps)

    return tuple(map(way, range(6)))


_WAYS: dict[str, tuple[_Way, ...]] = {key: _ways(board) for key, board in BOARDS.items()}
_ALONG: dict[str, tuple[tuple[_Way, ...], ...]] = {
    key: tuple((ways[axis], ways[axis + 3]) for axis in range(3)) for key, ways in _WAYS.items()
}
"""The two ways along each of the three axes."""
_ACROSS: dict[str, tuple[tuple[_Way, ...], ...]] = {
    key: tuple(tuple(way for number, way in enumerate(ways) if number % 3 != axis) for axis in range(3))
    for key, ways in _WAYS.items()
}
"""The four ways across each of them."""


def _lone(board: Board, way: _Way) -> tuple[dict[int, Turn], ...]:
    up, _, steps = way
    return tuple(
        {
            landing: Turn(unit, landing, word, 0, 0)
            for landing in board.names
            if (unit := landing >> by if up else landing << by) in board.names
        }
        for word, by in steps
    )


_LONE: dict[str, tuple[tuple[bool, int, tuple[dict[int, Turn], ...]], ...]] = {
    key: tuple((way[0], way[1], _lone(BOARDS[key], way)) for way in ways) for key, ways in _WAYS.items()
}
"""Of each direction the flights of single birds, by their steps and landings: looked up, not made again."""


class Finds:
    """Flights on their way: ``found``, and ``doubtful`` those that end on a risky point."""

    __slots__ = ("doubtful", "found", "risky")

    def __init__(self, found: list[Turn], risky: int) -> None:
        self.found = found
        self.risky = risky
        self.doubtful: list[Turn] = []


def lone_flights(board: Board, birds: int, vacant: int, beside: tuple[int, int], finds: Finds) -> None:
    """Add the flights of birds that are flocks of their own.

    ``beside``: the vacant points beside one flock or more, and beside two or more. After one step a bird's
    own old place is beside it, so that it takes another flock to make two.
    """
    once, twice = beside
    risky, found, doubtful = finds.risky, finds.found, finds.doubtful
    for up, shift, flights in _LONE[board.key]:
        front, marks = birds, twice
        for by_landing in flights:
            front = (front << shift if up else front >> shift) & vacant
            if not front:
                break
            hits = front & marks
            marks = once
            while hits:
                landing = hits & -hits
                hits ^= landing
                (doubtful if landing & risky else found).append(by_landing[landing])


def row_flights(board: Board, row: int, vacant: int, other: int) -> list[Turn]:
    """Return the flights of a flock that is one row, all of it."""
    free = vacant | row
    found: list[Turn] = []
    for up, shift, steps in _WAYS[board.key]:
        landing = row << shift if up else row >> shift
        count = 0
        while landing & free == landing:
            if landing & other:
                found.append(Turn(row, landing, steps[count][0], 0, 0))
            landing = landing << shift if up else landing >> shift
            count += 1
    return found


class _Notes:
    """What is remembered of a flock: its rows, and the zone that their flights cannot leave.

    A row of n birds that stays with its flock is no farther than n points from the hexagon around it.
    ``last``: what was free in the zone, what was beside another flock, and which flights that gave.
    """

    __slots__ = ("_birds", "_board", "_parts", "axes", "last", "zone")

    def __init__(self, board: Board, flock: Flock) -> None:
        self.axes = tuple(_axes(board, flock))
        longest = 1 + max((len(rows) for _, _, rows in self.axes), default=0)
        self.zone = board.reach(flock.spans, longest)
        self.last: tuple[int, int, list[Turn]] = (0, 0, [])
        self._board = board
        self._birds = flock.birds
        self._parts: dict[int, tuple[int, ...]] = {}

    def holds(self, unit: int, landing: int) -> bool:
        # A landing must touch every part of the flock that the unit leaves behind: nobody is left alone.
        near = self._board.ring[landing]
        parts = self._parts.get(unit)
        if parts is None:
            if not near & (self._birds ^ unit):
                return False  # and what is left behind need not be looked at
            parts = self._parts[unit] = self._without(unit)
        if len(parts) == 1:
            return parts[0] & near != 0
        return all(part & near for part in parts)

    def _without(self, unit: int) -> tuple[int, ...]:
        board, rest = self._board, self._birds ^ unit
        # One part, if the unit's neighbours are in one place: then nothing needs to be flooded.
        if board.one_stretch(unit, board.ring[unit] & rest):
            return (rest,)
        return tuple(board.parts(rest))


def _axes(board: Board, flock: Flock) -> Iterator[_Axis]:
    for axis, shift in enumerate(board.up):
        rows = tuple(_rows(flock, shift))
        if rows:
            yield _ALONG[board.key][axis], _ACROSS[board.key][axis], rows


def _rows(flock: Flock, along: int) -> Iterator[_Rows]:
    birds, touch = flock.birds, flock.beside
    starts, pattern = birds, 1
    for length in range(1, flock.size - 1):
        far = along * length
        starts &= birds >> far
        if not starts:
            return
        pattern |= 1 << far
        touch |= flock.beside >> far
        yield starts, pattern, far, touch


def part_flights(board: Board, flock: Flock, vacant: int, other: int) -> list[Turn]:
    """Return the flights of single birds and rows that leave some of their flock behind.

    ``other`` are the vacant points beside a flock other than this.
    """
    notes = flock.notes
    if not isinstance(notes, _Notes):
        flock.notes = notes = _Notes(board, flock)
    free, marks = vacant & notes.zone, other & notes.zone
    if not marks:
        return []
    known_free, known_marks, flights = notes.last
    if known_free == free and known_marks == marks:
        return flights
    found: list[Turn] = []
    bridges = marks & flock.beside
    if bridges:
        _fly(notes, _WAYS[board.key], (flock.birds, 1, 0), free, bridges, found)
    for axis in notes.axes:
        _fly_rows(notes, axis, free, marks, found)
    notes.last = free, marks, found
    return found


def _fly_rows(notes: _Notes, along_axis: _Axis, free: int, marks: int, found: list[Turn]) -> None:
    # Goals are the places, written as lowest birds, where such a row touches both its flock and another.
    # In line it is enough that the leading bird's way is free. Broadside it must be free for all of the row.
    along, across, all_rows = along_axis
    mark, clear = marks, free
    for starts, pattern, far, touch in all_rows:
        mark |= marks >> far
        clear &= free >> far
        goals = touch & mark
        if goals:
            _fly(notes, along, (starts, pattern, far), free, goals, found)
            goals &= clear
            if goals:
                _fly(notes, across, (starts, pattern, 0), clear, goals, found)


def _fly(
    notes: _Notes,
    ways: tuple[_Way, ...],
    rows: tuple[int, int, int],
    free: int,
    goals: int,
    found: list[Turn],
) -> None:
    # Of the rows, starts are the lowest birds, pattern is the lowest such row, and length how far its highest
    # bird is from its lowest, or 0 if the ways do not lead along the rows. Only the leading birds fly, until
    # their way is free no longer.
    starts, pattern, length = rows
    first, last = (starts, goals, 0), (starts << length, goals << length, length)
    for up, shift, steps in ways:
        front, marks, lead = last if up else first
        front = (front << shift if up else front >> shift) & free
        count = 0
        while front:
            hits = front & marks
            if hits:
                word, by = steps[count]
                while hits:
                    hit = hits & -hits
                    hits ^= hit
                    landing = (hit >> lead) * pattern
                    unit = landing >> by if up else landing << by
                    if notes.holds(unit, landing):
                        found.append(_new(Turn, (unit, landing, word, 0, 0)))
            front = (front << shift if up else front >> shift) & free
            count += 1
