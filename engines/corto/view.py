"""What one viewer knows of a match of CORTO: plain data, for renderers, players and the console.

A square is strip letter and column, ``"e4"``; column 0 holds the strip's deck, where figurines may stand.
A card is its id, ``"A04"``; its face is in :data:`CARDS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from engines.core.contract import Fact, Seat, Viewer
from engines.corto.cards import Adventure, Border, Card, Kind
from engines.corto.files import ADVENTURES, CARDS

__all__ = [
    "ADVENTURES",
    "CARDS",
    "COLOURS",
    "COLUMNS",
    "HAND",
    "MARKERS",
    "Adventure",
    "Border",
    "Card",
    "CharacterView",
    "Figurine",
    "GoldView",
    "GroupView",
    "HandCard",
    "Kind",
    "Mark",
    "Phase",
    "PieceView",
    "PlayerView",
    "QuestView",
    "Square",
    "TurnView",
    "View",
]

Square: TypeAlias = str
CardId: TypeAlias = str

COLOURS = ("red", "blue", "yellow", "green")
"""In turn order."""

COLUMNS = 7
"""Squares of a strip, in columns 1 to 7."""

MARKERS = 13
"""Of each seat."""
HAND = 4
"""Cards that a hand holds at most."""


class Phase(Enum):
    """What the match waits for."""

    START = "start"
    """Markers on starting characters, clockwise; who has placed one may draw its hand at any time."""
    TURN = "turn"
    DRAWS = "draws"
    """The turn's cards are played or discarded; its player draws."""
    OVER = "over"


class Figurine(Enum):
    """The two figurines."""

    CORTO = "corto"
    RASPUTIN = "rasputin"


@dataclass(frozen=True, slots=True, repr=False)
class CharacterView:
    """A character on the board. ``markers``: how many of each seat, by seat."""

    square: Square
    card: CardId
    markers: tuple[int, ...]

    @property
    def controller(self) -> Seat | None:
        """Return who has more markers on it than any other seat."""
        most = max(self.markers)
        return self.markers.index(most) if most and self.markers.count(most) == 1 else None


@dataclass(frozen=True, slots=True, repr=False)
class HandCard:
    """A card in a hand: its deck is public, its ``card`` ``None`` where the viewer does not know it."""

    deck: str
    card: CardId | None


@dataclass(frozen=True, slots=True, repr=False)
class PlayerView:
    """A seat. ``seal``: cards under it, each 1 gold; ``kept``: advantages in front of it.

    ``hand``: the viewer's own as drawn; another's sorted by deck, known cards before backs. ``to_draw``:
    draws still to come before its first turn. ``limited``: what its hand may consist of, where a skip
    has shown it.
    """

    seat: Seat
    colour: str
    stock: int
    hand: tuple[HandCard, ...]
    seal: tuple[CardId, ...]
    corto_gold: int
    kept: tuple[CardId, ...]
    to_draw: int = 0
    gone: bool = False
    limited: tuple[CardId, ...] | None = None


@dataclass(frozen=True, slots=True, repr=False)
class PieceView:
    """A piece of a quest; where it is, or who holds it.

    ``kind``: ``"vessel"``, ``"aces"``, ``"tile"`` (face down), ``"ingot"``, ``"crow"``, ``"leopard"``,
    ``"train"``, ``"carriage"`` (``number`` its gold; taken, or lost where nobody holds it), ``"armed"`` (a
    carriage that was turned up and discarded), ``"gold"``. ``column``: under which square of the quest's
    strip, ``None`` beside the board. ``number``: the train's carriages left. ``heading``: ``"left"`` or
    ``"right"``, the train's.
    """

    kind: str
    column: int | None = None
    holder: Seat | None = None
    number: int = 0
    heading: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class QuestView:
    """The pieces of a strip's quest, on the board and taken; what nobody may know of them is left out."""

    strip: str
    pieces: tuple[PieceView, ...]


@dataclass(frozen=True, slots=True, repr=False)
class GroupView:
    """Connected characters under a seat's control, two or more; ``gold`` that they bring now."""

    seat: Seat
    squares: tuple[Square, ...]
    largest: bool
    gold: int


