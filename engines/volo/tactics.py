"""What the next two turns decide: flights that win, and the turns that stop those of the other seat."""

from __future__ import annotations

from collections.abc import Iterable

from engines.volo.board import Board
from engines.volo.movegen import PASS, Position
from engines.volo.sides import Turn


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
