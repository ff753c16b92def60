"""The engraved Marina (the submarine between its slipway sheds) and Biennale (halls hung with banners)."""

from __future__ import annotations

import math

from engines.doge.view import Card
from renderers.doge.curves import arch, box, outline, oval
from renderers.doge.engraving import Plate
from renderers.doge.masonry import flag, opening, shield

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
    _tower(plate)
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


def _tower(plate: Plate) -> None:
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
