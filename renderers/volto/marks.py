"""The marks on the mat: the last move in gold, choices in ivory, captures in coral; each has a shape too."""

from __future__ import annotations

import math

from PIL import Image, ImageChops, ImageDraw

from renderers.core.caches import sprite
from renderers.core.canvas import Canvas
from renderers.core.geometry import Point, between, heading, moved, towards
from renderers.core.sprite_builder import SpriteBuilder
from renderers.core.theme import Colour, mix, rgb
from renderers.core.type import Weight, serif
from renderers.volto.figures import emblem
from renderers.volto.layout import BAND, CELL, Layout
from renderers.volto.masks import SOFTNESS
from renderers.volto.theme import Theme

_ARM = 40
_FRAME = 14
"""Pixels of the frame of what could be chosen: four of a phone's."""
_LABEL = serif(44, Weight.BOLD)
_TAGGED = serif(40, Weight.BOLD)
_PATH_START, _PATH_END, _PATH_END_SLANTED = 46, 76, 116
"""Pixels that a path keeps away from both squares' middles; from the angles in the corners, too."""
_TAG = [(-42, 0), (-29, -21), (29, -21), (42, 0), (29, 21), (-29, 21)]


_FIELD = CELL - BAND
"""Pixels of a square between its bands; whatever lies along its edge fills whole blocks of an encoder."""


@sprite
def origin(theme: Theme, colour: Colour) -> Image.Image:
    """Return the mark of the square that a mask left: a ring and a dot."""
    builder = SpriteBuilder(100, 100, centred=True)
    # On ink, so that a light colour is seen on pale tiles too.
    builder.lay(builder.soft(builder.discs([(0, 0)], 36), 4), theme.ink, 0.75)
    builder.lay(builder.ring((0, 0), 36, 8), colour)
    builder.lay(builder.discs([(0, 0)], 10), colour)
    return builder.finish(SOFTNESS)


@sprite
def angles(colour: Colour) -> Image.Image:
    """Return the mark of the square that a mask moved to: an angle in each corner, light between them."""
    image = Image.new("RGBA", (_FIELD, _FIELD), (*rgb(colour), 44))
    draw = ImageDraw.Draw(image)
    for first in (0, _FIELD - _ARM):
        for second in (0, _FIELD - BAND):
            draw.rectangle((first, second, first + _ARM - 1, second + BAND - 1), fill=colour)
            draw.rectangle((second, first, second + BAND - 1, first + _ARM - 1), fill=colour)
    return image


@sprite
def _beam(theme: Theme, colour: Colour, dx: int, dy: int) -> Image.Image:
    builder = SpriteBuilder(abs(dx) + CELL, abs(dy) + CELL, centred=True)
    start, end = (-dx / 2, -dy / 2), (dx / 2, dy / 2)
    turn = heading(dx, dy)
    length = math.hypot(dx, dy)
    ray: list[Point] = [(-7, -34), (7, -34), (24, -length + 62), (-24, -length + 62)]
    light = builder.soft(builder.polygon(moved(ray, *start, turn=turn)), 4)
    builder.lay(light, colour, 0.5)
    room = length - _PATH_START - (_PATH_END if not (dx and dy) else _PATH_END_SLANTED)
    steps = max(2, 1 + round(room / 26))
    links = builder.empty()
    for i in range(steps):
        place = towards(start, end, _PATH_START + room * i / (steps - 1))
        link = moved([(-15, 9), (0, -6), (15, 9)], *place, turn=turn)
        links = ImageChops.lighter(links, builder.line(link, 7))
    builder.lay(builder.grown(links, 2.4), theme.ink, 0.9)
    builder.lay(links, mix(colour, theme.ivory, 0.25))
    return builder.finish(SOFTNESS)


def put_path(canvas: Canvas, layout: Layout, theme: Theme, squares: tuple[str, str], colour: Colour) -> None:
    """Draw the way between two squares, from the first to the second."""
    start, end = layout.centre(squares[0]), layout.centre(squares[1])
    beam = _beam(theme, colour, round(end[0] - start[0]), round(end[1] - start[1]))
    canvas.put(beam, between(start, end))


@sprite
def chosen(theme: Theme) -> Image.Image:
    """Return what lies under the chosen mask: a pale field over the whole square, the bands included."""
    size = _FIELD + 2 * BAND
    image = Image.new("RGBA", (size, size), theme.ivory)
    image.paste(mix(theme.ivory, theme.gold, 0.55), (BAND, BAND, size - BAND, size - BAND))
    return image


