"""How words are written, and what each of them is. Source: the rules page, *Notation*.

A sentence is its words with spaces between: ``play A04 a3 +a2 use A15 -a5:red kill a6 end draw A C``.
Case does not matter when it is read. While a person builds a turn, single words do too: ``A04`` takes up
that card, ``kill:a6``, ``train``, ``left`` and ``a1>b2`` say what to do with it, ``<c2`` where a marker
comes from; ``AC`` draws from these decks, and ends the cards of a turn of play before that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from engines.core.contract import InvalidAction, Words, msg
from engines.corto.cards import ADVENTURES, CARDS
from engines.corto.state import COLOURS, HAND, Square


class WordKind(Enum):
    """What a word is."""

    VERB = "verb"
    CARD = "card"
    DECK = "deck"
    DECKS = "decks"
    """``ACC``: draws in a row, short for ``draw A C C``."""
    COLOUR = "colour"
    SIDE = "side"
    TRAIN = "train"
    SQUARE = "square"
    """``a3``, or ``a3<c2``: the marker comes from c2."""
    ADD = "add"
    """``+a3``, ``+a3<c2``."""
    TAKE = "take"
    """``-a3:red``: a hit on a marker."""
    OWNED = "owned"
    """``a3:red``: a marker on a character."""
    PATH = "path"
    """``a3>b2``."""
    FROM = "from"
    """``<c2``: said after a square, it becomes part of that word."""
    KILL = "kill"
    """``kill:a3``, short for ``kill a3``."""
    SHOT_TAKE = "shot_take"
    """``shot:-a3:red``, short for ``shot -a3:red``."""
    SHOT_KILL = "shot_kill"
    """``shot:a3``, short for ``shot kill a3``."""


VERBS = (
    "start",
    "play",
    "use",
    "corto",
    "rasputin",
    "adv",
    "gold",
    "kill",
    "hit",
    "sail",
    "move",
    "shot",
    "end",
    "discard",
    "draw",
    "enough",
)
_SQUARE = "([a-z][0-7])"
_FROM = "(?:<([a-z][0-7]))?"
_COLOUR = "(" + "|".join(COLOURS) + ")"

_SHAPES: Mapping[WordKind, re.Pattern[str]] = {
    WordKind.VERB: re.compile("(" + "|".join(VERBS) + ")"),
    WordKind.SIDE: re.compile("(left|right)"),
    WordKind.TRAIN: re.compile("(train)"),
    WordKind.COLOUR: re.compile(_COLOUR),
    WordKind.CARD: re.compile("([a-z][0-9]{2})"),
    WordKind.DECK: re.compile("([a-z])"),
    WordKind.DECKS: re.compile(f"([{''.join(ADVENTURES).lower()}]{{2,{HAND}}})"),
    WordKind.SQUARE: re.compile(_SQUARE + _FROM),
    WordKind.ADD: re.compile(r"\+" + _SQUARE + _FROM),
    WordKind.TAKE: re.compile("-" + _SQUARE + ":" + _COLOUR),
    WordKind.OWNED: re.compile(_SQUARE + ":" + _COLOUR),
    WordKind.PATH: re.compile(_SQUARE + ">" + _SQUARE),
    WordKind.FROM: re.compile("<" + _SQUARE),
    WordKind.KILL: re.compile("kill:" + _SQUARE),
    WordKind.SHOT_TAKE: re.compile("shot:-" + _SQUARE + ":" + _COLOUR),
    WordKind.SHOT_KILL: re.compile("shot:" + _SQUARE),
}


@dataclass(frozen=True, slots=True, repr=False)
class Word:
    """A word in normal form and its parts; ``""`` for a part that is left out."""

    kind: WordKind
    text: str
    one: str
    other: str = ""


@lru_cache(maxsize=2048)
def parse(word: str) -> Word:
    """Return what a word is; raises :class:`InvalidAction` for what is no word of the game."""
    # Some letters outside ASCII have a lower case in it: the Kelvin sign would pass for a k.
    small = word.lower() if word.isascii() else ""
    for kind, shape in _SHAPES.items():
        found = shape.fullmatch(small)
        if found is not None:
            return _checked(kind, small, *(part or "" for part in found.groups()))
    raise InvalidAction(msg("error.unreadable", word=word[:20]))


def _checked(kind: WordKind, text: str, one: str, other: str = "") -> Word:
    if kind in (WordKind.CARD, WordKind.DECK, WordKind.DECKS):
        text = one = text.upper()
    if kind is WordKind.CARD and text not in CARDS:
        raise InvalidAction(msg("error.no_card", card=text))
    letters = {part[0].upper() for part in (one, other) if part and (len(part) == 2 or kind is WordKind.DECK)}
    for letter in letters - set(ADVENTURES) if kind in _PLACED else ():
        raise InvalidAction(msg("error.no_strip", strip=letter, strips=tuple(ADVENTURES)))
    return Word(kind, text, one, other)


_PLACED = frozenset(WordKind) - {
    WordKind.VERB,
    WordKind.CARD,
    WordKind.COLOUR,
    WordKind.SIDE,
    WordKind.TRAIN,
    WordKind.DECKS,
}


def with_from(place: Word, origin: Square) -> Word:
    """Return a placed marker's word with the square that the marker comes from."""
    return parse(f"{place.text}<{origin}")


def read(text: str) -> Words:
    """Return the words of a text in normal case; raises :class:`InvalidAction`."""
    return tuple(parse(word).text for word in text.split())


def write(words: Words) -> str:
    """Return words as text: ``play A04 a3 +a2 use A15 -a5:red kill a6``."""
    return " ".join(words)
