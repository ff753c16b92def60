"""What a position of VOLTO seems to be worth: masks on their squares, and what it may mean to take one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from engines.core.contract import Seat
from engines.volto.beliefs import Weights
from engines.volto.board import KINDS, ROWS, SEATS, SQUARES
from engines.volto.worlds import (
    ADVISOR,
    CANDIDATE,
    LADY,
    NOBLE,
    NOWHERE,
    PALACES,
    SIZE,
    SOLDIER,
    STEPS,
    Move,
    World,
)

SURE, DECIDES = 20.0, 4.0
"""The logits of a match that is won; and of a capture that would win, where it is not sure that it does."""

WORTH: dict[int, tuple[float, ...]] = {
    NOBLE: (0.45, 0.53, 0.62, 0.70, 0.78, 0.84, 0.84),
    ADVISOR: (0.35, 0.45, 0.56, 0.66, 0.76, 0.84, 0.84),
    LADY: (-0.20,) * len(ROWS),
    CANDIDATE: (0.00, 0.15, 0.35, 0.55, 1.00, 1.50, 1.50),
    SOLDIER: (0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.10),
}
"""What a mask is worth to its side on each row, from its own palace on, in logits of winning.

Fitted to how matches between such players ended. A Lady is worth more off the mat: she takes her captor with
her, and the second one wins.
"""

TEMPO = 0.1
"""What being to move is worth."""

IN_REACH = 3.0
"""What it costs that a rival mask can take the Candidate, while the rival is to move.

The rival need not know what it would take; but whoever sees a mask stand there may try it.
"""

LAST_LADY = 1.5
"""Fewer Ladies than this on the mat, as everybody knows how many are: the next one taken decides."""

Table: TypeAlias = tuple[float, ...]


def _rows(seat: Seat, worth: Table) -> Table:
    """Return the worth on each square of what is worth so much on each row."""
    rows = ROWS if seat == 0 else ROWS[::-1]
    return tuple(worth[rows.index(square[1])] for square in SQUARES)


VALUE: tuple[tuple[Table, ...], ...] = tuple(
    tuple(_rows(seat, WORTH[kind]) for kind in range(len(KINDS))) for seat in SEATS
)
"""For a seat, a symbol and a square: :data:`WORTH`."""


def danger(world: World, seat: Seat) -> float:
    """Return what it costs a side, in logits, that a mask beside its Candidate can take it next."""
    if world.mover == seat:
        return 0.0
    for square, near, other in _beside_candidate(world, seat):
        kind = world.kinds[other]
        if kind != LADY and square in STEPS[1 - seat][kind][near]:
            return IN_REACH
    return 0.0


def exposed(world: World, seat: Seat) -> bool:
    """Return whether a side's Candidate stands beside a rival mask, whatever that may be."""
    return next(_beside_candidate(world, seat), None) is not None


def _beside_candidate(world: World, seat: Seat) -> Iterator[tuple[int, int, int]]:
    """Yield each rival mask beside a side's Candidate: the Candidate's square, the mask's, and the mask."""
    for mask in world.masks(seat):
        square = world.places[mask]
        if world.kinds[mask] == CANDIDATE and square != NOWHERE:
            for near, other in rivals_beside(world, seat, square):
                yield square, near, other


def rivals_beside(world: World, seat: Seat, square: int) -> Iterator[tuple[int, int]]:
    """Yield each rival mask beside a square: where it stands, and the mask."""
    for near in STEPS[seat][CANDIDATE][square]:
        other = world.mat[near]
        if other != NOWHERE and (other >= world.split) != seat:
            yield near, other


def seeming(seat: Seat, share: Weights) -> Table:
    """Return what a mask of a seat seems to be worth on each square."""
    return tuple(
        sum(likely * VALUE[seat][kind][square] for kind, likely in enumerate(share)) for square in range(SIZE)
    )


def stakes(root: World, mask: int, shares: Sequence[Weights]) -> Table:
    """Return what to expect of taking a mask, beyond its own worth, for each symbol of its captor.

    ``shares``: what everybody may believe of each mask.
    """
    owner = root.owner(mask)
    share = shares[mask]
    last = _has_last_lady(root, owner, shares)
    found: list[float] = []
    for kind in range(len(KINDS)):
        lost = WORTH[kind][len(ROWS) // 2] + (DECIDES if kind == CANDIDATE or last else 0.0)
        found.append(share[CANDIDATE] * DECIDES - share[LADY] * lost)
    if root.places[mask] in PALACES[owner]:
        found[CANDIDATE] += (1 - share[LADY]) * DECIDES
    return tuple(found)


def may_lose(root: World, move: Move, shares: Sequence[Weights]) -> bool:
    """Return whether a move takes what may be a Lady, and would lose by that.

    ``shares``: what everybody may believe of each mask.
    """
    origin, target = divmod(move, SIZE)
    captor, taken = root.mat[origin], root.mat[target]
    if taken == NOWHERE or not shares[taken][LADY]:
        return False
    return root.kinds[captor] == CANDIDATE or _has_last_lady(root, root.owner(taken), shares)


def _has_last_lady(root: World, owner: Seat, shares: Sequence[Weights]) -> bool:
    """Return whether a side has one Lady at most on the mat, as everybody knows."""
    on_mat = (mask for mask in root.masks(owner) if root.places[mask] != NOWHERE)
    return sum(shares[mask][LADY] for mask in on_mat) < LAST_LADY
