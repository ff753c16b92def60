"""The records of a match: what everybody knows, and what is hidden.

A square is strip letter and column, ``"e4"``; column 0 holds the strip's deck, where figurines may stand.
A card is its id, ``"A04"``; its face is in :data:`~engines.corto.cards.CARDS`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import TypeAlias

from engines.core.contract import Fact, Seat
from engines.corto.rulesets import Ruleset

Square: TypeAlias = str
CardId: TypeAlias = str
Cards: TypeAlias = tuple[CardId, ...]

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
        return _controller(self.markers)


@lru_cache(maxsize=1 << 12)
def _controller(markers: tuple[int, ...]) -> Seat | None:
    """Return who has most markers: computer players ask for the same few again and again."""
    most = max(markers)
    return markers.index(most) if most and markers.count(most) == 1 else None


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
class TurnView:
    """What the player to move has done in this turn and may still do with the card last played.

    ``played``: cards of this turn, in order. ``card``: the one that is not finished, ``None`` if there is
    none; ``origin``: the square that it acts from; ``adds``, ``hits``: what is left of it; ``sail``: the
    vessel may sail; ``gold``: Corto may earn for his friends. ``shot``: the square from which an armed
    carriage's hit is open. ``draws``: cards that may still be drawn. ``drop_in``, ``refill``: such an
    advantage holds in this turn. ``must_free``: the card in hand must kill somebody now, so that two strips
    are full no longer.
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
    must_free: bool = False


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Public:
    """What everybody knows. Tuples are by seat, or by strip from the top; ``board`` by strip and column.

    ``ruleset``: the one that the match began with. ``colours``: of the seats, in turn order. ``strips``:
    letters. ``stock``: markers not in play. ``seal``: cards under it, each 1 gold. ``kept``: advantages in
    front of a seat. ``to_draw``: draws still to come before the seat's first turn. ``discards``: the latest
    last. ``first``: who begins. ``place``: whose marker the set-up waits for, ``None`` after it. ``turn``:
    ``None`` in the set-up and once the match is over. ``passes``: in a row. ``recap``: the public facts of
    the last turn and of this one so far; ``news``: those of the last sentence alone. ``left``: seats that are
    gone, in that order. ``limited``: the cards of which alone a hand may consist, as a skip has shown;
    ``None`` (or an empty tuple for all) where nothing is known. ``ranks``: best first, once the match is
    over; ``reason``: a key of the texts (``"boards"``, ``"passes"``, ``"withdrawn"``, ``"agreed"``).
    """

    ruleset: Ruleset
    step: int
    phase: Phase
    colours: tuple[str, ...]
    strips: tuple[str, ...]
    board: tuple[CharacterView, ...]
    corto: Square | None
    rasputin: Square | None
    stock: tuple[int, ...]
    seal: tuple[Cards, ...]
    corto_gold: tuple[int, ...]
    kept: tuple[Cards, ...]
    to_draw: tuple[int, ...]
    discards: tuple[Cards, ...]
    quests: tuple[QuestView, ...]
    first: Seat
    place: Seat | None
    turn: TurnView | None
    passes: int = 0
    recap: tuple[Fact, ...] = ()
    news: tuple[Fact, ...] = ()
    left: tuple[Seat, ...] = ()
    limited: tuple[Cards | None, ...] = ()
    ranks: tuple[tuple[Seat, ...], ...] | None = None
    reason: str | None = None

    @property
    def seats(self) -> range:
        """Return all seats, those that have left too."""
        return range(len(self.colours))

    @property
    def asked(self) -> tuple[Seat, ...]:
        """Return the seats that must or may decide: who places or moves, and all who owe draws."""
        if self.phase is Phase.OVER:
            return ()
        found = {seat for seat in self.seats if self.to_draw[seat] and self.has_placed(seat)}
        if self.place is not None:
            found.add(self.place)
        if self.turn is not None:
            found.add(self.turn.seat)
        return tuple(sorted(found.difference(self.left)))

    def has_placed(self, seat: Seat) -> bool:
        """Return whether a seat has put its first marker on the board, or been passed over."""
        if self.place is None:
            return True
        # Seats place clockwise, beginning with the first.
        seats = len(self.colours)
        return (seat - self.first) % seats < (self.place - self.first) % seats

    def limit_of(self, seat: Seat) -> Cards | None:
        """Return the cards of which alone a hand may consist; ``None`` where nothing is known."""
        return self.limited[seat] if self.limited else None


@dataclass(frozen=True, slots=True, repr=False)
class State:
    """A match: the public part, and what is hidden. It never leaves the engine except to be handed back.

    ``decks``: by strip, the top card first. ``hands``: by seat, as drawn. ``faces``: by strip, the hidden
    faces of its quest in the quest's own order (tiles by column, carriages from the top). ``seen``: by seat,
    cards in others' hands that it knows, sorted. ``under``: by seat, cards in the decks whose places it
    knows, sorted: of its own hand, or taken from it, as they were put under the decks by who left. Who
    knows a card under a deck knows when it is drawn: it goes from ``under`` to ``seen``.
    """

    public: Public
    decks: tuple[Cards, ...]
    hands: tuple[Cards, ...]
    faces: tuple[tuple[str, ...], ...]
    seen: tuple[Cards, ...]
    under: tuple[Cards, ...]

    def revealed(self) -> State:
        """Return this state with nothing left to know: hands and decks sorted, no secrets kept.

        For a match that ends: its views show all hands, and the order of what is left in the decks and
        face down, which nobody will ever see, is forgotten.
        """
        none: tuple[Cards, ...] = tuple(() for _ in self.hands)
        return replace(
            self,
            decks=tuple(tuple(sorted(deck)) for deck in self.decks),
            hands=tuple(tuple(sorted(hand)) for hand in self.hands),
            faces=tuple(tuple(sorted(faces)) for faces in self.faces),
            seen=none,
            under=none,
        )
