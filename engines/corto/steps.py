"""Steps: what a seat does next, one whole thing at a time. A sentence is a few of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engines.core.contract import Words
from engines.corto.view import CardId, Square


class Verb(Enum):
    """What a step does."""

    START = "start"
    PLAY = "play"
    USE = "use"
    CORTO = "corto"
    RASPUTIN = "rasputin"
    ADV = "adv"
    ADD = "add"
    TAKE = "take"
    """A hit that takes a marker."""
    KILL = "kill"
    TRAIN = "train"
    SAIL = "sail"
    GOLD = "gold"
    MOVE = "move"
    END = "end"
    DISCARD = "discard"
    TOSS = "toss"
    """A card of a discard turn."""
    DRAW = "draw"
    ENOUGH = "enough"


@dataclass(frozen=True, slots=True)
class Step:
    """A step and what it says. What a verb does not have is left at its default.

    ``square``: where it happens, or the first of two; ``other``: the second. ``origin``: where a marker comes
    from. ``colour``: whose marker, or whose hand. ``word``: a side or a deck. ``shot``: the hit is an armed
    carriage's.
    """

    verb: Verb
    card: CardId = ""
    square: Square = ""
    other: Square = ""
    origin: Square = ""
    colour: str = ""
    word: str = ""
    shot: bool = False

    def words(self) -> Words:
        """Return the step in words; of draws and discarded cards, the letter or the card alone."""
        placed = f"{self.square}<{self.origin}" if self.origin else self.square
        shot = ("shot",) if self.shot else ()
        match self.verb:
            case Verb.START | Verb.PLAY | Verb.CORTO | Verb.RASPUTIN:
                return tuple(word for word in (self.verb.value, self.card, placed) if word)
            case Verb.USE | Verb.TOSS:
                return ("use", self.card) if self.verb is Verb.USE else (self.card,)
            case Verb.ADV:
                owned = f"{self.square}:{self.colour}" if self.square and self.colour else ""
                said = (owned,) if owned else (self.square, self.other, self.colour)
                return tuple(word for word in ("adv", self.card, *said) if word)
            case Verb.ADD:
                return (f"+{placed}",)
            case Verb.TAKE:
                return (*shot, f"-{self.square}:{self.colour}")
            case Verb.KILL:
                return (*shot, "kill", self.square)
            case Verb.TRAIN:
                return ("hit", "train")
            case Verb.SAIL:
                return ("sail", self.word)
            case Verb.MOVE:
                return ("move", f"{self.square}>{self.other}")
            case Verb.DRAW:
                return (self.word,)
            case _:
                return (self.verb.value,)
