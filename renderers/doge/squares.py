"""What is engraved on the ground of the board: squares and their signs, title, cartouche, key."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from engines.doge.view import CARDS, CRAFTS, LOCATIONS, Card, Source, Square
from renderers.core.captions import Captions
from renderers.core.theme import mix
from renderers.core.type import Weight, serif
from renderers.doge.buildings import draw_biennale, draw_comune, draw_marina, draw_sovrintendenza
from renderers.doge.curves import box, oval, rounded
from renderers.doge.engraving import Plate
from renderers.doge.lagoon import draw_peril
from renderers.doge.layout import (
    CARD_SQUARE,
    CARTOUCHE,
    EDGE,
    FOOT,
    HEIGHT,
    KEY,
    SIGN_NUMBER,
    SLOT,
    SPOTS,
    STRIP,
    TITLE,
    WIDTH,
    Box,
    sign_box,
    slot,
)
from renderers.doge.masonry import shadow

_BUILDINGS = {
    Card.MARINA: (draw_marina, 1.02),
    Card.BIENNALE: (draw_biennale, 0.92),
    Card.COMUNE: (draw_comune, 0.92),
    Card.SOVRINTENDENZA: (draw_sovrintendenza, 0.92),
    Card.PERIL: (draw_peril, 0.92),
}
_EMBLEM, _KEY_EMBLEM, _EYE = 50, 36, 62
_NAME = serif(30)
_NUMBER = serif(31, Weight.BOLD)
_KEY_NAME = serif(30, Weight.SEMIBOLD_ITALIC)
_TITLE = serif(29)
_SPACED = (7.5, 4.5)
"""Pixels between the letters of the title's lines."""


@dataclass(frozen=True, slots=True)
class Words:
    """The texts on the plate: the title's two lines, and the cards' names in the order of the sheet."""

    title: tuple[str, str]
    names: tuple[str, ...]

    def name(self, card: Card) -> str:
        """Return a card's name."""
        return self.names[CARDS.index(card)]


def words(captions: Captions) -> Words:
    """Return the texts on the plate in the table's language."""
    title = captions.text("title.first"), captions.text("title.second")
    return Words(title, tuple(captions.text(f"card.{card}") for card in CARDS))


def draw_card_square(plate: Plate, square: Square) -> None:
    """Draw a square shaped like a card on its side: room for the pile above, for the pawns below."""
    (x, y), (width, height) = SPOTS[square], CARD_SQUARE
    tints = plate.tints
    half, low = width / 2, height / 2
    pale = mix(tints.field, tints.sign, 0.35)
    for inset, radius, wash, line in (
        (0, 14, tints.stone, 2.0),
        (6, 9, pale, 1.0),
        (12, 6, tints.field, 1.0),
    ):
        frame = rounded(x - half + inset, y - low + inset, x + half - inset, y + low - inset, radius)
        plate.area(frame, wash, line)
    inner = rounded(x - half + 12, y - low + 12, x + half - 12, y + low - 12, 6)
    plate.hatch(inner, "\\", 6, 0.7, 110)
    plate.hatch(inner, "/", 6, 0.7, 110)
    for side in (-1, 1):
        # A scallop in both lower corners, where neither pile nor number lies.
        corner, start = (x + side * (half - 12), y + low - 12), 180 if side > 0 else 270
        for radius, wash in ((30, pale), (20, mix(tints.field, tints.wood, 0.3)), (9, pale)):
            plate.area([corner, *oval(corner, radius, radius, start, start + 90, 10)], wash, 1)
    plate.area(oval((x, y - 38), 50, 38), pale)
    plate.line(oval((x, y - 38), 46, 34), 0.8)
    plate.stamp(Source.LOOK, (x, y - 38), _EYE, 190)
    left, top, right, bottom = sign_box(square, 0)
    plate.area(box(left, top, right, bottom), tints.sign, 1.8)
    plate.word(str(square), ((left + right) / 2, (top + bottom) / 2), _NUMBER)


