"""The mat and the masks: squares, palaces, symbols, and who may go where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import TypeAlias

from engines.core.contract import Seat

Square: TypeAlias = str
"""A square of the mat, ``a1`` to ``e7``: column, then row counted from seat 0."""

Owners: TypeAlias = Mapping[Square, Seat]
"""Whose mask stands on each square that is not empty."""

FILES = "abcde"
ROWS = "1234567"
SQUARES: tuple[Square, ...] = tuple(file + row for row in ROWS for file in FILES)
SEATS: tuple[Seat, Seat] = (0, 1)


class Kind(StrEnum):
    """The symbol on the back of a mask, by its letter."""

    NOBLE = "N"
    ADVISOR = "A"
    LADY = "L"
    CANDIDATE = "C"
    SOLDIER = "S"


KINDS: tuple[Kind, ...] = tuple(Kind)
MUSTER: tuple[Kind, ...] = (
    *(Kind.NOBLE,) * 3,
    *(Kind.ADVISOR,) * 3,
    *(Kind.LADY,) * 2,
    Kind.CANDIDATE,
    Kind.SOLDIER,
)
"""The ten masks of a side."""

_ORTHOGONAL = ((0, 1), (0, -1), (1, 0), (-1, 0))
_DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def rival(seat: Seat) -> Seat:
    """Return the other seat."""
    return 1 - seat


def is_square(word: str) -> bool:
    """Return whether ``word`` names a square of the mat."""
    return word in _ALL


def palace(seat: Seat) -> tuple[Square, ...]:
    """Return the five palace squares of ``seat``, file a to e."""
    return _PALACE[seat]


def homes(seat: Seat) -> tuple[Square, ...]:
    """Return the ten squares that ``seat`` arranges its masks on.

    Palace row file a to e, then the row before it file a to e: the order of an arrangement.
    """
    return _HOMES[seat]


def _shift(square: Square, files: int, rows: int) -> Square | None:
    file, row = FILES.index(square[0]) + files, ROWS.index(square[1]) + rows
    return FILES[file] + ROWS[row] if 0 <= file < len(FILES) and 0 <= row < len(ROWS) else None


_ALL = frozenset(SQUARES)
_PALACE = tuple(tuple(file + row for file in FILES) for row in (ROWS[0], ROWS[-1]))
_HOMES = tuple(
    tuple(file + row for row in rows for file in FILES) for rows in (ROWS[:2], (ROWS[-1], ROWS[-2]))
)
# Worked out once: moves are asked for far more often than there are squares.
_STEPS: Mapping[Kind, Mapping[Square, tuple[Square, ...]]] = {
    kind: {
        square: tuple(sorted(target for step in steps if (target := _shift(square, *step)) is not None))
        for square in SQUARES
    }
    for kind, steps in (
        (Kind.NOBLE, _ORTHOGONAL),
        (Kind.ADVISOR, _DIAGONAL),
        (Kind.LADY, _ORTHOGONAL + _DIAGONAL),
        (Kind.CANDIDATE, _ORTHOGONAL + _DIAGONAL),
    )
}
_LANES: tuple[Mapping[Square, tuple[Square, ...]], ...] = tuple(
    {square: tuple(square[0] + row for row in rows[rows.index(square[1]) + 1 :]) for square in SQUARES}
    for rows in (ROWS, ROWS[::-1])
)


def paths(kind: Kind, seat: Seat, square: Square) -> tuple[Square, ...]:
    """Return where such a mask could go from ``square`` on an empty mat."""
    return _LANES[seat][square] if kind is Kind.SOLDIER else _STEPS[kind][square]


def targets(kind: Kind, seat: Seat, square: Square, owners: Owners) -> tuple[Square, ...]:
    """Return where such a mask may go now: empty squares, and rival masks that it may capture."""
    if kind is Kind.SOLDIER:
        return advance(seat, square, owners)
    if kind is Kind.LADY:
        return tuple(target for target in _STEPS[kind][square] if target not in owners)
    return tuple(target for target in _STEPS[kind][square] if owners.get(target) != seat)


def advance(seat: Seat, square: Square, owners: Owners) -> tuple[Square, ...]:
    """Return where a Soldier may go: the empty squares straight ahead, and the rival mask they end at."""
    found: list[Square] = []
    for ahead in _LANES[seat][square]:
        owner = owners.get(ahead)
        if owner != seat:
            found.append(ahead)
        if owner is not None:
            break
    return tuple(found)


def moves(seat: Seat, own: Mapping[Square, Kind], owners: Owners) -> Iterator[tuple[Square, Square]]:
    """Yield all legal moves of ``seat``, whose symbols are ``own``, in the order of ``own``'s squares."""
    for origin, kind in own.items():
        for target in targets(kind, seat, origin, owners):
            yield origin, target


def can_move(seat: Seat, own: Mapping[Square, Kind], owners: Owners) -> bool:
    """Return whether ``seat`` has a legal move."""
    return next(moves(seat, own, owners), None) is not None


def fits_after(
    fits: tuple[Kind, ...], seat: Seat, origin: Square, target: Square, taken: Kind | None
) -> tuple[Kind, ...]:
    """Return those of ``fits`` that may have made this move in a match that went on after it.

    ``taken``: the symbol that it captured, if any. A Lady captures nothing; a Candidate in the rival's
    palace, or one that has left the mat with a Lady, would have ended the match.
    """
    ends = taken is Kind.LADY or target in palace(rival(seat))
    return tuple(
        kind
        for kind in fits
        if target in paths(kind, seat, origin)
        and not (taken is not None and kind is Kind.LADY)
        and not (ends and kind is Kind.CANDIDATE)
    )


def fits_at(seat: Seat, square: Square) -> tuple[Kind, ...]:
    """Return what a mask may be of which no more is known than where it stands in a running match."""
    inside = square in palace(rival(seat))
    return tuple(kind for kind in KINDS if not (inside and kind is Kind.CANDIDATE))
