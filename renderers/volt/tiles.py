"""What lies flat in the arena: start pads, token spaces, repair spaces, shock plates, pits, tokens, mines.

Sprites are ``cell`` pixels wide; a space is 100 units, its middle the origin.
"""

from __future__ import annotations

from PIL import Image, ImageChops

from renderers.core.caches import sprite
from renderers.core.geometry import Point, between, moved, path, polar, star
from renderers.core.sprite_builder import SpriteBuilder, Stencil
from renderers.core.theme import Colour, mix
from renderers.core.type import Weight, sans
from renderers.volt.theme import Theme

SOFTNESS = 0.8
"""Pixels by which rich sprites are softened: a chat shows half of them, an encoder pays for all."""
TURNS = {"N": 0.0, "E": 90.0, "S": 180.0, "W": 270.0}
"""Degrees that turn what points down so that it points into the arena from each side: N's points south."""
_NUMBER = sans(62, Weight.BLACK)
_NUMBER_OF_SPACE = sans(54, Weight.BLACK)


def tile_builder(cell: int) -> SpriteBuilder:
    """Return a sprite builder for one space."""
    return SpriteBuilder(cell, cell, zoom=cell / 100, centred=True)


def cut_square(half: float, cut: float) -> list[Point]:
    """Return the outline of a square without its corners."""
    a, b = half, half - cut
    return [(-b, -a), (b, -a), (a, -b), (a, b), (b, a), (-b, a), (-a, b), (-a, -b)]


def stripes(
    builder: SpriteBuilder, corner: Point, size: Point, step: float = 22, radius: float = 0
) -> Stencil:
    """Return a box filled with diagonal stripes, half as wide as the ``step`` from one to the next."""
    (x, y), (width, height) = corner, size
    # Stripes lean by as much as the box is high, so the first begins that far outside.
    slabs: list[list[Point]] = []
    start = x - height
    while start < x + width:
        low, high = start + step / 2, start + height
        slabs.append([(start, y + height), (low, y + height), (low + height, y), (high, y)])
        start += step
    return ImageChops.multiply(builder.polygon(*slabs), builder.box(corner, size, radius))


def brackets(builder: SpriteBuilder, half: float, length: float, width: float) -> Stencil:
    """Return the four corners of a square."""
    stencil = builder.empty()
    for sx in (-1, 1):
        for sy in (-1, 1):
            corner = (sx * half, sy * half)
            arm = builder.line(
                [(sx * (half - length), sy * half), corner, (sx * half, sy * (half - length))], width
            )
            stencil.paste(255, mask=arm)
    return stencil


def pad(theme: Theme, side: str, emblem: Image.Image, cell: int, *, used: bool) -> Image.Image:
    """Return a start space: a dark plate lit in its side's colour, with the robot's outline."""
    colours, builder = theme.side(side), tile_builder(cell)
    deep = mix(colours.dark, theme.ink, 0.35) if used else mix(theme.panel, theme.seam, 0.4)
    rim = colours.glow if used else theme.steel_dark
    builder.lay(builder.polygon(cut_square(45, 11)), rim)
    builder.lay(builder.polygon(cut_square(41, 10)), deep)
    arrow = moved([(-13, 27), (0, 37), (13, 27)], 0, 0, 1, TURNS[side])
    builder.lay(builder.line(arrow, 5), rim)
    made = builder.finish(SOFTNESS)
    made.alpha_composite(
        emblem, (round(cell / 2 - emblem.width / 2), round(cell / 2 - emblem.height / 2 - cell * 0.02))
    )
    return made


@sprite
def token_space(theme: Theme, number: int, cell: int) -> Image.Image:
    """Return a victory-point space: its number in a gold ring, gold corners."""
    builder = tile_builder(cell)
    gold = mix(theme.gold, theme.plate, 0.12)
    builder.lay(brackets(builder, 41, 15, 5), gold)
    builder.lay(builder.discs([(0, 0)], 36), mix(theme.panel, theme.ink, 0.3))
    builder.lay(builder.ring((0, 0), 36, 4.5), gold)
    builder.lay(builder.word(str(number), (0, 0), _NUMBER_OF_SPACE), gold)
    return builder.finish(SOFTNESS)


