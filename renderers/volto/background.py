"""The empty mat: the square lit by four lamps, two palaces, water. Painted once a theme and side.

Large areas are flat or smoothly lit, so that they stay clean and leave the encoder's bytes to the masks.
"""

from __future__ import annotations

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from renderers.core.caches import scene, sprite
from renderers.core.canvas import Canvas
from renderers.core.geometry import moved, path, star
from renderers.core.sprite_builder import SpriteBuilder, gradient, lit, pool
from renderers.core.theme import mix, rgb
from renderers.core.type import Weight, serif
from renderers.volto.boat import boat
from renderers.volto.layout import (
    BAND,
    BOAT,
    CELL,
    FILE_Y,
    FILES,
    HEIGHT,
    ISLAND,
    LAMPS,
    LEFT,
    QUAY,
    ROOF,
    ROW_X,
    ROWS,
    SIDE_X,
    TOP,
    WIDTH,
    Layout,
)
from renderers.volto.masks import SOFTNESS
from renderers.volto.theme import Theme

_ARCH = path(
    (-60, 72), (-60, -8), (-60, -38, -18, -38, 0, -62), (18, -38, 60, -38, 60, -8), (60, 72)
)  # fmt: skip
_FRAME = path(
    (-68, 72), (-68, -10), (-68, -46, -20, -46, 0, -76), (20, -46, 68, -46, 68, -10), (68, 72)
)  # fmt: skip
_DRAPE = 38
"""How far the cloth hangs down from its rail."""


def palace(theme: Theme, seat: int, *, near: bool) -> Image.Image:
    """Return a palace by daylight: the far one is cut at its roof, the near one has a terrace below."""
    size = (ISLAND[2], CELL + (ROOF if near else TOP))
    builder = SpriteBuilder(*size)
    side = theme.sides[seat]
    top = 0 if near else TOP
    builder.lay(builder.box((0, 0), size), mix(side.wall, theme.ink, 0.25))
    y = top + CELL / 2
    builder.lay(
        builder.polygon(*(moved(_FRAME, x, y) for x in _middles())), mix(theme.stone, side.wall, 0.35)
    )
    inside = builder.polygon(*(moved(_ARCH, x, y) for x in _middles()))
    builder.lay(inside, mix(side.deep, theme.ink, 0.35))
    floor = builder.box((0, top + CELL - 34), (size[0], 34))
    builder.lay(ImageChops.multiply(builder.soft(floor, 18), inside), side.cloth, 0.5)
    if near:
        _lay_terrace(builder, theme, seat, size)
    else:
        builder.lay(builder.box((0, 0), (size[0], TOP + BAND / 2)), theme.stone)
    return builder.finish()


def _lay_terrace(builder: SpriteBuilder, theme: Theme, seat: int, size: tuple[int, int]) -> None:
    side, rail = theme.sides[seat], CELL - BAND / 2
    builder.lay(builder.box((0, rail), (size[0], size[1] - rail)), mix(side.deep, theme.ink, 0.5))
    y = rail + BAND
    # One width a square, for its file is written on it.
    half = CELL / 2
    low = y + 4 / 3 * _DRAPE  # where a curve's handles lie
    for x in _middles():
        left, right = (x - half, y), (x + half, y)
        cloth = builder.polygon(path(right, (x + half - 12, low, x - half + 12, low, *left)))
        builder.lay(cloth, mix(side.metal, side.dull, 0.4))
        builder.lay(ImageChops.multiply(cloth, builder.shifted(cloth, 0, -5)), side.cloth)
    builder.lay(builder.box((0, rail), (size[0], BAND)), theme.stone)


def _middles() -> list[float]:
    return [QUAY + CELL * (i + 0.5) for i in range(len(FILES))]


_FILE = serif(52, Weight.BOLD)
_ROW = serif(47, Weight.BOLD)
_INSET = 24
"""How far inside a square its inlay of stone lies."""


