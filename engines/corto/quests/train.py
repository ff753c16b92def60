"""The train: it moves as characters are placed, and hits take its carriages; some of them are armed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from engines.core.rng import Stream
from engines.core.situation_values import by_colour, choice, items, number, only, refuse
from engines.corto import events
from engines.corto.board import square_at
from engines.corto.cards import Adventure
from engines.corto.quests.base import Faces, Pieces, Quest, check_left, on_board
from engines.corto.state import COLUMNS, CharacterView, PieceView, Square
from engines.corto.table import Table

ARMED = "armed"
HEADINGS = ("left", "right")


class Train(Quest):
    """A train with carriages face down, the top one first in :attr:`State.faces`: ``"1"``, ``"2"``, armed."""

    pieces = ("carriage", "carriage-2", ARMED)
    values = ("carriage", "carriage-2")
    places = ("start",)
    hidden = "carriages"
    lasting = True

    def check_places(self, adventure: Adventure) -> None:
        """Raise :class:`~engines.corto.cards.BadData` where it starts off the board."""
        on_board(adventure, [dict(adventure.places)["start"]])

    def begin(self, adventure: Adventure) -> Pieces:
        """Return the train at its start, heading left."""
        carriages = sum(count for _, count in adventure.pieces)
        return _train(dict(adventure.places)["start"], carriages, "left")

    def unseen(self, adventure: Adventure, pieces: Pieces) -> Faces:
        """Return the carriages still hidden, sorted: all less those turned up."""
        left = _all(adventure)
        left.subtract(_shown(pieces))
        return tuple(sorted(left.elements()))

    def placed(self, table: Table, strip: str, square: Square) -> None:
        """The train moves a column; at an end of the strip it heads back."""
        train = _found(table.pieces[strip])
        if train is None or train.column is None:
            return
        target = train.column + (1 if train.heading == "right" else -1)
        moved = replace(train, column=target, heading=heading_at(target, train.heading))
        table.pieces[strip] = [moved if piece is train else piece for piece in table.pieces[strip]]
        table.tell(events.train_moved(strip, train.column, target))

    def target(self, table: Table, strip: str) -> Square | None:
        """Return the train's square, while there is a train."""
        train = _found(table.pieces[strip])
        return None if train is None or train.column is None else square_at(strip, train.column)

    def struck(self, table: Table, strip: str) -> bool:
        """The acting seat takes the top carriage; an armed one is discarded."""
        faces = table.hidden().faces[strip]
        train = _found(table.pieces[strip])
        square = self.target(table, strip)
        assert train is not None
        assert square is not None
        face = faces.pop(0)  # the top one
        left = train.number - 1
        pieces = [
            replace(train, number=left) if piece is train else piece
            for piece in table.pieces[strip]
            if left or piece is not train
        ]
        table.pieces[strip] = [*pieces, _turned_up(face, None if face == ARMED else table.seat)]
        table.tell(events.carriage_taken(table.seat, square, 0 if face == ARMED else int(face), left))
        if not left:
            table.tell(events.train_left(strip))
        return face == ARMED

    def gold(
        self, adventure: Adventure, pieces: Pieces, board: tuple[CharacterView, ...], seats: int
    ) -> tuple[int, ...]:
        """Return the gold of each seat's carriages."""
        return tuple(
            sum(piece.number for piece in pieces if piece.kind == "carriage" and piece.holder == seat)
            for seat in range(seats)
        )

    def describe(self, strip: str, pieces: Pieces, colours: tuple[str, ...]) -> dict[str, Any]:
        """Return ``{"carriages": {"blue": [1]}, "left": 4, "train": 3, "heading": "left", "lost": []}``."""
        train = _found(pieces)
        taken = {
            colour: [p.number for p in pieces if p.kind == "carriage" and p.holder == seat]
            for seat, colour in enumerate(colours)
        }
        lost = [
            ARMED if piece.kind == ARMED else str(piece.number)
            for piece in pieces
            if piece.holder is None and piece.kind in ("carriage", ARMED)
        ]
        return {
            "carriages": {colour: numbers for colour, numbers in taken.items() if numbers},
            "left": 0 if train is None else train.number,
            "train": None if train is None else train.column,
            "heading": None if train is None else train.heading,
            "lost": lost,
        }

    def load(
        self, adventure: Adventure, value: Mapping[str, Any], colours: tuple[str, ...], stream: Stream
    ) -> tuple[Pieces, Faces]:
        """Read what :meth:`describe` gives, and ``faces``: the carriages left, from the top.

        Without ``train`` there is one where ``left`` is not 0, at its start. Which carriages nobody holds any
        more (``lost``) is drawn where it is left out, armed ones first.
        """
        where = f"quests.{adventure.key}"
        only(where, value, ("carriages", "left", "train", "heading", "lost", "faces"))
        rest = _all(adventure)
        taken = _taken(where, value.get("carriages", {}), colours, adventure)
        rest.subtract(_shown(taken))
        check_left(f"{where}.carriages", "carriages", rest, value.get("carriages"))
        every = tuple(sorted(_all(adventure)))
        given = items(f"{where}.lost", value.get("lost", []))
        lost = tuple(_turned_up(choice(f"{where}.lost", face, every), None) for face in given)
        rest.subtract(_shown(lost))
        check_left(f"{where}.lost", "carriages", rest, value.get("lost"))
        left = _left(where, value, rest.total())
        if "lost" not in value:
            lost = _vanished(rest, left, stream)
        elif rest.total() != left:
            refuse(f"{where}.left", "carriages_left", left, left=rest.total())
        faces = _faces(f"{where}.faces", value.get("faces"), rest, stream)
        return (*_placed(where, value, adventure, left), *taken, *lost), faces