def repair(theme: Theme, cell: int) -> Image.Image:
    """Return a repair space: a spanner on a mint plate."""
    builder = tile_builder(cell)
    builder.lay(builder.polygon(cut_square(45, 9)), theme.mint)
    builder.lay(builder.polygon(cut_square(40, 8)), theme.mint_dark)
    head = builder.discs([(15, -15)], 17)
    head.paste(0, mask=builder.polygon(moved([(-7, -30), (7, -30), (7, 0), (-7, 0)], 16, -16, 1, 45)))
    head.paste(255, mask=builder.line([(8, -8), (-20, 20)], 13))
    head.paste(255, mask=builder.discs([(-20, 20)], 11))
    head.paste(0, mask=builder.discs([(-20, 20)], 4.5))
    builder.lay(head, (mix(theme.mint, "#ffffff", 0.45), theme.mint))
    return builder.finish(SOFTNESS)


_BOLT = [(6, -36), (-20, 6), (-3, 6), (-9, 36), (20, -8), (3, -8), (14, -36)]


def shock(theme: Theme, cell: int) -> Image.Image:
    """Return a shock plate: a white bolt on copper coils."""
    builder = tile_builder(cell)
    builder.lay(builder.box((-45, -45), (90, 90), 6), theme.copper)
    builder.lay(builder.box((-40, -40), (80, 80), 3), theme.copper_dark)
    for y in (-30, -15, 0, 15, 30):
        builder.lay(builder.line([(-35, y), (35, y)], 6), mix(theme.copper, theme.copper_dark, 0.35))
    builder.lay(builder.grown(builder.polygon(_BOLT), 4), theme.ink)
    builder.lay(builder.polygon(_BOLT), theme.bolt)
    return builder.finish(SOFTNESS)


def pit(theme: Theme, cell: int) -> Image.Image:
    """Return a pit: a lip, walls that run down into the dark, a red light on them."""
    builder = tile_builder(cell)
    builder.lay(builder.box((-48, -48), (96, 96), 7), theme.steel_dark)
    builder.lay(builder.box((-42, -42), (84, 84), 4), theme.depth)
    inner = (17.0, 5.0)
    walls = (
        ("n", [(-42, -42), (42, -42), (inner[0], -inner[1]), (-inner[0], -inner[1])], 0.50),
        ("w", [(-42, -42), (-inner[0], -inner[1]), (-inner[0], 24), (-42, 42)], 0.26),
        ("e", [(42, -42), (inner[0], -inner[1]), (inner[0], 24), (42, 42)], 0.36),
    )
    for _, outline, share in walls:
        builder.lay(builder.polygon(outline), mix(theme.depth, theme.steel_dark, share))
    builder.lay(builder.polygon([(-42, 42), (42, 42), (inner[0], 24), (-inner[0], 24)]), theme.depth)
    # The red light runs round the walls at a third of their depth.
    edge = ((-42, -42), (42, -42), (42, 42), (-42, 42))
    floor = ((-inner[0], -inner[1]), (inner[0], -inner[1]), (inner[0], 24), (-inner[0], 24))
    level = [between(high, low, 0.34) for high, low in zip(edge, floor, strict=True)]
    builder.lay(builder.line(level, 4, closed=True), theme.hot)
    builder.shade(builder.box((-42, -42), (84, 84), 4), theme.ink, (4, 7), 5, 0.55)
    return builder.finish(SOFTNESS)


@sprite
def token(theme: Theme, number: int, cell: int) -> Image.Image:
    """Return a victory-point token: a thick gold hexagon with its number."""
    size = round(cell * 1.1)
    builder = SpriteBuilder(size, size, zoom=cell / 100, centred=True)
    whole = [polar(60 * step + 30, 41) for step in range(6)]
    side = builder.polygon(moved(whole, 0, 7))
    side.paste(255, mask=builder.polygon(whole))
    builder.cast(side, theme.ink, (5, 7), 4, 0.7)
    builder.lay(side, theme.gold_dark)
    builder.lay(builder.polygon(moved(whole, 0, -1)), (theme.gold_lit, theme.gold, theme.gold))
    builder.lay(builder.polygon(moved(whole, 0, -1, 0.83)), theme.gold_lit)
    builder.lay(builder.word(str(number), (0, -1), _NUMBER), theme.ink)
    return builder.finish(SOFTNESS)


