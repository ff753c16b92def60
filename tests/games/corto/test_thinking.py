"""CORTO's computer players: whole matches, wins that are there, answers that are seen, true hints."""

from __future__ import annotations

from typing import Any

import pytest

from engines.core import texts
from engines.core.contract import Words
from engines.core.match import Match
from engines.core.optional_methods import Level, Skill
from engines.core.rng import Rng
from engines.core.setups import complete
from engines.corto import GAME
from engines.corto.imagine import imagine
from engines.corto.outlook import totals, wanting
from engines.corto.planning import Planner
from engines.corto.state import State
from engines.corto.thinking import STYLES, Mind, chance
from engines.corto.turn import Progress
from engines.corto.view import look, table_of
from tests.games.corto.positions import rng, setup
from tests.games.corto.turns import given

TEXTS = texts.load("engines.corto")

FULL = {f"{strip}{column}": f"{strip.upper()}{column:02d}" for strip in "ab" for column in range(1, 8)}
"""Two strips of characters without markers."""


def said(state: State, level: Level, effort: float = 0.02, label: str = "test") -> Words:
    view = look(state, 0)
    menu = GAME.menu(view)
    assert menu is not None
    return GAME.think(view, menu, Skill(level, effort), rng(label))


def one_short(hand: str, own: str = "red", **value: Any) -> State:
    """Return a table on which a character on b7 ends the match; ``own`` controls most of it."""
    board = {at: f"{card} {own}" for at, card in FULL.items() if at not in ("b7", "a4", "a5", "a6", "a7")}
    board |= {f"a{column}": f"A{column:02d} blue" for column in range(4, 8)}
    return given(board, hand, **value)


@pytest.mark.parametrize(("seats", "level"), [(2, Level.BEST), (3, Level.MIDDLE), (4, Level.FIRST)])
def test_whole_matches_are_legal_said_again_alike_and_explained(seats: int, level: Level) -> None:
    match = Match.start(GAME, complete(GAME.manifest, seats, {}), bytes(32))
    skill = Skill(level, 0.002)
    for number in range(400):
        waiting = sorted(match.waiting)
        if not waiting:
            break
        seat = waiting[0]
        words = match.computer(seat, skill)
        if number % 8 == 0:
            assert words == match.computer(seat, skill)
        assert TEXTS.render(GAME.reason(match.view(seat), words), str)
        match = match.act(seat, words)
    assert match.outcome is not None


@pytest.mark.parametrize("level", Level)
def test_a_win_that_is_there_is_taken(level: Level) -> None:
    state = one_short("B10")
    after = GAME.act(state, 0, said(state, level), rng()).state
    assert after.public.ranks is not None
    assert after.public.ranks[0] == (0,)


@pytest.mark.parametrize("level", Level)
def test_nobody_ends_a_match_to_lose_it(level: Level) -> None:
    state = one_short("B10", own="blue")
    after = GAME.act(state, 0, said(state, level), rng()).state
    assert after.public.ranks is None


def test_the_best_sees_what_the_rival_may_answer() -> None:
    state = one_short("A14", own="blue", hands={"blue": ["B10"]})
    mind = Mind(look(state, 0), STYLES[Level.BEST].at(0.02), rng())
    passed = mind.played([])
    assert chance(passed.odds) > 0.01, "the match goes on"
    assert mind.answered(passed, state, 8) < 0.01, "blue ends it"


def test_answers_move_what_a_turn_seemed_worth_and_do_not_replace_it() -> None:
    state = one_short("A14", own="blue", hands={"blue": ["B10"]})
    mind = Mind(look(state, 0), STYLES[Level.BEST].at(0.02), rng())
    passed = mind.played([])
    before = passed.odds
    (world,) = [imagine(look(state, 0), rng().child("world", 0))]
    answered = mind.answered(passed, world, 57)
    mind.beside(passed)
    assert answered < chance(passed.odds) < chance(before)


