"""What a position seems worth, and what its next two turns decide.

It is worth how far each side is from being one flock, and how freely it flies; flights that win, and turns
that stop those of the other seat, are seen at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log

from engines.volo.board import Board
from engines.volo.movegen import PASS, Position
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


def winning(position: Position, turns: Iterable[Turn]) -> list[Turn]:
    """Return those of the mover's ``turns`` that make all its birds one flock."""
    return [turn for turn in turns if turn.unit and _unites(position, turn)]


def _unites(position: Position, turn: Turn) -> bool:
    # The flock that is left comes along; every other one must be beside the landing.
    unit, landing, side = turn.unit, turn.landing, position.own
    if side.singles & ~(unit | position.board.ring[landing]):
        return False
    return all(flock.beside & landing or flock.birds & unit for flock in side.flocks)


def threats(position: Position) -> list[Turn]:
    """Return the flights with which the seat that is not to move would win, were it to move."""
    passed = position.after(PASS)
    return winning(passed, passed.turns())


def answers(position: Position, turns: Iterable[Turn], threats: Iterable[Turn]) -> list[Turn]:
    """Return those of the mover's ``turns`` that win, or after which none of ``threats`` is possible.

    A threat stays unless a bird lands on its way or some of the birds that it would join fly away.
    """
    ways = [_way(position.board, threat) for threat in threats]
    return [
        turn
        for turn in turns
        if turn.gone or all(turn.landing & way for way in ways) or (turn.unit and _unites(position, turn))
    ]


def _way(board: Board, flight: Turn) -> int:
    """Return the points on which a flight's birds land or which they pass."""
    direction = flight.word.rstrip("0123456789")
    steps = int(flight.word[len(direction) :])
    way = 0
    for step in range(1, steps + 1):
        way |= board.shifted(flight.unit, direction, step)
    return way
