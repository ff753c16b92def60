"""Points, curves and outlines, in output pixels (x to the right, y down); and places that look random."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]

CURVE_STEPS = 16


def bezier(start: Point, first: Point, second: Point, end: Point, steps: int = CURVE_STEPS) -> list[Point]:
    """Return points on a cubic Bézier curve, both ends among them."""
    points = []
    for i in range(steps + 1):
        t = i / steps
        u = 1 - t
        a, b, c, d = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
        points.append(
            (
                a * start[0] + b * first[0] + c * second[0] + d * end[0],
                a * start[1] + b * first[1] + c * second[1] + d * end[1],
            )
        )
    return points


def path(start: Point, *curves: Sequence[float]) -> list[Point]:
    """Return the points of an outline: from ``start``, each item goes on from the last point.

    Two numbers are the end of a straight line, six the two handles and the end of a cubic curve.
    Raises ``ValueError`` for any other count.
    """
    points = [start]
    for curve in curves:
        if len(curve) == 2:
            points.append((curve[0], curve[1]))
        elif len(curve) == 6:
            ax, ay, bx, by, x, y = curve
            points += bezier(points[-1], (ax, ay), (bx, by), (x, y))[1:]
        else:
            raise ValueError("a part of a path has two or six numbers")
    return points


def moved(points: Iterable[Point], dx: float, dy: float, scale: float = 1, turn: float = 0) -> list[Point]:
    """Return ``points`` scaled and turned about the origin (degrees, clockwise on the screen), then moved."""
    cos, sin = math.cos(math.radians(turn)) * scale, math.sin(math.radians(turn)) * scale
    return [(x * cos - y * sin + dx, x * sin + y * cos + dy) for x, y in points]


def mirrored(half: Sequence[Point]) -> list[Point]:
    """Return the closed outline whose right half is ``half``, mirrored at x = 0."""
    return [*half, *((-x, y) for x, y in reversed(half))]


def polar(angle: float, radius: float, centre: Point = (0, 0)) -> Point:
    """Return the point at ``radius`` from ``centre``; degrees clockwise from the top."""
    a = math.radians(angle)
    return centre[0] + radius * math.sin(a), centre[1] - radius * math.cos(a)


def star(tips: int, outer: float, inner: float, centre: Point = (0, 0), turn: float = 0) -> list[Point]:
    """Return a star's outline; its first tip points up, turned by ``turn`` degrees."""
    step = 180 / tips
    return [polar(turn + i * step, inner if i % 2 else outer, centre) for i in range(2 * tips)]


def heading(dx: float, dy: float) -> float:
    """Return the direction of a step, in degrees clockwise from the top, as :func:`polar` takes them."""
    return math.degrees(math.atan2(dx, -dy))


def between(start: Point, end: Point, share: float = 0.5) -> Point:
    """Return the point that lies ``share`` of the way from ``start`` to ``end``."""
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def towards(start: Point, end: Point, distance: float) -> Point:
    """Return the point ``distance`` from ``start`` on the way to ``end``."""
    # Equal points have no direction; the way from one to the other is that point.
    length = math.dist(start, end)
    return between(start, end, distance / length if length else 0.0)


_FIRST = 0.8191725133961645
_SECOND = 0.6710436067037893
_THIRD = 0.5497004779019703
"""Powers of the inverse of the root of x⁴ = x + 1: the additive sequence that fills a cube most evenly."""


def scatter(count: int, start: int = 1) -> Iterator[tuple[float, float, float]]:
    """Yield ``count`` triples in [0, 1), evenly spread, the same in every process.

    Another ``start`` gives other places.
    """
    for i in range(start, start + count):
        yield i * _FIRST % 1, i * _SECOND % 1, i * _THIRD % 1
