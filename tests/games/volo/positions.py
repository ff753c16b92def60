"""Positions to look at: drawn at random, loose and dense, and taken from random play."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.games.volo import reference
from tests.games.volo.reference import BOARDS, Point, Position

START = {
    "standard": (frozenset({(-5, 5), (5, 0), (0, -5)}), frozenset({(0, 5), (-5, 0), (5, -5)})),
    "small": (frozenset({(-4, 4), (4, 0), (0, -4)}), frozenset({(0, 4), (-4, 0), (4, -4)})),
}
SIZES = {"standard": 120, "small": 84}


def start(key: str) -> Position:
    return Position(BOARDS[SIZES[key]], START[key], 0)


def drawn(stream: random.Random, size: int, fill: float, clumps: float) -> Position:
    """A position with a share ``fill`` of the points taken; ``clumps``: how gladly birds join their own."""
    board = BOARDS[size]
    vacant = sorted(board.points)
    birds: tuple[set[Point], set[Point]] = (set(), set())
    for _ in range(round(fill * (size - 1))):
        seat = stream.randrange(2)
        if len(birds[seat]) == 60:
            seat = 1 - seat
        point = stream.choice(vacant)
        if stream.random() < clumps:
            beside = [p for p in vacant if not birds[seat].isdisjoint(reference.around(p))]
            point = stream.choice(beside or vacant)
        vacant.remove(point)
        birds[seat].add(point)
    return Position(board, (frozenset(birds[0]), frozenset(birds[1])), stream.randrange(2))


def drawn_many(seed: str, number: int) -> Iterator[Position]:
    """``number`` positions of both sizes: from a few birds to no vacant point, scattered to clumped."""
    stream = random.Random(seed)
    for _ in range(number):
        fill, clumps = stream.uniform(0.03, 1.0), stream.choice((0.0, 0.5, 0.9, 1.0))
        yield drawn(stream, stream.choice((120, 84)), fill, clumps)


def walled(seed: str, number: int) -> Iterator[Position]:
    """``number`` positions in which the mover's birds stand in long walls, with a gap here and there."""
    stream = random.Random(seed)
    for _ in range(number):
        board = BOARDS[stream.choice((120, 84))]
        mine: set[Point] = set()
        for _ in range(stream.randint(1, 4)):
            dq, dr = stream.choice(list(reference.STEPS.values()))
            q, r = stream.choice(sorted(board.points))
            mine |= {(q + n * dq, r + n * dr) for n in range(-12, 13)} & board.points
        for gap in stream.sample(sorted(mine), min(len(mine), stream.randint(1, 6))):
            mine.remove(gap)
        mine = set(sorted(mine)[:60])
        left = sorted(board.points - mine)
        theirs = set(stream.sample(left, stream.randint(2, len(left) // 3)))
        seat = stream.randrange(2)
        birds = (mine, theirs) if seat == 0 else (theirs, mine)
        yield Position(board, (frozenset(birds[0]), frozenset(birds[1])), seat)


def played(seed: str, key: str) -> Iterator[tuple[Position, str]]:
    """A random match, by the reference: each position with the turn that is taken there."""
    stream, position = random.Random(seed), start(key)
    while True:
        found = reference.turns(position)
        turn = stream.choice(sorted(found))
        yield position, turn
        before, position = position, found[turn]
        if reference.over(before, position):
            return
