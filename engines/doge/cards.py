"""The cards: five crafts, five institutions, and the pairs that are identities and the treasure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

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
