"""The blank masks, seen from the front: a sun with rays, a moon with its crescent and pearls."""

from __future__ import annotations

from PIL import ImageChops

from renderers.core.geometry import Point, mirrored, moved, path, polar
from renderers.core.studio import Studio
from renderers.volto.theme import Side, Theme

_RAYS = 16
_OVAL = mirrored(path((0, -42), (21, -42, 33, -26, 31, -3), (29, 20, 13, 43, 0, 44)))
_EYE = path((-12, 1.5), (-6, -8, 6, -8.5, 12.5, -2), (7, 6, -6, 6.5, -12, 1.5))
_SOCKET = path((-15, 0), (-9, -15, 12, -14, 15, -4), (10, 9, -9, 9, -15, 0))
_LIPS = path((-9, 0), (-4, -3, -2, -2.5, 0, -1.5), (2, -2.5, 4, -3, 9, 0), (4, 5.5, -4, 5.5, -9, 0))


def sun(studio: Studio, theme: Theme) -> None:
    """Draw the Sun's blank mask."""
    side = theme.sides[0]
    long, short = ([_ray(i, tip) for i in range(start, 2 * _RAYS, 4)] for start, tip in ((0, 67), (2, 60)))
    rays = studio.polygon(*long, *short)
    whole = ImageChops.lighter(rays, studio.discs([(0, 0)], 49))
    studio.cast(whole, theme.ink, (2, 6), 4, 0.8)
    studio.lay(studio.grown(whole, 1.8), theme.ink)
    studio.lay(studio.polygon(*short), side.lit)
    studio.lay(studio.polygon(*long), side.metal)
    for i, ray in (*_numbered(long, 0), *_numbered(short, 2)):
        lower = 4 <= i <= 20
        flank = [ray[0], ray[1], (0.0, 0.0)] if lower else [ray[1], ray[2], (0.0, 0.0)]
        studio.lay(studio.polygon(flank), side.dull if i % 4 == 0 else side.cloth)
    studio.lay(studio.discs([(0, 0)], 50), (side.shine, side.metal, side.dull))
    studio.lay(studio.discs([(0, 0)], 46.5), (side.lit, side.cloth, side.deep))
    studio.shade(studio.discs([(0, 0)], 46.5), theme.ink, (3, 4), 3, 0.6)
    _face(studio, theme, side, (0, 1))


def _numbered(group: list[list[Point]], start: int) -> list[tuple[int, list[Point]]]:
    return [(start + 4 * i, ray) for i, ray in enumerate(group)]


def _ray(number: int, tip: float) -> list[Point]:
    """Return a ray; its foot's left end, its tip, its foot's right end, seen from the middle."""
    angle = 180 * number / _RAYS
    return [polar(angle - 11, 46), polar(angle, tip), polar(angle + 11, 46)]


def moon(studio: Studio, theme: Theme) -> None:
    """Draw the Moon's blank mask."""
    side = theme.sides[1]
    disc = studio.discs([(0, 0)], 62)
    studio.cast(disc, theme.ink, (2, 6), 4, 0.8)
    studio.lay(studio.discs([(0, 0)], 63.8), theme.ink)
    studio.lay(disc, (side.lit, side.cloth, side.deep))
    studio.lay(studio.ring((0, 0), 62, 2), side.dull)
    pearls = [polar(15 * i, 55.2) for i in range(24)]
    studio.lay(studio.discs(pearls, 4.7), side.dull)
    studio.lay(studio.discs(moved(pearls, -0.4, -0.5), 4), side.metal)
    studio.lay(studio.discs(moved(pearls, -1, -1.2), 1.9), side.shine)
    crescent = ImageChops.subtract(studio.discs([(-1, 0)], 49), studio.discs([(14, -4)], 45))
    studio.cast(crescent, theme.ink, (1, 2), 2, 0.7)
    studio.lay(crescent, (side.shine, side.metal, side.dull))
    _face(studio, theme, side, (8, 1))


def _face(studio: Studio, theme: Theme, side: Side, at: Point) -> None:
    oval = studio.polygon(moved(_OVAL, *at))
    studio.cast(oval, theme.ink, (2, 4), 3, 0.8)
    studio.lay(studio.grown(oval, 1.4), side.dull)
    studio.lay(oval, (side.shine, side.face, side.shade))
    studio.shade(oval, side.dull, (-5, -6), 6, 0.75)
    studio.shade(oval, side.shine, (2, 2), 1.5, 0.9)
    x, y = at
    for turn in (-1, 1):
        mirror = [(turn * px, py) for px, py in _SOCKET]
        hollow = studio.soft(studio.polygon(moved(mirror, x + turn * 14, y - 8)), 2.6)
        studio.lay(ImageChops.multiply(hollow, oval), side.dull, 0.55)
        eye = studio.polygon(moved([(turn * px, py) for px, py in _EYE], x + turn * 14, y - 8))
        studio.lay(studio.grown(eye, 0.8), side.dull)
        studio.lay(eye, theme.ink)
    nose = studio.polygon([(x, y - 10), (x + 7, y + 14), (x + 1, y + 17)])
    studio.lay(studio.soft(nose, 1.6), side.dull, 0.6)
    studio.lay(studio.soft(studio.line([(x - 0.5, y - 12), (x - 0.5, y + 12)], 2.5), 1), side.shine, 0.9)
    lips = studio.polygon(moved(_LIPS, x, y + 27))
    studio.lay(studio.soft(lips, 0.8), side.dull, 0.75)
