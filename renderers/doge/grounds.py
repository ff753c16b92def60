"""What private pictures lie on: damask under hands and shown cards, laid paper under the clue sheet.

The damask repeats one motif exactly. The paper has the fine lines and the chains of the sieve, three moons as
a watermark, and a printed frame.
"""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageChops

from renderers.core.caches import scene
from renderers.core.canvas import Canvas, Pen
from renderers.core.geometry import Point
from renderers.core.theme import mix, rgb
from renderers.doge.curves import outline, oval
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

_LINE, _CHAIN = 4, 86
"""Pixels between the lines of the paper, and between the chains."""

_MOONS = ((-165, 77), (0, 59), (123, 44))
"""How far each moon is from the middle one, and its radius."""

_LEAVES = (
    outline("M0 0 C16 2 26 10 34 26 C20 22 8 16 0 0 Z"),
    outline("M0 0 C2 16 10 26 26 34 C22 20 16 8 0 0 Z"),
)

_EDGE = 16
"""Where the inner line of the frame lies."""


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


@scene
def laid_paper(theme: Theme, height: int, moon: Point) -> Image.Image:
    """Return an empty sheet; ``moon``: the middle of its watermark."""
    canvas = Canvas(Image.new("RGB", (WIDTH, height), theme.laid))
    for y in range(0, height, _LINE):
        canvas.fill((0, y), (WIDTH, 1), theme.laid_line)
    for x in range(34, WIDTH, _CHAIN):
        canvas.fill((x, 0), (1, height), theme.laid_chain)
    for aside, radius in _MOONS:
        _put_moon(canvas, theme, (moon[0] + aside, moon[1]), radius)
    _put_frame(canvas, theme, height)
    return ImageChops.multiply(canvas.image, _age(height))


def _put_moon(canvas: Canvas, theme: Theme, centre: Point, radius: float) -> None:
    outer = oval(centre, radius, radius, 50, 310)
    inner = oval((centre[0] + 0.42 * radius, centre[1]), 0.8 * radius, 0.8 * radius, 298, 62)
    edge = [*outer, *inner, outer[0]]
    light = mix(theme.laid, "#FFFFFF", 0.35)

    def draw(pen: Pen, corner: Point) -> None:
        pen.line([(x - corner[0], y - corner[1]) for x, y in edge], 4, light)

    canvas.draw(edge, 4, draw)


def _put_frame(canvas: Canvas, theme: Theme, height: int) -> None:
    for inset, width in ((9, 3), (_EDGE, 1)):
        canvas.frame((inset, inset), (WIDTH - 2 * inset, height - 2 * inset), width, theme.ink)
    for x, across in ((_EDGE, 1), (WIDTH - _EDGE, -1)):
        for y, down in ((_EDGE, 1), (height - _EDGE, -1)):
            for leaf in _LEAVES:
                _put_leaf(canvas, theme, [(x + across * a, y + down * b) for a, b in leaf])


def _put_leaf(canvas: Canvas, theme: Theme, points: Sequence[Point]) -> None:
    def draw(pen: Pen, corner: Point) -> None:
        pen.polygon([(x - corner[0], y - corner[1]) for x, y in points], theme.ink)

    canvas.draw(points, 2, draw)


def _age(height: int) -> Image.Image:
    """Return what time has done to the sheet: a darker margin."""
    veil = Canvas(Image.new("RGB", (WIDTH, height), "#EBDFC8"))
    veil.fill((7, 7), (WIDTH - 14, height - 14), "#F4ECDC")
    veil.fill((21, 21), (WIDTH - 42, height - 42), "#FFFFFF")
    return veil.image
