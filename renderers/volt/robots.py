"""The four robots, each a silhouette of its own: a dozer, a ball with a balancing pole, a spider, a saw.

The model belongs to the side. Units: a space is 100 wide, the middle of the robot's foot near (0, 18).
"""

from __future__ import annotations

import math
from collections.abc import Callable

from PIL import Image, ImageChops, ImageFilter

from renderers.core.caches import sprite
from renderers.core.geometry import Point, mirrored, path, polar, star
from renderers.core.sprite_builder import Paint, SpriteBuilder, Stencil, resized
from renderers.core.theme import Colour, mix, rgb
from renderers.volt.theme import Side, Theme
from renderers.volt.tiles import SOFTNESS

ROOM = 1.36
"""How many times as wide as a space a robot's sprite is, with its shadow."""
_SHARE = 0.92
"""Robots are drawn a little larger than a space has room for with their rims."""
LIMIT = 3
"""Damage that destroys a robot."""


class Builder:
    """Builds a robot's sprite."""

    def __init__(self, builder: SpriteBuilder, theme: Theme, side: Side) -> None:
        self.builder, self.theme, self.side = builder, theme, side

    @property
    def body(self) -> Paint:
        """Return the paint of lit armour."""
        return (self.side.light, self.side.base, self.side.base, self.side.dark)

    def part(self, stencil: Stencil, paint: Paint, rim: float = 2.6) -> None:
        """Draw a part with a dark contour."""
        self.builder.lay(self.builder.grown(stencil, rim), self.theme.ink)
        self.builder.lay(stencil, paint)


def _dozer(b: Builder) -> None:
    s, t, side = b.builder, b.theme, b.side
    for x in (-41, 19):
        b.part(s.box((x, -26), (22, 56), 7), mix(t.steel_dark, t.ink, 0.45))
        for y in range(-20, 28, 9):
            s.lay(s.line([(x + 4, y), (x + 18, y)], 3.4), t.steel)
    b.part(s.box((-25, -24), (50, 48), 8), b.body)
    b.part(s.polygon(mirrored([(0, -50), (14, -50), (22, -44), (24, -14), (0, -14)])), b.body)
    b.part(s.box((-17, -41), (34, 19), 5), t.ink, 0.1)
    s.lay(s.discs([(-8, -31), (8, -31)], 5.6), side.glow)
    s.lay(s.discs([(-8, -31), (8, -31)], 2.6), "#ffffff")
    b.part(s.box((-6, -58), (12, 10), 4), t.hot)
    for x in (-14, 0, 14):
        s.lay(s.line([(x, -6), (x, 10)], 5), side.dark)
    blade = mirrored([(0, 14), (49, 14), (46, 28), (49, 42), (0, 42)])
    b.part(s.polygon(blade), (side.light, side.light, side.base))
    s.lay(s.polygon(mirrored([(0, 33), (47, 33), (49, 42), (0, 42)])), t.steel_lit)
    s.lay(s.line([(-44, 20), (44, 20)], 3), "#ffffff", 0.7)


def _ball(b: Builder) -> None:
    s, t, side = b.builder, b.theme, b.side
    b.part(s.line([(-42, -22), (-22, -13), (22, -13), (42, -22)], 6), t.steel)
    for x in (-43, 43):
        b.part(s.box((x - 9, -31), (18, 22), 5), b.body)
        s.lay(s.line([(x - 4, -25), (x + 4, -25)], 4), side.light)
    ball = s.discs([(0, 15)], 28)
    b.part(ball, (side.light, side.light, side.base, side.dark))
    band = s.polygon(path((-30, 8), (-14, 17, 14, 17, 30, 8), (30, 18), (14, 28, -14, 28, -30, 18)))
    s.lay(ImageChops.multiply(band, ball), side.dark)
    for x in (-15, 0, 15):
        s.lay(s.discs([(x, 20.5 - abs(x) * 0.16)], 3), side.glow)
    s.lay(s.soft(s.discs([(-9, 3)], 6), 2), "#ffffff", 0.75)
    b.part(s.polygon(mirrored([(0, -30), (13, -30), (20, -5), (12, -1), (0, 0)])), t.steel)
    s.lay(s.polygon(mirrored([(0, -14), (16, -14), (19, -6), (0, -3)])), t.steel_dark)
    b.part(s.discs([(0, -41)], 17), b.body)
    s.lay(s.box((-14, -47), (28, 13), 6), t.ink)
    s.lay(s.discs([(3, -40.5)], 5.6), side.glow)
    s.lay(s.discs([(3, -40.5)], 2.6), "#ffffff")


