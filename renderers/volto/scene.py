"""The empty stage: the square lit by four lamps, two palaces, water. Painted once a theme and side."""

from __future__ import annotations

from PIL import Image, ImageChops, ImageFilter

from renderers.core.caches import scene, sprite
from renderers.core.canvas import Canvas
from renderers.core.geometry import Point, moved, star
from renderers.core.studio import Studio, gradient, grain, lit, pool
from renderers.core.theme import mix, rgb
from renderers.core.type import Weight, serif
from renderers.volto.boat import boat
from renderers.volto.layout import (
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
from renderers.volto.palace import SIZE, palace
from renderers.volto.theme import Theme

_COORDINATE = serif(33, Weight.BOLD)
_LOZENGE: list[Point] = [(0, -54), (54, 0), (0, 54), (-54, 0)]
_ISLAND = (LEFT - QUAY, TOP - ROOF, SIZE[0], BOTTOM - TOP + 2 * ROOF)
"""Left and upper edge, width, height."""
_SOFTNESS = 0.95
"""The stage is a touch softer than what stands on it."""


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
    image = gradient((WIDTH, HEIGHT), (theme.water, mix(theme.water, theme.ripple, 0.5), theme.water))
    waves = grain((WIDTH, HEIGHT), "volto water", (120, 26)).point([max(0, v - 150) for v in range(256)])
    image.paste(rgb(theme.ripple), mask=waves)
    for x, y in LAMPS:
        lit(image, pool((230, 620), 0.4), (82 if x < WIDTH / 2 else WIDTH - 82, y), theme.lamp)
    shadow = Image.new("L", image.size)
    left, top, width, height = _ISLAND
    shadow.paste(220, (left + 2, top + 10, left + width + 6, top + height + 8))
    image.paste(rgb(theme.ink), mask=shadow.filter(ImageFilter.GaussianBlur(10)))
    return image


def _put_island(image: Image.Image, theme: Theme, layout: Layout) -> None:
    left, top, width, height = _ISLAND
    day = Image.new("RGB", (width, height), rgb(theme.stone))
    for row in range(len(ROWS) - 2):
        for column in range(len(FILES)):
            sort = 2 if (row, column) == (2, 2) else (row + column) % 2
            day.paste(_tile(theme, sort), (QUAY + CELL * column, ROOF + CELL * (row + 1)))
    _quay_stones(day, theme)
    shape = Image.new("L", day.size, 255)
    for seat in (0, 1):
        front = palace(theme, seat, near=seat == layout.near)
        at = (0, height - front.height if seat == layout.near else 0)
        day.paste(front, at, front)
        shape.paste(front.getchannel("A"), at)
    night = ImageChops.multiply(day, _light(theme)).filter(ImageFilter.GaussianBlur(_SOFTNESS))
    for column in range(len(FILES)):
        for y in (ROOF + CELL * 0.45, height - ROOF - CELL * 0.55):
            lit(night, pool((170, 170), 0.42), (QUAY + CELL * (column + 0.5), y), theme.lamp)
    image.paste(night, (left, top), shape)


def _quay_stones(day: Image.Image, theme: Theme) -> None:
    joint = rgb(mix(theme.stone, theme.ink, 0.35))
    for x in (0, day.width - QUAY):
        for half in range(2 * (len(ROWS) - 2)):
            y = ROOF + CELL + half * CELL // 2
            day.paste(joint, (x, y, x + QUAY, y + 2))


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


@sprite
def _tile(theme: Theme, sort: int) -> Image.Image:
    """Return a square's paving: with a ring (0), a lozenge (1), or the rose of the winds (2)."""
    ground = theme.tile_dark if sort == 0 else theme.tile
    line = mix(ground, theme.stone, 0.25)
    studio = Studio(CELL, CELL)
    middle = (CELL / 2, CELL / 2)
    studio.lay(studio.box((0, 0), (CELL, CELL)), theme.stone)
    field = studio.box((5, 5), (CELL - 10, CELL - 10), 2)
    studio.lay(studio.grown(field, 1), mix(theme.stone, theme.ink, 0.55))
    studio.lay(field, ground)
    studio.shade(field, theme.ink, (4, 5), 5, 0.5)
    if sort == 0:
        studio.lay(studio.ring(middle, 51, 4), line)
    elif sort == 1:
        studio.lay(studio.line(moved(_LOZENGE, *middle), 4, closed=True), line)
    else:
        studio.lay(studio.ring(middle, 54, 3), line)
        studio.lay(studio.polygon(star(4, 36, 10, middle, 45)), mix(ground, theme.stone, 0.2))
        studio.lay(studio.polygon(star(4, 52, 11, middle)), line)
    return studio.finish().convert("RGB")


@sprite
def _lantern(theme: Theme) -> Image.Image:
    """Return a street lamp of coloured glass, seen from above."""
    studio = Studio(56, 56, centred=True)
    hexagon = [star(6, radius, radius * 0.866, (0, 0), 30) for radius in (18, 14.5)]
    studio.cast(studio.polygon(hexagon[0]), theme.ink, (1, 3), 3, 0.8)
    studio.lay(studio.polygon(hexagon[0]), theme.ink)
    studio.lay(studio.polygon(hexagon[1]), (theme.ivory, theme.gold, theme.lamp))
    for i in range(0, 12, 2):
        studio.lay(studio.line([(0, 0), hexagon[1][i]], 1.8), theme.ink)
    studio.lay(studio.discs([(0, 0)], 5), theme.ink)
    studio.lay(studio.discs([(0, 0)], 2.8), theme.ivory)
    return studio.finish()


@sprite
def _roundel(theme: Theme, sign: str) -> Image.Image:
    """Return a dark roundel with a coordinate."""
    studio = Studio(46, 46, centred=True)
    disc = studio.discs([(0, 0)], 18.5)
    studio.cast(disc, theme.ink, (0, 2), 1.8, 0.7)
    studio.lay(disc, theme.panel)
    studio.lay(studio.word(sign, (0, 0), _COORDINATE), theme.ivory)
    return studio.finish()


def _coordinates(canvas: Canvas, theme: Theme, layout: Layout) -> None:
    for file in FILES:
        x, _ = layout.centre(file + "1")
        for y in FILE_Y:
            canvas.put(_roundel(theme, file), (x, y))
    for row in ROWS:
        _, y = layout.centre("a" + row)
        for x in ROW_X:
            canvas.put(_roundel(theme, row), (x, y))
