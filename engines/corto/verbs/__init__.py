"""The verbs by family: each with its words, its checks, what it does, and what the menu asks of it.

Here: which verb a word or a card belongs to, and what may be done now.
"""

from __future__ import annotations

from collections.abc import Mapping

from engines.corto.cards import CARDS, Card, Kind
from engines.corto.notation import WordKind
from engines.corto.state import CardId, Cards
from engines.corto.table import Table
from engines.corto.turn import Progress
from engines.corto.verbs.actions import ADD, KILL, SHOT, TAKE, TRAIN
from engines.corto.verbs.advantages import ADV, MOVE
from engines.corto.verbs.base import CardVerb, Step, Verb, may_be_next
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
    "check",
    "could_begin",
    "playable",
    "unplayable",
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
BARE: Mapping[WordKind, Verb] = {verb.bare: verb for verb in VERBS if verb.bare is not None}
"""The verb of words that need none before them."""
SHORT: Mapping[WordKind, Verb] = {kind: verb for verb in VERBS for kind in verb.short}
"""The verb of single words that stand for a whole step."""
MARKED: Mapping[WordKind | str, tuple[Verb, str]] = {
    key: (verb, mark) for verb in VERBS for key, mark in verb.marks
}
"""What words of a kind, or of a field, point at, and the verb that knows the square."""
_BY_CARD: Mapping[Kind, CardVerb] = {verb.kind: verb for verb in _CARD_VERBS}


def verb_of(card: Card) -> CardVerb:
    """Return the verb that plays a card."""
    return _BY_CARD[card.kind]


def playable(progress: Progress) -> tuple[Card, ...]:
    """Return the cards of the hand that may be played next, in the hand's order."""
    return tuple(card for card in may_be_next(progress) if verb_of(card).has_use(progress.table, card))


def could_begin(table: Table, card: CardId) -> bool:
    """Return whether the acting seat could begin a turn with the card, were it in its hand.

    It depends on public things alone: never an object; a character needs a square and a marker; an
    advantage needs its target. The table is one at the beginning of a turn.
    """
    return verb_of(CARDS[card]).has_use(table, CARDS[card])


def unplayable(table: Table) -> Cards:
    """Return all cards of the decks in play with which the acting seat could not begin, sorted.

    A skip shows that its hand holds nothing else (:attr:`Public.limited`).
    """
    return tuple(sorted(card for card in CARDS if card[0] in table.strips and not could_begin(table, card)))


def check(progress: Progress, step: Step) -> None:
    """Raise :class:`~engines.core.contract.IllegalAction` unless the step may be done now."""
    step.verb.check_now(progress)
    step.verb.check(progress, step)