def draw_location(plate: Plate, words: Words, square: Square) -> None:
    """Draw a location: its building, five craft slots, number and name on a street sign."""
    institution = LOCATIONS[square]
    x, y = SPOTS[square]
    draw, zoom = _BUILDINGS[institution]
    with plate.at(x, y - FOOT, zoom):
        shadow(plate, 178)
        draw(plate)
    for craft in CRAFTS:
        middle = slot(institution, craft)
        plate.area(oval(middle, SLOT, SLOT), plate.tints.sign, 2)
        plate.stamp(craft, middle, _EMBLEM)
    left, top, right, low = sign(words, square)
    plate.area(box(left, top, right, low), plate.tints.sign, 1.8)
    plate.solid(box(left, top, left + SIGN_NUMBER, low))
    plate.word(str(square), (left + SIGN_NUMBER / 2, (top + low) / 2), _NUMBER, ink=0)
    name = words.name(institution)
    plate.word(name, ((left + SIGN_NUMBER + right) / 2, (top + low) / 2), _NAME)


def sign(words: Words, square: Square) -> Box:
    """Return the box of a square's sign."""
    institution = LOCATIONS.get(square)
    width = 0.0 if institution is None else SIGN_NUMBER + 20 + _NAME.width(words.name(institution))
    return sign_box(square, round(width))


def draw_title(plate: Plate, words: Words) -> None:
    """Write the title as map engravers letter a sea."""
    x, y = TITLE
    plate.solid(box(x - 130, y - 18, x + 130, y + 52), 0)
    for row, (text, gap) in enumerate(zip(words.title, _SPACED, strict=True)):
        plate.word(text, (x, y + 36 * row), _TITLE, gap, 235)


def draw_cartouche(plate: Plate) -> None:
    """Draw a parchment, rolled at its upper and lower end, that lies on the water."""
    left, top, right, low = CARTOUCHE
    tints = plate.tints
    plate.hatch(
        [(left + 14, low), (right + 10, low), (right + 10, low + 12), (left + 24, low + 12)], "-", 2, 1.2, 200
    )
    plate.area(box(left, top, right, low), mix(tints.paper_lit, tints.sign, 0.3), 1.7)
    for y in (top, low):
        plate.area(box(left - 9, y - 7, right + 9, y + 7), tints.paper_lit, 1.6)
        plate.hatch(box(left - 9, y + 1, right + 9, y + 7), "-", 3, 1, 170)
        for x in (left - 9, right + 9):
            plate.area(oval((x, y), 5, 7), tints.stone_dim, 1.4)
            plate.line(oval((x, y), 2, 3.4))
    for near, far in ((left, left + 6), (right - 6, right)):
        plate.hatch(box(near, top + 8, far, low - 8), "-", 3, 0.9, 150)
    for x in (left + 6, right - 6):
        plate.line([(x, top + 7), (x, low - 7)])


@lru_cache(maxsize=16)
def key_spans(words: Words) -> dict[Card, tuple[float, float]]:
    """Return where the names of the crafts begin and end in the key."""
    widths = {craft: _KEY_NAME.width(words.name(craft)) for craft in CRAFTS}
    left, room = EDGE + 22.0, WIDTH - 2 * EDGE - 40
    gap = (room - sum(widths.values()) - len(widths) * (_KEY_EMBLEM + 4)) / (len(widths) - 1)
    spans = {}
    for craft, width in widths.items():
        start = left + _KEY_EMBLEM + 4
        spans[craft] = (start, start + width)
        left = start + width + gap
    return spans


def draw_key(plate: Plate, words: Words) -> None:
    """Draw the key of the crafts, and the paper on which the strip lies."""
    top = KEY - 20
    plate.area(box(0, top, WIDTH, HEIGHT), plate.tints.paper, 0)
    for y, width in ((top, 1.8), (top + 4, 1.0), (STRIP - 4, 0.9)):
        plate.line([(0, y), (WIDTH, y)], width)
    for craft, (left, right) in key_spans(words).items():
        plate.stamp(craft, (left - _KEY_EMBLEM / 2 - 4, KEY + 2), _KEY_EMBLEM)
        # On one baseline: the middle of the ink differs from name to name.
        plate.word(words.name(craft), ((left + right) / 2, KEY + 2), _KEY_NAME)
