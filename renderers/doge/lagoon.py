"""The engraved Venice in Peril, half in the tide, and what floats in the basin."""

from __future__ import annotations

from collections.abc import Sequence

from engines.doge.view import Card
from renderers.core.geometry import Point, bezier
from renderers.doge.curves import arch, box, outline, oval
from renderers.doge.engraving import Plate
from renderers.doge.masonry import house, opening, shield

# --- Venice in Peril ------------------------------------------------------------------------------

_GONDOLA = outline(
    "M-34 -15 C-30 -4 -14 1 4 1 C18 0 28 -6 33 -18 L37 -18 L35 -13 L37 -12 L34 -10 C28 2 14 7 0 7 "
    "C-18 7 -32 -2 -38 -14 Z"
)
_GONDOLIER = outline("M17 -4 L18 -22 C16 -26 18 -32 22 -32 C26 -32 28 -26 26 -22 L27 -4 Z")
_DOME = outline("M-40 -88 C-40 -118 -24 -133 0 -134 C24 -133 40 -118 40 -88 Z")
_DOME_SHADE = outline("M-10 -88 C-10 -114 -8 -131 0 -134 C24 -133 40 -118 40 -88 Z")
_LANTERN = outline("M-9 -146 C-9 -154 -3 -157 0 -158 C3 -157 9 -154 9 -146 Z")
_SCROLL = outline("M34 -56 L76 -56 C76 -70 60 -74 54 -64 C50 -78 40 -80 34 -78 Z")


def draw_peril(plate: Plate) -> None:
    """Draw a domed church, a bell tower out of true, and houses up to their windows in the water."""
    with plate.at(-134, 0):
        _leaning_tower(plate)
    for x, sunk, width in ((126, 8, 44), (158, 12, 36)):
        with plate.at(x, sunk):
            house(plate, (width, 62, 20, 0.6, -0.2))
    with plate.at(10, 0):
        _church(plate)
        shield(plate, Card.PERIL, 0, -104)
    _tide(plate, 176)
    # It floats where people should walk.
    with plate.at(-82, 0):
        plate.solid(_GONDOLA, 245)
        plate.line([(20, 0), (26, -38)], 1.6)
        plate.solid(_GONDOLIER, 235)


def _leaning_tower(plate: Plate) -> None:
    def leaning(points: Sequence[Point]) -> list[Point]:
        return [(x - y / 15, y) for x, y in points]

    tints = plate.tints
    shaft = leaning(box(-15, -92, 15, 0))
    plate.area(shaft, tints.brick, 1.4)
    plate.hatch(shaft, "-", 4, 0.7, 140)
    plate.hatch(leaning(box(4, -92, 15, 0)), "|", 3, 1.2)
    for y in (-30, -58):
        plate.solid(leaning(arch(-3, y, 5, 11)))
    plate.area(leaning(box(-18, -97, 18, -92)), tints.stone, 1)
    plate.area(leaning(box(-14, -116, 14, -97)), tints.stone)
    for x in (-6, 6):
        plate.solid(leaning(arch(x, -98, 8, 15)))
    plate.area(leaning([(-16, -116), (0, -146), (16, -116)]), tints.roof, 1.3)
    plate.hatch(leaning([(2, -116), (0, -146), (16, -116)]), "|", 3, 1.2)


def _church(plate: Plate) -> None:
    tints = plate.tints
    plate.area(box(-76, -56, 76, 0), tints.paper_lit, 1.4)
    plate.hatch(box(46, -56, 76, 0), "\\", 3)
    for side in (-1, 1):
        plate.area(arch(side * 60, 0, 17, 36), tints.paper, 1)
        plate.hatch(arch(side * 60, 0, 13, 33), "|", 3, 1.5)
        plate.area([(side * x, y) for x, y in _SCROLL], tints.stone)
        plate.line(oval((side * 65, -63), 4.5, 4.5))
    plate.area(box(-40, -86, 40, -56), tints.paper_lit, 1.3)
    plate.hatch(box(14, -86, 40, -56), "\\", 3)
    for x in (-30, -18, 18, 30):
        plate.solid(arch(x, -60, 6, 17))
    plate.area(_DOME, tints.dome, 1.5)
    for x in (-24, -8, 8, 24):
        plate.line(bezier((x * 1.15, -88), (x * 1.15, -114), (x * 0.6, -131), (0, -134)), 0.8)
    plate.hatch(_DOME_SHADE, "|", 3, (0.4, 2))
    plate.area(box(-43, -90, 43, -84), tints.stone)
    plate.area(box(-8, -146, 8, -133), tints.stone)
    plate.area(_LANTERN, tints.dome)
    plate.line([(0, -158), (0, -165)], 1.5)
    plate.area([(-32, 0), (-32, -48), (0, -66), (32, -48), (32, 0)], tints.stone, 1.4)
    plate.area(arch(0, 0, 27, 44), tints.paper)
    opening(plate, arch(0, 0, 23, 41), 1.7)
    for x in (-24, 24):
        plate.area(box(x - 3, -44, x + 3, 0), tints.stone, 1)


