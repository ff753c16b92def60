"""What lies flat in the arena: start pads, token spaces, repair spaces, shock plates, pits.

Sprites are ``cell`` pixels wide; a space is 100 units, its middle the origin.
"""

from __future__ import annotations

from PIL import Image

from renderers.core.geometry import Point, moved, path, polar, star
from renderers.core.sprite_builder import Stencil, Studio
from renderers.core.theme import Colour, mix
from renderers.core.type import Weight, sans
from renderers.volt.theme import Theme

SOFTNESS = 0.8
"""Pixels by which rich sprites are softened: a chat shows half of them, an encoder pays for all."""
TURNS = {"N": 0.0, "E": 90.0, "S": 180.0, "W": 270.0}
"""Degrees that turn what points down so that it points into the arena from each side: N's points south."""
_NUMBER = sans(62, Weight.BLACK)
_LETTER = sans(30, Weight.BLACK)


def tile_studio(cell: int) -> Studio:
    """Return a studio for one space."""
    return Studio(cell, cell, zoom=cell / 100, centred=True)


def _cut_square(half: float, cut: float) -> list[Point]:
    """Return a square with its corners cut off."""
    a, b = half, half - cut
    return [(-b, -a), (b, -a), (a, -b), (a, b), (b, a), (-b, a), (-a, b), (-a, -b)]


def brackets(studio: Studio, half: float, length: float, width: float) -> Stencil:
    """Return the four corners of a square."""
    stencil = studio.empty()
    for sx in (-1, 1):
        for sy in (-1, 1):
            corner = (sx * half, sy * half)
            arm = studio.line(
                [(sx * (half - length), sy * half), corner, (sx * half, sy * (half - length))], width
            )
            stencil.paste(255, mask=arm)
    return stencil


def pad(theme: Theme, side: str, emblem: Image.Image, cell: int, *, used: bool) -> Image.Image:
    """Return a start space: a dark plate lit in its side's colour, with the robot's outline."""
    colours, studio = theme.side(side), tile_studio(cell)
    deep = mix(colours.dark, theme.ink, 0.35) if used else mix(theme.panel, theme.seam, 0.4)
    rim = colours.glow if used else theme.steel_dark
    studio.lay(studio.polygon(_cut_square(45, 11)), rim)
    studio.lay(studio.polygon(_cut_square(41, 10)), deep)
    arrow = moved([(-13, 27), (0, 37), (13, 27)], 0, 0, 1, TURNS[side])
    studio.lay(studio.line(arrow, 5), rim)
    made = studio.finish(SOFTNESS)
    made.alpha_composite(
        emblem, (round(cell / 2 - emblem.width / 2), round(cell / 2 - emblem.height / 2 - cell * 0.02))
    )
    return made


def token_space(theme: Theme, number: int, cell: int) -> Image.Image:
    """Return a victory-point space: its number in a gold ring, gold corners."""
    studio = tile_studio(cell)
    gold = mix(theme.gold, theme.plate, 0.12)
    studio.lay(brackets(studio, 41, 15, 5), gold)
    studio.lay(studio.discs([(0, 0)], 33), mix(theme.panel, theme.ink, 0.3))
    studio.lay(studio.ring((0, 0), 33, 4.5), gold)
    studio.lay(studio.word(str(number), (0, 0), sans(46, Weight.BLACK)), gold)
    return studio.finish(SOFTNESS)


def repair(theme: Theme, cell: int) -> Image.Image:
    """Return a repair space: a spanner on a mint plate."""
    studio = tile_studio(cell)
    studio.lay(studio.polygon(_cut_square(45, 9)), theme.mint)
    studio.lay(studio.polygon(_cut_square(40, 8)), theme.mint_dark)
    studio.lay(_spanner(studio), (mix(theme.mint, "#ffffff", 0.45), theme.mint))
    return studio.finish(SOFTNESS)


def _spanner(studio: Studio) -> Stencil:
    head = studio.discs([(15, -15)], 17)
    head.paste(0, mask=studio.polygon(moved([(-7, -30), (7, -30), (7, 0), (-7, 0)], 16, -16, 1, 45)))
    head.paste(255, mask=studio.line([(8, -8), (-20, 20)], 13))
    head.paste(255, mask=studio.discs([(-20, 20)], 11))
    head.paste(0, mask=studio.discs([(-20, 20)], 4.5))
    return head


_BOLT = [(6, -36), (-20, 6), (-3, 6), (-9, 36), (20, -8), (3, -8), (14, -36)]


def shock(theme: Theme, cell: int) -> Image.Image:
    """Return a shock plate: a white bolt on copper coils."""
    studio = tile_studio(cell)
    studio.lay(studio.box((-45, -45), (90, 90), 6), theme.copper)
    studio.lay(studio.box((-40, -40), (80, 80), 3), theme.copper_dark)
    for y in (-30, -15, 0, 15, 30):
        studio.lay(studio.line([(-35, y), (35, y)], 6), mix(theme.copper, theme.copper_dark, 0.35))
    studio.lay(studio.grown(studio.polygon(_BOLT), 4), theme.ink)
    studio.lay(studio.polygon(_BOLT), theme.bolt)
    return studio.finish(SOFTNESS)


