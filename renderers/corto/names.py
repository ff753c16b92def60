"""What cards and adventures are called and do, in the table's language: the game's own texts."""

from __future__ import annotations

from engines.core.contract import Msg
from engines.core.texts import load
from engines.corto import view
from engines.corto.view import Card
from renderers.core.captions import Captions


def card_name(captions: Captions, card: str) -> str:
    """Return the name of a card."""
    return _told(captions, view.card_name(card))


def card_rule(captions: Captions, card: Card) -> str:
    """Return what a card does, in a sentence or two."""
    return _told(captions, view.card_rule(card))


def adventure_name(captions: Captions, adventure: str) -> str:
    """Return the name of an adventure."""
    return _told(captions, view.adventure_name(adventure))


def quest_rule(captions: Captions, adventure: str) -> str:
    """Return the rule of an adventure's quest, in a few sentences."""
    return _told(captions, view.quest_rule(adventure))


def _told(captions: Captions, message: Msg) -> str:
    return load("engines.corto").render(message, captions.plain_name, captions.table.language)