@scene
def mat(theme: Theme, near: int) -> Image.Image:
    """Return the empty mat with the palace of ``near`` below."""
    layout = Layout(near)
    canvas = Canvas(_water(theme))
    # By daylight first: the lamps multiply with all of it at once.
    day = _paved(theme)
    for seat in (0, 1):
        front = palace(theme, seat, near=seat == layout.near)
        day.paste(front, (0, day.height - front.height if seat == layout.near else 0), front)
    canvas.image.paste(ImageChops.multiply(day, _light(theme)), ISLAND[:2])
    lantern = SpriteBuilder(48, 48, centred=True)
    outer, inner = (star(6, radius, radius * 0.866, turn=30) for radius in (19, 15))
    lantern.lay(lantern.polygon(outer), theme.ink)
    lantern.lay(lantern.polygon(inner), (theme.ivory, theme.gold, theme.lamp))
    lantern.lay(lantern.discs([(0, 0)], 6), theme.ink)
    lamp = lantern.finish(SOFTNESS)
    for x, y in LAMPS:
        lit(canvas.image, pool((250, 250), 0.34, 1.7), (x, y), theme.lamp)
        # Glow on the ground, then the lantern, then glow over it: the light seems to come from inside.
        canvas.put(lamp, (x, y))
        lit(canvas.image, pool((90, 90), 0.5, 1.4), (x, y), theme.lamp)
    for seat in (0, 1):
        canvas.put(boat(theme, seat), (SIDE_X, layout.boat_top(seat) + BOAT[1] / 2))
    _coordinates(canvas, theme, layout)
    return canvas.image


def _water(theme: Theme) -> Image.Image:
    image = gradient((WIDTH, HEIGHT), (theme.water, mix(theme.water, theme.ripple, 0.4), theme.water))
    for x, y in LAMPS:
        lit(image, pool((420, 700), 0.3), (min(x, LEFT - QUAY), y), theme.lamp)
    # The island throws a shadow, so that it stands out of the water.
    shadow = Image.new("L", image.size)
    left, top, width, height = ISLAND
    shadow.paste(220, (left + 2, top + 10, left + width + 6, top + height + 8))
    image.paste(rgb(theme.ink), mask=shadow.filter(ImageFilter.GaussianBlur(10)))
    return image


def _paved(theme: Theme) -> Image.Image:
    day = Image.new("RGB", ISLAND[2:], rgb(theme.stone))
    draw = ImageDraw.Draw(day)
    for row in range(1, len(ROWS) - 1):
        for column in range(len(FILES)):
            ground = (theme.tile_dark, theme.tile)[(row + column) % 2]
            x, y = QUAY + CELL * column + BAND // 2, TOP + CELL * row + BAND // 2
            for inset, colour in (
                (0, ground),
                (_INSET, mix(ground, theme.stone, 0.12)),
                (_INSET + BAND, ground),
            ):
                far = CELL - BAND - inset - 1
                draw.rectangle((x + inset, y + inset, x + far, y + far), fill=colour)
    # The rose in the middle of the floor.
    builder = SpriteBuilder(CELL, CELL, centred=True)
    ground = theme.tile_dark if (len(ROWS) // 2 + len(FILES) // 2) % 2 == 0 else theme.tile
    field = CELL / 2 - BAND / 2
    builder.lay(builder.box((-field, -field), (2 * field, 2 * field)), ground)
    builder.lay(builder.polygon(star(4, 40, 12, turn=45)), mix(ground, theme.stone, 0.14))
    builder.lay(builder.polygon(star(4, 60, 13)), mix(ground, theme.stone, 0.26))
    rose = builder.finish()
    day.paste(rose, (QUAY + CELL * (len(FILES) // 2), TOP + CELL * (len(ROWS) // 2)), rose)
    return day


def _light(theme: Theme) -> Image.Image:
    left, top, width, height = ISLAND
    # Not seen itself: the mat by daylight is multiplied with it.
    light = Image.new("RGB", (width, height), rgb(theme.night))
    # Shares of lamp light over what the night leaves, so that no spot gets brighter than by day.
    for x, y in LAMPS:
        share = pool((860, 860), 0.88, 1.25)
        light.paste(rgb(theme.lamp), (round(x - left - 430), round(y - top - 430)), share)
    for y in (0, height):
        share = pool((1100, 520), 0.4, 1.1)
        light.paste(rgb(mix(theme.lamp, theme.ivory, 0.4)), (width // 2 - 550, y - 260), share)
    return light


@sprite
def _sign(theme: Theme, sign: str) -> Image.Image:
    builder = SpriteBuilder(QUAY - BAND // 2, 40, centred=True)
    builder.lay(builder.word(sign, (0, 0), _ROW), theme.ivory)
    slab = Image.new("RGBA", (QUAY - BAND // 2, 40), theme.panel)
    slab.alpha_composite(builder.finish(SOFTNESS))
    return slab


def _coordinates(canvas: Canvas, theme: Theme, layout: Layout) -> None:
    for file in FILES:
        x, _ = layout.centre(file + "1")
        canvas.sign(file, (x, FILE_Y), _FILE, theme.ivory)
    for row in ROWS:
        _, y = layout.centre("a" + row)
        canvas.put(_sign(theme, row), (ROW_X, y))