def _spider(b: Builder) -> None:
    s, t, side = b.builder, b.theme, b.side
    legs = ((-20, 46, -28, 47, 0), (-4, 50, -8, 49, 20), (10, 46, 12, 42, 38), (20, 30, 26, 25, 45))
    for sign in (-1, 1):
        for root, kx, ky, fx, fy in legs:
            knee, foot = (sign * kx * 0.92, ky - 12), (sign * fx, fy)
            b.part(s.line([(sign * 12, root * 0.7), knee, foot], 6.4), mix(side.base, side.dark, 0.45))
            s.lay(s.line([(sign * 12, root * 0.7), knee], 3.2), side.base)
    for sign in (-1, 1):
        for _, kx, ky, _, _ in legs:
            b.part(s.discs([(sign * kx * 0.92, ky - 12)], 5), side.light, 1.6)
    b.part(s.polygon([polar(a, 27, (0, -20)) for a in range(0, 360, 12)]), b.body)
    s.lay(s.polygon(star(4, 15, 6, (0, -24))), side.dark)
    b.part(
        s.polygon([(x * 1.15, y * 0.9 + 14) for x, y in (polar(a, 22) for a in range(0, 360, 12))]), b.body
    )
    eyes = [(-14.0, 12.0), (14.0, 12.0), (-5.5, 17.0), (5.5, 17.0), (-11.0, 22.0), (11.0, 22.0)]
    s.lay(s.discs(eyes, 4.6), t.ink)
    s.lay(s.discs(eyes, 3.4), "#ffffff")
    for sign in (-1, 1):
        b.part(s.line([(sign * 7, 32), (sign * 5, 40)], 5), side.light, 1.6)


def _saw(b: Builder) -> None:
    s, t, side = b.builder, b.theme, b.side
    teeth: list[Point] = []
    count, squash, sink = 14, 0.80, 6.0
    for number in range(count):
        angle = 360 / count * number
        for turn, radius in ((0.0, 39.0), (17.0, 50.0), (21.0, 38.0)):
            x, y = polar(angle + turn, radius)
            teeth.append((x, y * squash + sink))
    b.part(s.polygon([(x, y + 5) for x, y in teeth]), t.steel_dark)
    b.part(s.polygon(teeth), (t.steel_lit, t.steel_lit, t.steel), 1.2)
    b.part(s.polygon(_oval(31, 31 * squash, sink)), (side.light, side.base, side.dark), 1.4)
    for number in range(7):
        x, y = polar(360 / 7 * number + 12, 24)
        s.lay(s.discs([(x, y * squash + sink)], 3.4), t.ink)
    dome = [(20 * math.cos(a), -16 + 22 * math.sin(a)) for a in (math.radians(v) for v in range(180, 361, 9))]
    b.part(s.polygon([*dome, (20, 4), (12, 9), (-12, 9), (-20, 4)]), b.body)
    s.lay(s.box((-15, -15), (30, 11), 5), t.ink)
    s.lay(s.box((-11, -12), (22, 5), 2.5), side.glow)
    b.part(s.line([(0, -38), (0, -47)], 4), t.steel, 1.6)
    b.part(s.discs([(0, -49)], 4.6), t.hot, 1.6)


def _oval(rx: float, ry: float, dy: float) -> list[Point]:
    turns = (math.radians(v) for v in range(0, 360, 9))
    return [(rx * math.cos(a), ry * math.sin(a) + dy) for a in turns]


