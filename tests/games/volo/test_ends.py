"""How matches end, and when passing is allowed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.core.contract import IllegalAction
from engines.volo import GAME
from engines.volo.state import number
from tests.games.volo.support import (
    ADDS_AT_HOME,
    ONLY_PASS,
    RNG,
    at,
    ending,
    kinds,
    legal,
    played,
    refusal,
    said,
)

PASSED_BEFORE = "bb.o.bobboo.oo.obbob.ooo.bbobooboo.ob.bbb.oob..boooobobobb.obbboo.bb.b.o...bboo.b.bo o pass"


# --- one flock ------------------------------------------------------------------------------------


def test_one_flock_wins() -> None:
    after = played(at("d2 d6", "h2 k9"), "d2-E3")
    assert ending(after) == ("united", 0)
    outcome = GAME.outcome(GAME.view(after, None))
    assert outcome is not None
    assert outcome.ranks == ((0,), (1,))
    assert said(outcome.reasons[0]) == "All of the winner’s birds are in one flock."


def test_the_mover_wins_when_both_are_one_flock() -> None:
    wall = "c1 c2 c3 c4 c6 c7 c8 c9 d5"
    after = played(at(wall, "a3 h2 h3"), "d5-SE1")
    assert ending(after) == ("united", 0)
    assert len(GAME.view(after, None).birds[1]) == 3


def test_the_opponent_wins_when_what_is_left_of_it_is_one_flock() -> None:
    state = at("c1 c2 c3 c4 c6 c7 c8 c9 d5 l7 k2", "a3 a4 f2 h9")
    after = played(state, "d5-SE1/a2")
    assert ending(after) == ("left_united", 1)
    assert kinds(state, "d5-SE1/a2") == ["flew", "kept", "gone", "won"]
    assert ending(played(state, "d5-SE1/d1")) is None


def test_nothing_more_is_asked_at_the_end() -> None:
    after = played(at("d2 d6", "h2 k9"), "d2-E3")
    assert GAME.waiting(GAME.view(after, None)) == frozenset()
    assert GAME.menu(GAME.view(after, 1)) is None
    assert legal(after) == set()
    with pytest.raises(IllegalAction, match="over"):
        GAME.act(after, 1, ("c4",), RNG)
    with pytest.raises(IllegalAction, match="over"):
        GAME.withdraw(after, 0, RNG)
    with pytest.raises(IllegalAction, match="over"):
        GAME.agree(after, RNG)


# --- passing --------------------------------------------------------------------------------------


def test_passing_is_the_only_turn_where_there_is_no_other() -> None:
    state = GAME.position(ONLY_PASS)
    assert legal(state) == {"pass"}
    after = played(state, "pass")
    assert (after.passed, after.mover, ending(after)) == (True, 1, None)
    assert GAME.position_text(after).endswith(" b pass")
    menu = GAME.menu(GAME.view(state, 0))
    assert menu is not None
    assert [choice.word for choice in menu.choices()] == ["pass"]


def test_passing_is_allowed_beside_adds_that_the_opponent_cannot_reach() -> None:
    assert legal(GAME.position(ADDS_AT_HOME)) == {"b1", "c1", "d1", "e1", "f1", "pass"}


def test_no_passing_while_a_flight_is_possible() -> None:
    state = at("d2 d6", "h2 k9")
    assert "pass" not in legal(state)
    assert refusal(state, "pass").startswith("You can’t pass while you have a flight, such as `d2-")


def test_no_passing_while_there_is_a_place_to_add_that_the_opponent_reaches() -> None:
    state = at("b2 g12 l2", "h2 k9")
    assert "pass" not in legal(state)
    assert refusal(state, "pass").startswith("You can’t pass while your opponent can reach a point")


def test_two_passes_in_a_row_are_a_draw() -> None:
    state = GAME.position(PASSED_BEFORE)
    assert legal(state) == {"pass"}
    after = played(state, "pass")
    assert ending(after) == ("passes", None)
    outcome = GAME.outcome(GAME.view(after, None))
    assert outcome is not None
    assert outcome.drawn
    assert kinds(state, "pass") == ["passed", "drawn"]


def test_a_pass_alone_ends_nothing() -> None:
    assert ending(played(GAME.position(PASSED_BEFORE.removesuffix(" pass")), "pass")) is None


# --- repetition -----------------------------------------------------------------------------------


def test_the_third_time_is_a_draw() -> None:
    state = at("d2 d6 i9", "h2 k9")
    after = played(state, "b5")
    seen = after.history[-1]
    assert seen == number(after.birds, 1)
    twice = replace(state, history=(seen, *state.history, seen))
    assert ending(played(twice, "b5")) == ("repetition", None)
    once = replace(state, history=(seen, *state.history))
    assert ending(played(once, "b5")) is None


def test_the_side_to_move_counts_and_the_pass_before_does_not() -> None:
    state = at("d2 d6 i9", "h2 k9")
    other = number(played(state, "b5").birds, 0)
    assert ending(played(replace(state, history=(other, other)), "b5")) is None
    assert number(at("d2 d6", "h2 k9", passed=True).birds, 0) == number(at("d2 d6", "h2 k9").birds, 0)


def test_the_start_counts() -> None:
    state = at("d2 d6 i9", "h2 k9")
    assert state.history == (number(state.birds, 0),)
    assert len(played(state, "b5", "b2").history) == 3


def test_one_flock_comes_before_repetition() -> None:
    state = at("d2 d6", "h2 k9")
    seen = played(state, "d2-E3").history[-1]
    assert ending(played(replace(state, history=(seen, seen)), "d2-E3")) == ("united", 0)


# --- leaving --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_who_leaves_loses(seat: int) -> None:
    state = GAME.withdraw(at("d2 d6", "h2 k9"), seat, RNG).state
    assert ending(state) == ("withdrawn", 1 - seat)


def test_a_draw_can_be_agreed() -> None:
    state = GAME.agree(at("d2 d6", "h2 k9"), RNG).state
    assert ending(state) == ("agreed", None)


def test_the_rules_say_nothing_of_deadlines() -> None:
    assert GAME.lapse(GAME.view(at("d2 d6", "h2 k9"), 0), RNG) is None
