"""Where things are on the board's picture, in its pixels.

The ring of ten runs round the basin: in the middle above and below squares 0 and 5, at the right 1 to 4
downwards, at the left 9 to 6. A *spot* is where the pawns' feet stand at a location, and the middle of a
card square.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from engines.doge.view import CARDS, LOCATIONS, Card, Square
from renderers.core.geometry import Point, between

Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and lower edge."""

WIDTH, HEIGHT = 1100, 1100
EDGE = 12
"""The rim of the picture; all else is inside it."""


_RIGHT: dict[Square, Point] = {0: (550, 156), 1: (918, 140), 2: (880, 385), 3: (918, 598), 4: (880, 841)}

SPOTS: dict[Square, Point] = {
    **_RIGHT,
    5: (550, 850),
    **{10 - square: (WIDTH - x, y) for square, (x, y) in _RIGHT.items() if square},
}

CARD_SQUARES = tuple(square for square in sorted(SPOTS) if square not in LOCATIONS)
"""The squares on which piles lie."""

CARD_SQUARE = (270, 186)
"""Width and height of a card square."""

FOOT = 12
"""How far the pawns stand in front of a building's foot."""

SLOT = 32
"""Radius of a craft's slot."""

_SLOT_PITCH, _SLOT_DROP = 68, 43
_SIGN_DROP, SIGN_HEIGHT = 79, 34
SIGN_NUMBER = 42
"""Width of the number on a location's sign."""

SKY = 42
"""The lower edge of the city's roofs."""

BASIN = (324, 250, 776, 726)
PLATFORMS: dict[Square, Box] = {
    0: (322, 130, 778, 276),
    2: (694, 240, WIDTH - EDGE, 504),
    4: (696, 690, WIDTH - EDGE, 957),
    6: (EDGE, 690, 404, 957),
    8: (EDGE, 240, 406, 504),
}
"""The quays of the locations, which reach into the basin."""

CARTOUCHE = (336, 520, 764, 704)
TITLE = (550, 302)
GALLEY = (538, 494)
KEY = 978
"""The middle of the key of the crafts."""

STRIP = 1002
"""The upper edge of the strip of plates."""

PLATE = (183, 84)
"""Width and height of a player's plate."""

GHOST_PLATE: Box = (945, STRIP, WIDTH - EDGE - 4, STRIP + PLATE[1])
COMPASS = (96.0, 1044.0)
"""A rose where a chat lays its mark over the picture: nothing is lost there."""


def plate_corner(number: int) -> Point:
    """Return the upper left corner of a player's plate."""
    return 182 + number * (PLATE[0] + 7), STRIP


def slot(institution: Card, craft: Card) -> Point:
    """Return the middle of a slot."""
    square = next(square for square, card in LOCATIONS.items() if card is institution)
    x, y = SPOTS[square]
    return x + (CARDS.index(craft) - 2) * _SLOT_PITCH, y + _SLOT_DROP


def sign_box(square: Square, width: float) -> Box:
    """Return the box of a square's sign.

    A location's is ``width`` wide and hangs below the slots; a card square's holds its number and stands on
    its outer upper corner, above all piles.
    """
    x, y = SPOTS[square]
    if square in LOCATIONS:
        left = round(x - width / 2)
        return left, y + _SIGN_DROP, left + width, y + _SIGN_DROP + SIGN_HEIGHT
    side = 1 if x > WIDTH / 2 else -1
    middle, low = x + side * (CARD_SQUARE[0] / 2 - 20), y - CARD_SQUARE[1] / 2 + 2
    return middle - 20, low - SIGN_HEIGHT, middle + 20, low


def square_box(square: Square) -> Box:
    """Return the box of a whole square, to frame it."""
    x, y = SPOTS[square]
    if square in LOCATIONS:
        half = 222.0 if square == 0 else 178.0
        return x - half, y - 140, x + half, y + _SIGN_DROP + SIGN_HEIGHT / 2
    half, low = CARD_SQUARE[0] / 2 + 3, CARD_SQUARE[1] / 2 + 3
    return x - half, y - low, x + half, y + low


_PAWN_PITCH = 62


def feet(square: Square, count: int, *, haunted: bool) -> list[Point]:
    """Return where so many pawns stand on a square, beside each other; the ghost takes the left end."""
    x, y = SPOTS[square]
    down = 2.0 if square in LOCATIONS else CARD_SQUARE[1] / 2 - 14
    left = x + (52 if haunted else 0) - (count - 1) / 2 * _PAWN_PITCH
    return [(left + number * _PAWN_PITCH, y + down) for number in range(count)]


def ghost_foot(square: Square) -> Point:
    """Return where the ghost stands at a location."""
    return SPOTS[square][0] - 126, SPOTS[square][1]


def pile_top(square: Square) -> Point:
    """Return the middle of a pile's upper edge."""
    x, y = SPOTS[square]
    return x, y - CARD_SQUARE[1] / 2 + 4


# --- the road -------------------------------------------------------------------------------------

STANDS = {
    square: (x, y + (4 if square in LOCATIONS else CARD_SQUARE[1] / 2 - 18))
    for square, (x, y) in SPOTS.items()
}
"""Where a pawn leaves the road to its square, and comes back."""

_OUTER = 1066

_WAYS: dict[Square, Sequence[Point]] = {
    0: (STANDS[0], (762, STANDS[0][1]), (780, STANDS[1][1]), STANDS[1]),
    1: (STANDS[1], (_OUTER, STANDS[1][1]), (_OUTER, STANDS[2][1])),
    2: ((_OUTER, STANDS[2][1]), (_OUTER, STANDS[3][1])),
    3: ((_OUTER, STANDS[3][1]), (_OUTER, STANDS[4][1]), STANDS[4]),
    4: (STANDS[4], (706, STANDS[4][1]), (694, STANDS[5][1]), STANDS[5]),
}
ROAD: dict[Square, Sequence[Point]] = {
    **_WAYS,
    **{9 - square: [(WIDTH - x, y) for x, y in reversed(way)] for square, way in _WAYS.items()},
}
"""The road from each square to the next one clockwise. Squares 2, 3, 7 and 8 lie aside of it."""


def trail(squares: Sequence[Square], step: float) -> Iterator[Point]:
    """Yield points ``step`` apart on the road over squares, without those at both ends."""
    road = [STANDS[squares[0]]]
    for start, end in pairwise(squares):
        road += ROAD[start] if end == (start + 1) % 10 else reversed(ROAD[end])
    road.append(STANDS[squares[-1]])
    whole = sum(math.dist(here, there) for here, there in pairwise(road))
    due, gone = step, 0.0
    for here, there in pairwise(road):
        length = math.dist(here, there)
        while length and due <= gone + length and due < whole - step / 2:
            yield between(here, there, (due - gone) / length)
            due += step
        gone += length
