"""The cards and adventures of CORTO: data files, read once and checked.

A reconstruction: the printed decks and quest pages are not public. Whoever owns the box puts its cards into
these files (docs/corto-data.md); the code knows no card and no adventure by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """What a card is played as."""

    CHARACTER = "character"
    OBJECT = "object"
    ADVANTAGE = "advantage"
    CORTO = "corto"
    RASPUTIN = "rasputin"


class Border(Enum):
    """What a character does, or what colour an object has: white adds markers, black hits."""

    WHITE = "white"
    BLACK = "black"
    BOTH = "both"

    @property
    def adds(self) -> bool:
        """Return whether it may add a marker."""
        return self is not Border.BLACK

    @property
    def hits(self) -> bool:
        """Return whether it may hit."""
        return self is not Border.WHITE


@dataclass(frozen=True, slots=True)
class Card:
    """A card's face. What a kind does not have is left at its default.

    ``id`` is deck letter and number, ``"A04"``. ``name`` is unique among all cards but the
    figurines'; ``emblem`` names its picture. ``border``: of a character, or the colour of an object
    (never both). ``colours``: letters of the strips on which a character may stand. ``power``: adds or hits
    of an object. ``steps``: of a figurine. ``effect``: of an advantage, ``"swap"``.
    """

    id: str
    deck: str
    kind: Kind
    name: str
    text: str
    emblem: str
    border: Border | None = None
    friend: bool = False
    long_range: bool = False
    colours: tuple[str, ...] = ()
    power: int = 0
    steps: int = 0
    vehicle: bool = False
    effect: str = ""


@dataclass(frozen=True, slots=True)
class Adventure:
    """A strip: its letter, name, background colour (``#rrggbb``) and quest.

    ``quest`` names the quest's rules (a module of :mod:`engines.corto.quests`); ``pieces`` it begins with,
    ``values`` are the gold of its parts, ``places`` its columns and limits, as the quest's own module reads
    them.
    """

    key: str
    name: str
    colour: str
    quest: str
    pieces: tuple[tuple[str, int], ...]
    values: tuple[tuple[str, int], ...]
    places: tuple[tuple[str, int], ...]
    text: str
