"""A quest of a seventh adventure, as an owner of one would write it: a lantern for each character placed."""

from __future__ import annotations

from engines.corto.cards import Adventure
from engines.corto.quests.base import Pieces, Quest, counts
from engines.corto.table import Table
from engines.corto.view import CharacterView, PieceView, Square


class Lanterns(Quest):
    """Who places a character here takes a lantern, while there are any; each is worth gold."""

    pieces = ("lantern",)
    values = ("lantern",)

    def begin(self, adventure: Adventure) -> Pieces:
        return (PieceView("lantern"),) * dict(adventure.pieces)["lantern"]

    def placed(self, table: Table, strip: str, square: Square) -> None:
        found = table.pieces[strip]
        if any(piece.holder is None for piece in found):
            found.remove(PieceView("lantern"))
            found.append(PieceView("lantern", holder=table.seat))

    def gold(
        self, adventure: Adventure, pieces: Pieces, board: tuple[CharacterView, ...], seats: int
    ) -> tuple[int, ...]:
        worth = dict(adventure.values)["lantern"]
        return tuple(worth * own for own in counts(pieces, "lantern", seats))
