"""The ring of ten squares around the basin (rules page, Board; a reconstruction)."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

from engines.doge.cards import Card

Square: TypeAlias = int
"""A square of the ring, 0 to 9, counted clockwise."""

SQUARES = range(10)

LOCATIONS: dict[Square, Card] = {
    0: Card.MARINA,
    2: Card.BIENNALE,
    4: Card.COMUNE,
    6: Card.SOVRINTENDENZA,
    8: Card.PERIL,
}
"""The main locations, each with its institution. The squares between them are shaped like cards."""

CARD_SQUARES = tuple(square for square in SQUARES if square not in LOCATIONS)
"""The squares on which piles lie."""

DIE = (1, 2, 2, 3, 3, 4)
"""The faces of the die."""


class Way(StrEnum):
    """The way round the ring; the value is its word."""

    CLOCKWISE = "cw"
    COUNTER_CLOCKWISE = "ccw"


def landing(square: Square, way: Way, steps: int) -> Square:
    """Return the square ``steps`` from ``square``."""
    return (square + (steps if way is Way.CLOCKWISE else -steps)) % len(SQUARES)


def location_of(institution: Card) -> Square:
    """Return the main location of an institution."""
    return next(square for square, card in LOCATIONS.items() if card is institution)
