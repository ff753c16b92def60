"""The engraved buildings of four locations.

Comune is a palace between two columns, Sovrintendenza the gate with its lions, Marina the submarine between
its slipway sheds, Biennale halls hung with banners. Venice in Peril stands in the lagoon, and in its file.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from engines.doge.view import Card
from renderers.core.geometry import Point, star
from renderers.core.theme import mix
from renderers.doge.curves import arch, box, outline, oval, pointed_arch
from renderers.doge.engraving import Plate
from renderers.doge.masonry import flag, merlons, opening, shield

# --- Comune ---------------------------------------------------------------------------------------

_BEAST = outline(
    "M-12 0 L-10 -9 C-14 -14 -12 -20 -7 -21 C-4 -24 1 -22 1 -17 C6 -26 14 -29 20 -29 C18 -24 15 -18 10 -14 "
    "L11 -7 L12 0 L7 0 L5 -7 L-4 -7 L-7 0 Z"
)
_HALF = 140
"""Half the width of the palace."""


def draw_comune(plate: Plate) -> None:
    """Draw the palace."""
    tints = plate.tints
    plate.area(box(-_HALF, -108, _HALF, 0), tints.paper_lit, 1.5)
    rosy = mix(tints.paper_lit, tints.brick, 0.7)
    plate.tint(box(-_HALF + 2, -107, _HALF - 2, -90), rosy)
    plate.hatch(box(-_HALF + 1, -107, _HALF - 1, -88), "/", 6, 0.8, 130)
    plate.hatch(box(-_HALF + 1, -107, _HALF - 1, -88), "\\", 6, 0.8, 130)
    merlons(plate, -_HALF, _HALF, -108, 8, 13, tints.paper_lit)
    plate.hatch(box(_HALF - 34, -88, _HALF, 0), "\\", 3, 0.9)
    plate.area([(-34, -108), (-34, -124), (0, -146), (34, -124), (34, -108)], tints.paper_lit, 1.3)
    plate.hatch([(12, -108), (12, -138), (34, -124), (34, -108)], "|", 3, (0.6, 1.6))
    plate.line([(-37, -122), (0, -146), (37, -122)], 2)
    _arcades(plate)
    for side in (-1, 1):
        _column(plate, side * 160, -side)
    shield(plate, Card.COMUNE, 0, -104)
    plate.line([(-174, 0), (174, 0)], 2)


def _arcades(plate: Plate) -> None:
    """Draw the portico, and the loggia above it with its row of quatrefoils."""
    half, tints = _HALF - 4, plate.tints
    bay = 2 * half / 9
    for number in range(9):
        x = -half + bay * (number + 0.5)
        plate.area(arch(x, 0, bay * 0.8, 38), tints.paper, 1.3)
        opening(plate, arch(x, 0, bay * 0.7, 36))
    plate.area(box(-half - 8, -46, half + 8, -41), tints.stone)
    bay = 2 * half / 13
    for number in range(13):
        x = -half + bay * (number + 0.5)
        plate.area(pointed_arch(x, -51, bay * 0.72, 32), tints.paper)
        plate.hatch(pointed_arch(x, -51, bay * 0.54, 28), "|", 3, 1.7)
        if number:
            plate.dot((x - bay / 2, -84), 4.2)
            plate.dot((x - bay / 2, -84), 1.7, 0)
    for rail in range(-_HALF + 4, _HALF, 6):
        plate.line([(rail, -46), (rail, -51)])
    for y, width in ((-51, 1.0), (-88, 1.0), (-91.5, 0.8)):
        plate.line([(-_HALF, y), (_HALF, y)], width)


def _column(plate: Plate, x: float, side: int) -> None:
    """Draw one of the granite columns of the Piazzetta, a winged beast on top."""
    stone = plate.tints.stone
    plate.area(box(x - 11, -7, x + 11, 0), stone)
    plate.area([(x - 5, -7), (x - 4, -88), (x + 4, -88), (x + 5, -7)], stone, 1.3)
    plate.hatch([(x, -7), (x, -88), (x + 4, -88), (x + 5, -7)], "|", 2, 1.1)
    plate.area(box(x - 9, -94, x + 9, -88), stone)
    plate.solid([(x + side * px, -94 + py) for px, py in _BEAST], 235)


# --- Sovrintendenza -------------------------------------------------------------------------------


def draw_sovrintendenza(plate: Plate) -> None:
    """Draw the Arsenal's gate and the lions of Piraeus, which face the visitor."""
    brick = plate.tints.brick
    plate.area(box(-138, -60, 138, 0), brick)
    plate.hatch(box(-138, -60, 138, 0), "-", 4, 0.7, 150)
    merlons(plate, -118, 118, -60, 8, 11, brick)
    for x in (-146, 146):
        with plate.at(x, 0):
            _tower(plate)
    _gate(plate)
    for side in (-1, 1):
        _lion(plate, side * 84, -side)
    shield(plate, Card.SOVRINTENDENZA, 0, -102)
    plate.line([(-176, 0), (176, 0)], 2)


