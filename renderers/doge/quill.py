"""Marks written by hand: with a broad quill, thick and thin, or with a pencil.

All marks of a size and a hand are made and cached together: no file tells which of them somebody sees.
"""

from __future__ import annotations

import math
from enum import StrEnum
from itertools import pairwise

from PIL import Image, ImageChops, ImageDraw

from engines.doge.view import Mark
from renderers.core.caches import sprite
from renderers.core.canvas import SCALE, Canvas, Pen
from renderers.core.geometry import Point, moved, scatter
from renderers.core.theme import Colour, rgb
from renderers.doge.curves import Outline, outline


class Hand(StrEnum):
    """What a mark is written with."""

    QUILL = "quill"
    PENCIL = "pencil"


MARKS = tuple(Mark)
VARIANTS = 5
"""Ways in which each mark is written: a hand never repeats itself exactly."""

_STROKES: dict[Mark, tuple[Outline, ...]] = {
    Mark.TRUE: (
        outline("M-0.62 -0.74 C-0.3 -0.4 0.2 0.3 0.66 0.78"),
        outline("M0.64 -0.8 C0.3 -0.36 -0.3 0.3 -0.7 0.74"),
    ),
    Mark.FALSE: (
        outline(
            "M0.1 -0.8 C-0.5 -0.84 -0.72 -0.2 -0.62 0.26 C-0.52 0.72 -0.1 0.9 0.26 0.7 "
            "C0.66 0.46 0.72 -0.2 0.54 -0.5 C0.42 -0.74 0.2 -0.84 -0.04 -0.76"
        ),
    ),
    Mark.MAYBE: (
        outline(
            "M-0.46 -0.42 C-0.42 -0.78 0 -0.94 0.32 -0.78 C0.64 -0.6 0.58 -0.2 0.24 0.02 "
            "C0.06 0.14 0.02 0.24 0.02 0.42"
        ),
    ),
}
"""The strokes of each mark in a box from -1 to 1."""

_DOT = (0.04, 0.8)
"""The point of the question mark."""

_NIB = math.radians(-34)
"""The angle at which the quill is held."""


def write(
    canvas: Canvas, mark: Mark, centre: Point, size: int, hand: Hand, ink: Colour, variant: int
) -> None:
    """Write a mark about ``size`` pixels high, its middle on ``centre``."""
    left = (MARKS.index(mark) * VARIANTS + variant % VARIANTS) * size
    at = (math.floor(centre[0] - size / 2 + 0.5), math.floor(centre[1] - size / 2 + 0.5))
    canvas.image.paste(rgb(ink), at, marks(size, hand).crop((left, 0, left + size, size)))


@sprite
def marks(size: int, hand: Hand) -> Image.Image:
    """Return all marks in all their variants side by side, as a mask."""
    sheet = Image.new("L", (size * len(MARKS) * VARIANTS, size))
    throws = scatter(len(MARKS) * VARIANTS, 7)
    for number, throw in enumerate(throws):
        mask = _mark(MARKS[number // VARIANTS], size, hand, throw)
        sheet.paste(mask, (number * size, 0))
    return sheet


def _mark(mark: Mark, size: int, hand: Hand, throw: tuple[float, float, float]) -> Image.Image:
    lean, wide, high = throw
    pen = Pen(size, size, ground="#000000", zoom=size, centred=True)
    across = 0.4 * (0.86 + 0.14 * wide) * (0.8 if mark is Mark.FALSE else 1)
    down = 0.4 * (0.95 + 0.1 * high)
    shift = (0.03 * (2 * high - 1), 0.03 * (2 * wide - 1))

    def placed(points: Outline) -> list[Point]:
        return moved([(x * across, y * down) for x, y in points], *shift, turn=18 * lean - 9)

    for points in _STROKES[mark]:
        if hand is Hand.QUILL:
            _broad(pen, placed(points))
        else:
            # Twice over the same line, as one presses a pencil.
            for aside in (-0.012, 0.012):
                pen.line([(x + aside, y - aside) for x, y in placed(points)], 0.078, "#FFFFFF")
    if mark is Mark.MAYBE:
        pen.disc(placed((_DOT,))[0], 0.062 if hand is Hand.QUILL else 0.055, "#FFFFFF")
    if hand is Hand.QUILL:
        return pen.finish().convert("L")
    return _grained(pen.finish().convert("L"))


def _broad(pen: Pen, points: list[Point]) -> None:
    dx, dy = 0.06 * math.cos(_NIB), 0.06 * math.sin(_NIB)
    for (ax, ay), (bx, by) in pairwise(points):
        pen.polygon(
            [(ax - dx, ay - dy), (ax + dx, ay + dy), (bx + dx, by + dy), (bx - dx, by - dy)], "#FFFFFF"
        )
    pen.line(points, 0.046, "#FFFFFF")


def _grained(mask: Image.Image) -> Image.Image:
    """Return a mask broken by the tooth of the paper: graphite catches on its ridges only."""
    large = (mask.width * SCALE, mask.height * SCALE)
    tooth = Image.new("L", large, 255)
    draw = ImageDraw.Draw(tooth)
    # Evenly scattered lines would be stripes: a product of two throws lies where it likes.
    for x, y, length in scatter(large[0] * large[1] // 40):
        at = (x * large[0], 9973 * x * y % 1 * large[1])
        draw.line((*at, at[0] + 2 + 2 * SCALE * length, at[1]), fill=165, width=SCALE // 2)
    return ImageChops.multiply(mask, tooth.reduce(SCALE))
