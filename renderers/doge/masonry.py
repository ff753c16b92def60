"""What the engraved buildings are made of: walls, openings, merlons, flags, shields, houses.

Everything is drawn around the plate's origin, the middle of the foot of what it stands on.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.doge.view import Card
from renderers.core.geometry import Point
from renderers.core.theme import Colour, mix
from renderers.doge.curves import arch, box, outline
from renderers.doge.engraving import Plate

_SHIELD = outline("M-1 -1 C-0.4 -1.16 0.4 -1.16 1 -1 L1 0.2 C1 0.9 0.4 1.1 0 1.4 C-0.4 1.1 -1 0.9 -1 0.2 Z")


def shield(plate: Plate, card: Card, x: float, y: float, size: float = 50) -> None:
    """Hang an institution's emblem on its building, above the pawns' heads."""
    r = size / 2
    plate.solid([(x + px * r * 1.16 + 1.2, y + py * r * 1.14 + 1.6) for px, py in _SHIELD])
    plate.area([(x + px * r * 1.12, y + py * r * 1.1) for px, py in _SHIELD], plate.tints.sign)
    plate.area([(x + px * r, y + py * r) for px, py in _SHIELD], plate.tints.sign, 1)
    plate.stamp(card, (x, y + r * 0.08), size * 0.76)


def merlons(
    plate: Plate, left: float, right: float, foot: float, width: float, height: float, wash: Colour
) -> None:
    """Set swallowtail merlons on top of a wall."""
    count = max(2, round((right - left) / (width * 1.7)))
    for number in range(count):
        x = left + number * (right - left - width) / (count - 1)
        middle, end, top = x + width / 2, x + width, foot - height
        plate.area([(x, foot), (x, top), (middle, foot - height * 0.58), (end, top), (end, foot)], wash, 1)
        shaded = x + width * 0.55
        plate.hatch([(shaded, foot), (shaded, foot - height * 0.6), (end, top), (end, foot)], "|", 2, 0.9)


def opening(plate: Plate, points: Sequence[Point], weight: float = 1.6) -> None:
    """Rule the dark of a doorway in two layers."""
    plate.hatch(points, "|", 3, weight)
    plate.hatch(points, "-", 3, weight * 0.62)


def flag(plate: Plate, x: float, foot: float, top: float, side: int = 1, wash: Colour | None = None) -> None:
    """Fly a swallow-tailed flag from a staff, to the right (``side`` 1) or to the left (-1)."""
    plate.line([(x, foot), (x, top)], 1.7)
    plate.dot((x, top - 2), 2.4)
    shape = outline("M0 2 C8 -4 13 8 26 3 L20 12 L26 22 C13 27 8 15 0 21 Z")
    cloth = [(x + side * px, top + py) for px, py in shape]
    plate.area(cloth, wash or plate.tints.banner)
    plate.hatch(cloth, "\\", 6)


def shadow(plate: Plate, half: float) -> None:
    """Lay the shadow of a building on the ground before it."""
    plate.hatch([(-half + 8, 0), (half, 0), (half + 12, 8), (-half + 26, 8)], "-", 2, 1.1, 190)


def house(plate: Plate, shape: Sequence[float]) -> None:
    """Draw a house of the city: front, hipped roof, bell-mouthed chimney.

    ``shape``: width, height, height of the roof, how much brick the front shows (0 to 1), and where the
    chimney stands, as a share of the width from the middle.
    """
    width, height, roof, brick, chimney = shape
    half, tints = width / 2, plate.tints
    x, top = chimney * width, -height - roof
    flue = [(x, top * 0.8), (x - 2, top - 9), (x - 4, top - 14), (x + 8, top - 14), (x + 6, top - 9)]
    plate.area([*flue, (x + 5, top * 0.8)], tints.paper_lit, 1)
    plate.hatch([(x + 2, top * 0.8), (x + 2, top - 14), (x + 8, top - 14), (x + 5, top * 0.8)], "|", 2)
    plate.area(box(-half, -height, half, 0), mix(tints.paper_lit, tints.brick, brick))
    plate.hatch(box(width * 0.22, -height, half, 0), "\\", 3, 0.9)
    ridge = width * 0.26
    slopes = [(-half - 2.5, -height), (-ridge, top), (ridge, top), (half + 2.5, -height)]
    plate.area(slopes, tints.roof)
    plate.hatch([(0, -height), (0, top), *slopes[2:]], "|", 3)
    plate.hatch(slopes, "|", 6, 0.8)
    count = 2 if width < 46 else 3
    for number in range(count):
        middle = -half + (number + 0.5) * width / count
        for storey in range(int((height - 14) / 15) + 1):
            plate.solid(arch(middle, -height + 13 + 15 * storey, 4.5, 9), 235)


HOUSES = (
    (46, 28, 14, 0.0, -0.2),
    (41, 31, 13, 1.0, 0.1),
    (50, 25, 15, 0.5, -0.1),
    (43, 29, 12, 0.0, 0.2),
    (48, 32, 14, 0.5, -0.25),
    (42, 26, 16, 1.0, 0.0),
    (51, 30, 13, 0.0, 0.15),
)
"""The shapes of the city's houses; they come again."""
