"""The plate of the board: what is engraved and never changes, the Arsenale around its basin.

Here is its ground: pavement, the city's roofs, the basin, its quays, the road, the rim.
"""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageChops, ImageDraw

from engines.doge.view import LOCATIONS, Square
from renderers.core.caches import scene
from renderers.core.geometry import Point, bezier, moved
from renderers.core.theme import mix
from renderers.doge.curves import box, outline, oval, rounded
from renderers.doge.engraving import FULL, SCALE, Plate
from renderers.doge.lagoon import draw_galley, draw_mooring
from renderers.doge.layout import (
    BASIN,
    CARD_SQUARES,
    COMPASS,
    EDGE,
    GALLEY,
    HEIGHT,
    PLATFORMS,
    ROAD,
    SKY,
    STANDS,
    WIDTH,
)
from renderers.doge.masonry import HOUSES, house
from renderers.doge.squares import (
    Words,
    draw_card_square,
    draw_cartouche,
    draw_key,
    draw_location,
    draw_title,
)
from renderers.doge.theme import Tints

_ROUND = 30
"""The radius of the basin's corners."""

_SLAB = 24
_RIPPLES = 8


def draw_pavement(plate: Plate) -> None:
    """Pave the ground with slabs in running bond: joints a shade darker than the stone, without ink."""
    plate.tint(box(0, 0, WIDTH, HEIGHT), plate.tints.pavement)
    for row, y in enumerate(range(SKY, HEIGHT, _SLAB)):
        plate.tint(box(0, y, WIDTH, y + 0.8), plate.tints.joint)
        for x in range(-row % 2 * _SLAB, WIDTH, 2 * _SLAB):
            plate.tint(box(x, y, x + 0.8, y + _SLAB), plate.tints.joint)


def draw_city(plate: Plate) -> None:
    """Draw the roofs of Castello behind the dockyard."""
    plate.area(box(0, 0, WIDTH, SKY), plate.tints.paper, 0)
    for row, (foot, zoom) in enumerate(((SKY - 18, 0.8), (SKY + 6, 0.9))):
        x = EDGE - 8 * row
        for number in range(27):
            shape = HOUSES[(5 * number + 3 * row) % len(HOUSES)]
            with plate.at(x + shape[0] * zoom / 2, foot + number % 3, zoom):
                house(plate, shape)
            x += round(shape[0] * zoom)
    plate.area(box(0, SKY, WIDTH, SKY + 12), plate.tints.pavement, 0)
    plate.line([(0, SKY), (WIDTH, SKY)], 1.6)


# --- water ----------------------------------------------------------------------------------------


def draw_water(plate: Plate) -> None:
    """Fill the basin: a wash, lines that follow the shore and die away, then small waves."""
    tints, (left, top, right, low) = plate.tints, BASIN
    plate.area(rounded(*BASIN, _ROUND), tints.water, 0)
    corner = left * SCALE, top * SCALE
    # Masks of the basin alone: those of the whole plate would take seven times as long.
    with plate.at(-left, -top):
        shores = [plate.enlarged(box(*platform)) for platform in PLATFORMS.values()]
        shores.append(plate.enlarged(rounded(*BASIN, _ROUND)))
        wet = Image.new("L", ((right - left) * SCALE, (low - top) * SCALE))
        waves = _waves(plate, wet.size)
    draw = ImageDraw.Draw(wet)
    draw.polygon(shores[-1], fill=FULL)
    for shore in shores[:-1]:
        draw.polygon(shore, fill=0)
    distance = 4.0
    for depth, share in ((14, 0.35), (34, 0.7), (58, 1.0)):
        plate.wash.paste(mix(tints.water, tints.water_lit, share), corner, _open_water(wet, shores, depth))
    for number in range(_RIPPLES):
        half = 0.65 - number * 0.05
        near, far = (_open_water(wet, shores, distance + side * half) for side in (-1, 1))
        plate.ink.paste(215 - 8 * number, corner, ImageChops.subtract(near, far))
        distance += 4.2 + number * 0.8
    plate.ink.paste(160, corner, ImageChops.multiply(waves, _open_water(wet, shores, distance + 4)))


def _open_water(wet: Image.Image, shores: Sequence[Sequence[Point]], distance: float) -> Image.Image:
    """Return the water that is farther than ``distance`` from every shore."""
    water = wet.copy()
    draw = ImageDraw.Draw(water)
    for shore in shores:
        draw.line([*shore, *shore[:2]], fill=0, width=round(2 * distance * SCALE), joint="curve")
    return water


_RHYTHM = ("110101", "011011", "101101", "110110")
"""Which waves of a row are there: the pattern repeats, so it packs."""


def _waves(plate: Plate, size: tuple[int, int]) -> Image.Image:
    left, top, right, low = BASIN
    mask = Image.new("L", size)
    draw = ImageDraw.Draw(mask)
    for row, y in enumerate(range(top, low, 14)):
        for number, x in enumerate(range(left - row % 2 * 20, right, 40)):
            if _RHYTHM[row % 4][number % 6] == "1":
                crest = bezier((x, y), (x + 5, y - 5), (x + 9, y - 5), (x + 13, y - 1), 6)
                trough = bezier((x + 13, y - 1), (x + 17, y + 2.5), (x + 23, y + 2), (x + 27, y), 6)
                draw.line(plate.enlarged([*crest, *trough]), fill=FULL, width=SCALE, joint="curve")
    return mask


# --- quays and road -------------------------------------------------------------------------------