def pit(theme: Theme, cell: int) -> Image.Image:
    """Return a pit: a lip with warning corners, walls that run down into the dark, a red light on them."""
    studio = tile_studio(cell)
    studio.lay(studio.box((-48, -48), (96, 96), 7), theme.steel_dark)
    studio.lay(brackets(studio, 45, 12, 5), theme.stripe)
    studio.lay(studio.box((-42, -42), (84, 84), 4), theme.depth)
    inner = (17.0, 5.0)
    walls = (
        ("n", [(-42, -42), (42, -42), (inner[0], -inner[1]), (-inner[0], -inner[1])], 0.50),
        ("w", [(-42, -42), (-inner[0], -inner[1]), (-inner[0], 24), (-42, 42)], 0.26),
        ("e", [(42, -42), (inner[0], -inner[1]), (inner[0], 24), (42, 42)], 0.36),
    )
    for _, outline, share in walls:
        studio.lay(studio.polygon(outline), mix(theme.depth, theme.steel_dark, share))
    studio.lay(studio.polygon([(-42, 42), (42, 42), (inner[0], 24), (-inner[0], 24)]), theme.depth)
    studio.lay(studio.line(_level(0.34, inner), 4, closed=True), theme.hot)
    studio.shade(studio.box((-42, -42), (84, 84), 4), theme.ink, (4, 7), 5, 0.55)
    return studio.finish(SOFTNESS)


def _level(depth: float, inner: Point) -> list[Point]:
    """Return the outline of a pit some way down its walls."""

    def down(start: Point, end: Point) -> Point:
        return start[0] + (end[0] - start[0]) * depth, start[1] + (end[1] - start[1]) * depth

    return [
        down((-42, -42), (-inner[0], -inner[1])),
        down((42, -42), (inner[0], -inner[1])),
        down((42, 42), (inner[0], 24)),
        down((-42, 42), (-inner[0], 24)),
    ]


def token(theme: Theme, number: int, cell: int) -> Image.Image:
    """Return a victory-point token: a thick gold hexagon with its number."""
    size = round(cell * 1.1)
    studio = Studio(size, size, zoom=cell / 100, centred=True)
    whole = [polar(60 * step + 30, 41) for step in range(6)]
    side = studio.polygon(moved(whole, 0, 7))
    side.paste(255, mask=studio.polygon(whole))
    studio.cast(side, theme.ink, (5, 7), 4, 0.7)
    studio.lay(side, theme.gold_dark)
    studio.lay(studio.polygon(moved(whole, 0, -1)), (theme.gold_lit, theme.gold, theme.gold))
    studio.lay(studio.polygon(moved(whole, 0, -1, 0.83)), theme.gold_lit)
    studio.lay(studio.word(str(number), (0, -1), _NUMBER), theme.ink)
    return studio.finish(SOFTNESS)


def mine(theme: Theme, side: str, cell: int) -> Image.Image:
    """Return a mine: a dark dome with studs and a ring in its owner's colour."""
    colours, studio = theme.side(side), tile_studio(cell)
    studs = [polar(60 * step, 31) for step in range(6)]
    studio.cast(studio.discs([(0, 2)], 30), theme.ink, (4, 6), 4, 0.7)
    for stud in studs:
        studio.lay(studio.line([(0, 0), stud], 11), theme.ink)
        studio.lay(studio.discs([stud], 6), colours.glow)
    studio.lay(studio.discs([(0, 0)], 27), theme.ink)
    studio.lay(studio.discs([(0, 0)], 24), colours.base)
    studio.lay(studio.discs([(0, 0)], 16), (theme.steel_dark, theme.ink))
    studio.lay(studio.discs([(0, 0)], 6), theme.hot)
    return studio.finish(SOFTNESS)


def burst(theme: Theme, cell: int, tips: int = 9) -> Image.Image:
    """Return the mark of a hit: a torn star."""
    studio = tile_studio(cell)
    studio.lay(studio.polygon(star(tips, 34, 16)), theme.ink)
    studio.lay(studio.polygon(star(tips, 29, 13)), theme.hot)
    studio.lay(studio.polygon(star(tips, 17, 8)), theme.gold_lit)
    return studio.finish(SOFTNESS)


def lost_mark(theme: Theme, side: str, cell: int) -> Image.Image:
    """Return the mark where a robot was destroyed: a crossed ring in its colour."""
    studio, colour = tile_studio(cell), theme.side(side).glow
    cross = ([(-17, -17), (17, 17)], [(-17, 17), (17, -17)])
    studio.lay(studio.ring((0, 0), 40, 12), theme.ink)
    for line in cross:
        studio.lay(studio.line(line, 14), theme.ink)
    studio.lay(studio.ring((0, 0), 37, 6), colour)
    for line in cross:
        studio.lay(studio.line(line, 8), theme.hot)
    return studio.finish(SOFTNESS)


def way_out(theme: Theme, letter: str, cell: int) -> Image.Image:
    """Return the mark of an open edge: warning stripes beside the gap, an arrow out of the arena."""
    studio, turn = tile_studio(cell), TURNS[letter] + 180
    for x in (-44, 44):
        post = moved([(x - 6, -13), (x + 6, -13), (x + 6, 13), (x - 6, 13)], 0, 0, 1, turn)
        studio.lay(studio.polygon(post), theme.stripe)
    for x in (-22, 0, 22):
        arrow = moved([(x - 8, 5), (x, -5), (x + 8, 5)], 0, 0, 1, turn)
        studio.lay(studio.line(arrow, 5), theme.hot)
    return studio.finish(SOFTNESS)


def plate_shine(theme: Theme, cell: int, colour: Colour) -> Image.Image:
    """Return the plain plate of one space: flat, a broad sheen across it, so that it reads as metal."""
    studio = tile_studio(cell)
    studio.lay(studio.box((-50, -50), (100, 100)), colour)
    sheen = studio.polygon(path((-50, 20), (20, -50), (50, -50), (50, -34), (-34, 50), (-50, 50)))
    studio.lay(studio.soft(sheen, 6), mix(colour, theme.steel_lit, 0.3), 0.4)
    return studio.finish()