@dataclass(frozen=True, slots=True, repr=False)
class GoldView:
    """A seat's gold as if the match ended now, line by line.

    ``quests``: gold of each strip in play, from the top (``("C", 5)``).
    """

    seat: Seat
    largest: int
    others: int
    seal: int
    corto: int
    quests: tuple[tuple[str, int], ...]

    @property
    def total(self) -> int:
        """Return the sum of all lines."""
        return self.largest + self.others + self.seal + self.corto + sum(gold for _, gold in self.quests)


@dataclass(frozen=True, slots=True, repr=False)
class TurnView:
    """What the player to move has done in this turn and may still do with the card last played.

    ``played``: cards of this turn, in order. ``card``: the one that is not finished, ``None`` if there is
    none; ``origin``: the square that it acts from; ``adds``, ``hits``: what is left of it; ``sail``: the
    vessel may sail; ``gold``: Corto may earn for his friends. ``shot``: the square from which an armed
    carriage's hit is open. ``draws``: cards that may still be drawn. ``drop_in``, ``refill``: such an
    advantage holds in this turn.
    """

    seat: Seat
    played: tuple[CardId, ...] = ()
    discarded: tuple[CardId, ...] = ()
    card: CardId | None = None
    origin: Square | None = None
    adds: int = 0
    hits: int = 0
    sail: bool = False
    gold: bool = False
    shot: Square | None = None
    draws: int = 0
    drop_in: bool = False
    refill: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class Mark:
    """What the next word of a draft may point at: drawn on the preview.

    ``kind``: ``"place"``, ``"go"`` (a figurine), ``"add"``, ``"hit"`` (a marker comes off), ``"kill"``,
    ``"train"``, ``"sail"``, ``"from"`` and ``"to"`` (a marker to move), ``"swap"``, ``"start"``.
    """

    square: Square
    kind: str


@dataclass(frozen=True, slots=True, repr=False)
class View:
    """All that one viewer knows.

    ``strips``: letters from the top. ``board``: characters, by strip and column. ``decks``: cards left,
    by strip; ``discards``: faces, by strip, the latest last. ``turn``: ``None`` in the set-up and when
    the match is over. ``asked``: seats that must or may decide now; ``place``: the one whose marker the
    set-up waits for. ``first``: who begins. ``recap``: the public facts of the last turn and of this one
    so far; ``news``: those of the last sentence alone, for prints on the board. ``draft``: facts of the
    draft's steps, in a preview; ``chosen``: the hand card that it has taken up last; ``marks``: what its
    next word may point at; ``final``: the next confirmed word reveals, so that all steps so far become
    final. ``gold``, ``groups``: as if the match ended now. ``ranks``: best first, once it is over;
    ``reason``: a key of the texts (``"boards"``, ``"passes"``, ``"withdrawn"``, ``"agreed"``).
    ``known_under``: what the viewer knows of the bottoms of decks, by strip, from the first card that it
    knows down to the last of the deck: its own hand, once it has left, and cards once taken from it.
    """

    viewer: Viewer
    step: int
    phase: Phase
    strips: tuple[str, ...]
    board: tuple[CharacterView, ...]
    corto: Square | None
    rasputin: Square | None
    players: tuple[PlayerView, ...]
    decks: tuple[int, ...]
    discards: tuple[tuple[CardId, ...], ...]
    quests: tuple[QuestView, ...]
    gold: tuple[GoldView, ...]
    groups: tuple[GroupView, ...]
    first: Seat
    asked: tuple[Seat, ...]
    turn: TurnView | None
    passes: int
    recap: tuple[Fact, ...]
    news: tuple[Fact, ...]
    ranks: tuple[tuple[Seat, ...], ...] | None
    reason: str | None
    left: tuple[Seat, ...] = ()
    place: Seat | None = None
    known_under: tuple[HandCard, ...] = ()
    draft: tuple[Fact, ...] = ()
    chosen: CardId | None = None
    marks: tuple[Mark, ...] = ()
    final: bool = False

    def at(self, square: Square) -> CharacterView | None:
        """Return the character on a square."""
        return next((found for found in self.board if found.square == square), None)