def _tower(plate: Plate) -> None:
    tints = plate.tints
    shaft = box(-22, -110, 22, 0)
    plate.area(shaft, tints.brick, 1.5)
    plate.hatch(shaft, "-", 4, 0.7, 140)
    plate.hatch(box(6, -110, 22, 0), "|", 3, 1.3)
    plate.area(box(-26, -115, 26, -107), tints.stone, 1.1)
    merlons(plate, -26, 26, -115, 8, 13, tints.brick)
    for y, height in ((-78, 17), (-46, 15)):
        plate.solid(arch(-2, y, 8, height))
    plate.area(oval((-2, -97), 6, 6), tints.paper_lit, 1.1)
    plate.line([(-2, -101), (-2, -97), (1, -96)])


def _gate(plate: Plate) -> None:
    tints = plate.tints
    stone = tints.stone
    plate.area(box(-46, -78, 46, 0), stone, 1.4)
    for x in (-38, -27, 27, 38):
        plate.area(box(x - 4, -68, x + 4, -6), stone, 1)
        plate.hatch(box(x, -68, x + 4, -6), "|", 2)
        plate.area(box(x - 5.5, -72, x + 5.5, -68), stone, 1)
        plate.area(box(x - 5.5, -6, x + 5.5, 0), stone, 1)
    plate.area(arch(0, 0, 36, 62), tints.stone_dim, 1.3)
    opening(plate, arch(0, 0, 29, 56), 1.7)
    plate.area(box(-50, -85, 50, -74), stone)
    plate.hatch(box(-50, -81, 50, -74), "-", 3)
    plate.area(box(-36, -114, 36, -85), stone, 1.3)
    plate.hatch(box(18, -114, 36, -85), "\\", 3)
    plate.area([(-42, -114), (0, -138), (42, -114)], stone, 1.3)
    plate.hatch([(0, -118), (0, -133), (28, -118)], "|", 3)
    for x, y in ((-44, -85), (44, -85), (0, -138)):
        plate.area([(x - 3, y), (x - 2, y - 10), (x + 2, y - 10), (x + 3, y)], stone, 1)
        plate.dot((x, y - 12), 2.7)


_LION = outline("M-15 0 C-18 -14 -10 -28 0 -34 L14 -32 C16 -24 15 -14 15 0 L8 0 L8 -13 L2 0 Z")
_LION_SHADE = outline("M-15 0 C-18 -14 -10 -28 0 -34 C2 -24 0 -10 -4 0 Z")
_TAIL = outline("M-13 -3 C-23 -3 -24 -15 -18 -19")
_MUZZLE = outline("M8 -50 C14 -52 18 -49 18 -45 L22 -42 L21 -37 L14 -35 C9 -36 6 -44 8 -50 Z")


def _lion(plate: Plate, x: float, side: int) -> None:
    def turned(points: Sequence[Point]) -> list[Point]:
        return [(x + side * px, py - 16) for px, py in points]

    tints = plate.tints
    plate.area(box(x - 17, -16, x + 17, 0), tints.stone)
    plate.hatch(box(x + 3, -16, x + 17, 0), "|", 3)
    plate.line(turned(_TAIL), 2)
    plate.area(turned(_LION), tints.stone_dim, 1.4)
    plate.hatch(turned(_LION_SHADE), "\\", 3)
    mane = [(px, py * 1.1 - 38) for px, py in star(10, 14, 11, (7, 0))]
    plate.area(turned(mane), mix(tints.wood, tints.paper_lit, 0.3))
    plate.hatch(turned([point for point in mane if point[0] < 9]), "|", 3)
    plate.area(turned(_MUZZLE), tints.stone, 1.1)
    plate.dot(turned([(14, -45)])[0], 1.5)


