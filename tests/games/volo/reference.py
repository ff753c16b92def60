"""A second, slow generator of turns, written from the rules page alone: sets of axial coordinates.

It shares nothing with ``engines.volo``: no tables, no names, no bit boards. Points are pairs (q, r);
birds are frozen sets of points. Turns come out in the written notation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

Point = tuple[int, int]

STEPS = {"E": (1, 0), "NE": (1, -1), "NW": (0, -1), "W": (-1, 0), "SW": (-1, 1), "SE": (0, 1)}


@dataclass(frozen=True)
class Board:
    """A hexagon of the given edge without its corners and its centre."""

    edge: int

    @cached_property
    def points(self) -> frozenset[Point]:
        n = self.edge - 1
        corners = {(-n, n), (0, n), (-n, 0), (n, 0), (0, -n), (n, -n)}
        span = range(-n, n + 1)
        return frozenset({(q, r) for q in span for r in span if abs(q + r) <= n} - corners - {(0, 0)})

    def name(self, point: Point) -> str:
        n = self.edge - 1
        q, r = point
        return f"{'abcdefghijklm'[n - r]}{q - max(-n, -n - r) + 1}"

    def order(self, point: Point) -> tuple[int, int]:
        """Row a first, then number."""
        return -point[1], point[0]


BOARDS = {120: Board(7), 84: Board(6)}


@dataclass(frozen=True)
class Position:
    """Birds of both seats, the seat to move, whether the last turn was a pass."""

    board: Board
    birds: tuple[frozenset[Point], frozenset[Point]]
    mover: int
    passed: bool = False

    @classmethod
    def parse(cls, text: str) -> Position:
        field, mover, *rest = text.split()
        board = BOARDS[len(field)]
        order = sorted(board.points, key=lambda p: (p[1], p[0]))
        sides = tuple(frozenset(p for p, c in zip(order, field, strict=True) if c == s) for s in "ob")
        return cls(board, (sides[0], sides[1]), "ob".index(mover), rest == ["pass"])

    def text(self) -> str:
        order = sorted(self.board.points, key=lambda p: (p[1], p[0]))
        field = "".join("o" if p in self.birds[0] else "b" if p in self.birds[1] else "." for p in order)
        return f"{field} {'ob'[self.mover]}{' pass' if self.passed else ''}"


def around(point: Point) -> list[Point]:
    return [(point[0] + dq, point[1] + dr) for dq, dr in STEPS.values()]


def parts(points: frozenset[Point]) -> list[frozenset[Point]]:
    """Connected parts."""
    left, found = set(points), []
    while left:
        stack = [left.pop()]
        part = set(stack)
        while stack:
            for near in around(stack.pop()):
                if near in left:
                    left.remove(near)
                    part.add(near)
                    stack.append(near)
        found.append(frozenset(part))
    return found


def part_of(seeds: frozenset[Point], points: frozenset[Point]) -> frozenset[Point]:
    """The part of ``points`` that holds the connected ``seeds``."""
    stack, part = list(seeds), set(seeds)
    while stack:
        for near in around(stack.pop()):
            if near in points and near not in part:
                part.add(near)
                stack.append(near)
    return frozenset(part)


def one_flock(birds: frozenset[Point]) -> bool:
    return len(parts(birds)) == 1


def reach(position: Position, seat: int) -> frozenset[Point]:
    """Points that the seat's birds reach over vacant and own points."""
    open_points = position.board.points - position.birds[1 - seat]
    return frozenset(p for part in parts(open_points) if part & position.birds[seat] for p in part)


def adds(position: Position) -> list[Point]:
    me = position.mover
    own, other = position.birds[me], position.birds[1 - me]
    if len(own) >= 60:
        return []
    reachable = reach(position, me)
    return [
        p for p in position.board.points - own - other if p in reachable and not own & frozenset(around(p))
    ]


def rows(own: frozenset[Point]) -> Iterator[tuple[Point, ...]]:
    """Every single bird, and every straight contiguous row once."""
    for bird in own:
        yield (bird,)
        for dq, dr in (STEPS["E"], STEPS["NE"], STEPS["NW"]):
            row = [bird]
            while (row[-1][0] + dq, row[-1][1] + dr) in own:
                row.append((row[-1][0] + dq, row[-1][1] + dr))
                yield tuple(row)


def flights(position: Position) -> Iterator[tuple[tuple[Point, ...], str, int, Position]]:
    """All flights: row, direction, steps, and the position before anything flies away."""
    me = position.mover
    own, other = position.birds[me], position.birds[1 - me]
    flock_of = {p: part for part in parts(own) for p in part}
    for row in rows(own):
        vacant = (position.board.points - own - other) | frozenset(row)
        old = flock_of[row[0]]
        for direction, (dq, dr) in STEPS.items():
            placing = frozenset(row)
            for steps in range(1, 2 * position.board.edge):
                placing = frozenset((q + dq, r + dr) for q, r in placing)
                if not placing <= vacant:
                    break
                after = (own - frozenset(row)) | placing
                new = part_of(placing, after)
                if len(new) > len(old) and old - frozenset(row) <= new:
                    birds = (after, other) if me == 0 else (other, after)
                    yield row, direction, steps, replace(position, birds=birds)


def regions(position: Position, seat: int) -> list[frozenset[Point]]:
    """Connected parts of the vacant points and ``seat``'s birds that hold one of them."""
    rest = position.board.points - position.birds[1 - seat]
    return [part for part in parts(rest) if part & position.birds[seat]]


def turns(position: Position) -> dict[str, Position]:
    """Every legal turn in notation, with the position after it; the game's end is not looked at."""
    me, you = position.mover, 1 - position.mover
    board = position.board
    found: dict[str, Position] = {}
    for point in adds(position):
        birds = list(position.birds)
        birds[me] |= {point}
        found[board.name(point)] = Position(board, (birds[0], birds[1]), you)
    theirs = reach(position, you)
    may_pass = all(point not in theirs for point in adds(position))
    for row, direction, steps, landed in flights(position):
        may_pass = False
        first, *_, last = sorted(row, key=board.order) * 2
        unit = board.name(first) if len(row) == 1 else f"{board.name(first)}:{board.name(last)}"
        word = f"{unit}-{direction}{steps}"
        areas = regions(landed, you)
        if one_flock(landed.birds[me]) or len(areas) < 2:
            found[word] = replace(landed, mover=you, passed=False)
            continue
        for area in areas:
            birds = list(landed.birds)
            birds[you] &= area
            after = Position(board, (birds[0], birds[1]), you)
            found[f"{word}/{board.name(min(area, key=board.order))}"] = after
    if may_pass:
        found["pass"] = replace(position, mover=you, passed=True)
    return found


def winner(after: Position) -> int | None:
    """The seat that a turn to ``after`` has made win: who moved first of all, then the other."""
    return next((seat for seat in (1 - after.mover, after.mover) if one_flock(after.birds[seat])), None)


def over(before: Position, after: Position) -> bool:
    """Whether a turn from ``before`` ended the match, repetition aside."""
    return winner(after) is not None or (before.passed and after.passed)


def perft(position: Position, depth: int) -> int:
    """Lines of ``depth`` turns; a match that ends earlier has no leaf."""
    found = turns(position)
    if depth == 1:
        return len(found)
    return sum(perft(after, depth - 1) for after in found.values() if not over(position, after))