@sprite
def ready(theme: Theme) -> Image.Image:
    """Return what lies under a mask that could be chosen: a broad pale frame just inside the square."""
    image = Image.new("RGBA", (_FIELD, _FIELD), theme.ivory)
    image.paste(mix(theme.tile_dark, theme.ink, 0.45), (_FRAME, _FRAME, _FIELD - _FRAME, _FIELD - _FRAME))
    return image


@sprite
def quiet_target(theme: Theme, square: str) -> Image.Image:
    """Return the mark of an empty square that the chosen mask may go to: its name in a disc."""
    builder = SpriteBuilder(96, 96, centred=True)
    builder.lay(builder.discs([(0, 0)], 47), theme.ink)
    builder.lay(builder.discs([(0, 0)], 45), theme.ivory)
    builder.lay(builder.discs([(0, 0)], 36), theme.panel)
    builder.lay(builder.word(square, (0, 0), _LABEL), theme.ivory)
    return builder.finish(SOFTNESS)


@sprite
def strike(theme: Theme, square: str) -> Image.Image:
    """Return what lies over a mask that may be captured: triangles pointing in, its name above."""
    builder = SpriteBuilder(CELL + 40, CELL + 40, centred=True)
    half = _FIELD / 2
    for sx in (-1, 1):
        spike = builder.polygon([(sx * half, -19), (sx * (half - 27), 0), (sx * half, 19)])
        builder.lay(builder.grown(spike, 2.4), theme.ink)
        builder.lay(spike, theme.coral)
    tag = builder.polygon(moved(_TAG, 0, 6 - half))
    builder.lay(builder.grown(tag, 2.4), theme.ink)
    builder.lay(tag, theme.coral)
    builder.lay(builder.word(square, (0, 6 - half), _TAGGED), theme.ink)
    return builder.finish(SOFTNESS)


@sprite
def petals(theme: Theme) -> Image.Image:
    """Return the mark of a square where a Lady was taken and nobody is left: a rose falling apart."""
    builder = SpriteBuilder(CELL, CELL, centred=True)
    rose = emblem(builder, "L", (0, 0), 1.15)
    fallen: list[Point] = [(-48, -30), (44, -40), (50, 26), (-40, 44), (10, 52), (-54, 8), (12, -54)]
    loose = builder.empty()
    for i, place in enumerate(fallen):
        leaf = moved([(-11, 0), (-4, -6), (6, -6), (12, 0), (6, 6), (-4, 6)], *place, turn=47 * i)
        loose = ImageChops.lighter(loose, builder.grown(builder.polygon(leaf), 1))
    both = ImageChops.lighter(rose, loose)
    builder.cast(both, theme.ink, (2, 4), 2.5, 0.9)
    builder.lay(builder.grown(both, 1.6), theme.ink)
    builder.lay(loose, (theme.coral, theme.gold))
    builder.lay(rose, (theme.ivory, theme.gold, theme.coral))
    return builder.finish(SOFTNESS)


@sprite
def vacancy(theme: Theme, square: str) -> Image.Image:
    """Return the mark of a place that still waits for a mask: a broken frame and its name."""
    half, dash, pitch = 56.0, 13.0, 27.0
    builder = SpriteBuilder(CELL, CELL, centred=True)
    builder.lay(builder.box((-half, -half), (2 * half, 2 * half), 10), theme.ink, 0.45)
    for turn in (0, 90, 180, 270):
        for x in (-1.5 * pitch, -0.5 * pitch, 0.5 * pitch, 1.5 * pitch):
            ends = moved([(x - dash / 2, -half), (x + dash / 2, -half)], 0, 0, turn=turn)
            builder.lay(builder.line(ends, 4), theme.quiet)
    builder.lay(builder.word(square, (0, 0), _LABEL), theme.words)
    return builder.finish(SOFTNESS)


@sprite
def glow(theme: Theme, zoom: float = 1) -> Image.Image:
    """Return what lies behind the mask that was lost last."""
    builder = SpriteBuilder(132, 110, zoom=zoom, centred=True)
    builder.lay(builder.soft(builder.discs([(0, 0)], 48), 6), theme.gold, 0.9)
    return builder.finish(SOFTNESS)
