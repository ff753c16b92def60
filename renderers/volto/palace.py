"""The two loggias that close the square: arches upright in both, so that every mask stands under its arch."""

from __future__ import annotations

from PIL import Image, ImageChops

from renderers.core.geometry import Point, moved, path
from renderers.core.studio import Stencil, Studio
from renderers.core.theme import mix
from renderers.volto.layout import CELL, FILES, QUAY, ROOF
from renderers.volto.theme import Side, Theme

SIZE = (CELL * len(FILES) + 2 * QUAY, CELL + ROOF)

_ARCH = path(
    (-58, 72), (-58, -14), (-58, -46, -18, -44, 0, -71), (18, -44, 58, -46, 58, -14), (58, 72)
)  # fmt: skip
_FRAME = path(
    (-66, 72), (-66, -16), (-66, -54, -20, -52, 0, -84), (20, -52, 66, -54, 66, -16), (66, 72)
)  # fmt: skip
_MERLON = path((-15, 16), (-15, 7), (-6, 6, -4, 3, 0, -3), (4, 3, 6, 6, 15, 7), (15, 16))


def palace(theme: Theme, seat: int, *, near: bool) -> Image.Image:
    """Return a palace by daylight: the far one with its roof above, the near one with a balustrade below."""
    studio = Studio(*SIZE)
    side = theme.sides[seat]
    top = 0 if near else ROOF
    _wall(studio, side, near=near)
    if near:
        _balustrade(studio, theme, side)
    else:
        _roof(studio, theme, side)
    _arches(studio, theme, side, top)
    _columns(studio, theme, side, top)
    return studio.finish()


def _middles() -> list[float]:
    return [QUAY + CELL * (i + 0.5) for i in range(len(FILES))]


def _wall(studio: Studio, side: Side, *, near: bool) -> None:
    studio.lay(studio.box((0, 0 if near else 12), (SIZE[0], CELL + 6 if near else SIZE[1])), side.wall)


def _roof(studio: Studio, theme: Theme, side: Side) -> None:
    """Draw merlons, a cornice and a swag of cloth over every arch."""
    studio.lay(studio.polygon(*(moved(_MERLON, 20 + 40 * i, 4) for i in range(SIZE[0] // 40))), theme.stone)
    studio.lay(studio.box((0, 14), (SIZE[0], 5)), theme.stone)
    _swags(studio, theme, side, 19)


def _balustrade(studio: Studio, theme: Theme, side: Side) -> None:
    """Draw the terrace's edge: a rail, cloth over it, a step to the water."""
    studio.lay(studio.box((0, CELL + 4), (SIZE[0], ROOF - 12)), mix(theme.stone, theme.ink, 0.35))
    posts = studio.empty()
    for i in range(SIZE[0] // 32):
        posts = ImageChops.lighter(posts, studio.box((8 + 32 * i, CELL + 8), (16, ROOF - 20), 7))
    studio.lay(posts, theme.stone)
    studio.lay(studio.box((0, SIZE[1] - 12), (SIZE[0], 12)), theme.stone)
    studio.lay(studio.box((0, SIZE[1] - 5), (SIZE[0], 5)), mix(theme.stone, theme.ink, 0.4))
    _swags(studio, theme, side, CELL + 1)
    studio.lay(studio.box((0, CELL - 1), (SIZE[0], 7)), theme.stone)


def _swags(studio: Studio, theme: Theme, side: Side, y: float) -> None:
    """Hang the owner's cloth, one swag a cell."""
    for x in _middles():
        half = CELL / 2
        swag = path(
            (x - half, y), (x + half, y), (x + half, y + 6), (x + 40, y + 36, x - 40, y + 36, x - half, y + 6)
        )
        cloth = studio.polygon(swag)
        studio.cast(cloth, theme.ink, (0, 3), 2.5, 0.5)
        studio.lay(cloth, (side.lit, side.cloth, side.cloth))
        fold = path((x - half, y + 2), (x - 40, y + 17, x + 40, y + 17, x + half, y + 2))
        studio.lay(ImageChops.multiply(studio.line(fold, 2.5), cloth), side.deep, 0.6)
        hem = path((x - half, y + 6), (x - 40, y + 36, x + 40, y + 36, x + half, y + 6))
        studio.lay(studio.line(hem, 2.2), side.metal)


def _arches(studio: Studio, theme: Theme, side: Side, top: float) -> None:
    y = top + CELL / 2
    frames = studio.polygon(*(moved(_FRAME, x, y) for x in _middles()))
    frames = ImageChops.multiply(frames, studio.box((0, top - 12), (SIZE[0], CELL + 12)))
    studio.cast(frames, theme.ink, (0, 2), 3, 0.6)
    studio.lay(frames, theme.stone)
    inside = studio.polygon(*(moved(_ARCH, x, y) for x in _middles()))
    studio.lay(studio.grown(inside, 1.4), mix(theme.stone, theme.ink, 0.7))
    studio.lay(inside, mix(side.deep, theme.ink, 0.2))
    floor = studio.box((0, top + CELL - 46), (SIZE[0], 46))
    studio.lay(ImageChops.multiply(studio.soft(floor, 10), inside), side.cloth, 0.45)
    studio.shade(inside, theme.ink, (0, 9), 8, 0.75)


def _columns(studio: Studio, theme: Theme, side: Side, top: float) -> None:
    places = [QUAY + CELL * i for i in range(len(FILES) + 1)]
    shafts = _boxes(studio, places, 8, top + 58, CELL - 58)
    studio.lay(shafts, theme.stone)
    studio.shade(shafts, theme.ink, (-5, 0), 3, 0.45)
    for y in (top + 54, top + CELL - 12):
        block = _boxes(studio, places, 13, y, 11)
        studio.cast(block, theme.ink, (0, 2), 1.6, 0.6)
        studio.lay(block, theme.stone)
    lights: list[Point] = [(x, top + 26.0) for x in places]
    studio.lay(studio.discs(lights, 17.5), theme.stone)
    leaves = [(x + dx, y + dy) for x, y in lights for dx, dy in ((0, -7), (0, 7), (-7, 0), (7, 0))]
    studio.lay(studio.discs(leaves, 6.2), side.deep)


def _boxes(studio: Studio, places: list[int], half: float, y: float, height: float) -> Stencil:
    boxes = studio.empty()
    for x in places:
        boxes = ImageChops.lighter(boxes, studio.box((x - half, y), (2 * half, height), 2))
    return boxes
