"""The sailing vessel: who places a character may sail it a column; its square is worth gold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.core.rng import Stream
from engines.corto import events
from engines.corto.cards import Adventure
from engines.corto.quests.base import Faces, Pieces, Quest, controllers, on_board
from engines.corto.situation.values import number, only
from engines.corto.state import COLUMNS, CharacterView, PieceView
from engines.corto.table import Table


class Vessel(Quest):
    """One vessel, from ``start``; its square's controller has the gold."""

    pieces = ("vessel",)
    values = ("vessel",)
    places = ("start",)

    def check_places(self, adventure: Adventure) -> None:
        """Raise :class:`~engines.corto.cards.BadData` where it starts off the board."""
        on_board(adventure, [dict(adventure.places)["start"]])

    def begin(self, adventure: Adventure) -> Pieces:
        """Return the vessel at its start."""
        return (PieceView("vessel", column=dict(adventure.places)["start"]),)

    def sails(self, table: Table, strip: str) -> tuple[int, ...]:
        """Return the columns beside it."""
        # To stay where it is needs no word: whoever does not sail just goes on.
        column = _column(tuple(table.pieces[strip]))
        return tuple(to for to in (column - 1, column + 1) if 1 <= to <= COLUMNS)

    def sail(self, table: Table, strip: str, column: int) -> None:
        """Sail to a column."""
        origin = _column(tuple(table.pieces[strip]))
        table.pieces[strip] = [PieceView("vessel", column=column)]
        table.tell(events.sailed(table.seat, strip, origin, column))

    def gold(
        self, adventure: Adventure, pieces: Pieces, board: tuple[CharacterView, ...], seats: int
    ) -> tuple[int, ...]:
        """Return the vessel's gold for the controller of its square."""
        controller = controllers(adventure.key, board).get(_column(pieces))
        worth = dict(adventure.values)["vessel"]
        return tuple(worth * (seat == controller) for seat in range(seats))

    def describe(self, strip: str, pieces: Pieces, colours: tuple[str, ...]) -> dict[str, Any]:
        """Return ``{"vessel": 7}``."""
        return {"vessel": _column(pieces)}

    def load(
        self, adventure: Adventure, value: Mapping[str, Any], colours: tuple[str, ...], stream: Stream
    ) -> tuple[Pieces, Faces]:
        """Read ``{"vessel": 7}``."""
        where = f"quests.{adventure.key}"
        only(where, value, ("vessel",))
        column = value.get("vessel", dict(adventure.places)["start"])
        return (PieceView("vessel", column=number(f"{where}.vessel", column, 1, COLUMNS)),), ()


def _column(pieces: Pieces) -> int:
    return next(piece.column for piece in pieces if piece.column is not None)