def test_the_best_weighs_a_position_by_how_near_the_end_is() -> None:
    near, far = one_short("B10"), given({"a1": "A01 red"}, "B10")
    tables = [table_of(look(state, 0)) for state in (near, far)]
    assert [wanting(table) for table in tables] == [1, 13]
    outlook = Mind(look(near, 0), STYLES[Level.BEST], rng()).outlook
    vessel = [
        outlook.expected(Progress.of(table_of(look(state, 0))), [0.0, 0.0], [0.0, 0.0])
        for state in (
            one_short("B10", quests={"A": {"vessel": 7}}),
            one_short("B10", quests={"A": {"vessel": 2}}),
        )
    ]
    assert vessel[1][0] - vessel[0][0] > 2.5, "red controls a2, and blue a7"


@pytest.mark.parametrize("level", Level)
def test_truths_that_a_seat_cannot_tell_apart_get_the_same_sentence(level: Level) -> None:
    match = Match.start(GAME, complete(GAME.manifest, 2, {}), bytes(32))
    for _ in range(7):
        found = match.play_on()
        assert found is not None
        match = found[0]
    (seat,) = match.waiting
    twin = imagine(match.view(seat), Rng(bytes([7]) * 32))
    assert twin != match.state
    other = Match.at(GAME, setup(2), bytes(32), twin)
    views = [GAME.view(state, seat) for state in (match.state, other.state)]
    menus = [GAME.menu(view) for view in views]
    skill, draw = Skill(level, 0.02), rng()
    answers = [GAME.think(view, menu, skill, draw) for view, menu in zip(views, menus, strict=True) if menu]
    assert answers[0] == answers[1]


@pytest.mark.parametrize("number", [0, 7])
def test_other_randomness_gives_another_sentence_where_some_are_as_good(number: int) -> None:
    match = Match.start(GAME, complete(GAME.manifest, 2, {}), bytes(32))
    for _ in range(number):
        found = match.play_on()
        assert found is not None
        match = found[0]
    (seat,) = match.waiting
    view, menu = match.view(seat), match.menu(seat)
    assert menu is not None
    skill = Skill(Level.MIDDLE, 0.02)
    assert len({GAME.think(view, menu, skill, Rng(bytes([n]) * 32)) for n in range(8)}) > 1


def test_what_is_turned_up_ends_the_sentence_and_counts_by_its_mean() -> None:
    state = given({"c1": "C05 red"}, "C03", strips="CAB")
    progress = Progress.of(table_of(look(state, 0)))
    outlook = Mind(look(state, 0), STYLES[Level.MIDDLE].at(0.02), rng()).outlook
    lines = Planner(outlook, progress, [0.0, 0.0]).lines(200)
    (best,) = (line for line in lines[:1])
    assert best.steps[0].square == "c2"
    assert (best.said, best.luck) == (1, (1.0, 0.0)), "three ingots of 3 and three crows of -1"
    assert said(state, Level.MIDDLE) == ("play", "C03", "c2")


def test_the_gold_that_a_search_counts_is_the_treasure_count() -> None:
    match = Match.start(GAME, complete(GAME.manifest, 3, {}), bytes(32))
    for _ in range(16):
        view = match.view(None)
        assert totals(table_of(view, 0)) == [line.total for line in view.gold]
        found = match.play_on()
        if found is None:
            break
        match = found[0]


def test_a_judgement_knows_a_win_from_a_loss() -> None:
    state = one_short("B10")
    view, skill = look(state, 0), Skill(Level.BEST, 0.02)
    menu = GAME.menu(view)
    assert menu is not None
    won = GAME.judge(view, menu, GAME.read("play B10 b7 end"), skill, rng())
    assert won.played == won.best > 0.99
    assert won.better == GAME.read("play B10 b7 end")
    missed = GAME.judge(view, menu, ("discard",), skill, rng())
    assert missed.best > 0.99 > missed.played
    assert missed.better[:2] == ("play", "B10")
