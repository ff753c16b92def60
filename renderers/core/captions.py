"""Texts on pictures and about them, in the table's language and with its players' names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile

from engines.core.contract import Arg, Seat, msg
from engines.core.languages import FALLBACK
from engines.core.names import Called, Seating, beside, isolated, phrases_of, tidy
from engines.core.texts import Catalogue
from renderers.core import fonts
from renderers.core.contract import ALT_LIMIT, Table
from renderers.core.fonts import FontFile
from renderers.core.type import ELLIPSIS, Face, fitted, paintable_part, shrunk

TEXT_LIMIT = 1_800
"""Characters of a board as plain text."""

_ANY_WIDTH = 1 << 20

_DOTS = "..."
_LEAST_LETTERS = 2
"""Letters that must be left of a name beside its side: fewer would identify nobody."""

PLAIN_NAME_LIMIT = 32
"""Characters of a name in a description, with the side beside it."""


@dataclass(frozen=True, slots=True)
class Captions:
    """A renderer's texts in the table's language, with the table's names.

    The catalogue has ``seat.0``, ``seat.1`` … : what a seat is called if its player's name cannot be shown.
    """

    catalogue: Catalogue
    table: Table

    def text(self, key: str, **args: Arg) -> str:
        """Return one text; raises ``KeyError`` for a key that the catalogue lacks."""
        return self.catalogue.render(msg(key, **args), self.plain_name, self.table.language)

    def text_with_side(self, key: str, **args: Arg) -> str:
        """Return a text that itself states the side of the players it names: their names come without it."""
        return self.catalogue.render(msg(key, **args), self._bare_name, self.table.language)

    def plain_name(self, seat: Seat) -> str:
        """Return a player's name for plain text, isolated: one line, nothing invisible, not too long.

        If it could be taken for another's or for a side, the seat's side is added.
        """
        return _in_text(self._seating(), self.table.marked)[seat].isolated(_unfenced)

    def _bare_name(self, seat: Seat) -> str:
        name = tidy(self.table.name(seat))
        return isolated(_unfenced(_cut(name, "").name if name else self.seat_name(seat)))

    def painted_name(self, seat: Seat, face: Face, width: int) -> str:
        """Return a player's name as the face can paint it in ``width`` pixels, told apart from the others."""
        return str(_painted(self._seating(), self.table.marked, face, width, fonts.used())[seat])

    def shrunk_name(self, seat: Seat, face: Face, width: int, least: int) -> tuple[str, Face]:
        """Return a player's name and a face in which it fits: smaller, down to ``least`` pixels, then cut."""
        smallest = replace(face, size=min(face.size, least))
        whole = str(_painted(self._seating(), self.table.marked, smallest, _ANY_WIDTH, fonts.used())[seat])
        cut = self.painted_name(seat, smallest, width)
        return (cut, smallest) if cut != whole else shrunk(whole, face, width, least)

    def seat_name(self, seat: Seat) -> str:
        """Return what the seat itself is called, whatever its player's name."""
        return self.text(f"seat.{seat}")

    def _seating(self) -> Seating:
        known = self.catalogue.languages[FALLBACK]
        seats = takewhile(lambda seat: f"seat.{seat}" in known, range(len(self.table.names)))
        sides = tuple(map(self.seat_name, seats))
        return Seating(self.table.names[: len(sides)], sides, phrases_of((self.catalogue,)))


@lru_cache(maxsize=1024)
def _in_text(seating: Seating, marked: frozenset[Seat]) -> tuple[Called, ...]:
    """Return what all seats of a table are called in texts."""
    return seating.called(_cut, marked)


@lru_cache(maxsize=1024)
def _painted(
    seating: Seating, marked: frozenset[Seat], face: Face, width: int, further: tuple[FontFile, ...]
) -> tuple[Called, ...]:
    """Return what all seats of a table are called on a picture, each in ``width`` pixels.

    ``further``: the further fonts, for the cache: with others, other names can be painted.
    """
    del further
    short = _initials(seating.sides)

    def fit(name: str, side: str) -> Called | None:
        if not side:
            return Called(fitted(name, face, width))
        for tail in (beside(side), beside(short[side])):
            if face.width(name + tail) <= width:
                return Called(name, tail)
        # The ellipsis of the serifs is wider than its advance: the side would run into it.
        kept = fitted(name, face, int(width - face.width(_DOTS + tail))).removesuffix(ELLIPSIS)
        return Called(kept + _DOTS, tail) if len(kept) >= _LEAST_LETTERS else None

    # The side is shown wherever texts show it.
    marked |= seating.marked(_cut)
    parts = tuple(paintable_part(name, face.family) for name in seating.names)
    return replace(seating, names=parts).called(fit, marked)


def _initials(sides: Sequence[str]) -> Mapping[str, str]:
    """Return a letter per side, for narrow places: its first or last; if these are not unique, all of it."""
    for at in (0, -1):
        if len({side[at] for side in sides}) == len(sides):
            return {side: side[at] for side in sides}
    return {side: side for side in sides}


def _cut(name: str, side: str) -> Called:
    tail = beside(side)
    room = PLAIN_NAME_LIMIT - len(tail)
    return Called(name if len(name) <= room else name[: room - 1].rstrip() + ELLIPSIS, tail)


def _unfenced(name: str) -> str:
    # A backtick would end a code block.
    return name.replace("`", "'")


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
            # A later sentence might still fit, but would lack what comes before it.
            break
        text = longer
    return text