# --- Marina ---------------------------------------------------------------------------------------

_HULL = outline(
    "M-150 -22 C-146 -38 -120 -47 -84 -48 L88 -48 C122 -47 142 -38 156 -24 C146 -14 118 -8 84 -7 "
    "L-96 -7 C-126 -8 -144 -13 -150 -22 Z"
)
_LOW_HULL = outline("M-146 -34 L152 -34 L156 -24 C146 -14 118 -8 84 -7 L-96 -7 C-126 -8 -144 -13 -150 -22 Z")
_KEEL = outline(
    "M-140 -16 C-110 -14 -60 -14 0 -14 L146 -18 C136 -11 112 -8 84 -7 L-96 -7 C-120 -8 -134 -12 -140 -16 Z"
)
_TOWER = outline("M-32 -46 C-31 -60 -28 -80 -24 -88 L32 -88 C38 -80 42 -60 44 -46 Z")
_TOWER_SHADE = outline("M-2 -46 L2 -88 L32 -88 C38 -80 42 -60 44 -46 Z")


def draw_marina(plate: Plate) -> None:
    """Draw the submarine on its slip."""
    tints = plate.tints
    for x in (-124, 124):
        with plate.at(x, -14):
            _slip_shed(plate)
    flag(plate, -64, -30, -134, 1, tints.paper_lit)
    flag(plate, 66, -30, -134)
    _conning_tower(plate)
    _hull(plate)
    for x in (-92, -34, 34, 92):
        plate.area([(x - 13, 2), (x - 8, -12), (x + 8, -12), (x + 13, 2)], tints.stone)
        plate.hatch([(x, 2), (x, -12), (x + 8, -12), (x + 13, 2)], "\\", 3, 1.1)
    shield(plate, Card.MARINA, 4, -64, 44)
    plate.line([(-172, 2), (172, 2)], 2)


def _slip_shed(plate: Plate) -> None:
    tints = plate.tints
    plate.area([(-50, 0), (-50, -66), (0, -98), (50, -66), (50, 0)], tints.brick)
    plate.area([(-54, -64), (0, -102), (54, -64), (50, -60), (0, -94), (-50, -60)], tints.roof)
    mouth = arch(0, 0, 66, 60)
    wall = [(-50, -60), (0, -94), (50, -60), (50, 0), (-50, 0)]
    plate.hatch(wall, "-", 4, 0.7, 130, [mouth])
    plate.area(mouth, tints.pale)
    opening(plate, mouth, 1.4)
    plate.line(arch(0, 0, 74, 64))
    plate.area(oval((0, -76), 7.5, 7.5), tints.paper_lit)
    plate.line([(-7.5, -76), (7.5, -76)])
    plate.line([(0, -83), (0, -69)])


def _conning_tower(plate: Plate) -> None:
    tints = plate.tints
    for x, top, width in ((-6, -114, 2.4), (6, -104, 2.0), (15, -98, 3.0)):
        plate.line([(x, -84), (x, top)], width)
    plate.line([(-9, -114), (-1, -114)], 3)
    plate.area(_TOWER, tints.steel, 1.5)
    plate.hatch(_TOWER_SHADE, "|", 3, (0.4, 2))
    plate.area([(-40, -66), (-22, -70), (-22, -63), (-38, -61)], tints.steel)
    plate.area([(52, -66), (32, -70), (34, -63), (50, -61)], tints.dull)


def _hull(plate: Plate) -> None:
    tints = plate.tints
    plate.area(_HULL, tints.steel, 1.7)
    plate.hatch(_LOW_HULL, "-", 3, (0.4, 2))
    plate.hatch(_KEEL, "|", 3, 1.1)
    plate.line(outline("M-146 -27 C-110 -31 -60 -30 0 -30 L152 -28"), 1.4)
    for x in range(-104, 110, 14):
        if not -30 < x < 42:
            plate.line([(x, -44), (x + 6, -44)], 2)
    for x in (-78, -64, 64, 78):
        plate.dot((x, -36), 1.8)
        plate.line([(x + (8 if x < 0 else 0), -48), (x + (8 if x < 0 else 0), -57)], 0.8)
    plate.line([(-84, -48), (-84, -57), (-40, -57)], 0.9)
    plate.line([(50, -57), (92, -57), (92, -48)], 0.9)
    plate.area([(134, -32), (150, -52), (160, -52), (154, -26)], tints.dull)
    plate.hatch([(142, -42), (150, -52), (160, -52), (154, -26)], "|", 3, 1.2)