@sprite
def mine(theme: Theme, side: str, cell: int) -> Image.Image:
    """Return a mine: a dark dome with studs and a ring in its owner's colour."""
    colours, builder = theme.side(side), tile_builder(cell)
    studs = [polar(60 * step, 31) for step in range(6)]
    builder.cast(builder.discs([(0, 2)], 30), theme.ink, (4, 6), 4, 0.7)
    for stud in studs:
        builder.lay(builder.line([(0, 0), stud], 11), theme.ink)
        builder.lay(builder.discs([stud], 6), colours.glow)
    builder.lay(builder.discs([(0, 0)], 27), theme.ink)
    builder.lay(builder.discs([(0, 0)], 24), colours.base)
    builder.lay(builder.discs([(0, 0)], 16), (theme.steel_dark, theme.ink))
    builder.lay(builder.discs([(0, 0)], 6), theme.hot)
    return builder.finish(SOFTNESS)


@sprite
def burst(theme: Theme, cell: int) -> Image.Image:
    """Return the mark of a hit: a torn star."""
    builder = tile_builder(cell)
    builder.lay(builder.polygon(star(9, 34, 16)), theme.ink)
    builder.lay(builder.polygon(star(9, 29, 13)), theme.hot)
    builder.lay(builder.polygon(star(9, 17, 8)), theme.gold_lit)
    return builder.finish(SOFTNESS)


@sprite
def lost(theme: Theme, side: str, cell: int) -> Image.Image:
    """Return the mark where a robot was destroyed: a crossed ring in its colour."""
    builder, colour = tile_builder(cell), theme.side(side).glow
    cross = ([(-17, -17), (17, 17)], [(-17, 17), (17, -17)])
    builder.lay(builder.ring((0, 0), 40, 12), theme.ink)
    for line in cross:
        builder.lay(builder.line(line, 14), theme.ink)
    builder.lay(builder.ring((0, 0), 37, 6), colour)
    for line in cross:
        builder.lay(builder.line(line, 8), theme.hot)
    return builder.finish(SOFTNESS)


def way_out(theme: Theme, letter: str, cell: int) -> Image.Image:
    """Return the mark of an open edge, for its space: the floor falls into the dark, arrows lead out."""
    builder, turn = tile_builder(cell), TURNS[letter]
    for depth in range(6):
        low = -50 + 5 * (6 - depth)
        drop = [(-46, -52), (46, -52), (46, low), (-46, low)]
        builder.lay(builder.polygon(moved(drop, 0, 0, 1, turn)), theme.depth, 0.16 + 0.06 * depth)
    for x in (-44, 44):
        post = moved([(x - 6, -50), (x + 6, -50), (x + 6, -24), (x - 6, -24)], 0, 0, 1, turn)
        builder.lay(builder.polygon(post), theme.stripe)
    for x in (-22, 0, 22):
        arrow = moved([(x - 9, -27), (x, -40), (x + 9, -27)], 0, 0, 1, turn)
        builder.lay(builder.line(arrow, 6.5), theme.hot)
    return builder.finish(SOFTNESS)


def plate_shine(theme: Theme, cell: int, colour: Colour) -> Image.Image:
    """Return the plain plate of one space: flat, a broad sheen across it, so that it reads as metal."""
    builder = tile_builder(cell)
    builder.lay(builder.box((-50, -50), (100, 100)), colour)
    sheen = builder.polygon(path((-50, 20), (20, -50), (50, -50), (50, -34), (-34, 50), (-50, 50)))
    builder.lay(builder.soft(sheen, 6), mix(colour, theme.steel_lit, 0.3), 0.4)
    return builder.finish()
