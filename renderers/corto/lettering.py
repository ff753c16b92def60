"""Texts on sprites: comic lettering and numbers, with soft or stepped edges by scale."""

from __future__ import annotations

import math
from functools import lru_cache

from PIL import Image, ImageDraw

from renderers.core.geometry import Point
from renderers.core.theme import Colour, rgb
from renderers.core.type import Face, Weight, comic, fitted, sans, suited
from renderers.corto.brush import LARGE, stepped

_LEAST = 0.4
"""To what share of its size lettering shrinks before it is cut."""


@lru_cache(maxsize=1024)
def _mask(text: str, face: Face, bold: float, *, soft: bool) -> tuple[Image.Image, int, int]:
    """Return the mask of a text and its offset from the left end of the base line."""
    left, top, right, low = face.font.getbbox(text, anchor="ls", stroke_width=bold)
    x, y = math.floor(left) - 1, math.floor(top) - 1
    mask = Image.new("L", (math.ceil(right) + 1 - x, math.ceil(low) + 1 - y))
    ImageDraw.Draw(mask).text((-x, -y), text, fill=255, font=face.font, anchor="ls", stroke_width=bold)
    return (mask if soft else stepped(mask)), x, y


def words(
    image: Image.Image, text: str, at: Point, face: Face, colour: Colour, zoom: float, *, bold: float = 0
) -> None:
    """Write ``text`` on a sprite, the middle of its line on ``at``; ``bold``: pixels that strokes grow."""
    mask, left, top = _mask(text, face, bold, soft=zoom >= LARGE)
    rise, fall = face.font.getmetrics()
    x, y = at[0] - face.width(text) / 2, at[1] + (rise - fall) / 2
    opaque = (*rgb(colour), 255) if image.mode == "RGBA" else rgb(colour)
    image.paste(opaque, (round(x + left), round(y + top)), mask)


def number(image: Image.Image, text: str, at: Point, size: float, colour: Colour, zoom: float) -> None:
    """Write a number or a letter on a sprite, the middle of its ink on ``at``."""
    face = sans(max(6, round(size)), Weight.BLACK)
    mask, _, top = _mask(text, face, 0, soft=zoom >= LARGE)
    ink = mask.getbbox() or (0, 0, 1, 1)
    # All stand on the line of a 0: characters of other heights must not jump.
    base = _mask("0", face, 0, soft=zoom >= LARGE)
    tall = base[0].getbbox() or (0, 0, 1, 1)
    x = at[0] - (ink[0] + ink[2]) / 2
    y = at[1] - base[2] - (tall[1] + tall[3]) / 2 + top
    opaque = (*rgb(colour), 255) if image.mode == "RGBA" else rgb(colour)
    image.paste(opaque, (round(x), round(y)), mask)


@lru_cache(maxsize=512)
def titled(text: str, size: float, width: float) -> tuple[str, Face]:
    """Return a title that fits into ``width`` pixels, and its face.

    It shrinks first, then it is cut.
    """
    sizes = [max(8, round(size * part / 100)) for part in range(100, round(100 * _LEAST), -3)]
    faces = [suited(text, comic(one)) for one in sizes]
    face = next((face for face in faces if face.width(text) <= width), faces[-1])
    return fitted(text, face, int(width)), face