MODELS: dict[str, Callable[[Builder], None]] = {"N": _dozer, "E": _ball, "S": _spider, "W": _saw}


def _builder(cell: int) -> SpriteBuilder:
    size = round(cell * ROOM)
    return SpriteBuilder(size, size, zoom=_SHARE * cell / 100, centred=True)


@sprite
def model(theme: Theme, side: str, cell: int) -> Image.Image:
    """Return a robot alone, without shadow or damage."""
    builder = _builder(cell)
    MODELS[side](Builder(builder, theme, theme.side(side)))
    return builder.finish(SOFTNESS)


_SPARKS = ((24.0, -30.0), (-27.0, -4.0))


@sprite
def robot(theme: Theme, side: str, damage: int, cell: int) -> Image.Image:
    """Return a robot on the ground: its shadow, and what damage does to it."""
    body = model(theme, side, cell)
    ground = _builder(cell)
    ground.cast(ground.polygon(_oval(44, 24, 22)), theme.ink, (7, 7), 5, 0.75)
    made = ground.finish()
    made.alpha_composite(body)
    # Damage is drawn on the robot too: smoke and glowing holes.
    builder = _builder(cell)
    for x, y in _SPARKS[:damage]:
        for dx, dy, radius in ((2, -10, 11), (8, -22, 9), (4, -32, 6)):
            builder.lay(builder.soft(builder.discs([(x + dx, y + dy)], radius), 3), theme.stripe_dark, 0.62)
        builder.lay(builder.polygon(star(7, 16, 8, (x, y))), theme.ink)
        builder.lay(builder.polygon(star(7, 13, 6, (x, y))), theme.hot)
        builder.lay(builder.polygon(star(7, 7, 3, (x, y))), theme.gold_lit)
    made.alpha_composite(builder.finish(SOFTNESS))
    return made


@sprite
def hull(theme: Theme, damage: int, cell: int) -> Image.Image:
    """Return the three cells of a damaged robot's hull: broken ones are hot and full, whole ones hollow."""
    # Tall enough to be counted on a phone, and apart; shape tells as well as colour.
    builder = SpriteBuilder(round(cell * 0.9), round(cell * 0.42), zoom=cell / 100, centred=True)
    builder.lay(builder.box((-40, -20), (80, 40), 9), theme.ink)
    for number in range(LIMIT):
        x = -36 + 25.5 * number
        if number < damage:
            builder.lay(builder.box((x, -16.5), (21, 33), 4), theme.hot)
        else:
            builder.lay(builder.box((x, -16.5), (21, 33), 4), theme.steel_lit)
            builder.lay(builder.box((x + 4.5, -12), (12, 24), 1), theme.ink)
    return builder.finish()


@sprite
def emblem(theme: Theme, side: str, colour: Colour, size: int) -> Image.Image:
    """Return a robot's silhouette in one colour, ``size`` pixels wide."""
    alpha = resized(model(theme, side, 200), size / 200 / ROOM).getchannel("A")
    made = Image.new("RGBA", alpha.size, rgb(colour))
    # Faint pixels go and others count double: a silhouette must stay crisp when it is small.
    made.putalpha(alpha.point([min(255, v * 2) if v > 40 else 0 for v in range(256)]))
    return made


@sprite
def ghost(theme: Theme, side: str, cell: int) -> Image.Image:
    """Return where a robot would stand: see-through, with a white contour."""
    body = model(theme, side, cell)
    alpha = body.getchannel("A")
    made = Image.new("RGBA", body.size, "#ffffff")
    # The widened silhouette in white below the body is its contour.
    made.putalpha(alpha.filter(ImageFilter.MaxFilter(7)))
    hollow = body.copy()
    hollow.putalpha(alpha)
    made.alpha_composite(hollow)
    strength = made.getchannel("A").point([round(v * 0.78) for v in range(256)])
    made.putalpha(strength)
    return made
