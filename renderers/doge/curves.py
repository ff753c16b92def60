"""Outlines as texts: ``M x y`` moves, ``L x y …`` draws lines, ``C`` cubic curves, ``Z`` closes."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import TypeAlias

from renderers.core.geometry import Point, bezier

Outline: TypeAlias = tuple[Point, ...]


@lru_cache(maxsize=1024)
def outlines(path: str) -> tuple[Outline, ...]:
    """Return the outlines of a path, curves flattened; raises ``ValueError`` for anything else."""
    found: list[list[Point]] = []
    for command, text in re.findall(r"([A-Za-z])([^A-Za-z]*)", path):
        numbers = [float(word) for word in text.replace(",", " ").split()]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        if command == "M":
            found.append(points[:1])
        elif command == "L":
            found[-1] += points
        elif command == "C":
            for first, second, end in zip(points[::3], points[1::3], points[2::3], strict=True):
                found[-1] += bezier(found[-1][-1], first, second, end)[1:]
        elif command == "Z":
            found[-1].append(found[-1][0])
        else:
            raise ValueError(f"no command of a path: {command}{text}")
    return tuple(tuple(points) for points in found)


def outline(path: str) -> Outline:
    """Return the only outline of a path; raises ``ValueError`` if there are more."""
    (only,) = outlines(path)
    return only


def oval(
    centre: Point, rx: float, ry: float, start: float = 0, end: float = 360, steps: int = 48
) -> list[Point]:
    """Return points on an upright ellipse from one angle to another, degrees clockwise from the right."""
    angles = (math.radians(start + (end - start) * step / steps) for step in range(steps + 1))
    return [(centre[0] + rx * math.cos(angle), centre[1] + ry * math.sin(angle)) for angle in angles]


def box(left: float, top: float, right: float, low: float) -> list[Point]:
    """Return the corners of a box."""
    return [(left, top), (right, top), (right, low), (left, low)]


def rounded(left: float, top: float, right: float, low: float, radius: float) -> list[Point]:
    """Return the outline of a box with round corners."""
    r = radius
    corners = (
        (right - r, top + r, -90),
        (right - r, low - r, 0),
        (left + r, low - r, 90),
        (left + r, top + r, 180),
    )
    return [point for x, y, start in corners for point in oval((x, y), r, r, start, start + 90, 8)]


def arch(x: float, foot: float, width: float, height: float) -> list[Point]:
    """Return an opening with a round head that stands on (x, foot)."""
    r = width / 2
    return [(x - r, foot), *oval((x, foot - height + r), r, r, 180, 360, 14), (x + r, foot)]


def pointed_arch(x: float, foot: float, width: float, height: float) -> list[Point]:
    """Return an opening with an ogee head that stands on (x, foot)."""
    r, top = width / 2, foot - height
    spring, turn, near = top + width, top + width * 0.45, top + width * 0.25
    left = bezier((x - r, spring), (x - r, turn), (x - r * 0.25, near), (x, top))
    right = bezier((x, top), (x + r * 0.25, near), (x + r, turn), (x + r, spring))
    return [(x - r, foot), *left, *right[1:], (x + r, foot)]
