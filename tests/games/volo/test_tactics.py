"""What is seen at once must be what the rules say: flights that win, and turns that stop a flight."""

from __future__ import annotations

from random import Random

import pytest

from engines.volo.evaluation import answers, threats, winning
from engines.volo.movegen import Position
from engines.volo.rules import begin
from engines.volo.sides import Turn

MATCHES, LONGEST = 4, 120


def positions(board: str) -> list[Position]:
    """Positions of matches in which birds fly often: flights that win are frequent."""
    chance, found = Random(7), list[Position]()
    for _ in range(MATCHES):
        position = begin(board).state.position
        for _ in range(LONGEST):
            found.append(position)
            going_on = [turn for turn in position.turns() if position.after(turn).won() is None]
            if not going_on:
                break
            flights = [turn for turn in going_on if turn.unit]
            position = position.after(
                chance.choice(flights if flights and chance.random() < 0.6 else going_on)
            )
    return found


@pytest.mark.parametrize("board", ["standard", "small"])
def test_flights_that_win_are_those_after_which_the_mover_has_won(board: str) -> None:
    seen = 0
    for position in positions(board):
        turns = position.turns()
        wins = [turn for turn in turns if position.after(turn).won()]
        assert winning(position, turns) == wins
        seen += bool(wins)
    assert seen > MATCHES


@pytest.mark.parametrize("board", ["standard", "small"])
def test_answers_are_the_turns_after_which_no_threat_wins_any_more(board: str) -> None:
    seen = 0
    for position in positions(board):
        dangers = threats(position)
        if dangers:
            turns = [turn for turn in position.turns() if not turn.gone]
            assert answers(position, turns, dangers) == [
                turn
                for turn in turns
                if not any(still_wins(position.after(turn), danger) for danger in dangers)
            ]
            seen += 1
    assert seen > MATCHES


def still_wins(after: Position, danger: Turn) -> bool:
    return after.won() is not True and danger in winning(after, after.turns())
