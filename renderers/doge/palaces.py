"""The engraved Comune (a palace between two columns) and Sovrintendenza (the gate with its lions)."""

from __future__ import annotations

from collections.abc import Sequence

from engines.doge.view import Card
from renderers.core.geometry import Point, star
from renderers.core.theme import mix
from renderers.doge.curves import arch, box, outline, oval, pointed_arch
from renderers.doge.engraving import Plate
from renderers.doge.masonry import merlons, opening, shield

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
    """Draw the Arsenal's gate and the lions of Piraeus, who look at whoever comes."""
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