def _tide(plate: Plate, half: int) -> None:
    for y, first, last in ((-9, -half + 6, half - 6), (-1, -half, half)):
        crests: list[Point] = [(first, y)]
        for x in range(first, last, 14):
            crests += bezier((x, y), (x + 5, y - 6), (x + 9, y - 6), (x + 14, y), 6)[1:]
        plate.area([*crests, (last, y + 13), (first, y + 13)], plate.tints.water, 0)
        plate.line(crests, 1.3)
    for y in (6, 10):
        plate.line([(-half + 4, y), (half - 2, y)], 0.9)


# --- in the basin ---------------------------------------------------------------------------------

_GALLEY = outline(
    "M-112 -34 C-110 -22 -100 -12 -84 -6 C-40 4 50 4 92 -8 C104 -13 122 -22 146 -30 C118 -26 100 -24 84 -22 "
    "L-70 -20 C-88 -20 -96 -26 -100 -36 Z"
)
_BILGE = outline(
    "M-96 -22 C-94 -12 -90 -8 -84 -6 C-40 4 50 4 92 -8 C104 -13 122 -22 140 -28 C118 -26 100 -19 84 -17 "
    "L0 -15 C-60 -15 -84 -16 -96 -22 Z"
)
_WALE = outline("M-98 -26 C-84 -16 -60 -15 0 -15 L84 -17 C100 -19 120 -25 140 -29")
_STERN = outline("M-112 -34 C-108 -50 -92 -54 -76 -50 L-70 -22 C-88 -20 -96 -26 -100 -36 Z")
_STERN_SHADE = outline("M-90 -52 C-85 -52 -80 -52 -76 -50 L-70 -22 C-76 -21 -82 -22 -88 -25 Z")
_SAIL = outline("M-66 -42 C-30 -86 20 -122 74 -140 C62 -100 54 -62 60 -28 C22 -34 -24 -38 -66 -42 Z")
_SAIL_SHADE = outline(
    "M6 -102 C28 -118 52 -132 74 -140 C62 -100 54 -62 60 -28 C40 -32 20 -35 2 -37 C-4 -60 -2 -84 6 -102 Z"
)
_SEAMS = (
    outline("M-34 -68 C-22 -56 -18 -46 -16 -38"),
    outline("M2 -96 C8 -76 8 -54 6 -36"),
    outline("M38 -122 C34 -94 32 -60 34 -32"),
)
_PENNANT = outline("M6 -128 C16 -136 24 -126 38 -134 C28 -124 18 -122 6 -121 Z")


def draw_galley(plate: Plate) -> None:
    """Draw a galley under one lateen sail, oars out."""
    tints = plate.tints
    for number in range(13):
        x = -74 + number * 12
        plate.line([(x, -12), (x - 17, 13)], 1.3)
        plate.line([(x - 14, 9), (x - 18, 15)], 2.6)
    plate.area(_GALLEY, tints.wood, 1.6)
    plate.hatch(_BILGE, "-", 3, (0.5, 1.9))
    plate.line(_WALE, 1.4)
    plate.area(_STERN, tints.banner, 1.4)
    plate.hatch(_STERN_SHADE, "|", 3, 1.2)
    plate.line([(-6, -16), (6, -128)], 2.6)
    plate.area(_SAIL, tints.paper_lit, 1.4)
    plate.hatch(_SAIL_SHADE, "\\", 4, (0.3, 1.6))
    for seam in _SEAMS:
        plate.line(seam, 0.9)
    plate.line([(-70, -38), (80, -144)], 2.6)
    plate.line([(80, -144), (92, -22)], 0.8)
    plate.line([(6, -128), (-74, -50)], 0.8)
    plate.area(_PENNANT, tints.roof, 1)


def draw_mooring(plate: Plate) -> None:
    """Draw three piles bound together, as they mark a channel."""
    for x, lean in ((-8, 5), (8, -5), (0, 0)):
        right = [(x + lean + 3, -40), (x + 3, 0)]
        plate.area([(x - 3, 0), (x + lean - 3, -40), *right], plate.tints.wood, 1.1)
        plate.hatch([(x, 0), (x + lean, -40), *right], "|", 2)
    plate.area(box(-8, -31, 8, -26), plate.tints.soft, 1)
    for number, half in enumerate((17, 22, 14)):
        plate.line([(-half, 1 + number * 3), (half, 1 + number * 3)], 1, 200)
