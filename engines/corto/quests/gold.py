"""The big gold of the golden house: it lies under squares and pays who controls them at the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.core.rng import Stream
from engines.corto.cards import Adventure
from engines.corto.quests.base import Faces, Pieces, Quest, controllers, on_board
from engines.corto.situation.values import only
from engines.corto.state import CharacterView, PieceView


class BigGold(Quest):
    """A piece of gold on each column from ``first`` on."""

    pieces = ("gold",)
    values = ("gold",)
    places = ("first",)

    def check_places(self, adventure: Adventure) -> None:
        """Raise :class:`~engines.corto.cards.BadData` where the gold leaves the board."""
        on_board(adventure, _columns(adventure))

    def begin(self, adventure: Adventure) -> Pieces:
        """Return the gold, under its squares."""
        return tuple(PieceView("gold", column=column) for column in _columns(adventure))

    def gold(
        self, adventure: Adventure, pieces: Pieces, board: tuple[CharacterView, ...], seats: int
    ) -> tuple[int, ...]:
        """Return the gold of the squares that each seat controls."""
        control = controllers(adventure.key, board)
        worth = dict(adventure.values)["gold"]
        holders = [control.get(piece.column or 0) for piece in pieces]
        return tuple(worth * holders.count(seat) for seat in range(seats))

    def load(
        self, adventure: Adventure, value: Mapping[str, Any], colours: tuple[str, ...], stream: Stream
    ) -> tuple[Pieces, Faces]:
        """Read ``{}``: the gold never moves."""
        only(f"quests.{adventure.key}", value, ())
        return self.begin(adventure), ()


def _columns(adventure: Adventure) -> range:
    first = dict(adventure.places)["first"]
    return range(first, first + dict(adventure.pieces)["gold"])
