"""What beginnings and positions have in common: seats, strips, and cards that lie in one place only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engines.core.contract import Seat, Setup
from engines.core.rng import Rng, Stream
from engines.corto.board import square_at, squares_of
from engines.corto.cards import ADVENTURES, CARDS, Card, Kind
from engines.corto.quests import quest_of
from engines.corto.quests.base import Faces, Pieces
from engines.corto.setup import STRIPS, named
from engines.corto.situation.values import choice, items, refuse
from engines.corto.state import COLOURS, CardId, Square


@dataclass(frozen=True, slots=True, repr=False)
class Reader:
    """The table of a situation. ``used``: cards that lie somewhere already."""

    colours: tuple[str, ...]
    strips: tuple[str, ...]
    rng: Rng
    used: set[CardId] = field(default_factory=set)

    @property
    def seats(self) -> range:
        """Return all seats."""
        return range(len(self.colours))

    def stream(self, *labels: str) -> Stream:
        """Return the draws for a part of the situation."""
        return self.rng.stream(0, "situation", *labels)

    def seat(self, where: str, value: object) -> Seat:
        """Return the seat of a colour; raises :class:`~engines.core.contract.InvalidAction`."""
        return self.colours.index(choice(where, value, self.colours))

    def strip(self, where: str, value: object) -> str:
        """Return the letter of a strip in play; raises :class:`~engines.core.contract.InvalidAction`."""
        return choice(where, value, self.strips)

    def square(self, where: str, value: object, *, decks: bool) -> Square:
        """Return a square in play; raises :class:`~engines.core.contract.InvalidAction`."""
        squares = tuple(square for strip in self.strips for square in squares_of(strip))
        if decks:
            squares += tuple(square_at(strip, 0) for strip in self.strips)
        if not isinstance(value, str) or value not in squares:
            names = ", ".join(strip.lower() for strip in self.strips)
            refuse(where, "deck_or_square" if decks else "square", value, strips=names)
        return value

    def claim(self, where: str, value: object) -> Card:
        """Return a card of the decks in play that lies nowhere else; from now on it lies here.

        Raises :class:`~engines.core.contract.InvalidAction`.
        """
        card = CARDS.get(value) if isinstance(value, str) else None
        if card is None or card.deck not in self.strips:
            refuse(where, "card", value, strips=", ".join(self.strips))
        if card.id in self.used:
            refuse(where, "card_once", value)
        self.used.add(card.id)  # each card of the game is there once
        return card

    def claim_all(self, where: str, value: object, most: int | None = None) -> list[CardId]:
        """Return a list of cards, each claimed; raises :class:`~engines.core.contract.InvalidAction`."""
        found = [self.claim(where, card).id for card in items(where, value)]
        if most is not None and len(found) > most:
            refuse(where, "most", len(found), n=most)
        return found

    def character(self, where: str, value: object) -> Card:
        """Return a claimed character; raises :class:`~engines.core.contract.InvalidAction`."""
        card = self.claim(where, value)
        if card.kind is not Kind.CHARACTER:
            refuse(where, "character", value)
        return card

    def rest(self, strip: str) -> list[CardId]:
        """Return the cards of a deck that lie nowhere yet, shuffled."""
        left = [card for card in sorted(CARDS) if card[0] == strip and card not in self.used]
        return list(self.stream("deck", strip).shuffled(left))

    def quest(self, strip: str, value: Mapping[str, Any]) -> tuple[Pieces, Faces]:
        """Return the pieces and hidden faces of a strip's quest."""
        adventure = ADVENTURES[strip]
        return quest_of(strip).load(adventure, value, self.colours, self.stream("quest", strip))


def reader_of(value: Mapping[str, Any], setup: Setup, rng: Rng) -> Reader:
    """Read ``seats`` and ``strips``; raises :class:`~engines.core.contract.InvalidAction`.

    A position may have three strips or four at any table.
    """
    colours = _distinct("seats", value.get("seats"), COLOURS)
    if len(colours) != setup.seats:
        refuse("seats", "table", list(colours), n=setup.seats)
    strips = _distinct("strips", value.get("strips"), tuple(ADVENTURES))
    usual = STRIPS[setup.seats]
    if len(strips) != usual and ("board" not in value or len(strips) not in STRIPS.values()):
        refuse("strips", "strips", list(strips), n=usual)
    for letter in named(setup):
        if letter not in strips:
            refuse("strips", "chosen", list(strips), letter=letter)
    return Reader(colours, strips, rng)


def _distinct(where: str, value: object, choices: tuple[str, ...]) -> tuple[str, ...]:
    found = tuple(choice(where, item, choices) for item in items(where, value))
    if len(set(found)) < len(found):
        refuse(where, "once", list(found))
    return found
