"""Where things lie: strips one above the other, columns 0 (decks) to 7. Squares are ``"e4"``."""

from __future__ import annotations

from collections.abc import Container
from functools import lru_cache

from engines.corto.cards import Card
from engines.corto.state import COLUMNS, Square

FULL_STRIPS = 2
"""Strips that must be occupied for the match to end."""

Strips = tuple[str, ...]


def strip_of(square: Square) -> str:
    """Return the letter of a square's strip."""
    return square[0].upper()


def column_of(square: Square) -> int:
    """Return the column of a square, 0 to 7."""
    return int(square[1])


def square_at(strip: str, column: int) -> Square:
    """Return the square of a strip in a column."""
    return f"{strip.lower()}{column}"


@lru_cache(maxsize=4096)
def squares_of(strip: str) -> tuple[Square, ...]:
    """Return the seven squares of a strip, from the left."""
    return tuple(square_at(strip, column) for column in range(1, COLUMNS + 1))


@lru_cache(maxsize=4096)
def all_places(strips: Strips) -> tuple[Square, ...]:
    """Return all squares, deck squares too, by strip and column."""
    return tuple(square_at(strip, column) for strip in strips for column in range(COLUMNS + 1))


@lru_cache(maxsize=1 << 14)
def distance(strips: Strips, one: Square, other: Square) -> int:
    """Return the steps between two squares."""
    rows = abs(strips.index(strip_of(one)) - strips.index(strip_of(other)))
    return rows + abs(column_of(one) - column_of(other))


@lru_cache(maxsize=4096)
def neighbours(strips: Strips, square: Square) -> tuple[Square, ...]:
    """Return the squares that share an edge with one, deck squares too."""
    return tuple(place for place in all_places(strips) if distance(strips, place, square) == 1)


@lru_cache(maxsize=4096)
def lines(strips: Strips, square: Square) -> tuple[Square, ...]:
    """Return the other squares of a square's row and column."""
    return tuple(
        place
        for place in all_places(strips)
        if place != square and (place[0] == square[0] or place[1] == square[1])
    )


@lru_cache(maxsize=4096)
def area(strips: Strips, square: Square) -> tuple[Square, ...]:
    """Return a square and those around it, diagonals too: where a figurine acts."""
    row, column = strips.index(strip_of(square)), column_of(square)
    return tuple(
        place
        for place in all_places(strips)
        if abs(strips.index(strip_of(place)) - row) <= 1 and abs(column_of(place) - column) <= 1
    )


def reach(strips: Strips, square: Square, card: Card) -> tuple[Square, ...]:
    """Return the squares on which a character or an object acts from ``square``, its own excluded."""
    return lines(strips, square) if card.long_range else neighbours(strips, square)


def in_order(strips: Strips, squares: Container[Square]) -> list[Square]:
    """Return squares by strip from the top and by column."""
    return [place for place in all_places(strips) if place in squares]


def fills_two(strips: Strips, taken: set[Square]) -> bool:
    """Return whether all squares of two or more strips are taken."""
    return sum(taken.issuperset(squares_of(strip)) for strip in strips) >= FULL_STRIPS
