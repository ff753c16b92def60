"""What a draft points at on the private pictures: the row or section of a mark, the pair of a guess."""

from __future__ import annotations

from dataclasses import dataclass

from engines.core.contract import Seat, Words
from engines.doge.view import CARDS, COLOURS, CRAFTS, INSTITUTIONS, Card, Pair

_GUESS, _MARK = "guess", "mark"


@dataclass(frozen=True, slots=True)
class Focus:
    """What is lit: a seat's section and perhaps a card's row in it, or the cards of a guess."""

    seat: Seat | None = None
    card: Card | None = None
    guess: tuple[Card, ...] = ()

    @property
    def pair(self) -> Pair | None:
        """Return the pair of a guess once both its cards are named."""
        institutions = [card for card in self.guess if card in INSTITUTIONS]
        crafts = [card for card in self.guess if card in CRAFTS]
        return Pair(institutions[0], crafts[0]) if institutions and crafts else None


def focus(draft: Words) -> Focus:
    """Return what the last words of a draft point at."""
    verb, *words = draft or ("",)
    if verb == _GUESS:
        return Focus(guess=tuple(Card(word) for word in words if word in CARDS))
    colours = [place for place, word in enumerate(words) if word in COLOURS]
    if verb != _MARK or not colours:
        return Focus()
    last = colours[-1]
    card = next((Card(word) for word in words[last + 1 : last + 2] if word in CARDS), None)
    return Focus(seat=COLOURS.index(words[last]), card=card)
