"""The masks as sprites: blank ones from the front, known ones from behind with their emblem.

What a rival's mask may still be is a pill with large signs under it, readable on a phone: one kind is a
medal; two or three stand side by side; if only one of the five is ruled out, that one is shown after a "not"
sign; a question mark says that nothing is known yet.
"""

from __future__ import annotations

from PIL import Image, ImageChops

from renderers.core.caches import sprite
from renderers.core.geometry import Point, mirrored, moved, path, polar, star
from renderers.core.sprite_builder import SpriteBuilder, Stencil, resized
from renderers.core.theme import Colour
from renderers.core.type import Weight, sans
from renderers.volto.figures import FIGURES, Smith, emblem
from renderers.volto.theme import Side, Theme

_RAYS = 12
_OVAL = mirrored(path((0, -42), (21, -42, 33, -26, 31, -3), (29, 20, 13, 43, 0, 44)))
_EYE = path((-12, 2), (-7, -9, 6, -10, 13, -3), (8, 7, -6, 7.5, -12, 2))
_SOCKET = path((-15, 0), (-9, -15, 12, -14, 15, -4), (10, 9, -9, 9, -15, 0))
_LIPS = path((-9, 0), (-4, -3, -2, -2.5, 0, -1.5), (2, -2.5, 4, -3, 9, 0), (4, 5.5, -4, 5.5, -9, 0))


