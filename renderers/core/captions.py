"""Texts on pictures and about them, in the table's language and with its players' names."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from engines.core.contract import Arg, Seat, msg
from engines.core.texts import Catalogue
from renderers.core.contract import ALT_LIMIT, Table
from renderers.core.type import ELLIPSIS, Face, painted_name, shrunk

TEXT_LIMIT = 1_800
"""Characters of a board as plain text."""

_ANY_WIDTH = 1 << 20

PLAIN_NAME_LIMIT = 32
"""Characters of a name in a description: the most that an account may have."""


@dataclass(frozen=True, slots=True)
class Captions:
    """A renderer's texts in the table's language, with the table's names.

    The catalogue has ``seat.0``, ``seat.1`` … : what a seat is called whose name cannot be shown.
    """

    catalogue: Catalogue
    table: Table

    def text(self, key: str, **args: Arg) -> str:
        """Return one text; raises ``KeyError`` for a key that the catalogue lacks."""
        return self.catalogue.render(msg(key, **args), self.plain_name, self.table.language)

    def plain_name(self, seat: Seat) -> str:
        """Return a player's name for plain text: one line, nothing invisible, not too long."""
        # Control characters could hide a part of the line or turn it round.
        shown = "".join(c for c in self.table.name(seat) if unicodedata.category(c)[0] != "C" or c == "\n")
        name = " ".join(shown.replace("`", "'").split())
        if not name:
            return self.seat_name(seat)
        return name if len(name) <= PLAIN_NAME_LIMIT else name[: PLAIN_NAME_LIMIT - 1].rstrip() + ELLIPSIS

    def painted_name(self, seat: Seat, face: Face, width: int) -> str:
        """Return a player's name as the face can paint it in ``width`` pixels."""
        return painted_name(self.table.name(seat), self.seat_name(seat), face, width)

    def shrunk_name(self, seat: Seat, face: Face, width: int, least: int) -> tuple[str, Face]:
        """Return a player's name and a face in which it fits: smaller, down to ``least`` pixels, then cut."""
        # Any name is painted in this width: only a name that cannot be painted or is too long is replaced.
        name = painted_name(self.table.name(seat), self.seat_name(seat), face, _ANY_WIDTH)
        return shrunk(name, face, width, least)

    def seat_name(self, seat: Seat) -> str:
        """Return what the seat is called, whoever sits there."""
        return self.text(f"seat.{seat}")


def plain_text(drawn: Iterable[str], sentences: Iterable[str]) -> str:
    """Return a board drawn in lines of characters, then as many sentences as :data:`TEXT_LIMIT` allows."""
    board = "\n".join(drawn)
    return f"{board}\n\n{description(sentences, TEXT_LIMIT - len(board) - 2)}"


def description(sentences: Iterable[str], limit: int = ALT_LIMIT) -> str:
    """Join sentences, the most telling first, as many as fit into ``limit`` characters."""
    text = ""
    for sentence in sentences:
        longer = f"{text} {sentence}" if text else sentence
        if len(longer) > limit:
            # A later sentence might still fit, but would be told without what comes before it.
            break
        text = longer
    return text
