"""What a position seems worth: how far each side is from being one flock, and how freely it flies."""

from __future__ import annotations

from collections.abc import Iterable
from math import log

from engines.volo.board import Board
from engines.volo.movegen import Position
from engines.volo.sides import Side, Turn

# The weights are those of a logistic regression on matches that computer players played against each other.
TEMPO, FLOCKS, GAPS, FLIGHTS = 0.2, 2.4, 1.0, 0.6
"""What it is worth, in logits of winning, to be to move, and to have fewer flocks, smaller gaps and more
flights, each by its logarithm."""

FAR = 12
"""Steps to a flock that cannot be reached over vacant points."""


def evaluation(position: Position, turns: Iterable[Turn], others: Iterable[Turn]) -> float:
    """Return how well the mover seems to stand, in logits of winning.

    ``turns`` are those of the mover, ``others`` those that the other seat would have, were it to move.
    """
    freedom = log(1 + _flights(turns)) - log(1 + _flights(others))
    return TEMPO + FLIGHTS * freedom - distances(position)


def _flights(turns: Iterable[Turn]) -> int:
    return sum(turn.unit != 0 for turn in turns)


def distances(position: Position) -> float:
    """Return how much farther the mover seems to be from being one flock than the other seat, in logits."""
    board, own, other = position.board, position.own, position.other
    return _distance(board, own, other.birds) - _distance(board, other, own.birds)


def _distance(board: Board, side: Side, blocked: int) -> float:
    flocks = len(side.flocks) + side.singles.bit_count()
    return FLOCKS * log(flocks) + GAPS * log(1 + gaps(board, side, blocked))


def gaps(board: Board, side: Side, blocked: int) -> int:
    """Return the steps over points that are not ``blocked`` which it takes to join all flocks of a side.

    The largest one goes for the nearest, both for the next, and so on.
    """
    largest = max(side.flocks, key=lambda flock: flock.size, default=None)
    joined = largest.birds if largest is not None else side.birds & -side.birds
    left, room, steps = side.birds & ~joined, board.full & ~blocked, 0
    while left:
        taken, met = board.approach(joined, room, left)
        if not met:
            return steps + FAR * left.bit_count()
        for flock in side.flocks:
            if flock.birds & met:
                met |= flock.birds
        joined |= met
        left &= ~met
        steps += taken
    return steps
