"""All flights of a side, found by shifting whole boards.

Of the three conditions on a flight the first (a free way) is followed for all birds, or all rows of
one length and direction, at once. The second (the flock grows) means that the landing touches a
flock other than the one left. The third (nobody is left behind) is checked landing by landing,
and only where the first two hold.

Flights that leave birds of their flock behind must end beside them. So they depend on the points
around the flock alone, and are listed anew only when something there has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import lshift, rshift
from typing import Any, TypeAlias

from engines.volo.board import BOARDS, DIRECTIONS, Board
from engines.volo.sides import Flock, Turn

_Shift: TypeAlias = Callable[[int, int], int]
_Way: TypeAlias = tuple[_Shift, _Shift, int, tuple[str, ...]]
_Rows: TypeAlias = tuple[int, int, int, tuple[int, ...], int]
"""All rows of one length along one axis in a flock, the flock itself not among them: the axis; the set of
their lowest birds; the lowest such row there is; the shifts from a row's lowest bird to its others; and the
places, written as lowest birds, where such a row touches the flock."""

# A call of a named tuple costs twice as much, and here the generator spends its time.
_new: Any = tuple.__new__


def _ways(board: Board) -> tuple[_Way, ...]:
    # Of each direction: how to move, how to move back, how far one step is, and its words.
    words = [tuple(f"{name}{steps}" for steps in range(2 * board.edge)) for name in DIRECTIONS]
    ups = tuple((lshift, rshift, shift, word) for shift, word in zip(board.up, words[:3], strict=True))
    downs = tuple((rshift, lshift, shift, word) for shift, word in zip(board.up, words[3:], strict=True))
    return ups + downs


_WAYS: dict[str, tuple[_Way, ...]] = {key: _ways(board) for key, board in BOARDS.items()}
_ACROSS: dict[str, tuple[tuple[_Way, ...], ...]] = {
    key: tuple(tuple(way for number, way in enumerate(ways) if number % 3 != axis) for axis in range(3))
    for key, ways in _WAYS.items()
}
"""The four ways across each of the three axes."""


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
    risky, found = finds.risky, finds.found
    for push, pull, shift, words in _WAYS[board.key]:
        front = push(birds, shift) & vacant
        hits = front & twice
        steps = 1
        while front:
            if hits:
                word, way = words[steps], shift * steps
                while hits:
                    landing = hits & -hits
                    hits ^= landing
                    if landing & risky:
                        finds.doubtful.append(_new(Turn, (pull(landing, way), landing, word, 0, 0)))
                    else:
                        found.append(_new(Turn, (pull(landing, way), landing, word, 0, 0)))
            front = push(front, shift) & vacant
            hits = front & once
            steps += 1


def row_flights(board: Board, row: int, vacant: int, other: int) -> Iterator[Turn]:
    """Yield the flights of a flock that is one row, all of it."""
    free = vacant | row
    for push, _, shift, words in _WAYS[board.key]:
        landing, steps = push(row, shift), 1
        while landing & free == landing:
            if landing & other:
                yield Turn(row, landing, words[steps], 0, 0)
            landing = push(landing, shift)
            steps += 1


class _Notes:
    """What is remembered of a flock: its rows, and the zone that their flights cannot leave.

    A row of n birds that stays with its flock is no farther than n points from the hexagon around it.
    ``last``: what was free in the zone, what was beside another flock, and which flights that gave.
    """

    __slots__ = ("_birds", "_board", "_parts", "last", "rows", "zone")

    def __init__(self, board: Board, flock: Flock) -> None:
        self.rows = tuple(_rows(board, flock))
        longest = max((len(shifts) + 1 for _, _, _, shifts, _ in self.rows), default=1)
        self.zone = board.reach(flock.spans, longest)
        self.last: tuple[int, int, list[Turn]] = (0, 0, [])
        self._board = board
        self._birds = flock.birds
        self._parts: dict[int, tuple[int, ...]] = {}

    def holds(self, unit: int, landing: int) -> bool:
        # A landing must touch every part of the flock that the unit leaves behind: nobody is left alone.
        near = self._board.ring[landing]
        if not near & self._birds & ~unit:
            return False
        parts = self._parts.get(unit)
        if parts is None:
            parts = self._parts[unit] = self._without(unit)
        return len(parts) == 1 or all(part & near for part in parts)

    def _without(self, unit: int) -> tuple[int, ...]:
        board, rest = self._board, self._birds & ~unit
        # One part, if the unit's neighbours are in one place: then nothing needs to be flooded.
        if board.one_stretch(unit, board.ring[unit] & rest):
            return (rest,)
        return tuple(board.parts(rest))


def _rows(board: Board, flock: Flock) -> Iterator[_Rows]:
    birds = flock.birds
    for axis, along in enumerate(board.up):
        shifts: tuple[int, ...] = (along,)
        pattern = 1 | 1 << along
        starts, touch = birds & birds >> along, flock.beside | flock.beside >> along
        while starts and len(shifts) + 1 < flock.size:
            yield axis, starts, pattern, shifts, touch
            shifts = (*shifts, along * (len(shifts) + 1))
            starts &= birds >> shifts[-1]
            touch |= flock.beside >> shifts[-1]
            pattern |= 1 << shifts[-1]


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
        for way in _WAYS[board.key]:
            front = way[0](flock.birds, way[2]) & free
            if front:
                _fly(notes, way, front, 1, 0, free, bridges, found)
    for rows in notes.rows:
        _fly_rows(board, notes, rows, free, marks, found)
    notes.last = free, marks, found
    return found


def _fly_rows(board: Board, notes: _Notes, rows: _Rows, free: int, marks: int, found: list[Turn]) -> None:
    # Goals are the places, written as lowest birds, where such a row touches both its flock and another.
    # In line it is enough that the leading bird's way is free. Broadside it must be free for all of the row.
    axis, starts, pattern, shifts, touch = rows
    mark, clear = marks, free
    for shift in shifts:
        mark |= marks >> shift
        clear &= free >> shift
    goals = touch & mark
    if not goals:
        return
    for number, lead in ((axis, shifts[-1]), (axis + 3, 0)):
        way = _WAYS[board.key][number]
        front = way[0](starts << lead, way[2]) & free
        if front:
            _fly(notes, way, front, pattern, lead, free, goals, found)
    goals &= clear
    if goals:
        for way in _ACROSS[board.key][axis]:
            front = way[0](starts, way[2]) & clear
            if front:
                _fly(notes, way, front, pattern, 0, clear, goals, found)


def _fly(
    notes: _Notes, way: _Way, front: int, pattern: int, lead: int, free: int, goals: int, found: list[Turn]
) -> None:
    # From the first step on: front are the birds whose way must be free, pattern is the lowest such row,
    # and lead how far those birds are from the lowest of their rows.
    push, pull, shift, words = way
    steps = 1
    while front:
        hits = front >> lead & goals
        while hits:
            goal = hits & -hits
            hits ^= goal
            unit, landing = pull(goal, shift * steps) * pattern, goal * pattern
            if notes.holds(unit, landing):
                found.append(_new(Turn, (unit, landing, words[steps], 0, 0)))
        front = push(front, shift) & free
        steps += 1
