"""All flights of a side, found by shifting whole boards.

Of the three conditions on a flight the first (a free way) is followed for all birds, or all rows of
one length and direction, at once. The second (the flock grows) means that the landing touches a
flock other than the one left. The third (nobody is left behind) is looked at landing by landing,
and only where the first two hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import lshift, rshift
from typing import TypeAlias

from engines.volo.board import BOARDS, DIRECTIONS, Board
from engines.volo.sides import Flock, Side

Flight: TypeAlias = tuple[int, int, str]
"""The birds that fly, where they land, and the word for it: direction and steps."""

_Shift: TypeAlias = Callable[[int, int], int]
_Way: TypeAlias = tuple[_Shift, _Shift, int, tuple[str, ...]]


def _ways(board: Board) -> tuple[_Way, ...]:
    """Return of each direction: how to move, how to move back, how far one step is, and its words."""
    words = [tuple(f"{name}{steps}" for steps in range(2 * board.edge)) for name in DIRECTIONS]
    ups = tuple((lshift, rshift, shift, word) for shift, word in zip(board.up, words[:3], strict=True))
    downs = tuple((rshift, lshift, shift, word) for shift, word in zip(board.up, words[3:], strict=True))
    return ups + downs


_WAYS: dict[str, tuple[_Way, ...]] = {key: _ways(board) for key, board in BOARDS.items()}


def flights(board: Board, side: Side, vacant: int) -> list[Flight]:
    """Return every flight that the rules allow, each once; regions are not looked at."""
    found: list[Flight] = []
    once = side.once & vacant
    if not once:
        return found
    twice = side.twice & vacant
    if side.singles:
        _lone_birds(board, side.singles, vacant, once, twice, found)
    if not side.flocks:
        return found
    if twice:
        _single_birds(board, side, vacant, twice, found)
    for flock in side.flocks:
        other = once & ~flock[1] | twice
        if other:
            if flock[0] in board.units:
                _whole_row(board, flock[0], vacant, other, found)
            if other & flock[2]:
                _rows(board, flock, vacant, other, found)
    return found


def _lone_birds(board: Board, birds: int, vacant: int, once: int, twice: int, found: list[Flight]) -> None:
    """Add the flights of birds that are flocks of their own.

    After one step a bird's own old place is beside it, so that it takes another flock to make two.
    """
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
                    found.append((pull(landing, way), landing, word))
            front = push(front, shift) & vacant
            hits = front & once
            steps += 1


def _single_birds(board: Board, side: Side, vacant: int, twice: int, found: list[Flight]) -> None:
    """Add the flights of one bird out of a larger flock: to a point beside its flock and another."""
    ring = board.ring
    for push, pull, shift, words in _WAYS[board.key]:
        front = push(side.birds & ~side.singles, shift) & vacant
        steps = 1
        while front:
            hits = front & twice
            while hits:
                landing = hits & -hits
                hits ^= landing
                bird = pull(landing, shift * steps)
                if _holds(board, _rest(side, bird), ring[landing]):
                    found.append((bird, landing, words[steps]))
            front = push(front, shift) & vacant
            steps += 1


def _rest(side: Side, bird: int) -> int:
    """Return the flock of a bird, which is not alone, without it."""
    return next(flock[0] for flock in side.flocks if flock[0] & bird) ^ bird


def _holds(board: Board, rest: int, near: int) -> bool:
    """Return whether every part of ``rest`` is touched by a landing that has ``near`` beside it."""
    seen = rest & near
    if not seen:
        return False
    while seen != rest:
        more = board.spread(seen) & rest
        if more == seen:
            return False
        seen = more
    return True


def _whole_row(board: Board, row: int, vacant: int, other: int, found: list[Flight]) -> None:
    """Add the flights of a flock that is one row, all of it."""
    free = vacant | row
    for push, _, shift, words in _WAYS[board.key]:
        landing, steps = push(row, shift), 1
        while landing & free == landing:
            if landing & other:
                found.append((row, landing, words[steps]))
            landing = push(landing, shift)
            steps += 1


def _rows(board: Board, flock: Flock, vacant: int, other: int, found: list[Flight]) -> None:
    """Add the flights of rows out of a flock that leave some of it behind.

    A set of rows of one length along one axis is written as the set of their lowest birds: ``starts``;
    ``free`` and ``marks`` are the places where such a row has only vacant points, and where it touches
    another flock.
    """
    birds = flock[0]
    size = birds.bit_count()
    for along in board.up:
        starts = birds & birds >> along
        pattern, span, last = 1 | 1 << along, 2, along
        free, marks = vacant & vacant >> along, other | other >> along
        while starts and span < size:
            for way in _WAYS[board.key]:
                if way[2] == along:
                    hits = _in_line(way, starts, last, vacant, marks)
                else:
                    hits = _abreast(way, starts, free, marks)
                for start, landing, word in hits:
                    unit, landed = start * pattern, landing * pattern
                    if _holds(board, birds & ~unit, board.spread(landed)):
                        found.append((unit, landed, word))
            last += along
            starts &= birds >> last
            free &= vacant >> last
            marks |= other >> last
            pattern |= 1 << last
            span += 1


def _abreast(way: _Way, starts: int, free: int, marks: int) -> Iterator[Flight]:
    """Yield the flights of rows, broadside: their lowest birds, before and after."""
    push, pull, shift, words = way
    front, steps = push(starts, shift) & free, 1
    while front:
        hits = front & marks
        while hits:
            low = hits & -hits
            hits ^= low
            yield pull(low, shift * steps), low, words[steps]
        front = push(front, shift) & free
        steps += 1


def _in_line(way: _Way, starts: int, last: int, vacant: int, marks: int) -> Iterator[Flight]:
    """Yield the flights of rows along themselves: only the leading bird needs a free way.

    ``last`` is the shift from the lowest bird of a row to its highest.
    """
    push, pull, shift, words = way
    lead = last if push is lshift else 0
    front, steps = push(starts << lead, shift) & vacant, 1
    while front:
        hits = front >> lead & marks
        while hits:
            low = hits & -hits
            hits ^= low
            yield pull(low, shift * steps), low, words[steps]
        front = push(front, shift) & vacant
        steps += 1
