"""Quests without secrets: the vessel, the aces, the leopards, the big gold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.core.rng import Stream
from engines.core.situation_values import by_colour, choice, number, only, refuse
from engines.corto import events
from engines.corto.board import strip_of
from engines.corto.cards import ADVENTURES, Adventure
from engines.corto.quests.base import Faces, Pieces, Quest, columns_from_first, controllers, counts, on_board
from engines.corto.state import COLUMNS, CharacterView, PieceView, Square
from engines.corto.table import Table

# --- the vessel -----------------------------------------------------------------------------------


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


# --- the aces -------------------------------------------------------------------------------------


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


# --- the leopards ---------------------------------------------------------------------------------


class Leopards(Quest):
    """Tokens to be taken; each is worth gold, and more to who alone has the most."""

    pieces = ("leopard",)
    values = ("leopard", "most")
    lasting = True

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
            refuse(f"{where}.leopards", "most", len(holders), most=total)
        taken = tuple(PieceView("leopard", holder=seat) for seat in holders)
        return (*taken, *(PieceView("leopard"),) * (total - len(holders))), ()


# --- the big gold ---------------------------------------------------------------------------------


class BigGold(Quest):
    """A piece of gold on each column from ``first`` on."""

    pieces = ("gold",)
    values = ("gold",)
    places = ("first",)

    def check_places(self, adventure: Adventure) -> None:
        """Raise :class:`~engines.corto.cards.BadData` where the gold leaves the board."""
        on_board(adventure, columns_from_first(adventure))

    def begin(self, adventure: Adventure) -> Pieces:
        """Return the gold, under its squares."""
        return tuple(PieceView("gold", column=column) for column in columns_from_first(adventure))

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
