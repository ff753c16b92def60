"""Curves of the pen: smooth lines through points, as text or as numbers.

A path is words ``x,y``; a ``!`` behind one makes it a corner. Units are those of the drawing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from renderers.core.geometry import Point, bezier

Knot: TypeAlias = tuple[float, float, bool]
"""A point that a curve goes through, and whether it is a corner."""

HANDLE = 0.36
"""Length of a handle, as a share of the chord to the next knot."""


@lru_cache(maxsize=8192)
def knots(path: str) -> tuple[Knot, ...]:
    """Return the knots of a path; raises ``ValueError`` for anything else."""
    found: list[Knot] = []
    for word in path.split():
        x, y = word.removesuffix("!").split(",")
        found.append((float(x), float(y), word.endswith("!")))
    return tuple(found)


@lru_cache(maxsize=8192)
def flattened(path: str, *, closed: bool) -> tuple[Point, ...]:
    """Return the points of the smooth curve through a path's knots, joined at its ends if ``closed``."""
    through = knots(path)
    if len(through) < 2:
        return tuple((x, y) for x, y, _ in through)
    last = len(through) - 1
    # The unit direction of the curve in each knot; a corner has none.
    tangents: list[Point] = []
    for i, (_, _, corner) in enumerate(through):
        before = through[i - 1] if closed else through[max(i - 1, 0)]
        after = through[(i + 1) % len(through)] if closed else through[min(i + 1, last)]
        dx, dy = after[0] - before[0], after[1] - before[1]
        length = math.hypot(dx, dy) or 1
        tangents.append((0.0, 0.0) if corner else (dx / length, dy / length))
    points: list[Point] = [through[0][:2]]
    for i in range(len(through) if closed else len(through) - 1):
        j = (i + 1) % len(through)
        points += _piece(through[i], through[j], tangents[i], tangents[j])
    return tuple(points[:-1] if closed else points)


def _piece(start: Knot, end: Knot, out: Point, into: Point) -> list[Point]:
    """Return the points of a curve between two knots, without the first."""
    a, b = start[:2], end[:2]
    chord = math.dist(a, b)
    if start[2] and end[2]:
        return [b]
    reach = chord * HANDLE
    first = (a[0] + out[0] * reach, a[1] + out[1] * reach)
    second = (b[0] - into[0] * reach, b[1] - into[1] * reach)
    return bezier(a, first, second, b, max(3, min(18, int(chord * 0.6) + 2)))[1:]


def divided(points: Sequence[Point], step: float, *, closed: bool) -> list[Point]:
    """Return a line with points inserted so that no part is longer than ``step``."""
    found: list[Point] = []
    count = len(points)
    for i in range(count if closed else count - 1):
        a, b = points[i], points[(i + 1) % count]
        parts = max(1, int(math.dist(a, b) / step))
        found += [(a[0] + (b[0] - a[0]) * j / parts, a[1] + (b[1] - a[1]) * j / parts) for j in range(parts)]
    return found if closed else [*found, points[-1]]


def oval(x: float, y: float, rx: float, ry: float, count: int = 28) -> tuple[Point, ...]:
    """Return the outline of an ellipse as points."""
    turn = math.tau / count
    return tuple((x + rx * math.cos(turn * i), y + ry * math.sin(turn * i)) for i in range(count))


def boxed(x: float, y: float, width: float, height: float) -> tuple[Point, ...]:
    """Return the outline of a box."""
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def area(points: Sequence[Point]) -> float:
    """Return twice the area inside an outline, positive if it runs clockwise on the screen."""
    pairs = zip(points, [*points[1:], points[0]], strict=True)
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs)
