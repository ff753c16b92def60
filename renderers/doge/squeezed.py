"""Lines that become a little narrower, and no lower, where there is no room for them."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageDraw

from renderers.core.canvas import Canvas
from renderers.core.geometry import Point
from renderers.core.theme import Colour, rgb
from renderers.core.type import Face, fitted, write

NARROWEST = 0.85
"""The share of a line's width that it keeps at least: what is wider still is cut."""


def put_squeezed(
    canvas: Canvas, text: str, at: Point, face: Face, width: int, fill: Colour, anchor: str = "lm"
) -> float:
    """Write a line within ``width`` pixels; return how wide it is. ``anchor``: ``"lm"`` or ``"mm"``."""
    shown = fitted(text, face, int(width / NARROWEST))
    wide = face.width(shown)
    if wide <= width:
        canvas.words(shown, at, face, fill, anchor)
        return wide
    mask = _narrow(shown, face, width)
    left = at[0] - (width / 2 if anchor == "mm" else 0)
    canvas.image.paste(rgb(fill), (round(left), round(at[1]) - mask.height // 2), mask)
    return width


@lru_cache(maxsize=64)
def _narrow(text: str, face: Face, width: int) -> Image.Image:
    whole = Image.new("L", (round(face.width(text)), 2 * face.size))
    write(ImageDraw.Draw(whole), (0, face.size), text, face, 255, "lm")
    return whole.resize((width, whole.height), Image.Resampling.LANCZOS)