def _all(adventure: Adventure) -> Counter[str]:
    worth = dict(adventure.values)
    found: Counter[str] = Counter()
    for kind, count in adventure.pieces:
        found[ARMED if kind == ARMED else str(worth[kind])] += count  # two kinds may be worth the same
    return found


def _train(column: int, carriages: int, heading: str) -> Pieces:
    if not carriages:
        return ()
    return (PieceView("train", column=column, number=carriages, heading=heading_at(column, heading)),)


def heading_at(column: int, heading: str) -> str:
    """Return where a train heads that has come to a column: at both ends it turns back."""
    return {1: "right", COLUMNS: "left"}.get(column, heading)


def _found(pieces: Iterable[PieceView]) -> PieceView | None:
    return next((piece for piece in pieces if piece.kind == "train"), None)


def _turned_up(face: str, holder: int | None) -> PieceView:
    if face == ARMED:
        return PieceView(ARMED)
    return PieceView("carriage", holder=holder, number=int(face))


def _shown(pieces: Iterable[PieceView]) -> Counter[str]:
    return Counter(
        ARMED if piece.kind == ARMED else str(piece.number)
        for piece in pieces
        if piece.kind in ("carriage", ARMED)
    )


# --- situations -----------------------------------------------------------------------------------


def _taken(where: str, value: object, colours: tuple[str, ...], adventure: Adventure) -> Pieces:
    worths = tuple(sorted({worth for _, worth in adventure.values}))
    held = by_colour(f"{where}.carriages", value, colours)
    found: list[PieceView] = []
    for seat, colour in enumerate(colours):
        place = f"{where}.carriages.{colour}"
        for gold in items(place, held.get(colour, [])):
            number(place, gold, worths[0], worths[-1])
            found.append(PieceView("carriage", holder=seat, number=gold))
    return tuple(found)


def _left(where: str, value: Mapping[str, Any], most: int) -> int:
    gone = "train" in value and value["train"] is None
    default = 0 if gone else most
    left = number(f"{where}.left", value.get("left", default), 0, most)
    if gone and left:
        refuse(f"{where}.left", "no_train", left)
    if not left and value.get("train") is not None:
        refuse(f"{where}.train", "no_carriages", value["train"])
    return left


def _vanished(rest: Counter[str], left: int, stream: Stream) -> Pieces:
    # Taken out of ``rest``: what is neither held nor left. Armed ones first, since nobody keeps those.
    lost: list[str] = []
    while rest.total() > left:
        face = ARMED if rest[ARMED] else stream.choice(sorted(rest.elements()))
        rest[face] -= 1
        lost.append(face)
    return tuple(_turned_up(face, None) for face in lost)


def _faces(where: str, value: object, rest: Counter[str], stream: Stream) -> Faces:
    if value is None:
        return stream.shuffled(tuple(sorted(rest.elements())))
    faces = tuple(choice(where, face, tuple(sorted(rest))) for face in items(where, value))
    if Counter(faces) != +rest:
        refuse(where, "carriage_faces", value, faces=tuple(sorted(rest.elements())))
    return faces


def _placed(where: str, value: Mapping[str, Any], adventure: Adventure, left: int) -> Pieces:
    if not left:
        return ()
    start = dict(adventure.places)["start"]
    column = number(f"{where}.train", value.get("train", start), 1, COLUMNS)
    heading = value.get("heading")
    return _train(column, left, "left" if heading is None else choice(f"{where}.heading", heading, HEADINGS))
