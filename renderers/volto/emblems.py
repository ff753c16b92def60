"""The five emblems: each tells how its mask moves. Drawn about (0, 0) with a radius of about 28 units."""

from __future__ import annotations

from renderers.core.canvas import Pen
from renderers.core.geometry import Point, moved, polar, star
from renderers.core.theme import Colour

_PLUS: list[Point] = [
    (0, -29),
    (10, -18),
    (5, -18),
    (5, -5),
    (18, -5),
    (18, -10),
    (29, 0),
    (18, 10),
    (18, 5),
    (5, 5),
    (5, 18),
    (10, 18),
    (0, 29),
    (-10, 18),
    (-5, 18),
    (-5, 5),
    (-18, 5),
    (-18, 10),
    (-29, 0),
    (-18, -10),
    (-18, -5),
    (-5, -5),
    (-5, -18),
    (-10, -18),
]
_ARROW: list[Point] = [
    (0, -38),
    (16, -14),
    (6, -14),
    (6, 16),
    (13, 16),
    (13, 23),
    (6, 23),
    (6, 34),
    (-6, 34),
    (-6, 23),
    (-13, 23),
    (-13, 16),
    (-6, 16),
    (-6, -14),
    (-16, -14),
]


def emblem(pen: Pen, kind: str, at: Point, scale: float, fill: Colour, hollow: Colour) -> None:
    """Draw the emblem of ``kind`` (one of ``NALSC``) around ``at``; ``hollow`` shows through its holes."""
    if kind == "N":
        pen.polygon(moved(_PLUS, *at, scale), fill)
    elif kind == "A":
        pen.polygon(moved(_PLUS, *at, scale * 1.08, turn=45), fill)
    elif kind == "L":
        _rose(pen, at, scale, fill, hollow)
    elif kind == "S":
        pen.polygon(moved(_ARROW, *at, scale), fill)
    else:
        pen.polygon(moved(star(8, 31, 12), *at, scale), fill)
        pen.disc(at, 5 * scale, hollow)


def _rose(pen: Pen, at: Point, scale: float, fill: Colour, hollow: Colour) -> None:
    for angle in range(0, 360, 45):
        pen.disc(polar(angle, 17.5 * scale, at), 9.5 * scale, fill)
    pen.disc(at, 16 * scale, fill)
    pen.disc(at, 8 * scale, hollow)
