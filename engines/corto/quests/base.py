"""What a quest is: a small part beside the rules of play, driven by what happens on the board.

A seventh adventure is an entry of the data files and one module here, registered in
:mod:`engines.corto.quests`. Hooks change the table's ``pieces`` of their own strip and tell facts; they never
touch cards, markers or turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from engines.core.contract import Seat
from engines.core.rng import Stream
from engines.core.situation_values import refuse
from engines.corto.board import column_of
from engines.corto.cards import Adventure, BadData
from engines.corto.state import COLUMNS, CharacterView, PieceView, Square
from engines.corto.table import Table

Pieces = tuple[PieceView, ...]
Faces = tuple[str, ...]


class Quest:
    """The rules of a quest; this one does nothing. ``strip`` is the letter of the adventure it belongs to.

    ``pieces``, ``values`` and ``places`` name what the adventure's entry in the data files must hold,
    ``hidden`` what a situation calls the faces that nobody knows. ``lasting``: nobody loses its gold again
    but by taking more.
    """

    pieces: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    hidden: str = ""
    lasting: bool = False

    def check(self, adventure: Adventure) -> None:
        """Raise :class:`~engines.corto.cards.BadData` where the data are not what these rules need."""
        for part in ("pieces", "values", "places"):
            named, wanted = {key for key, _ in getattr(adventure, part)}, set(getattr(self, part))
            if named != wanted:
                wants = ", ".join(sorted(wanted)) or "nothing"
                raise BadData(f"adventure {adventure.key}: the quest {adventure.quest} needs {part} {wants}")
        if any(count < 0 for _, count in adventure.pieces):
            raise BadData(f"adventure {adventure.key}: pieces must not be fewer than 0")
        self.check_places(adventure)

    def check_places(self, adventure: Adventure) -> None:
        """Raise :class:`~engines.corto.cards.BadData` where the places are not on the board."""

    def begin(self, adventure: Adventure) -> Pieces:
        """Return the pieces as everybody sees them at the start."""
        return ()

    def faces(self, adventure: Adventure, stream: Stream) -> Faces:
        """Return the hidden faces, shuffled, in the order in which :attr:`State.faces` holds them."""
        return stream.shuffled(self.unseen(adventure, self.begin(adventure)))

    def unseen(self, adventure: Adventure, pieces: Pieces) -> Faces:
        """Return the faces still hidden, sorted, as anybody can tell from the pieces: for ``imagine``."""
        return ()

    def reveals(self, table: Table, strip: str, square: Square) -> bool:
        """Return whether a character placed on that square turns something up."""
        return False

    def placed(self, table: Table, strip: str, square: Square) -> None:
        """A character was placed from a hand on the strip and has its marker; its action is still to come."""

    def sails(self, table: Table, strip: str) -> tuple[int, ...]:
        """Return the columns to which its piece may sail after a placement; empty where nothing sails."""
        return ()

    def sail(self, table: Table, strip: str, column: int) -> None:
        """Sail there."""

    def target(self, table: Table, strip: str) -> Square | None:
        """Return the square on which a black hit may strike a piece of the quest (the train's)."""
        return None

    def struck(self, table: Table, strip: str) -> bool:
        """Take such a hit; return whether it is an armed carriage, which opens one hit from that square.

        Raises :class:`~engines.corto.table.Reveals` where the face is not known.
        """
        return False

    def killed(self, table: Table, strip: str, acting: Square) -> None:
        """The acting seat has killed or eliminated a character from ``acting``, wherever the victim was."""

    def turn_ends(self, table: Table, strip: str) -> None:
        """The acting seat's turn ends, before the end of the match is looked for."""

    def gold(
        self, adventure: Adventure, pieces: Pieces, board: tuple[CharacterView, ...], seats: int
    ) -> tuple[int, ...]:
        """Return each seat's gold from this quest as if the match ended now."""
        return (0,) * seats

    def describe(self, strip: str, pieces: Pieces, colours: tuple[str, ...]) -> dict[str, Any]:
        """Return the pieces as plain JSON data, with seats by their colours, as situations have them."""
        return {}

    def load(
        self, adventure: Adventure, value: Mapping[str, Any], colours: tuple[str, ...], stream: Stream
    ) -> tuple[Pieces, Faces]:
        """Return pieces and hidden faces as :meth:`describe` gives them; what is left out is dealt.

        Raises :class:`~engines.core.contract.InvalidAction`.
        """
        return self.begin(adventure), self.faces(adventure, stream)


def on_board(adventure: Adventure, columns: Iterable[int]) -> None:
    """Raise :class:`~engines.corto.cards.BadData` unless all columns are squares."""
    if not all(1 <= column <= COLUMNS for column in columns):
        raise BadData(f"adventure {adventure.key}: the pieces of {adventure.quest} leave the board")


def columns_from_first(adventure: Adventure) -> range:
    """Return the columns under which its pieces lie: one each, from the place ``first`` on."""
    first = dict(adventure.places)["first"]
    return range(first, first + sum(count for _, count in adventure.pieces))


def check_left(where: str, kind: str, left: Counter[str], value: object) -> None:
    """Raise :class:`~engines.core.contract.InvalidAction` for more pieces than there are."""
    if any(count < 0 for count in left.values()):
        refuse(where, kind, value)


def controllers(strip: str, board: tuple[CharacterView, ...]) -> dict[int, Seat | None]:
    """Return who controls each occupied column of a strip."""
    letter = strip.lower()
    return {column_of(found.square): found.controller for found in board if found.square[0] == letter}


def counts(pieces: Pieces, kind: str, seats: int) -> tuple[int, ...]:
    """Return how many pieces of a kind each seat holds."""
    holders = [piece.holder for piece in pieces if piece.kind == kind]
    return tuple(map(holders.count, range(seats)))
