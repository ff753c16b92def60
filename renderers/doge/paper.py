"""Laid paper: the fine lines and the chains of the sieve, three moons as a watermark, a printed frame."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageChops

from renderers.core.caches import scene
from renderers.core.canvas import Canvas, Pen
from renderers.core.geometry import Point
from renderers.core.theme import mix
from renderers.doge.curves import outline, oval
from renderers.doge.layout import WIDTH
from renderers.doge.theme import Theme

_LINE, _CHAIN = 4, 86
"""Pixels between the lines, and between the chains."""

_MOONS = ((-165, 77), (0, 59), (123, 44))
"""How far each moon is from the middle one, and its radius."""

_LEAVES = (
    outline("M0 0 C16 2 26 10 34 26 C20 22 8 16 0 0 Z"),
    outline("M0 0 C2 16 10 26 26 34 C22 20 16 8 0 0 Z"),
)
_EDGE = 16
"""Where the inner line of the frame lies."""


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
