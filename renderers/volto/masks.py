"""The masks: a blank one a seat, and a figure for each kind. Units: a cell's mask fits into ±66."""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image

from renderers.core.caches import sprite
from renderers.core.canvas import Pen, painted, written
from renderers.core.geometry import Point, arc, mirrored, moved, path, star
from renderers.core.type import Weight, sans
from renderers.volto.emblems import emblem
from renderers.volto.theme import Side, Theme

BOX = 140
"""Pixels of a mask's square at zoom 1."""

_SHRINK = 0.93
"""Figures are drawn a little larger than the box has room for with their rims."""
_OUTLINE = 7.5
_METAL = 5.0
_BADGE: Point = (44, 46)

_HAT = mirrored(
    path((0, -60), (26, -60, 34, -44, 42, -32), (50, -24, 58, -24, 65, -24), (54, -6, 24, -4, 0, -2))
)
_JAW = mirrored(path((0, -16), (40, -16), (42, 10, 44, 30, 54, 54), (36, 64, 16, 64, 0, 64)))
_BRIM = path((-40, -30), (-20, -38, 30, -40, 64, -34), (64, -24), (30, -24, -10, -22, -40, -20))
_CROWN = path((-20, -34), (-16, -64, 6, -64, 20, -64), (38, -64, 44, -58, 46, -36))
_BEAK = path(
    (-22, -26),
    (48, -28),
    (56, 6, 54, 40, 38, 56),
    (16, 62, 4, 48, -4, 36),
    (-20, 38, -44, 46, -64, 62),
    (-60, 30, -42, 4, -24, -6),
)
_HALF = mirrored(
    path((0, -18), (24, -22, 44, -26, 66, -40), (64, -2, 58, 34, 34, 40), (18, 42, 10, 34, 0, 34))
)
_FEATHER = path((0, 0), (-13, -18, -11, -38, 0, -50), (11, -38, 13, -18, 0, 0))
_HELM = mirrored(path((0, -50), (30, -48, 44, -26, 44, 4), (42, 34), (42, 48, 28, 60, 20, 66), (0, 66)))
_PLUME = path(
    (-6, -48), (0, -66, 24, -70, 44, -60), (60, -52, 66, -38, 62, -24), (54, -38, 40, -46, 20, -46), (-2, -40)
)
_CAP = path(
    (-36, -16), (-40, -38, -20, -50, 0, -56), (14, -62, 26, -66, 38, -66), (50, -54, 42, -36, 38, -14)
)
_BAND = path((-42, -22), (-14, -12, 14, -12, 42, -22), (42, -4), (14, 6, -14, 6, -42, -4))
_OVAL = mirrored(path((0, -14), (38, -14), (42, 18, 26, 50, 0, 66)))
_SLIT = path(
    (-34, -16), (-20, -28, 20, -28, 34, -16), (34, -4), (19, 2), (19, 66), (-19, 66), (-19, 2), (-34, -4)
)
_ALMOND = path((-12, 0), (-5, -8, 6, -8, 12, 0), (5, 6, -6, 6, -12, 0))
_FEATHERS = ((-30, -14, -38), (30, -14, 38), (-16, -14, -19), (16, -14, 19), (0, -14, 0))


def _figure(pen: Pen, side: Side, theme: Theme, *parts: tuple[list[Point], str]) -> None:
    """Draw parts that grow together: one outline, one rim of metal, then each part's own fill."""
    for points, _ in parts:
        pen.line([*points, points[0]], 2 * _OUTLINE, theme.ink)
    for points, _ in parts:
        pen.line([*points, points[0]], 2 * _METAL, side.metal)
    for points, fill in parts:
        pen.shape(points, fill, theme.ink, 1.2)


def _eye(pen: Pen, at: Point, theme: Theme) -> None:
    pen.polygon(moved(_ALMOND, *at), theme.ink)


def _noble(pen: Pen, side: Side, theme: Theme) -> None:
    _figure(pen, side, theme, (_JAW, side.cloth), (_HAT, side.deep))
    emblem(pen, "N", (0, 29), 0.98, theme.emblem, side.cloth)


def _advisor(pen: Pen, side: Side, theme: Theme) -> None:
    _figure(pen, side, theme, (_BEAK, side.cloth), (_CROWN, side.deep), (_BRIM, side.deep))
    emblem(pen, "A", (20, 13), 0.96, theme.emblem, side.cloth)
    pen.disc((-24, 12), 7, side.metal)
    pen.disc((-24, 12), 4.5, theme.ink)


