"""What a hand tells beside its cards: where those given away lie, and the gift that is chosen or was left."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engines.core.contract import Words
from engines.doge.view import CARDS, Card, Phase, Square, View
from renderers.core.captions import Captions

_NOTHING = "-"
"""The word that takes a gift back."""


class Verb(StrEnum):
    """What becomes of a gift; the values are words of a sentence."""

    SHOW = "show"
    GIVE = "give"
    AHEAD = "ahead"


@dataclass(frozen=True, slots=True, repr=False)
class ChosenGift:
    """Cards and a square that a draft names (``taken_back``: none any more), or that were left in advance."""

    verb: Verb
    cards: tuple[Card, ...] = ()
    square: Square | None = None
    taken_back: bool = False
    left: bool = False


_OWED = {Phase.SHOW: Verb.SHOW, Phase.GIVE: Verb.GIVE}


def gift_of(view: View, draft: Words) -> ChosenGift | None:
    """Return the gift of a draft, else the one that is owed, else the one that was left in advance."""
    verb, *words = draft or ("",)
    if verb in set(Verb):
        cards = tuple(Card(word) for word in words if word in CARDS)
        square = next((int(word) for word in words if word.isdecimal()), None)
        return ChosenGift(Verb(verb), cards, square, taken_back=_NOTHING in words)
    if view.owes == view.viewer and view.phase in _OWED:
        return ChosenGift(_OWED[view.phase])
    if view.ahead is None:
        return None
    return ChosenGift(Verb.AHEAD, view.ahead.pair.cards, view.ahead.square, left=True)


def note(captions: Captions, view: View, gift: ChosenGift | None) -> str:
    """Return one sentence about the gift, else the treasure to who knows it, else what an identity is."""
    if gift is not None:
        return _of_gift(captions, view, gift)
    if view.treasure is not None:
        institution, craft = (captions.text(f"card.{card.value}") for card in view.treasure.cards)
        return captions.text("hand.treasure", institution=institution, craft=craft)
    return captions.text("hand.identity")


def _of_gift(captions: Captions, view: View, gift: ChosenGift) -> str:
    own = () if view.own is None else view.own.cards
    false = next((card for card in gift.cards if card not in own), None)
    if false is not None and gift.square is not None:
        key = "hand.left" if gift.left else f"hand.{gift.verb.value}"
        return captions.text(key, card=captions.text(f"card.{false.value}"), square=gift.square)
    if gift.taken_back:
        return captions.text("hand.none_left")
    return captions.text(f"hand.{gift.verb.value}_open")


def where(view: View, number: int) -> Square | None:
    """Return the square where a gift lies; ``None`` once it is discarded."""
    piles = enumerate(view.piles)
    return next((square for square, pile in piles if number in pile), None)


def given(view: View) -> dict[Card, Square | None]:
    """Return the viewer's cards that were given away, and where each lies."""
    gifts = view.gifts
    return {card: where(view, number) for number, card in view.faces if gifts[number].giver == view.viewer}


def places(captions: Captions, square: Square | None) -> str:
    """Return where a card lies that was given away."""
    return captions.text("hand.discarded" if square is None else "hand.given", square=str(square))
