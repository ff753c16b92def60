"""What a quest is: a small part beside the rules of play, driven by what happens on the board.

A seventh adventure is an entry of the data files and one module here, registered in
:mod:`engines.corto.quests`. Hooks change the table's ``pieces`` of their own strip and tell facts; they never
touch cards, markers or turns.
"""

from __future__ import annotations

from typing import Protocol

from engines.core.rng import Stream
from engines.corto.cards import Adventure
from engines.corto.table import Table
from engines.corto.view import CharacterView, PieceView, Square


class Quest(Protocol):
    """The rules of a quest. ``strip`` is the letter of the adventure that it belongs to."""

    def begin(self, adventure: Adventure) -> tuple[PieceView, ...]:
        """Return the pieces as everybody sees them at the start."""
        ...

    def faces(self, adventure: Adventure, stream: Stream) -> tuple[str, ...]:
        """Return the hidden faces, shuffled, in the order in which :attr:`State.faces` holds them."""
        ...

    def unseen(self, adventure: Adventure, pieces: tuple[PieceView, ...]) -> tuple[str, ...]:
        """Return the faces still hidden, sorted, as anybody can tell from the pieces: for ``imagine``."""
        ...

    def reveals(self, table: Table, strip: str, square: Square) -> bool:
        """Return whether a character placed on that square turns something up."""
        ...

    def placed(self, table: Table, strip: str, square: Square) -> None:
        """A character was placed from a hand on the strip and has its marker; its action is still to come."""
        ...

    def sails(self, table: Table, strip: str) -> tuple[int, ...]:
        """Return the columns to which its piece may sail after a placement; empty where nothing sails."""
        ...

    def sail(self, table: Table, strip: str, column: int) -> None:
        """Sail there."""
        ...

    def target(self, table: Table, strip: str) -> Square | None:
        """Return the square on which a black hit may strike a piece of the quest (the train's)."""
        ...

    def struck(self, table: Table, strip: str) -> bool:
        """Take such a hit; return whether it is an armed carriage, which opens one hit from that square.

        Raises :class:`~engines.corto.table.Reveals` where the face is not known.
        """
        ...

    def killed(self, table: Table, strip: str, acting: Square) -> None:
        """The acting seat has killed or eliminated a character from ``acting``, wherever the victim was."""
        ...

    def turn_ends(self, table: Table, strip: str) -> None:
        """The acting seat's turn ends, before the end of the match is looked for."""
        ...

    def gold(
        self,
        adventure: Adventure,
        pieces: tuple[PieceView, ...],
        board: tuple[CharacterView, ...],
        seats: int,
    ) -> tuple[int, ...]:
        """Return each seat's gold from this quest as if the match ended now."""
        ...
