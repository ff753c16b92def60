"""The marks on the mat: the last move in gold, choices in ivory, captures in coral; each has a shape too."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PIL import Image

from renderers.core.caches import sprite
from renderers.core.canvas import Canvas, Pen, painted, written
from renderers.core.geometry import moved, towards
from renderers.core.theme import Colour
from renderers.core.type import Face, Weight, sans, serif
from renderers.volto.emblems import emblem
from renderers.volto.layout import CELL, Layout
from renderers.volto.masks import KINDS
from renderers.volto.theme import Theme

_EDGE = CELL / 2 - 5
_ARM = 30
_LABEL = serif(33, Weight.BOLD)
_PILL_LETTERS = sans(31, Weight.BOLD)
_PILL_FEW = sans(36, Weight.BOLD)
_PATH_START, _PATH_END, _PATH_END_SLANTED = 46, 68, 102
"""Pixels that a path keeps away from both squares' middles; from the angles in the corners, too."""
PILL_DROP = 50
"""How far below a square's middle a pill lies."""


@sprite
def origin(theme: Theme, colour: Colour) -> Image.Image:
    """Return the mark of the square that a mask left: a ring and a dot."""

    def draw(pen: Pen) -> None:
        pen.disc((0, 0), 35, theme.ink)
        pen.disc((0, 0), 33, colour)
        pen.disc((0, 0), 27.5, theme.tile_dark)
        pen.disc((0, 0), 8, colour)

    return painted(84, draw)


@sprite
def angles(theme: Theme, colour: Colour) -> Image.Image:
    """Return the mark of the square that a mask came to: an angle in each corner."""

    def draw(pen: Pen) -> None:
        for width, fill in ((13, theme.ink), (8, colour)):
            for sx in (-1, 1):
                for sy in (-1, 1):
                    x, y = sx * _EDGE, sy * _EDGE
                    pen.line([(x - sx * _ARM, y), (x, y), (x, y - sy * _ARM)], width, fill)

    return painted(CELL + 12, draw)


@sprite
def chevron(theme: Theme, colour: Colour, turn: int) -> Image.Image:
    """Return one link of a path; ``turn`` in degrees clockwise from up."""

    def draw(pen: Pen) -> None:
        points = moved([(-13, 8), (0, -6), (13, 8)], 0, 0, turn=turn)
        pen.line(points, 12, theme.ink)
        pen.line(points, 6.5, colour)

    return painted(48, draw)


@sprite
def frame(theme: Theme, colour: Colour, width: float) -> Image.Image:
    """Return a whole frame around a square: chosen, or ready to be."""

    def draw(pen: Pen) -> None:
        size = CELL - 4
        pen.box((-size / 2, -size / 2), (size, size), 16, None, theme.ink, width + 4)
        pen.box((-size / 2 + 2, -size / 2 + 2), (size - 4, size - 4), 14, None, colour, width)

    return painted(CELL + 4, draw)


@sprite
def quiet_target(theme: Theme, square: str) -> Image.Image:
    """Return the mark of an empty square that the chosen mask may go to: its name in a disc."""

    def draw(pen: Pen) -> None:
        pen.disc((0, 0), 38, theme.ink)
        pen.disc((0, 0), 36, theme.ivory)
        pen.disc((0, 0), 31, theme.panel)

    return written(painted(84, draw), square, (42, 42), _LABEL, theme.ivory)


@sprite
def strike(theme: Theme, square: str) -> Image.Image:
    """Return the mark of a mask that may be captured: angles, triangles pointing in, its name above."""

    def draw(pen: Pen) -> None:
        for sx in (-1, 1):
            x = sx * (_EDGE + 4)
            pen.shape([(x, -17), (x - sx * 24, 0), (x, 17)], theme.coral, theme.ink, 2.5)
        y = -_EDGE + 4
        tag = [(-40, y), (-28, y - 21), (28, y - 21), (40, y), (28, y + 21), (-28, y + 21)]
        pen.shape(tag, theme.coral, theme.ink, 2.5)
        pen.polygon(moved([(x, y2 - y) for x, y2 in tag], 0, y, 0.86), theme.panel)

    image = angles(theme, theme.coral).copy()
    image.alpha_composite(painted(image.width, draw))
    middle = image.width / 2
    return written(image, square, (middle, middle - _EDGE + 4), _LABEL, theme.ivory)


