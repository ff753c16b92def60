"""The two loggias that close the square: arches upright in both, so that every mask stands under its arch."""

from __future__ import annotations

from PIL import Image, ImageChops

from renderers.core.geometry import moved, path
from renderers.core.sprite_builder import Studio
from renderers.core.theme import mix
from renderers.volto.layout import BAND, CELL, FILES, QUAY, ROOF
from renderers.volto.theme import Side, Theme

SIZE = (CELL * len(FILES) + 2 * QUAY, CELL + ROOF)

_ARCH = path(
    (-60, 72), (-60, -8), (-60, -38, -18, -38, 0, -62), (18, -38, 60, -38, 60, -8), (60, 72)
)  # fmt: skip
_FRAME = path(
    (-68, 72), (-68, -10), (-68, -46, -20, -46, 0, -76), (20, -46, 68, -46, 68, -10), (68, 72)
)  # fmt: skip
_DRAPE = 47
"""How far the cloth hangs down from its rail."""


def palace(theme: Theme, seat: int, *, near: bool) -> Image.Image:
    """Return a palace by daylight: the far one with its roof above, the near one with its terrace below."""
    studio = Studio(*SIZE)
    side = theme.sides[seat]
    top, rail = (0, CELL - BAND / 2) if near else (ROOF, 0)
    studio.lay(studio.box((0, 0), SIZE), mix(side.wall, theme.ink, 0.25))
    _arches(studio, theme, side, top)
    strip = studio.box((0, rail), (SIZE[0], ROOF + BAND / 2 if near else ROOF - BAND / 2))
    studio.lay(strip, mix(side.deep, theme.ink, 0.5))
    _drapes(studio, side, rail + BAND)
    studio.lay(studio.box((0, rail), (SIZE[0], BAND)), theme.stone)
    return studio.finish()


def _middles() -> list[float]:
    return [QUAY + CELL * (i + 0.5) for i in range(len(FILES))]


def _drapes(studio: Studio, side: Side, y: float) -> None:
    """Hang the owner's cloth, one width a square: its file is written on it."""
    half = CELL / 2
    low = y + 4 / 3 * _DRAPE  # where a curve's handles lie
    for x in _middles():
        left, right = (x - half, y), (x + half, y)
        cloth = studio.polygon(path(right, (x + half - 12, low, x - half + 12, low, *left)))
        studio.lay(cloth, mix(side.metal, side.dull, 0.4))
        studio.lay(ImageChops.multiply(cloth, studio.shifted(cloth, 0, -6)), side.cloth)


def _arches(studio: Studio, theme: Theme, side: Side, top: float) -> None:
    y = top + CELL / 2
    studio.lay(studio.polygon(*(moved(_FRAME, x, y) for x in _middles())), mix(theme.stone, side.wall, 0.35))
    inside = studio.polygon(*(moved(_ARCH, x, y) for x in _middles()))
    studio.lay(inside, mix(side.deep, theme.ink, 0.35))
    floor = studio.box((0, top + CELL - 34), (SIZE[0], 34))
    studio.lay(ImageChops.multiply(studio.soft(floor, 18), inside), side.cloth, 0.5)
