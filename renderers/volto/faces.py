"""The blank masks, seen from the front: a sun with rays, a moon with its crescent."""

from __future__ import annotations

from PIL import ImageChops

from renderers.core.geometry import Point, mirrored, moved, path, polar
from renderers.core.sprite_builder import Studio
from renderers.volto.theme import Side, Theme

_RAYS = 12
_OVAL = mirrored(path((0, -42), (21, -42, 33, -26, 31, -3), (29, 20, 13, 43, 0, 44)))
_EYE = path((-12, 2), (-7, -9, 6, -10, 13, -3), (8, 7, -6, 7.5, -12, 2))
_SOCKET = path((-15, 0), (-9, -15, 12, -14, 15, -4), (10, 9, -9, 9, -15, 0))
_LIPS = path((-9, 0), (-4, -3, -2, -2.5, 0, -1.5), (2, -2.5, 4, -3, 9, 0), (4, 5.5, -4, 5.5, -9, 0))


def sun(studio: Studio, theme: Theme) -> None:
    """Draw the Sun's blank mask."""
    side = theme.sides[0]
    rays = [_ray(i) for i in range(_RAYS)]
    whole = ImageChops.lighter(studio.polygon(*rays), studio.discs([(0, 0)], 50))
    studio.cast(whole, theme.ink, (2, 6), 4, 0.8)
    studio.lay(studio.grown(whole, 2), theme.ink)
    studio.lay(studio.polygon(*rays), side.metal)
    studio.lay(studio.polygon(*_flanks(rays)), side.dull)
    studio.lay(studio.discs([(0, 0)], 50), (side.shine, side.metal, side.dull))
    studio.lay(studio.discs([(0, 0)], 46), (side.lit, side.cloth))
    _face(studio, theme, side, (0, 1))


def _flanks(rays: list[list[Point]]) -> list[list[Point]]:
    """Return the half of every ray that the light, which comes from the upper left, does not reach."""
    return [[ray[2] if i < _RAYS // 2 else ray[0], ray[1], (0.0, 0.0)] for i, ray in enumerate(rays)]


def _ray(number: int) -> list[Point]:
    """Return a ray; its foot's left end, its tip, its foot's right end, seen from the middle."""
    angle = 360 * number / _RAYS
    return [polar(angle - 14, 47), polar(angle, 67), polar(angle + 14, 47)]


def moon(studio: Studio, theme: Theme) -> None:
    """Draw the Moon's blank mask."""
    side = theme.sides[1]
    disc = studio.discs([(0, 0)], 61)
    studio.cast(disc, theme.ink, (2, 6), 4, 0.8)
    studio.lay(studio.discs([(0, 0)], 63), theme.ink)
    studio.lay(disc, side.metal)
    studio.lay(studio.discs([(0, 0)], 57.5), (side.cloth, side.deep))
    crescent = ImageChops.subtract(studio.discs([(-1, 0)], 52), studio.discs([(16, -4)], 47))
    studio.lay(crescent, (side.shine, side.metal))
    _face(studio, theme, side, (9, 1))


def _face(studio: Studio, theme: Theme, side: Side, at: Point) -> None:
    oval = studio.polygon(moved(_OVAL, *at))
    studio.cast(oval, theme.ink, (2, 4), 3, 0.7)
    studio.lay(studio.grown(oval, 1.6), side.dull)
    studio.lay(oval, (side.face, side.face, side.shade))
    studio.shade(oval, side.dull, (-6, -7), 7, 0.6)
    x, y = at
    for turn in (-1, 1):
        mirror = [(turn * px, py) for px, py in _SOCKET]
        hollow = studio.soft(studio.polygon(moved(mirror, x + turn * 14, y - 8)), 3)
        studio.lay(ImageChops.multiply(hollow, oval), side.dull, 0.5)
        studio.lay(
            studio.polygon(moved([(turn * px, py) for px, py in _EYE], x + turn * 14, y - 8)), theme.ink
        )
    nose = studio.polygon([(x, y - 10), (x + 8, y + 14), (x + 1, y + 17)])
    studio.lay(studio.soft(nose, 2), side.dull, 0.65)
    lips = studio.polygon(moved(_LIPS, x, y + 27))
    studio.lay(studio.soft(lips, 0.8), side.dull, 0.8)