def put_path(canvas: Canvas, layout: Layout, theme: Theme, squares: tuple[str, str], colour: Colour) -> None:
    """Lay chevrons between two squares, from the first to the second."""
    start, end = layout.centre(squares[0]), layout.centre(squares[1])
    turn = round(math.degrees(math.atan2(end[0] - start[0], start[1] - end[1])))
    room = math.dist(start, end) - _PATH_START - (_PATH_END if turn % 90 == 0 else _PATH_END_SLANTED)
    steps = max(2, 1 + round(room / 26))
    for i in range(steps):
        canvas.put(chevron(theme, colour, turn), towards(start, end, _PATH_START + room * i / (steps - 1)))


@sprite
def rose(theme: Theme, colour: Colour) -> Image.Image:
    """Return the mark of a square where a Lady was taken and nobody is left."""
    return painted(96, lambda pen: emblem(pen, "L", (0, 0), 1.3, colour, theme.tile_dark))


@sprite
def candidates(theme: Theme, kinds: tuple[str, ...]) -> Image.Image:
    """Return what a rival's mask may still be: letters at fixed places, dots for what is ruled out.

    Two kinds or one are written larger, on a brighter pill. None at all: nothing is known of it yet.
    """
    if not kinds:
        return _pill(theme, 48, theme.quiet, [("?", 0.0)], _PILL_LETTERS, theme.quiet)
    few = [kind for kind in KINDS if kind in kinds]
    if len(few) <= 2:
        places = [(kind, 34 * (i - (len(few) - 1) / 2)) for i, kind in enumerate(few)]
        return _pill(theme, 34 * len(few) + 26, theme.gold, places, _PILL_FEW, theme.gold)
    places = [(kind if kind in kinds else "·", 26.0 * (i - 2)) for i, kind in enumerate(KINDS)]
    return _pill(theme, 138, theme.ivory, places, _PILL_LETTERS, theme.ivory)


def _pill(
    theme: Theme,
    width: int,
    rim: Colour,
    places: Sequence[tuple[str, float]],
    face: Face,
    fill: Colour,
) -> Image.Image:
    def draw(pen: Pen) -> None:
        pen.box((-width / 2 - 2, -21), (width + 4, 42), 21, theme.ink)
        pen.box((-width / 2, -19), (width, 38), 19, theme.panel, rim, 2.5)

    image = painted(width + 6, draw)
    middle = image.width / 2
    for sign, dx in places:
        written(image, sign, (middle + dx, middle), face, fill)
    return image


@sprite
def vacancy(theme: Theme, square: str) -> Image.Image:
    """Return the mark of a place that still waits for a mask: a broken frame and its name."""
    half, dash, pitch = 58.0, 11.0, 26.0

    def draw(pen: Pen) -> None:
        for turn in (0, 90, 180, 270):
            for x in (-1.5 * pitch, -0.5 * pitch, 0.5 * pitch, 1.5 * pitch):
                ends = moved([(x - dash / 2, -half), (x + dash / 2, -half)], 0, 0, turn=turn)
                pen.line(ends, 4, theme.quiet)

    return written(painted(CELL, draw), square, (CELL / 2, CELL / 2), _LABEL, theme.quiet)


@sprite
def glow(theme: Theme) -> Image.Image:
    """Return what lies behind the mask that was lost last."""

    def draw(pen: Pen) -> None:
        pen.disc((0, 0), 50, theme.gold)
        pen.disc((0, 0), 45, theme.panel)

    return painted(108, draw)
