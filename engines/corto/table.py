"""A match in the middle of a sentence: what steps change, with or without the hidden part.

A draft is worked out on a table made from its seat's view, without secrets: it stops where something hidden
would be revealed. The committed sentence is worked out on a table made from the state, by the same steps.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engines.core.contract import EVERYONE, Audience, Event, Fact, Seat
from engines.core.rng import Stream
from engines.corto.view import CardId, Figurine, PieceView, Square, TurnView


class Reveals(Exception):  # noqa: N818 - no error: a draft ends here
    """The step reveals something hidden, and the table does not know it."""


@dataclass(slots=True, repr=False)
class Standing:
    """A character on the board: its card and each seat's markers."""

    card: CardId
    markers: list[int]

    @property
    def controller(self) -> Seat | None:
        """Return who has more markers on it than any other seat."""
        most = max(self.markers)
        return self.markers.index(most) if most and self.markers.count(most) == 1 else None


@dataclass(slots=True, repr=False)
class Secrets:
    """The hidden part, as :class:`~engines.corto.state.State` orders it, and the sentence's randomness."""

    decks: dict[str, list[CardId]]
    hands: list[list[CardId]]
    faces: dict[str, list[str]]
    seen: list[set[CardId]]
    under: list[set[CardId]]
    stream: Stream


@dataclass(slots=True, repr=False)
class Table:
    """All that a step may read or change. ``hand``: the acting seat's; ``backs``: each hand's decks, sorted.

    ``deck_sizes``, ``discards``, ``pieces`` (of quests): by strip letter.
    """

    seat: Seat
    colours: tuple[str, ...]
    strips: tuple[str, ...]
    board: dict[Square, Standing]
    figurines: dict[Figurine, Square | None]
    stock: list[int]
    seal: list[list[CardId]]
    corto_gold: list[int]
    kept: list[list[CardId]]
    left: frozenset[Seat]
    hand: list[CardId]
    backs: list[list[str]]
    deck_sizes: dict[str, int]
    discards: dict[str, list[CardId]]
    pieces: dict[str, list[PieceView]]
    turn: TurnView
    secrets: Secrets | None
    events: list[Event] = field(default_factory=list)

    def tell(self, fact: Fact, audience: Audience = EVERYONE) -> None:
        """Note that something has happened."""
        self.events.append(Event(fact, audience))

    def hidden(self) -> Secrets:
        """Return the hidden part; raises :class:`Reveals` on a table made from a view."""
        if self.secrets is None:
            raise Reveals
        return self.secrets

    def controller(self, square: Square) -> Seat | None:
        """Return who controls a square."""
        standing = self.board.get(square)
        return None if standing is None else standing.controller
