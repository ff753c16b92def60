"""What stands in the lagoon and around it: the near bank with its reeds, the islet, the mooring poles."""

from __future__ import annotations

import math
from collections.abc import Sequence

from renderers.core.canvas import Pen
from renderers.core.geometry import Point, bezier, moved, path
from renderers.core.scatter import scatter
from renderers.core.theme import Colour
from renderers.volo.layout import CENTRE, HEIGHT, WIDTH
from renderers.volo.theme import Theme

_BACK = path(
    (0, 1012),
    (60, 1034, 120, 1084, 190, 1118),
    (280, 1147, 400, 1142, 550, 1142),
    (700, 1142, 820, 1147, 910, 1118),
    (980, 1084, 1040, 1034, WIDTH, 1012),
    (WIDTH, HEIGHT),
    (0, HEIGHT),
)
_FRONT = path(
    (0, 1053),
    (70, 1068, 130, 1113, 230, 1137),
    (330, 1154, 430, 1149, 550, 1149),
    (670, 1149, 770, 1154, 870, 1137),
    (970, 1113, 1030, 1068, WIDTH, 1053),
    (WIDTH, HEIGHT),
    (0, HEIGHT),
)
_REEDS = 22
_SAND = path((-32, 16), (-28, 10, -20, 7, -10, 6), (4, 4, 22, 7, 32, 16), (24, 21, -22, 21, -32, 16))
_GREEN = path(
    (-28, 14),
    (-26, 6, -18, 2, -11, 3),
    (-8, -3, 2, -3, 6, 3),
    (14, -1, 26, 6, 28, 14),
    (18, 17, -18, 17, -28, 14),
)
_MIRRORED = [(-22, 19), (-8, 19), (-7, 44), (3, 44), (4, 19), (24, 19), (20, 27), (6, 27), (-19, 25)]
_HOUSE = [(4, 10), (4, -6), (14, -13), (24, -6), (24, 10)]
_HOUSE_ROOF = [(1, -4), (14, -14), (27, -4), (24, -2), (14, -10), (4, -2)]
_TOWER = [(-8, 10), (-8, -31), (4, -31), (4, 10)]
_TOWER_SHADE = [(-8, 10), (-8, -31), (-3, -31), (-3, 10)]
_SPIRE = [(-10, -30), (-2, -48), (6, -30)]
_BELL = [(-4.5, -27), (0.5, -27), (0.5, -18), (-4.5, -18)]


def put_bank(pen: Pen, theme: Theme) -> None:
    """Draw the near bank, which frames the field and carries the caption, and reeds on its flanks."""
    near, middle, far = theme.scenery.bank
    pen.polygon(_BACK, middle)
    for flip in (False, True):
        for i, (a, b, c) in enumerate(scatter(_REEDS, 900 if flip else 700)):
            inwards = a**1.3
            x = inwards * 158
            foot = 1040 + inwards * 84 + b * 34
            height = (150 + c * 90) * (1 - inwards * 0.72)
            lean = (b - 0.25) * 44 * (1 - inwards * 0.4)
            colour = (far, middle, near)[i % 3]
            _reed(
                pen,
                (WIDTH - x if flip else x, foot),
                height,
                -lean if flip else lean,
                colour,
                head=i % 5 == 0,
            )
    pen.polygon(_FRONT, near)


def _reed(pen: Pen, foot: Point, height: float, lean: float, colour: Colour, *, head: bool) -> None:
    """Draw a stalk that tapers, with a bulrush's head if asked."""
    x, y = foot
    stalk = bezier(
        foot, (x, y - height * 0.4), (x + lean * 0.4, y - height * 0.8), (x + lean, y - height), 12
    )
    half = [2.9 * (1 - i / 12) + 0.5 for i in range(13)]
    left = [(px - w, py) for (px, py), w in zip(stalk, half, strict=True)]
    right = [(px + w, py) for (px, py), w in zip(stalk, half, strict=True)]
    pen.polygon([*left, *reversed(right)], colour)
    if head:
        (ax, ay), (bx, by) = stalk[-3], stalk[-1]
        turn = math.degrees(math.atan2(by - ay, bx - ax))
        oval = [(14 * math.cos(i * math.pi / 12), 5.6 * math.sin(i * math.pi / 12)) for i in range(24)]
        pen.polygon(moved(oval, (ax + bx) / 2, (ay + by) / 2, 1, turn), colour)


def put_islet(pen: Pen, theme: Theme, zoom: float) -> None:
    """Draw the absent centre: a small island with a bell tower, which no bird can pass."""
    sand, green, lit, shaded, roof, trees = theme.scenery.islet
    x, y = CENTRE[0], CENTRE[1] + 6 * zoom

    def fill(points: Sequence[Point], colour: Colour) -> None:
        pen.polygon(moved(points, x, y, zoom), colour)

    pen.oval((x, y + 17 * zoom), 39 * zoom, 11.5 * zoom, theme.scenery.glitter)
    fill(_MIRRORED, theme.scenery.pole[0])
    fill(_SAND, sand)
    fill(_GREEN, green)
    fill(_HOUSE, lit)
    fill(_HOUSE_ROOF, roof)
    fill(_TOWER, lit)
    fill(_TOWER_SHADE, shaded)
    fill(_SPIRE, roof)
    fill(_BELL, roof)
    for tx, tall in ((-20, 25), (-14, 18)):
        curves = ((tx - 6, 2, tx - 3, 12 - tall, tx, 6 - tall), (tx + 3, 12 - tall, tx + 6, 2, tx + 4.5, 12))
        fill(path((tx - 4.5, 12), *curves), trees)


def put_pole(pen: Pen, theme: Theme, at: Point) -> None:
    """Draw mooring poles: an absent corner."""
    echo, lit, dark, cap = theme.scenery.pole
    for points, colour in (
        ([(-9, 14), (9, 14), (6, 29), (-6, 29)], echo),
        ([(-11, 14), (-5, -18), (1, -18), (-3, 14)], lit),
        ([(11, 14), (5, -18), (-1, -18), (3, 14)], dark),
        ([(-3.5, 16), (-3.5, -25), (3.5, -25), (3.5, 16)], lit),
        ([(-3.5, -25), (-3.5, -19), (3.5, -19), (3.5, -25)], cap),
        ([(-8, -3), (8, -3), (8, -8), (-8, -8)], theme.slate),
    ):
        pen.polygon(moved(points, *at), colour)
