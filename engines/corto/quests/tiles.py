"""Tiles face down under squares: who places a character over one takes and reveals it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from engines.core.rng import Stream
from engines.core.situation_values import by_colour, choice, items, mapping, only, refuse
from engines.corto import events
from engines.corto.board import column_of, square_at, squares_of
from engines.corto.cards import Adventure
from engines.corto.quests.base import Faces, Pieces, Quest, check_left, columns_from_first, counts, on_board
from engines.corto.state import CharacterView, PieceView, Square
from engines.corto.table import Table

KINDS = ("ingot", "crow")


class Tiles(Quest):
    """Ingots and crows on columns from ``first`` on; a crow costs, but never more than ingots bring.

    :attr:`State.faces` holds the faces of the tiles still face down, by column.
    """

    pieces = KINDS
    values = KINDS
    places = ("first",)
    hidden = "tiles"
    lasting = True

    def check_places(self, adventure: Adventure) -> None:
        """Raise :class:`~engines.corto.cards.BadData` where tiles leave the board."""
        on_board(adventure, columns_from_first(adventure))

    def begin(self, adventure: Adventure) -> Pieces:
        """Return the tiles, face down."""
        return tuple(PieceView("tile", column=column) for column in columns_from_first(adventure))

    def unseen(self, adventure: Adventure, pieces: Pieces) -> Faces:
        """Return what lies face down, sorted: all tiles less those turned up."""
        left = _all(adventure)
        left.subtract(piece.kind for piece in pieces if piece.kind in KINDS)
        return tuple(sorted(left.elements()))

    def reveals(self, table: Table, strip: str, square: Square) -> bool:
        """Return whether a tile lies under the square."""
        return any(square_at(strip, column) == square for column in _face_down(table.pieces[strip]))

    def placed(self, table: Table, strip: str, square: Square) -> None:
        """The acting seat takes the tile, if one lies here."""
        if not self.reveals(table, strip, square):
            return
        pieces = table.pieces[strip]
        # The hidden faces are in the order of the columns that still have a tile.
        place = _face_down(pieces).index(column_of(square))
        face = table.hidden().faces[strip].pop(place)
        table.pieces[strip] = [piece for piece in pieces if piece.column != column_of(square)]
        table.pieces[strip].append(PieceView(face, holder=table.seat))
        table.tell(events.tile_taken(table.seat, square, face))

    def gold(
        self, adventure: Adventure, pieces: Pieces, board: tuple[CharacterView, ...], seats: int
    ) -> tuple[int, ...]:
        """Return the gold of each seat's tiles, never below 0 together."""
        held = {kind: counts(pieces, kind, seats) for kind in KINDS}
        worth = dict(adventure.values)
        return tuple(max(0, sum(worth[kind] * held[kind][seat] for kind in KINDS)) for seat in range(seats))

    def describe(self, strip: str, pieces: Pieces, colours: tuple[str, ...]) -> dict[str, Any]:
        """Return ``{"taken": {"red": ["crow"]}, "face_down": {"c4": null}}``: nobody knows those.

        ``lost``: tiles that nobody has, which only a situation leads to.
        """
        held = {
            colour: [piece.kind for piece in pieces if piece.holder == seat]
            for seat, colour in enumerate(colours)
        }
        found: dict[str, Any] = {
            "taken": {colour: kinds for colour, kinds in held.items() if kinds},
            "face_down": {square_at(strip, column): None for column in _face_down(pieces)},
        }
        lost = [piece.kind for piece in pieces if piece.kind in KINDS and piece.holder is None]
        return {**found, "lost": lost} if lost else found

    def load(
        self, adventure: Adventure, value: Mapping[str, Any], colours: tuple[str, ...], stream: Stream
    ) -> tuple[Pieces, Faces]:
        """Read what :meth:`describe` gives; a face of null is dealt.

        Without ``face_down`` the tiles that are not taken lie on the first columns that had one. Those
        neither taken nor face down are lost.
        """
        where = f"quests.{adventure.key}"
        only(where, value, ("taken", "face_down", "lost"))
        taken = _taken(f"{where}.taken", value.get("taken", {}), colours)
        left = _all(adventure)
        left.subtract(piece.kind for piece in taken)
        check_left(f"{where}.taken", "tiles", left, value.get("taken"))
        lost = tuple(
            choice(f"{where}.lost", kind, KINDS) for kind in items(f"{where}.lost", value.get("lost", []))
        )
        left.subtract(lost)
        check_left(f"{where}.lost", "tiles", left, lost)
        if value.get("face_down") is None:
            columns: list[int] = list(columns_from_first(adventure))[: left.total()]
            faces = stream.shuffled(tuple(sorted(left.elements())))
        else:
            lying = _lying(f"{where}.face_down", value["face_down"], adventure)
            columns = sorted(lying)
            faces = _dealt(f"{where}.face_down", [lying[column] for column in columns], left, stream)
            left.subtract(faces)
            lost = (*lost, *sorted(left.elements()))
        face_down = tuple(PieceView("tile", column=column) for column in columns)
        return (*face_down, *taken, *(PieceView(kind) for kind in lost)), faces


def _all(adventure: Adventure) -> Counter[str]:
    return Counter(dict(adventure.pieces))


def _face_down(pieces: Pieces | list[PieceView]) -> list[int]:
    return sorted(piece.column for piece in pieces if piece.kind == "tile" and piece.column is not None)


def _taken(where: str, value: object, colours: tuple[str, ...]) -> Pieces:
    held = by_colour(where, value, colours)
    return tuple(
        PieceView(choice(f"{where}.{colour}", kind, KINDS), holder=seat)
        for seat, colour in enumerate(colours)
        for kind in items(f"{where}.{colour}", held.get(colour, []))
    )


def _lying(where: str, value: object, adventure: Adventure) -> dict[int, str | None]:
    squares = squares_of(adventure.key)
    return {
        column_of(choice(where, square, squares)): (
            None if face is None else choice(f"{where}.{square}", face, KINDS)
        )
        for square, face in mapping(where, value).items()
    }


def _dealt(where: str, faces: list[str | None], left: Counter[str], stream: Stream) -> Faces:
    rest = left.copy()
    rest.subtract(face for face in faces if face is not None)
    check_left(where, "tiles", rest, faces)
    spare = list(stream.shuffled(tuple(sorted(rest.elements()))))
    if faces.count(None) > len(spare):
        refuse(where, "tiles", len(faces))
    return tuple(spare.pop() if face is None else face for face in faces)