def _lady(pen: Pen, side: Side, theme: Theme) -> None:
    feathers = [(moved(_FEATHER, x, y, turn=turn), side.lit) for x, y, turn in _FEATHERS]
    _figure(pen, side, theme, *feathers, (_HALF, side.cloth))
    for x in (-42, 42):
        _eye(pen, (x, 0), theme)
    pen.disc((0, 4), 31, side.deep)
    emblem(pen, "L", (0, 4), 1.02, theme.emblem, side.deep)


def _soldier(pen: Pen, side: Side, theme: Theme) -> None:
    _figure(pen, side, theme, (_PLUME, side.lit), (_HELM, side.cloth))
    pen.polygon(_SLIT, side.deep)
    emblem(pen, "S", (0, 20), 1.08, theme.emblem, side.deep)


def _candidate(pen: Pen, side: Side, theme: Theme) -> None:
    _figure(pen, side, theme, (_OVAL, side.cloth), (_CAP, side.lit), (_BAND, side.metal))
    for x in (-28, -14, 0, 14, 28):
        pen.disc((x, -7 - abs(x) * abs(x) / 110), 4, side.deep)
    emblem(pen, "C", (0, 32), 0.92, theme.emblem, side.cloth)


_FIGURES: dict[str, Callable[[Pen, Side, Theme], None]] = {
    "N": _noble,
    "A": _advisor,
    "L": _lady,
    "S": _soldier,
    "C": _candidate,
}
KINDS = tuple(_FIGURES)
"""The letters of the kinds, in the order in which they are shown everywhere."""


@sprite
def figure(theme: Theme, seat: int, kind: str, zoom: float = 1) -> Image.Image:
    """Return a mask whose kind is known, with its letter on its owner's badge: rays, or a smooth disc."""
    side = theme.sides[seat]

    def draw(pen: Pen) -> None:
        _FIGURES[kind](pen, side, theme)
        _badge(pen, seat, theme)

    image = painted(round(BOX * zoom), draw, zoom * _SHRINK)
    face = sans(round(31 * zoom), Weight.BOLD)
    middle = image.width / 2
    at = (middle + _BADGE[0] * zoom * _SHRINK, middle + _BADGE[1] * zoom * _SHRINK)
    return written(image, kind, at, face, theme.ink)


def _badge(pen: Pen, seat: int, theme: Theme) -> None:
    side = theme.sides[seat]
    if seat == 0:
        pen.shape(star(12, 24, 18.5, _BADGE), side.metal, theme.ink, 2)
        pen.disc(_BADGE, 17.5, side.shine)
    else:
        pen.disc(_BADGE, 24, theme.ink)
        pen.disc(_BADGE, 22, side.metal)
        pen.disc(_BADGE, 18.5, side.shine)


@sprite
def blank(theme: Theme, seat: int, zoom: float = 1) -> Image.Image:
    """Return a mask that shows nothing but its owner: a sun with rays, or a moon with its crescent."""
    draw = _sun if seat == 0 else _moon
    return painted(round(BOX * zoom), lambda pen: draw(pen, theme), zoom)


def _sun(pen: Pen, theme: Theme) -> None:
    side = theme.sides[0]
    pen.shape(star(16, 62, 50), side.metal, theme.ink, 2)
    pen.disc((0, 0), 51, side.deep)
    pen.disc((0, 0), 48, side.metal)
    pen.disc((0, 0), 45, side.cloth)
    _face(pen, (0, 2), side, theme)


def _moon(pen: Pen, theme: Theme) -> None:
    side = theme.sides[1]
    pen.disc((0, 0), 62, theme.ink)
    pen.disc((0, 0), 60, side.metal)
    pen.disc((0, 0), 55.5, side.cloth)
    crescent = [*arc((-2, 0), 49, 20, 320), *arc((10, -3), 42, 318, 22)]
    pen.polygon(crescent, side.shade)
    _face(pen, (9, 2), side, theme)


_FACE = mirrored(path((0, -41), (20, -41, 31, -24, 30, -4), (28, 20, 14, 42, 0, 42)))
_NOSE = path((-3, -12), (-6, 12), (0, 17), (6, 12), (3, -12))


def _face(pen: Pen, at: Point, side: Side, theme: Theme) -> None:
    pen.shape(moved(_FACE, *at), side.face, theme.ink, 2)
    for x in (-13, 13):
        _eye(pen, (at[0] + x * 1.05, at[1] - 8), theme)
    pen.polygon(moved(_NOSE, *at), side.shade)
    pen.line(moved([(-6, 27), (0, 25.5), (6, 27)], *at), 3, side.shade)
