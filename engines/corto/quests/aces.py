"""The four aces: taken at the end of a turn by who is strongest on the strip, and held to the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.core.rng import Stream
from engines.corto import events
from engines.corto.board import strip_of
from engines.corto.cards import ADVENTURES, Adventure
from engines.corto.quests.base import Faces, Pieces, Quest
from engines.corto.situation.values import choice, only
from engines.corto.state import CharacterView, PieceView
from engines.corto.table import Table


class Aces(Quest):
    """One tile; ``least`` characters that its taker must control, and more than any other."""

    pieces = ("aces",)
    values = ("aces",)
    places = ("least",)

    def begin(self, adventure: Adventure) -> Pieces:
        """Return the tile beside the board."""
        return (PieceView("aces"),)

    def turn_ends(self, table: Table, strip: str) -> None:
        """The acting seat takes the tile if it is the strongest here."""
        (tile,) = table.pieces[strip]
        if tile.holder == table.seat:
            return
        held = [0] * len(table.colours)
        for square, found in table.board.items():
            if strip_of(square) == strip and found.controller is not None:
                held[found.controller] += 1
        # Whoever is only as strong as another does not take the tile, not even from the side.
        own = held[table.seat]
        least = dict(ADVENTURES[strip].places)["least"]
        if own >= least and own == max(held) and held.count(own) == 1:
            table.pieces[strip] = [PieceView("aces", holder=table.seat)]
            table.tell(events.aces_taken(table.seat, strip, tile.holder))

    def gold(
        self, adventure: Adventure, pieces: Pieces, board: tuple[CharacterView, ...], seats: int
    ) -> tuple[int, ...]:
        """Return the tile's gold for its holder."""
        worth = dict(adventure.values)["aces"]
        return tuple(worth * (pieces[0].holder == seat) for seat in range(seats))

    def describe(self, strip: str, pieces: Pieces, colours: tuple[str, ...]) -> dict[str, Any]:
        """Return ``{"holder": "green"}``, or null."""
        holder = pieces[0].holder
        return {"holder": None if holder is None else colours[holder]}

    def load(
        self, adventure: Adventure, value: Mapping[str, Any], colours: tuple[str, ...], stream: Stream
    ) -> tuple[Pieces, Faces]:
        """Read ``{"holder": "green"}``; null or left out: nobody."""
        where = f"quests.{adventure.key}"
        only(where, value, ("holder",))
        holder = value.get("holder")
        if holder is None:
            return (PieceView("aces"),), ()
        return (PieceView("aces", holder=colours.index(choice(f"{where}.holder", holder, colours))),), ()
