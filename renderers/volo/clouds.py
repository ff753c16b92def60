"""The cloud under each flock: discs and the waists that join neighbours, each as a rim and a filling."""

from __future__ import annotations

import math
from collections.abc import Iterable

from PIL import Image

from renderers.core.caches import sprite
from renderers.core.canvas import Canvas, Pen, painted
from renderers.core.geometry import Point, moved
from renderers.core.theme import Colour
from renderers.volo.layout import Layout, rank

DISC = 34.8
WAIST = 24.2
RIM = 3.2
_SPAN = 80.0
_STEPS = 14
_TURNS = (0, -60, -120)
"""Where a neighbour lies that comes later, row a first: degrees clockwise from east."""


def _waist(grow: float) -> list[Point]:
    """Return the outline between discs at (-40, 0) and (40, 0): sides are arcs that touch both discs."""
    half = _SPAN / 2
    bend = (half * half + WAIST * WAIST - DISC * DISC) / (2 * (DISC - WAIST))
    height = bend + WAIST
    reach = math.atan2(half, height)
    upper = [
        ((bend - grow) * math.sin(a), -height + (bend - grow) * math.cos(a))
        for a in (reach * (2 * i / _STEPS - 1) for i in range(_STEPS + 1))
    ]
    return [*upper, *((x, -y) for x, y in reversed(upper))]


@sprite
def disc(colour: Colour, grow: float, zoom: float) -> Image.Image:
    """Return the disc around one bird, ``grow`` units larger than its filling."""
    return painted(math.ceil(84 * zoom), lambda pen: pen.disc((0, 0), DISC + grow, colour), zoom)


@sprite
def waist(colour: Colour, grow: float, zoom: float, turn: int) -> Image.Image:
    """Return what joins two neighbours whose line is turned by ``turn`` degrees, clockwise from east."""

    def draw(pen: Pen) -> None:
        pen.polygon(moved(_waist(grow), 0, 0, turn=turn), colour)

    return painted(math.ceil(96 * zoom), draw, zoom)


def put_cloud(canvas: Canvas, board: Layout, points: Iterable[str], colour: Colour, grow: float) -> None:
    """Lay one layer of the cloud under ``points``; all rims go first, then all fillings: parts melt."""
    held = sorted(points, key=rank)
    around = frozenset(held)
    one = disc(colour, grow, board.zoom)
    joints = {turn: waist(colour, grow, board.zoom, turn) for turn in _TURNS}
    for name in held:
        x, y = board.at(name)
        canvas.put(one, (x, y))
        for other in board.geometry.neighbours[name]:
            if other in around and rank(other) > rank(name):
                ox, oy = board.at(other)
                turn = round(math.degrees(math.atan2(oy - y, ox - x)))
                canvas.put(joints[turn], ((x + ox) / 2, (y + oy) / 2))
