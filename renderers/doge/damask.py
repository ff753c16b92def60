"""The damask on which hands and shown cards lie: one motif, repeated exactly."""

from __future__ import annotations

from PIL import Image

from renderers.core.caches import scene
from renderers.core.canvas import Canvas, Pen
from renderers.core.geometry import Point
from renderers.core.theme import mix, rgb
from renderers.doge.curves import outline
from renderers.doge.layout import WIDTH
from renderers.doge.theme import Theme

_TILE = (120, 160)
_LEAF = outline(
    "M0 -38 C14 -24 20 -8 10 4 C24 -2 34 4 34 16 C26 12 18 14 12 22 C8 28 4 32 0 40 "
    "C-4 32 -8 28 -12 22 C-18 14 -26 12 -34 16 C-34 4 -24 -2 -10 4 C-20 -8 -14 -24 0 -38 Z"
)
_VEIN = outline("M0 -24 C6 -14 7 -6 0 4 C-7 -6 -6 -14 0 -24 Z")
_TENDRILS = (outline("M0 44 C20 50 40 44 52 30"), outline("M0 -44 C18 -52 40 -46 52 -30"))
_FULL, _EMPTY = "#FFFFFF", "#000000"


@scene
def damask(theme: Theme, height: int) -> Image.Image:
    """Return the cloth with its golden fillet."""
    canvas = Canvas(Image.new("RGB", (WIDTH, height), theme.damask))
    # Four steps: softer edges would not be seen, but cost bytes.
    motif = _motif().point([(value + 42) // 85 * 85 for value in range(256)])
    for y in range(0, height, _TILE[1]):
        for x in range(-5, WIDTH, _TILE[0]):
            canvas.image.paste(rgb(theme.damask_lit), (x, y), motif)
    for inset, colour in ((10, theme.fillet), (16, mix(theme.fillet, theme.damask, 0.5))):
        canvas.frame((inset, inset), (WIDTH - 2 * inset, height - 2 * inset), 2, colour)
    return canvas.image


def _motif() -> Image.Image:
    pen = Pen(*_TILE, ground=_EMPTY)
    for x, y in ((60, 80), (0, 0), (120, 0), (0, 160), (120, 160)):
        pen.polygon(_at(_LEAF, x, y), _FULL)
        pen.polygon(_at(_VEIN, x, y), _EMPTY)
        for tendril in _TENDRILS:
            pen.line(_at(tendril, x, y), 2.4, _FULL)
            pen.line(_at([(-a, b) for a, b in tendril], x, y), 2.4, _FULL)
    return pen.finish().convert("L")


def _at(points: tuple[Point, ...] | list[Point], x: float, y: float) -> list[Point]:
    return [(x + a, y + b) for a, b in points]
