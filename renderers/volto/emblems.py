"""The five emblems: each tells how its mask moves. Cut about (0, 0) with a radius of about 30 units."""

from __future__ import annotations

from PIL import ImageChops

from renderers.core.geometry import Point, moved, path, polar, star
from renderers.core.sprite_builder import Stencil, Studio

_ARM: list[Point] = [(-5.5, -5.5), (-5.5, -15), (-12.5, -17), (0, -31), (12.5, -17), (5.5, -15), (5.5, -5.5)]
_CROSS = [point for turn in (0, 90, 180, 270) for point in moved(_ARM, 0, 0, turn=turn)]
_QUILL = path((-5, 36), (-5, -3), (-14, -10, -13, -26, 0, -41), (13, -26, 14, -10, 5, -3), (5, 36))
_SPEAR = path(
    (0, -36),
    (6, -28, 13, -18, 17, -6),
    (5.5, -10),
    (5.5, 14),
    (16, 14),
    (16, 22),
    (5.5, 22),
    (5.5, 35),
    (-5.5, 35),
    (-5.5, 22),
    (-16, 22),
    (-16, 14),
    (-5.5, 14),
    (-5.5, -10),
    (-17, -6),
    (-13, -18, -6, -28, 0, -36),
)
_POINTS = star(8, 34, 13)


def emblem(studio: Studio, kind: str, at: Point, scale: float) -> Stencil:
    """Return the emblem of ``kind``, one of ``NALSC``, around ``at``."""
    if kind == "A":
        return _quills(studio, at, scale)
    if kind == "L":
        return _rose(studio, at, scale)
    outline = {"N": _CROSS, "S": _SPEAR, "C": _POINTS}[kind]
    return studio.polygon(moved(outline, *at, scale))


def _quills(studio: Studio, at: Point, scale: float) -> Stencil:
    """Return two crossed quills, a gap where one lies over the other."""
    under, over = (studio.polygon(moved(_QUILL, *at, scale * 0.94, turn=turn)) for turn in (-45, 45))
    return ImageChops.lighter(ImageChops.subtract(under, studio.grown(over, 1.1 * scale)), over)


def _rose(studio: Studio, at: Point, scale: float) -> Stencil:
    """Return eight round petals about a hollow heart."""
    petals = studio.discs([polar(angle, 20.5 * scale, at) for angle in range(0, 360, 45)], 9.6 * scale)
    full = ImageChops.lighter(petals, studio.discs([at], 20 * scale))
    for angle in range(0, 360, 45):
        ends = [polar(angle + 22.5, radius * scale, at) for radius in (22.0, 36.0)]
        full = ImageChops.subtract(full, studio.line(ends, 1.8 * scale))
    return ImageChops.subtract(full, studio.discs([at], 8.5 * scale))
