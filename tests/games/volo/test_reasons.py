"""What is said for a turn: what it ends, prevents, threatens, cuts off, joins, opens or stops."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.core.contract import IllegalAction
from engines.core.match import Match
from engines.core.setups import complete
from engines.volo import GAME
from engines.volo.state import State, number
from tests.games.volo.support import ADDS_AT_HOME, ONLY_PASS, at, ending, legal, played, said

NEAR, APART = "c3 c4 c6", "h2 h5 j4"
HOMES = "b2 f10 j2"
WALL = "c1 c2 c3 c4 c6 c7 c8 c9 d5"


def why(state: State, line: str) -> str:
    return said(GAME.reason(GAME.view(state, state.mover), GAME.read(line)))


def small(orange: str, blue: str) -> State:
    return at(orange, blue, board="small")


NO_FLIGHT = "After this, no flight of theirs wins next."


@pytest.mark.parametrize(
    ("state", "line", "expected"),
    [
        (small(NEAR, APART), "c6-W1", "This unites all your birds, so you win."),
        (
            at(f"{WALL} l7 k2", "a3 a4 f2 h9"),
            "d5-SE1/a2",
            "Careful: this leaves your opponent with one flock, so you lose.",
        ),
        (
            at(f"{WALL} l7 k2", "a3 b5 f2 h9 m4"),
            "d5-SE1/d1",
            "Your opponent loses 2 birds. Flocks left to unite: 3.",
        ),
        (
            small(HOMES, "e2 e3 e5"),
            "e4",
            "This stops your opponent’s winning flight from e5 to e4.",
        ),
        (
            small(HOMES, "e2 e3 e5"),
            "e6",
            "This leaves your opponent a winning flight from e5 to e4.",
        ),
        (small(NEAR, APART), "a3", "This threatens to win with a flight from a3 to c5."),
        (small(NEAR, APART), "b1", "This gives you 10 new flights."),
        (small(NEAR, APART), "h6", "This takes a flight from your opponent."),
        (small(NEAR, APART), "k2", "A quiet turn: your opponent can’t win with the next one."),
    ],
)
def test_a_turn_has_its_reason(state: State, line: str, expected: str) -> None:
    assert why(state, line) == expected


def test_a_win_that_nothing_prevents_is_told_from_a_threat() -> None:
    state = small("c3 c6 e4", "h2 h5 j1 j4")
    assert why(state, "c6-W2") == "Whatever your opponent does, you win on your next turn."
    assert can_win_after_each_answer(played(state, "c6-W2"))
    assert why(state, "e4-SE2") == "This threatens to win with a flight from c6 to c5."
    assert not can_win_after_each_answer(played(state, "e4-SE2"))


def can_win_after_each_answer(state: State) -> bool:
    answered = [played(state, answer) for answer in legal(state)]
    return all(
        any(ending(played(after, line)) == ("united", 0) for line in legal(after)) for after in answered
    )


def test_a_flight_joins_or_closes_off() -> None:
    state = at(f"{WALL} l7 k2", "a3 b5 f2 h9 m4")
    assert why(state, "l7-W5") == "This makes a flock of 2 and leaves you with 3 flocks."
    assert why(state, "c6:c9-W1") == "This makes a flock of 9 and stops 4 flights of your opponent."
    above = at(f"{WALL} l7 k2", "f2 h9 m4")
    assert why(above, "d5-SE1") == "Your opponent can no longer reach 13 of the free points."


def test_a_pass_says_what_it_costs() -> None:
    assert why(GAME.position(ONLY_PASS), "pass") == "You can’t fly or add a bird, so you can only pass."
    assert (
        why(GAME.position(f"{ONLY_PASS} pass"), "pass") == "A second pass in a row ends the match in a draw."
    )
    assert why(GAME.position(ADDS_AT_HOME), "pass") == (
        "Your opponent can’t reach the points where you can add, so waiting costs nothing."
    )


def test_a_position_that_comes_for_the_third_time_is_noticed() -> None:
    state = small(NEAR, APART)
    coming = number(played(state, "b1").birds, 1)
    line = "The third repetition ends the match in a draw."
    assert why(replace(state, history=(coming, *state.history, coming)), "b1") == line
    assert why(replace(state, history=(coming, *state.history)), "b1") != line


def test_what_may_not_be_said_has_no_reason() -> None:
    with pytest.raises(IllegalAction):
        why(small(NEAR, APART), "c5")


@pytest.mark.parametrize("board", ["standard", "small"])
def test_every_turn_of_whole_matches_has_a_reason(board: str) -> None:
    match = Match.start(GAME, complete(GAME.manifest, 2, {"board": board}), bytes(32))
    while match.waiting:
        seat = min(match.waiting)
        words = match.computer(seat)
        assert said(GAME.reason(match.view(seat), words))
        match = match.act(seat, words)
