"""The verbs by family: each with its words, its checks, what it does, and what the menu asks of it."""

from __future__ import annotations

from collections.abc import Mapping

from engines.corto.cards import Card
from engines.corto.cards import Kind as CardKind
from engines.corto.notation import Kind
from engines.corto.verbs.actions import ADD, KILL, SHOT, TAKE, TRAIN
from engines.corto.verbs.advantages import ADV, MOVE
from engines.corto.verbs.base import Verb
from engines.corto.verbs.cards import CardVerb
from engines.corto.verbs.characters import PLAY, SAIL
from engines.corto.verbs.draws import DISCARD, DRAW, END, ENOUGH, START, TOSS
from engines.corto.verbs.figurines import CORTO, GOLD, RASPUTIN
from engines.corto.verbs.objects import USE

__all__ = [
    "ADD",
    "ADV",
    "BARE",
    "BY_WORD",
    "CORTO",
    "DISCARD",
    "DRAW",
    "END",
    "ENOUGH",
    "GOLD",
    "KILL",
    "MARKED",
    "MOVE",
    "PLAY",
    "RASPUTIN",
    "SAIL",
    "SHORT",
    "SHOT",
    "START",
    "TAKE",
    "TOSS",
    "TRAIN",
    "USE",
    "VERBS",
    "verb_of",
]

_CARD_VERBS: tuple[CardVerb, ...] = (PLAY, USE, CORTO, RASPUTIN, ADV)

VERBS: tuple[Verb, ...] = (
    *_CARD_VERBS,
    *(START, GOLD, ADD, TAKE, KILL, TRAIN, SHOT, SAIL, MOVE),
    *(END, DISCARD, TOSS, DRAW, ENOUGH),
)

BY_WORD: Mapping[str, Verb] = {verb.word: verb for verb in VERBS if verb.word}
"""The verb that a word begins."""
BARE: Mapping[Kind, Verb] = {verb.bare: verb for verb in VERBS if verb.bare is not None}
"""The verb of words that need none before them."""
SHORT: Mapping[Kind, Verb] = {kind: verb for verb in VERBS for kind in verb.short}
"""The verb of single words that stand for a whole step."""
MARKED: Mapping[Kind | str, tuple[Verb, str]] = {
    key: (verb, mark) for verb in VERBS for key, mark in verb.marks
}
"""What words of a kind, or of a field, point at, and the verb that knows the square."""
_BY_CARD: Mapping[CardKind, CardVerb] = {verb.kind: verb for verb in _CARD_VERBS}


def verb_of(card: Card) -> CardVerb:
    """Return the verb that plays a card."""
    return _BY_CARD[card.kind]