# --- Biennale -------------------------------------------------------------------------------------


def draw_biennale(plate: Plate) -> None:
    """Draw the exhibition halls, works of art before them."""
    naves = ((-114, 54, 52, 19), (114, 54, 52, 19), (-68, 62, 66, 24), (68, 62, 66, 24), (0, 94, 84, 38))
    for x, width, height, gable in naves:
        with plate.at(x, 0):
            _nave(plate, width, height, gable)
    for x in (-42, 42):
        plate.area([(x - 8, -78), (x + 8, -78), (x + 8, -26), (x, -33), (x - 8, -26)], plate.tints.banner)
        plate.hatch([(x + 1, -78), (x + 8, -78), (x + 8, -26), (x + 1, -32)], "|", 3)
        plate.dot((x, -64), 4.6)
        plate.dot((x, -64), 2.4, 0)
        plate.line([(x - 11, -78), (x + 11, -78)], 2)
    for side in (-1, 1):
        flag(plate, side * 140, 0, -118, side)
    _works_of_art(plate)
    shield(plate, Card.BIENNALE, 0, -98)
    plate.line([(-172, 0), (176, 0)], 2)


def _nave(plate: Plate, width: float, height: float, gable: float) -> None:
    half, top, tints = width / 2, -height - gable, plate.tints
    front = [(-half, 0), (-half, -height), (0, top), (half, -height), (half, 0)]
    plate.area(front, tints.brick, 1.4)
    plate.hatch(front, "-", 4, 0.7, 120)
    over = [(-half - 4, -height + 1), (0, top - 5), (half + 4, -height + 1)]
    plate.area([*over, (half, -height + 5), (0, top + 3), (-half, -height + 5)], tints.stone, 1.1)
    edge = width * 0.28
    plate.hatch([(edge, 0), (edge, -height - gable * 0.42), (half, -height), (half, 0)], "|", 3, 1.2)
    window = arch(0, 0, width * 0.5, height * 0.86)
    plate.area(arch(0, 0, width * 0.5 + 9, height * 0.86 + 5), tints.stone, 1)
    plate.area(window, tints.water_lit)
    plate.hatch([*((x, y) for x, y in window if x >= -1), (0, 0)], "/", 3, 1.1)
    plate.line([(0, 0), (0, -height * 0.86)], 1.2)
    plate.line([(-width * 0.25, -height * 0.5), (width * 0.25, -height * 0.5)], 1.2)
    for angle in (-55, -125):
        dx, dy = width * 0.3 * math.cos(math.radians(angle)), width * 0.3 * math.sin(math.radians(angle))
        plate.line([(0, -height * 0.5), (dx, dy - height * 0.5)])


def _works_of_art(plate: Plate) -> None:
    """Draw a ring on a plinth, and an easel with the picture of a small submarine."""
    tints = plate.tints
    plate.area(oval((-158, -50), 15, 15), tints.steel, 1.4)
    plate.hatch(oval((-158, -50), 15, 15), "/", 3, (0.4, 1.8))
    plate.area(oval((-158, -50), 7, 7), tints.paper_lit)
    plate.area(box(-171, -34, -145, 0), tints.stone, 1.3)
    plate.hatch(box(-157, -34, -145, 0), "|", 3)
    for dx in (-14, 14):
        plate.line([(157, -72), (157 + dx, 0)], 2)
    plate.area(box(139, -62, 176, -32), tints.sign, 1.8)
    plate.area(outline("M144 -44 C148 -50 166 -50 171 -44 C166 -39 148 -39 144 -44 Z"), tints.steel, 1)
    plate.line([(156, -48), (156, -55)], 2.4)
    plate.line([(141, -29), (174, -29)], 2.4)