def sun(builder: SpriteBuilder, theme: Theme) -> None:
    """Draw the Sun's blank mask."""
    side = theme.sides[0]
    # As seen from the middle: left end of a ray's foot, tip, right end of its foot.
    angles = [360 * i / _RAYS for i in range(_RAYS)]
    rays = [[polar(angle - 14, 47), polar(angle, 67), polar(angle + 14, 47)] for angle in angles]
    # Light comes from the upper left; it does not reach this half of a ray.
    flanks: list[list[Point]] = [
        [ray[2] if i < _RAYS // 2 else ray[0], ray[1], (0, 0)] for i, ray in enumerate(rays)
    ]
    whole = ImageChops.lighter(builder.polygon(*rays), builder.discs([(0, 0)], 50))
    builder.cast(whole, theme.ink, (2, 6), 4, 0.8)
    builder.lay(builder.grown(whole, 2), theme.ink)
    builder.lay(builder.polygon(*rays), side.metal)
    builder.lay(builder.polygon(*flanks), side.dull)
    builder.lay(builder.discs([(0, 0)], 50), (side.shine, side.metal, side.dull))
    builder.lay(builder.discs([(0, 0)], 46), (side.lit, side.cloth))
    _face(builder, theme, side, (0, 1))


def moon(builder: SpriteBuilder, theme: Theme) -> None:
    """Draw the Moon's blank mask."""
    side = theme.sides[1]
    disc = builder.discs([(0, 0)], 61)
    builder.cast(disc, theme.ink, (2, 6), 4, 0.8)
    builder.lay(builder.discs([(0, 0)], 63), theme.ink)
    builder.lay(disc, side.metal)
    builder.lay(builder.discs([(0, 0)], 57.5), (side.cloth, side.deep))
    crescent = ImageChops.subtract(builder.discs([(-1, 0)], 52), builder.discs([(16, -4)], 47))
    builder.lay(crescent, (side.shine, side.metal))
    _face(builder, theme, side, (9, 1))


def _face(builder: SpriteBuilder, theme: Theme, side: Side, at: Point) -> None:
    oval = builder.polygon(moved(_OVAL, *at))
    builder.cast(oval, theme.ink, (2, 4), 3, 0.7)
    builder.lay(builder.grown(oval, 1.6), side.dull)
    builder.lay(oval, (side.face, side.face, side.shade))
    builder.shade(oval, side.dull, (-6, -7), 7, 0.6)
    x, y = at
    for turn in (-1, 1):
        mirror = [(turn * px, py) for px, py in _SOCKET]
        hollow = builder.soft(builder.polygon(moved(mirror, x + turn * 14, y - 8)), 3)
        builder.lay(ImageChops.multiply(hollow, oval), side.dull, 0.5)
        builder.lay(
            builder.polygon(moved([(turn * px, py) for px, py in _EYE], x + turn * 14, y - 8)), theme.ink
        )
    nose = builder.polygon([(x, y - 10), (x + 8, y + 14), (x + 1, y + 17)])
    builder.lay(builder.soft(nose, 2), side.dull, 0.65)
    lips = builder.polygon(moved(_LIPS, x, y + 27))
    builder.lay(builder.soft(lips, 0.8), side.dull, 0.8)


BOX = 150
"""Pixels of a mask's square at zoom 1, with the room that its shadow needs."""
KINDS = tuple(FIGURES)
"""The letters of the kinds, in the order in which they are shown everywhere."""

SOFTNESS = 0.6
"""Pixels by which all rich sprites are softened."""
_SHRINK = 0.93
"""Figures are drawn a little larger than the box has room for with their rims."""
_BADGE: Point = (45, 45)


@sprite
def figure(theme: Theme, seat: int, kind: str, zoom: float = 1) -> Image.Image:
    """Return a mask whose kind is known, seen from behind: hollow, with its emblem inside."""
    if zoom != 1:
        # Reduced from its full size: one drawing serves all sizes.
        return resized(figure(theme, seat, kind), zoom)
    builder = SpriteBuilder(BOX, BOX, zoom=_SHRINK, centred=True)
    FIGURES[kind](Smith(builder, theme, seat))
    if theme.letters:
        # The badge's outline says whose it is without colour: rays for the Sun, a smooth disc for the Moon.
        side = theme.sides[seat]
        edge = builder.polygon(star(10, 32, 26, _BADGE)) if seat == 0 else builder.discs([_BADGE], 28)
        builder.lay(builder.grown(edge, 2), theme.ink)
        builder.lay(edge, side.shine)
        builder.lay(builder.word(kind, _BADGE, sans(48, Weight.BOLD)), theme.ink)
    return builder.finish(SOFTNESS)


@sprite
def blank(theme: Theme, seat: int, zoom: float = 1) -> Image.Image:
    """Return a mask that shows nothing but its owner: a sun with rays, or a moon with its crescent."""
    if zoom != 1:
        return resized(blank(theme, seat), zoom)
    builder = SpriteBuilder(BOX, BOX, centred=True)
    (sun if seat == 0 else moon)(builder, theme)
    return builder.finish(SOFTNESS)


PILL_DROP = 41
"""How far below a square's middle a pill lies."""
_PILL = (144, 64)
_PILL_HALF = 27.0
_PITCH = 43
_MANY = 3
"""So many kinds are no longer news: their pill is ivory, not gold."""
_LETTER = sans(43, Weight.BOLD)
_MARK = sans(35, Weight.BOLD)


@sprite
def candidates(theme: Theme, kinds: tuple[str, ...]) -> Image.Image:
    """Return the pill for a mask that may be any of ``kinds``; none: nothing is known."""
    builder = SpriteBuilder(*_PILL, centred=True)
    few = [kind for kind in KINDS if kind in kinds]
    if not few:
        builder.lay(builder.discs([(0, 4)], 22), theme.ink)
        builder.lay(builder.discs([(0, 4)], 20), theme.panel)
        builder.lay(builder.word("?", (0, 4), _MARK), theme.words)
    elif len(few) == len(KINDS) - 1:
        # One kind is ruled out: it stands after a "not equal" sign.
        out = next(kind for kind in KINDS if kind not in few)
        _pill(builder, theme, _PITCH / 2 + _PILL_HALF, theme.coral)
        x = -_PITCH / 2
        strokes: list[list[Point]] = [[(x - 11, y), (x + 11, y)] for y in (-6.0, 6.0)]
        for stroke in (*strokes, [(x + 6, -15.0), (x - 6, 15.0)]):
            builder.lay(builder.line(stroke, 4.6), theme.coral)
        builder.lay(_sign(builder, theme, out, (_PITCH / 2, 0)), theme.words)
    else:
        half = _PITCH * (len(few) - 1) / 2
        fill = theme.gold if len(few) < _MANY else theme.ivory
        _pill(builder, theme, half + _PILL_HALF, fill)
        for i, kind in enumerate(few):
            builder.lay(_sign(builder, theme, kind, (_PITCH * i - half, 0)), fill)
    return builder.finish(SOFTNESS)


def _pill(builder: SpriteBuilder, theme: Theme, half: float, rim: Colour) -> None:
    for inset, fill in ((-2.0, theme.ink), (0.0, rim), (3.5, theme.panel)):
        corner = (-half + inset, -_PILL_HALF + inset)
        builder.lay(
            builder.box(corner, (2 * (half - inset), 2 * (_PILL_HALF - inset)), _PILL_HALF - inset), fill
        )


def _sign(builder: SpriteBuilder, theme: Theme, kind: str, at: Point) -> Stencil:
    if theme.letters:
        return builder.word(kind, at, _LETTER)
    return emblem(builder, kind, at, 0.65, small=True)
