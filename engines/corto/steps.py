"""Steps: what a seat does next, one whole thing at a time. A sentence is a few of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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


@dataclass(frozen=True, slots=True, repr=False)
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
        if self.verb in _WITH_CARD:
            return tuple(word for word in (self.verb.value, self.card, *self._said()) if word)
        said = _WORDS.get(self.verb)
        return (self.verb.value,) if said is None else said(self)

    def _said(self) -> Words:
        """Return what is said of a card: its square, two of them, a marker, a colour."""
        if self.square and self.colour:
            return (f"{self.square}:{self.colour}",)
        return (self.placed, self.other, self.colour)

    @property
    def placed(self) -> str:
        """Return the square, with the one that the marker comes from."""
        return f"{self.square}<{self.origin}" if self.origin else self.square

    def hit(self, *words: str) -> Words:
        """Return the words of a hit, which may be an armed carriage's."""
        return ("shot", *words) if self.shot else words


_WITH_CARD = frozenset({Verb.START, Verb.PLAY, Verb.USE, Verb.CORTO, Verb.RASPUTIN, Verb.ADV})

_WORDS: Mapping[Verb, Callable[[Step], Words]] = {
    Verb.TOSS: lambda step: (step.card,),
    Verb.ADD: lambda step: (f"+{step.placed}",),
    Verb.TAKE: lambda step: step.hit(f"-{step.square}:{step.colour}"),
    Verb.KILL: lambda step: step.hit("kill", step.square),
    Verb.TRAIN: lambda step: ("hit", "train"),  # noqa: ARG005
    Verb.SAIL: lambda step: ("sail", step.word),
    Verb.MOVE: lambda step: ("move", f"{step.square}>{step.other}"),
    Verb.DRAW: lambda step: (step.word,),
}
"""How verbs are written that are not just their own word."""
