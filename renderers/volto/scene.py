"""The empty stage: the square lit by four lamps, two palaces, water. Painted once a theme and side.

Broad light on flat stone: what is calm here stays clean when the picture is encoded, and leaves the bytes
to the masks.
"""

from __future__ import annotations

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from renderers.core.caches import scene, sprite
from renderers.core.canvas import Canvas
from renderers.core.geometry import star
from renderers.core.sprite_builder import Studio, gradient, lit, pool
from renderers.core.theme import Colour, mix, rgb
from renderers.core.type import Weight, serif
from renderers.volto.boat import boat
from renderers.volto.layout import (
    BAND,
    BOAT,
    BOTTOM,
    CELL,
    FILE_Y,
    FILES,
    HEIGHT,
    LAMPS,
    LEFT,
    QUAY,
    ROOF,
    ROW_X,
    ROWS,
    SHELF_X,
    TOP,
    WIDTH,
    Layout,
)
from renderers.volto.masks import SOFTNESS
from renderers.volto.palace import SIZE, palace
from renderers.volto.theme import Theme

_FILE = serif(62, Weight.BOLD)
_ROW = serif(47, Weight.BOLD)
_ISLAND = (LEFT - QUAY, TOP - ROOF, SIZE[0], BOTTOM - TOP + 2 * ROOF)
"""Left and upper edge, width, height."""
_INSET = 24
"""How far inside a square its inlay of stone lies."""


@scene
def mat(theme: Theme, near: int) -> Image.Image:
    """Return the empty stage with the palace of ``near`` below."""
    layout = Layout(near)
    image = _water(theme)
    _put_island(image, theme, layout)
    canvas = Canvas(image)
    for x, y in LAMPS:
        lit(canvas.image, pool((250, 250), 0.34, 1.7), (x, y), theme.lamp)
        canvas.put(_lantern(theme), (x, y))
        lit(canvas.image, pool((90, 90), 0.5, 1.4), (x, y), theme.lamp)
    for seat in (0, 1):
        x = SHELF_X[layout.place(seat)]
        canvas.put(boat(theme, seat), (x, BOAT[2] + BOAT[1] / 2))
    _coordinates(canvas, theme, layout)
    return canvas.image


def _water(theme: Theme) -> Image.Image:
    image = gradient((WIDTH, HEIGHT), (theme.water, mix(theme.water, theme.ripple, 0.4), theme.water))
    for x, y in LAMPS:
        lit(image, pool((260, 700), 0.3), (70 if x < WIDTH / 2 else WIDTH - 70, y), theme.lamp)
    shadow = Image.new("L", image.size)
    left, top, width, height = _ISLAND
    shadow.paste(220, (left + 2, top + 10, left + width + 6, top + height + 8))
    image.paste(rgb(theme.ink), mask=shadow.filter(ImageFilter.GaussianBlur(10)))
    return image


def _put_island(image: Image.Image, theme: Theme, layout: Layout) -> None:
    left, top, width, height = _ISLAND
    day = Image.new("RGB", (width, height), rgb(theme.stone))
    _pave(day, theme)
    for seat in (0, 1):
        front = palace(theme, seat, near=seat == layout.near)
        day.paste(front, (0, height - front.height if seat == layout.near else 0), front)
    image.paste(ImageChops.multiply(day, _light(theme)), (left, top))


def _pave(day: Image.Image, theme: Theme) -> None:
    """Lay the squares in two tones between bands of pale stone; the winds' rose in the middle."""
    draw = ImageDraw.Draw(day)
    for row in range(1, len(ROWS) - 1):
        for column in range(len(FILES)):
            ground = (theme.tile_dark, theme.tile)[(row + column) % 2]
            x, y = QUAY + CELL * column + BAND // 2, ROOF + CELL * row + BAND // 2
            for inset, colour in ((0, ground), (_INSET, _inlay(theme, ground)), (_INSET + BAND, ground)):
                far = CELL - BAND - inset - 1
                draw.rectangle((x + inset, y + inset, x + far, y + far), fill=colour)
    rose = _rose(theme)
    day.paste(rose, (day.width // 2 - CELL // 2, day.height // 2 - CELL // 2), rose)


def _inlay(theme: Theme, ground: Colour) -> Colour:
    return mix(ground, theme.stone, 0.12)


def _light(theme: Theme) -> Image.Image:
    """Return what falls on the island: night, and the lamps' pools."""
    left, top, width, height = _ISLAND
    light = Image.new("RGB", (width, height), rgb(theme.night))
    for x, y in LAMPS:
        share = pool((860, 860), 0.88, 1.25)
        light.paste(rgb(theme.lamp), (round(x - left - 430), round(y - top - 430)), share)
    for y in (0, height):
        share = pool((1100, 520), 0.4, 1.1)
        light.paste(rgb(mix(theme.lamp, theme.ivory, 0.4)), (width // 2 - 550, y - 260), share)
    return light


def _rose(theme: Theme) -> Image.Image:
    """Return the rose of the winds, inlaid in the middle of the square."""
    studio = Studio(CELL, CELL, centred=True)
    ground = theme.tile_dark if (len(ROWS) // 2 + len(FILES) // 2) % 2 == 0 else theme.tile
    field = CELL / 2 - BAND / 2
    studio.lay(studio.box((-field, -field), (2 * field, 2 * field)), ground)
    studio.lay(studio.polygon(star(4, 40, 12, turn=45)), mix(ground, theme.stone, 0.14))
    studio.lay(studio.polygon(star(4, 60, 13)), mix(ground, theme.stone, 0.26))
    return studio.finish()


@sprite
def _lantern(theme: Theme) -> Image.Image:
    """Return a street lamp of coloured glass, seen from above."""
    studio = Studio(48, 48, centred=True)
    outer, inner = (star(6, radius, radius * 0.866, turn=30) for radius in (19, 15))
    studio.lay(studio.polygon(outer), theme.ink)
    studio.lay(studio.polygon(inner), (theme.ivory, theme.gold, theme.lamp))
    studio.lay(studio.discs([(0, 0)], 6), theme.ink)
    return studio.finish(SOFTNESS)


@sprite
def _sign(theme: Theme, sign: str) -> Image.Image:
    """Return a row's number on a dark slab."""
    studio = Studio(QUAY - BAND // 2, 40, centred=True)
    studio.lay(studio.word(sign, (0, 0), _ROW), theme.ivory)
    slab = Image.new("RGBA", (QUAY - BAND // 2, 40), theme.panel)
    slab.alpha_composite(studio.finish(SOFTNESS))
    return slab


def _coordinates(canvas: Canvas, theme: Theme, layout: Layout) -> None:
    for file in FILES:
        x, _ = layout.centre(file + "1")
        for y in FILE_Y:
            canvas.sign(file, (x, y), _FILE, theme.ivory)
    for row in ROWS:
        _, y = layout.centre("a" + row)
        for x in ROW_X:
            canvas.put(_sign(theme, row), (x, y))
