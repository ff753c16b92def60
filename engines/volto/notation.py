"""Sentences and positions as text, exactly as the rules page writes them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from engines.core.contract import InvalidAction, Seat, Words, msg
from engines.volto.board import FILES, KINDS, MUSTER, ROWS, SEATS, Kind, Square, is_square

SETUP = "setup"
"""The word that an arrangement begins with."""

Mat = Mapping[Square, tuple[Seat, Kind]]
"""Who and what stands on each square that is not empty."""

_LETTERS = frozenset(kind.value for kind in KINDS)
_GAPS = re.compile(r"[\s,;:/|]+")
_MOVE = re.compile(r"([a-e][1-7])(?:\s*(?:[-–—>→x×:]*|to)\s*([a-e][1-7]))?")
_SWAPS = re.compile(r"(?:[a-e][1-7])*")
_SHAPE = re.compile(r"\s*(\S+)\s+([01])\s*")


# --- sentences ------------------------------------------------------------------------------------


def read(text: str) -> Words:
    """Return the words of a move, an arrangement or the beginning of one.

    Case, spaces and the usual signs between two squares do not matter. Nothing at all is the empty
    draft. Raises :class:`InvalidAction`.
    """
    folded = text.strip().lower()
    if not folded:
        return ()
    move = _MOVE.fullmatch(folded)
    if move is not None:
        return tuple(square for square in move.groups() if square is not None)
    return _read_arrangement([part for part in _GAPS.split(folded) if part])


def _read_arrangement(parts: list[str]) -> Words:
    # ``setup``, ten letters in any grouping, then squares to swap; each but one may be missing.
    head: Words = ()
    if parts and parts[0] == SETUP:
        head, parts = (SETUP,), parts[1:]
    letters = ""
    while parts and parts[0].isalpha():
        letters += parts.pop(0).upper()
    squares = "".join(parts)
    if not _is_arrangement(head, letters, squares):
        raise InvalidAction(msg("error.unreadable"))
    if letters:
        check_arrangement(letters)
        head = (*head, letters)
    return (*head, *(squares[i : i + 2] for i in range(0, len(squares), 2)))


def _is_arrangement(head: Words, letters: str, squares: str) -> bool:
    # What means an arrangement, if perhaps a wrong one, gets the message of its fault later.
    if _SWAPS.fullmatch(squares) is None or (squares and not letters):
        return False
    return bool(head or (letters and (len(letters) == len(MUSTER) or _LETTERS.issuperset(letters))))


def write(words: Words) -> str:
    """Return ``words`` as text: a move without a gap, all else with spaces."""
    if len(words) <= 2 and all(is_square(word) for word in words):
        return "".join(words)
    return " ".join(words)


def check_arrangement(letters: str) -> tuple[Kind, ...]:
    """Return the symbols of an arrangement; raises :class:`InvalidAction` saying what is wrong with it."""
    strange = sorted(set(letters) - _LETTERS)
    if strange:
        raise InvalidAction(msg("error.arrangement_letter", letter=strange[0]))
    if len(letters) != len(MUSTER):
        raise InvalidAction(msg("error.arrangement_length", n=len(letters)))
    for kind in KINDS:
        have, want = letters.count(kind.value), MUSTER.count(kind)
        if have != want:
            raise InvalidAction(
                msg("error.arrangement_count", kinds=msg(f"kinds.{kind.value}"), have=have, want=want)
            )
    return tuple(Kind(letter) for letter in letters)


# --- positions ------------------------------------------------------------------------------------


def letter(seat: Seat, kind: Kind | None) -> str:
    """Return the letter of a mask in a position text: ``X`` for a symbol not known; seat 1's small."""
    return _LETTER[seat, kind]


def board_text(letters: Mapping[Square, str], turn: Seat | None) -> str:
    """Return a position on one line: rows 7 to 1, then the side to move, ``-`` in the set-up."""
    text = "/".join(["".join([letters.get(square, " ") for square in row]) for row in _RANKS])
    for empty, number in _GAPS_OF_ROWS:
        text = text.replace(empty, number)
    return f"{text} {'-' if turn is None else turn}"


_LETTER: Mapping[tuple[Seat, Kind | None], str] = {
    (seat, kind): (text if seat == 0 else text.lower())
    for seat in SEATS
    for kind, text in ((None, "X"), *((kind, kind.value) for kind in KINDS))
}
_RANKS = tuple(tuple(file + row for file in FILES) for row in reversed(ROWS))
_GAPS_OF_ROWS = tuple((" " * width, str(width)) for width in range(len(FILES), 0, -1))
"""Empty squares in a row and their number, the widest first."""


def read_position(text: str) -> tuple[Mat, Seat]:
    """Return who and what stands where, and the side to move.

    Raises :class:`InvalidAction` for a text of another shape, and for more masks of a kind than a
    side has.
    """
    shape = _SHAPE.fullmatch(text)
    rows = shape[1].split("/") if shape is not None else []
    if shape is None or len(rows) != len(ROWS):
        raise InvalidAction(msg("error.position_shape"))
    mat: dict[Square, tuple[Seat, Kind]] = {}
    for row, letters in zip(reversed(ROWS), rows, strict=True):
        mat.update(_read_row(row, letters))
    check_counts(mat)
    return mat, int(shape[2])


def _read_row(row: str, text: str) -> dict[Square, tuple[Seat, Kind]]:
    found: dict[Square, tuple[Seat, Kind]] = {}
    width = 0
    for sign in text:
        if sign in "12345":
            width += int(sign)
            continue
        if sign.upper() not in _LETTERS:
            raise InvalidAction(msg("error.position_letter", letter=sign, row=row))
        if width < len(FILES):
            found[FILES[width] + row] = (0 if sign.isupper() else 1, Kind(sign.upper()))
        width += 1
    if width != len(FILES):
        raise InvalidAction(msg("error.position_width", row=row, n=width))
    return found


def check_counts(mat: Mat) -> None:
    """Raise :class:`InvalidAction` for more masks of a kind than a side has."""
    have = Counter(mat.values())
    for seat in SEATS:
        for kind in KINDS:
            if have[seat, kind] > MUSTER.count(kind):
                raise InvalidAction(
                    msg(
                        "error.position_count",
                        side=msg(f"seat.{seat}"),
                        have=have[seat, kind],
                        kinds=msg(f"kinds.{kind.value}"),
                        want=MUSTER.count(kind),
                    )
                )
