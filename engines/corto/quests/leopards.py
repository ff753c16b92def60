"""The leopards: one for each kill that is done from the strip, while there are any."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.core.rng import Stream
from engines.corto import events
from engines.corto.board import strip_of
from engines.corto.cards import Adventure
from engines.corto.quests.base import Faces, Pieces, Quest, counts
from engines.corto.situation.values import by_colour, number, only, refuse
from engines.corto.state import CharacterView, PieceView, Square
from engines.corto.table import Table


class Leopards(Quest):
    """Tokens to be taken; each is worth gold, and more to who alone has the most."""

    pieces = ("leopard",)
    values = ("leopard", "most")

    def begin(self, adventure: Adventure) -> Pieces:
        """Return the leopards beside the board."""
        return (PieceView("leopard"),) * dict(adventure.pieces)["leopard"]

    def killed(self, table: Table, strip: str, acting: Square) -> None:
        """The acting seat takes a leopard if it acted from here."""
        pieces = table.pieces[strip]
        free = sum(piece.holder is None for piece in pieces)
        # Column 0 counts: a figurine may act from the deck of the strip.
        if strip_of(acting) != strip or not free:
            return
        first = next(place for place, piece in enumerate(pieces) if piece.holder is None)
        pieces[first] = PieceView("leopard", holder=table.seat)
        table.tell(events.leopard_taken(table.seat, strip, free - 1))

    def gold(
        self, adventure: Adventure, pieces: Pieces, board: tuple[CharacterView, ...], seats: int
    ) -> tuple[int, ...]:
        """Return the gold of each seat's leopards, and of having the most."""
        worth = dict(adventure.values)
        held = counts(pieces, "leopard", seats)
        most = max(held)
        strict = most > 0 and held.count(most) == 1
        return tuple(worth["leopard"] * own + worth["most"] * (strict and own == most) for own in held)

    def describe(self, strip: str, pieces: Pieces, colours: tuple[str, ...]) -> dict[str, Any]:
        """Return ``{"leopards": {"red": 2}}``, of those who have any."""
        held = counts(pieces, "leopard", len(colours))
        return {"leopards": {colour: own for colour, own in zip(colours, held, strict=True) if own}}

    def load(
        self, adventure: Adventure, value: Mapping[str, Any], colours: tuple[str, ...], stream: Stream
    ) -> tuple[Pieces, Faces]:
        """Read ``{"leopards": {"red": 2}}``."""
        where = f"quests.{adventure.key}"
        only(where, value, ("leopards",))
        total = dict(adventure.pieces)["leopard"]
        held = by_colour(f"{where}.leopards", value.get("leopards", {}), colours)
        holders = [
            seat
            for seat, colour in enumerate(colours)
            for _ in range(number(f"{where}.leopards.{colour}", held.get(colour, 0), 0, total))
        ]
        if len(holders) > total:
            refuse(f"{where}.leopards", "most", len(holders), n=total)
        taken = tuple(PieceView("leopard", holder=seat) for seat in holders)
        return (*taken, *(PieceView("leopard"),) * (total - len(holders))), ()
