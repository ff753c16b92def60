"""What cards and adventures are called and what they do, as texts of the catalogue."""

from __future__ import annotations

from engines.core.contract import Arg, Msg, msg
from engines.corto.cards import CARDS, Card, Kind

_FIGURINES = (Kind.CORTO, Kind.RASPUTIN)


def card_name(card: str) -> Msg:
    """Return the name of a card; cards of a figurine are all called like it."""
    kind = CARDS[card].kind
    return msg(f"figurine.{kind.value}") if kind in _FIGURINES else msg(f"card.{card}")


def card_and_id(card: str) -> Msg:
    """Return a card as texts name it where players may type it: ``Lamp keeper (A04)``."""
    return msg("card", card=card_name(card), id=card)


def cards_and_ids(cards: tuple[str, ...]) -> tuple[Msg, ...]:
    """Return cards for a list, each as :func:`card_and_id` names it."""
    return tuple(map(card_and_id, cards))


def card_rule(card: Card) -> Msg:
    """Return what a card does, in a sentence or two."""
    return msg(f"rule.{card.kind.value}", **deeds(card))


def deeds(card: Card) -> dict[str, Arg]:
    """Return the arguments by which texts about a card's kind choose what it does."""
    match card.kind:
        case Kind.CHARACTER | Kind.OBJECT:
            border = "" if card.border is None else card.border.value
            reach = "far" if card.long_range else "near"
            friend = "friend" if card.friend else "other"
            return {"border": border, "reach": reach, "friend": friend, "n": card.power}
        case Kind.ADVANTAGE:
            return {"effect": card.effect}
        case _:
            return {"n": card.steps, "way": "vehicle" if card.vehicle else "foot"}


def adventure_name(adventure: str) -> Msg:
    """Return the name of an adventure."""
    return msg(f"adventure.{adventure}")


def quest_rule(adventure: str) -> Msg:
    """Return the rule of an adventure's quest, in a few sentences."""
    return msg(f"quest.{adventure}")
