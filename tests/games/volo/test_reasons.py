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
        (small(NEAR, APART), "c6-W1", "All your birds become one flock, so you win."),
        (
            at(f"{WALL} l7 k2", "a3 a4 f2 h9"),
            "d5-SE1/a2",
            "Careful: this leaves your opponent one flock, and you lose.",
        ),
        (
            at(f"{WALL} l7 k2", "a3 b5 f2 h9 m4"),
            "d5-SE1/d1",
            "Your opponent loses 2 birds. Flocks they have left: 3.",
        ),
        (
            small(HOMES, "e2 e3 e5"),
            "e4",
            "This stops your opponent from winning next by flying from e5 to e4.",
        ),
        (
            small(HOMES, "e2 e3 e5"),
            "e6",
            "This doesn’t stop your opponent from winning next by flying from e5 to e4.",
        ),
        (small(NEAR, APART), "a3", "You win next by flying from a3 to c5, unless your opponent stops it."),
        (small(NEAR, APART), "b1", "It gives you 10 new flights."),
        (small(NEAR, APART), "h6", "It takes a flight from your opponent."),
        (small(NEAR, APART), "k2", "A quiet turn: your opponent has no flight that wins next."),
    ],
)
def test_a_turn_has_its_reason(state: State, line: str, expected: str) -> None:
    assert why(state, line) == expected


def test_a_win_that_nothing_prevents_is_told_from_a_threat() -> None:
    state = small("c3 c6 e4", "h2 h5 j1 j4")
    assert why(state, "c6-W2") == "Whatever your opponent does, you win next."
    assert can_win_after_each_answer(played(state, "c6-W2"))
    assert why(state, "e4-SE2") == "You win next by flying from c6 to c5, unless your opponent stops it."
    assert not can_win_after_each_answer(played(state, "e4-SE2"))


def can_win_after_each_answer(state: State) -> bool:
    answered = [played(state, answer) for answer in legal(state)]
    return all(
        any(ending(played(after, line)) == ("united", 0) for line in legal(after)) for after in answered
    )


def test_a_flight_joins_or_closes_off() -> None:
    state = at(f"{WALL} l7 k2", "a3 b5 f2 h9 m4")
    assert why(state, "l7-W5") == "It makes a flock of 2, so you have 3 flocks left."
    assert why(state, "c6:c9-W1") == "It makes a flock of 9 and takes 4 flights from your opponent."
    above = at(f"{WALL} l7 k2", "f2 h9 m4")
    assert why(above, "d5-SE1") == "It closes off 13 points: your opponent can no longer reach them."


def test_a_pass_says_what_it_costs() -> None:
    assert (
        why(GAME.position(ONLY_PASS), "pass")
        == "You have no flight and no point to add a bird, so you can only pass."
    )
    assert why(GAME.position(f"{ONLY_PASS} pass"), "pass") == "A second pass in a row: the match is drawn."
    assert why(GAME.position(ADDS_AT_HOME), "pass") == (
        "Waiting costs nothing: your opponent can’t reach the points where you can add."
    )


def test_a_position_that_comes_for_the_third_time_is_noticed() -> None:
    state = small(NEAR, APART)
    coming = number(played(state, "b1").birds, 1)
    line = "Third repetition: the match is drawn."
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
