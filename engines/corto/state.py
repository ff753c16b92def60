"""The truth of a match. It never leaves the engine except to be handed back to it."""

from __future__ import annotations

from dataclasses import dataclass

from engines.core.contract import Fact, Seat
from engines.corto.view import CardId, CharacterView, Phase, QuestView, Square, TurnView

Cards = tuple[CardId, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Public:
    """What everybody knows; names are those of the view. Tuples by seat or by strip, from the top.

    ``place``: whose marker the set-up waits for, ``None`` after it. ``limited``: by seat, the cards of which
    alone its hand may consist, as a skip has shown; ``None`` (or an empty tuple for all) where it has not.
    """

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

    def has_placed(self, seat: Seat) -> bool:
        """Return whether a seat has put its first marker on the board, or been passed over."""
        if self.place is None:
            return True
        seats = len(self.colours)
        return (seat - self.first) % seats < (self.place - self.first) % seats


@dataclass(frozen=True, slots=True, repr=False)
class State:
    """A match: the public part, and what is hidden.

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
