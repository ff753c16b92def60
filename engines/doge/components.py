"""The components: ten cards and their pairs, the ring of squares around the basin, the die, the ghost's deck.

Source: rules page, *The board*; a reconstruction.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from engines.core.canonical_json import read_data
from engines.core.contract import Option, OptionChoice, msg

COLOURS = ("blue", "yellow", "red", "green")
"""The seats' colours, which are their words too."""


class Card(StrEnum):
    """A card's face; the value is its word."""

    ASCIA = "ascia"
    FAVRO = "favro"
    REMER = "remer"
    CORDER = "corder"
    IMPIRARESSA = "impiraressa"
    COMUNE = "comune"
    PERIL = "peril"
    MARINA = "marina"
    SOVRINTENDENZA = "sovrintendenza"
    BIENNALE = "biennale"


CARDS = tuple(Card)
"""All faces in the order of the clue sheet: crafts, then institutions."""

CRAFTS, INSTITUTIONS = CARDS[:5], CARDS[5:]


@dataclass(frozen=True, slots=True)
class Pair:
    """An institution and a craft: an identity, the treasure, what is guessed or shown."""

    institution: Card
    craft: Card

    @property
    def cards(self) -> tuple[Card, Card]:
        """Return the institution and the craft."""
        return self.institution, self.craft

    def other_kind(self, card: Card) -> Card:
        """Return the card of the pair that is of the other kind than ``card``."""
        return self.institution if card in CRAFTS else self.craft


def pair_of(one: Card, other: Card) -> Pair:
    """Return the pair of a craft and an institution, given in any order."""
    return Pair(other, one) if one in CRAFTS else Pair(one, other)


def in_order(cards: frozenset[Card]) -> tuple[Card, ...]:
    """Return cards in the order of the clue sheet."""
    return tuple(card for card in CARDS if card in cards)


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


PRINTED = "printed"

GHOST_CARDS: dict[str, dict[int, int]] = {
    night: {int(seats): cards for seats, cards in by_seats.items()}
    for night, by_seats in read_data("engines.doge", "nights.json").items()
}
"""Cards in the ghost deck, by night and seats; of the ten the rest is set aside unseen."""

NIGHTS = Option(
    key="nights",
    label=msg("option.nights"),
    choices=tuple(OptionChoice(night, msg(f"option.{night}")) for night in GHOST_CARDS),
    default=PRINTED,
    before=PRINTED,
)
"""How many ghost cards there are."""
