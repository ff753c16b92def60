"""What cards and adventures are called and do, in the table's language: the game's own texts."""

from __future__ import annotations

from engines.core.contract import Msg
from engines.core.texts import load
from engines.corto.view import Card
from engines.corto.view import adventure_name as adventure_of
from engines.corto.view import card_name as name_of
from engines.corto.view import card_rule as rule_of
from engines.corto.view import quest_rule as quest_of
from renderers.core.captions import Captions


def card_name(captions: Captions, card: str) -> str:
    """Return the name of a card."""
    return _told(captions, name_of(card))


def card_rule(captions: Captions, card: Card) -> str:
    """Return what a card does, in a sentence or two."""
    return _told(captions, rule_of(card))


def adventure_name(captions: Captions, adventure: str) -> str:
    """Return the name of an adventure."""
    return _told(captions, adventure_of(adventure))


def quest_rule(captions: Captions, adventure: str) -> str:
    """Return the rule of an adventure's quest, in a few sentences."""
    return _told(captions, quest_of(adventure))


def _told(captions: Captions, message: Msg) -> str:
    return load("engines.corto").render(message, captions.plain_name, captions.table.language)