def draw_quays(plate: Plate) -> None:
    """Lay the coping along the water, walls of brick that look south, and the locations' lighter quays."""
    left, top, right, low = BASIN
    for grown, width in ((0, 2.0), (7, 0.9)):
        shore = rounded(left - grown, top - grown, right + grown, low + grown, _ROUND + grown)
        plate.line([*shore, shore[0]], width)
    west, east = PLATFORMS[8][2], PLATFORMS[2][0]
    for start, end, y in (
        (west, east, PLATFORMS[0][3]),
        (east, right, PLATFORMS[2][3]),
        (left, west, PLATFORMS[8][3]),
    ):
        plate.area(box(start, y, end, y + 11), plate.tints.brick)
        plate.hatch(box(start, y, end, y + 11), "|", 3)
    for square, (near, upper, far, lower) in PLATFORMS.items():
        plate.area(box(near, upper, far, lower), plate.tints.quay, 0)
        for y in range((int(upper) // _SLAB + 1) * _SLAB + 2, int(lower), _SLAB):
            plate.tint(box(near, y, far, y + 0.8), mix(plate.tints.quay, plate.tints.joint, 0.5))
        for inset, width in ((0, 2.0), (6, 0.9)):
            plate.line(_coping(square, inset), width)


def _coping(square: Square, inset: float) -> list[Point]:
    """Return the edge of a platform where it meets the water, moved inland."""
    near, upper, far, lower = PLATFORMS[square]
    if square == 0:
        return [(PLATFORMS[8][2] - inset, lower - inset), (PLATFORMS[2][0] + inset, lower - inset)]
    # Those at the left are those at the right, mirrored.
    side, shore = (1, near) if near > WIDTH / 2 else (-1, far)
    if square in (2, 8):
        start, corner = PLATFORMS[0][3] - inset, lower - inset
    else:
        start, corner = BASIN[3] + inset, upper + inset
    outer = BASIN[2] if side > 0 else BASIN[0]
    x = shore + side * inset
    return [(x, start), (x, corner), (outer + side * inset, corner)]


def draw_road(plate: Plate) -> None:
    """Pave the road round the dockyard, on which the pawns go."""
    ring = [point for square in sorted(ROAD) for point in ROAD[square]]
    ways = [[*ring, *ring[:2]], *([ROAD[square][0], STANDS[square]] for square in (2, 3, 8))]
    ways.append([ROAD[7][0], STANDS[7]])
    lit = mix(plate.tints.quay, plate.tints.sign, 0.5)
    for way in ways:
        plate.road(way, 20, lit, 235)
    for way in ways:
        plate.line(way, 19, 0)


# --- the rim --------------------------------------------------------------------------------------


def draw_rim(plate: Plate) -> None:
    """Draw the map's rim: alternating degrees between lines."""
    for left, top, right, low in (
        (0, 0, WIDTH, EDGE),
        (0, HEIGHT - EDGE, WIDTH, HEIGHT),
        (0, 0, EDGE, HEIGHT),
        (WIDTH - EDGE, 0, WIDTH, HEIGHT),
    ):
        plate.area(box(left, top, right, low), plate.tints.paper, 0)
    for inset, width in ((2.0, 1.4), (EDGE - 1, 1.8)):
        frame = box(inset, inset, WIDTH - inset, HEIGHT - inset)
        plate.line([*frame, *frame[:2]], width)
    step = (WIDTH - 2 * EDGE) / 26
    for number in range(0, 26, 2):
        start, end = EDGE + number * step, EDGE + (number + 1) * step
        for near in (4, WIDTH - EDGE + 3):
            plate.solid(box(start, near, end, near + 5), 225)
            plate.solid(box(near, start, near + 5, end), 225)


_GULL = outline("M-14 -4 C-9 -11 -4 -9 0 0 C3 -9 9 -12 15 -6")
_GULLS = ((352, 60, 0.9), (378, 50, 0.7), (716, 58, 0.9), (742, 70, 0.7), (150, 262, 0.8), (956, 268, 0.7))


def draw_gulls(plate: Plate) -> None:
    """Let some gulls fly."""
    for x, y, zoom in _GULLS:
        with plate.at(x, y, zoom):
            plate.line(_GULL, 1.6)


def draw_compass(plate: Plate) -> None:
    """Draw the rose of the winds."""
    with plate.at(*COMPASS):
        for radius, width in ((38, 1.6), (34, 0.8)):
            plate.area(oval((0, 0), radius, radius), plate.tints.sign, width)
        for turn, length, half in ((45, 27, 5), (0, 37, 7)):
            for quarter in range(0, 360, 90):
                for side in (-1, 1):
                    ray = [(0, 0), (side * half, -half), (0, -length)]
                    plate.area(moved(ray, 0, 0, turn=turn + quarter), plate.tints.sign, 1)
                plate.solid(moved([(0, 0), (half, -half), (0, -length)], 0, 0, turn=turn + quarter))


@scene
def background(tints: Tints, words: Words) -> Image.Image:
    """Return the board without anything that changes."""
    plate = Plate(WIDTH, HEIGHT, tints, tints.paper)
    draw_pavement(plate)
    draw_city(plate)
    draw_water(plate)
    draw_quays(plate)
    draw_road(plate)
    for square in CARD_SQUARES:
        draw_card_square(plate, square)
    for x, y in ((436, 392), (668, 380), (352, 508), (748, 508)):
        with plate.at(x, y, 0.9):
            draw_mooring(plate)
    with plate.at(*GALLEY, 0.92):
        draw_galley(plate)
    draw_title(plate, words)
    draw_gulls(plate)
    for square in LOCATIONS:
        draw_location(plate, words, square)
    draw_cartouche(plate)
    draw_key(plate, words)
    draw_compass(plate)
    draw_rim(plate)
    return plate.impression()
