"""What may be chosen on the board, what awaits there, and what a draft has chosen.

On the private pictures a draft points at the row or section of a mark, or at the pair of a guess.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from engines.core.contract import Menu, Seat, Words
from engines.doge.view import (
    CARDS,
    COLOURS,
    CRAFTS,
    INSTITUTIONS,
    LOCATIONS,
    Card,
    Pair,
    Source,
    Square,
    View,
    Way,
)

_GIFTS = ("show", "give", "ahead")
"""The heads of sentences that put a false card on a square."""

_SQUARE_WORDS = tuple(map(str, range(10)))
_GUESS, _MARK = "guess", "mark"


@dataclass(frozen=True, slots=True, repr=False)
class Highlights:
    """What is marked on the board.

    ``targets``: squares that may be chosen; ``landings``: where the active pawn may go, which everybody
    sees; ``chosen``: the square that a draft names; ``named``: the slots of the pair that it names, of all
    pairs with its card while one is missing; ``gift``: the false card that it puts on ``chosen``.
    """

    targets: tuple[Square, ...] = ()
    landings: tuple[tuple[Way, Square], ...] = ()
    chosen: Square | None = None
    named: tuple[tuple[Card, Card], ...] = ()
    gift: Card | None = None


def highlights(view: View, draft: Words, menu: Menu | None) -> Highlights:
    """Return the marks of a draft, or of what is asked."""
    head = draft[0] if draft else ""
    cards = [card for word in draft for card in Card if card.value == word]
    squares = [int(word) for word in draft if word in _SQUARE_WORDS]
    if head == "guess":
        institutions = [card for card in cards if card in INSTITUTIONS] or view.institutions
        crafts = [card for card in cards if card in CRAFTS] or view.crafts
        return Highlights(named=tuple(product(institutions, crafts)) if cards else ())
    landings = tuple(view.landings().items())
    chosen = squares[-1] if squares else dict(landings).get(Way(head)) if head in tuple(Way) else None
    offered = () if menu is None else tuple(choice.word for choice in menu.choices())
    gift = next((card for card in cards if view.own is None or card not in view.own.cards), None)
    return Highlights(
        targets=tuple(int(word) for word in offered if word in _SQUARE_WORDS),
        landings=landings,
        chosen=chosen,
        gift=gift if head in _GIFTS and squares else None,
    )


def awaits(view: View, square: Square) -> tuple[Source, ...]:
    """Return what would await the active pawn on a square, as everybody can tell."""
    others = [seat for seat in view.pawns_at(square) if seat != view.turn]
    if any(view.false_cards(seat) for seat in others):
        return (Source.MEETING, Source.LOOK) if view.piles[square] else (Source.MEETING,)
    if view.piles[square]:
        return (Source.LOOK,)
    return (Source.GHOST,) if square in LOCATIONS and not others else ()


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
