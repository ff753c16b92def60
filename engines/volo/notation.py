"""Words and position texts of Volo.

Words: ``c4`` (add), ``e2`` or ``d1:d4`` and then ``NE2`` (fly), then ``b3`` (region to keep), or ``pass``.
On one line: ``c4``, ``d1:d4-NE2/b3``, ``pass``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engines.core.contract import InvalidAction, Words, msg
from engines.volo.board import BY_POINTS, Board
from engines.volo.movegen import SUPPLY
from engines.volo.sides import Turn

_POINT = "[a-m][1-9][0-9]?"
_UNIT = re.compile(f"{_POINT}(:{_POINT})?")
_FLIGHT = re.compile("(E|NE|NW|W|SW|SE)([1-9][0-9]?)")
_LINE = re.compile(rf"({_POINT})(?::({_POINT}))?(?:-([a-z]+[1-9][0-9]?)(?:/({_POINT}))?)?")

_MOST_WORDS = 3
_SEATS = "ob"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence or draft, word by word. Empty texts, 0 and ``None``: not said.

    ``points``: the point of an add or the birds of a unit, as a set of bits.
    """

    unit: str = ""
    points: int = 0
    direction: str = ""
    steps: int = 0
    region: int = 0
    passing: bool = False


def read(text: str) -> Words:
    """Return the words that ``text`` notes down; raises ``InvalidAction``.

    Case and spaces do not matter, nor which end of a row comes first.
    """
    line = "".join(text.split()).lower()
    if line in ("", "pass"):
        return (line,) if line else ()
    found = _LINE.fullmatch(line)
    if found is None:
        raise InvalidAction(msg("error.notation", text=text[:40]))
    first, last, flight, region = found.groups()
    unit = first if last is None else ":".join(sorted((first, last), key=rank))
    return tuple(word for word in (unit, flight and flight.upper(), region) if word)


def spelt(unit: str) -> str:
    """Return a unit as texts name it: a row reads ``d1–d4``."""
    return unit.replace(":", "–")


def rank(point: str) -> tuple[str, int]:
    """Return what points are ordered by: row a first, then number."""
    return point[0], int(point[1:])


def write(words: Words) -> str:
    """Return words on one line; raises ``InvalidAction`` for what is no sentence or draft of this game."""
    text = "".join(mark + word for mark, word in zip(("", "-", "/"), words, strict=False))
    if len(words) > _MOST_WORDS or read(text) != words:
        raise InvalidAction(msg("error.notation", text=" ".join(words)[:40]))
    return text


def parse(board: Board, words: Words) -> Sentence:
    """Return what a sentence or draft says; raises ``InvalidAction`` for what is neither on ``board``."""
    if not words:
        return Sentence()
    first, *rest = words
    if len(words) > _MOST_WORDS or (rest and first == "pass"):
        raise InvalidAction(msg("error.words"))
    if first == "pass":
        return Sentence(passing=True)
    unit = _unit(board, first)
    if not rest:
        return Sentence(first, unit)
    flight = _FLIGHT.fullmatch(rest[0])
    if flight is None:
        raise InvalidAction(msg("error.flight", word=rest[0][:40]))
    region = _point(board, rest[1]) if len(rest) > 1 else 0
    return Sentence(first, unit, flight[1], int(flight[2]), region)


def _unit(board: Board, word: str) -> int:
    if not _UNIT.fullmatch(word):
        raise InvalidAction(msg("error.word", word=word[:40]))
    ends = word.split(":")
    for end in ends:
        _point(board, end)
    if word not in board.unit_points:
        raise InvalidAction(msg("error.row", first=ends[0], last=ends[1]))
    return board.unit_points[word]


def _point(board: Board, word: str) -> int:
    if word not in board.points:
        raise InvalidAction(msg("error.point", point=word[:40]))
    return board.points[word]


def words_of(board: Board, turn: Turn) -> Words:
    """Return the words of a legal turn."""
    unit, landing, word, keep, _ = turn
    if unit:
        flight = (board.units[unit], word)
        return (*flight, board.names[keep]) if keep else flight
    return (board.names[landing] if landing else "pass",)


def position_text(board: Board, birds: tuple[int, int], mover: int, *, passed: bool) -> str:
    """Return a position on one line: the points, the side to move, whether the last turn was a pass."""
    orange, blue = birds
    points = "".join("o" if bit & orange else "b" if bit & blue else "." for bit in board.order)
    return f"{points} {_SEATS[mover]}{' pass' if passed else ''}"


def read_position(text: str) -> tuple[Board, tuple[int, int], int, bool]:
    """Return board, birds of each seat, seat to move and whether the last turn was a pass.

    Raises ``InvalidAction`` for what is no position text.
    """
    fields = text.lower().split()
    passed = fields[-1:] == ["pass"]
    try:
        points, mover = fields[:-1] if passed else fields
    except ValueError:
        raise InvalidAction(msg("error.position.fields")) from None
    if len(points) not in BY_POINTS:
        raise InvalidAction(msg("error.position.length", n=len(points)))
    strange = sorted(set(points) - set(".ob"))
    if strange:
        raise InvalidAction(msg("error.position.letter", letter=strange[0]))
    if mover not in tuple(_SEATS):
        raise InvalidAction(msg("error.position.mover", word=mover[:40]))
    board = BY_POINTS[len(points)]
    for letter in _SEATS:
        if points.count(letter) > SUPPLY:
            raise InvalidAction(msg("error.position.birds", letter=letter, n=points.count(letter)))
    orange, blue = (
        sum(bit for bit, found in zip(board.order, points, strict=True) if found == letter)
        for letter in _SEATS
    )
    return board, (orange, blue), _SEATS.index(mover), passed
