"""Volo's computer players: what they see, that they say the same again, and what a position seems worth."""

from __future__ import annotations

import pytest

from engines.core.contract import Words
from engines.core.match import Match
from engines.core.optional_methods import Judgement, Level, Skill
from engines.core.rng import Rng
from engines.core.setups import complete
from engines.volo import GAME
from engines.volo.evaluation import distances, gaps
from engines.volo.movegen import Position
from tests.games.volo.support import at

SEED = bytes(32)


def match_at(orange: str, blue: str) -> Match:
    setup = complete(GAME.manifest, 2, {"board": "small"})
    return Match.at(GAME, setup, SEED, at(orange, blue, board="small"))


def said(match: Match, level: Level, seat: int = 0, effort: float = 0.1) -> Words:
    return match.computer(seat, Skill(level, effort))


@pytest.mark.parametrize("level", Level)
def test_a_flight_that_wins_is_taken(level: Level) -> None:
    match = match_at("c3 c4 c6", "h2 h5 j4")
    after = match.act(0, said(match, level))
    assert after.outcome is not None
    assert after.outcome.ranks[0] == (0,)


@pytest.mark.parametrize("level", [Level.MIDDLE, Level.BEST])
def test_a_flight_that_would_win_for_the_other_is_prevented(level: Level) -> None:
    match = match_at("b2 f10 j2", "e2 e3 e5")
    after = match.act(0, said(match, level))
    assert all(
        (found := after.act(1, words).outcome) is None or found.ranks[0] != (1,)
        for words in GAME.legal(after.view(1))
    )


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("board", ["standard", "small"])
def test_turns_of_a_whole_match_are_legal_and_the_same_again(level: Level, board: str) -> None:
    match = Match.start(GAME, complete(GAME.manifest, 2, {"board": board}), SEED)
    while match.waiting:
        seat = min(match.waiting)
        words = said(match, level, seat, effort=0.001)
        twin = Match.at(GAME, match.setup, SEED, GAME.imagine(match.view(seat), Rng(SEED)))
        menu = twin.menu(seat)
        assert menu is not None
        rng = Rng(bytes([len(match.log) % 256]) * 32)
        skill = Skill(level, 0.001)
        assert GAME.think(twin.view(seat), menu, skill, rng) == GAME.think(match.view(seat), menu, skill, rng)
        match = match.act(seat, words)


def test_each_level_has_a_name() -> None:
    assert {GAME.level_names[level].key for level in Level} == {f"level.{level.value}" for level in Level}


def test_other_randomness_gives_another_turn_where_some_are_as_good() -> None:
    match = Match.start(GAME, complete(GAME.manifest, 2, {}), SEED)
    view, menu = match.view(0), match.menu(0)
    assert menu is not None
    found = {GAME.think(view, menu, Skill(Level.FIRST, 0.05), Rng(bytes([n]) * 32)) for n in range(12)}
    assert len(found) > 1


def test_gaps_are_counted_around_what_is_in_the_way() -> None:
    position = position_of("c3 c4 c7", "h2 h5")
    board, side = position.board, position.own
    assert gaps(board, side, 0) == 2
    wall = sum(board.points[name] for name in ("c5", "d5", "d6", "b5", "b4"))
    assert gaps(board, side, wall) > 2


def test_whoever_is_nearer_to_one_flock_stands_better() -> None:
    near, far = "c3 c4 c6", "h2 h8 j2 e9"
    assert distances(position_of(near, far)) < 0 < distances(position_of(far, near))


def position_of(own: str, other: str) -> Position:
    return at(own, other, board="small").position


def judged(match: Match, line: str, effort: float = 0.01) -> Judgement:
    view, menu = match.view(0), match.menu(0)
    assert menu is not None
    return GAME.judge(view, menu, GAME.read(line), Skill(Level.BEST, effort), Rng(SEED))


def test_a_win_that_was_passed_by_is_told() -> None:
    match = match_at("c3 c4 c6", "h2 h5 j4")
    found = judged(match, "k2")
    assert (found.best, GAME.write(found.better)) == (1.0, "c6-W1")
    assert found.played < 1.0
    assert judged(match, "c3:c4-E1") == Judgement(1.0, 1.0, ("c3:c4", "E1"))


def test_a_turn_that_loses_at_once_is_judged_so_beside_the_one_that_does_not() -> None:
    match = match_at("b2 f10 j2", "e2 e3 e5")
    found = judged(match, "e6")
    assert found.played == 0.0 < found.best
    assert found.better == ("e4",)


def test_the_turn_that_the_search_would_take_is_as_good_as_the_best() -> None:
    match = Match.start(GAME, complete(GAME.manifest, 2, {}), SEED)
    first = judged(match, "a3")
    again = judged(match, GAME.write(first.better))
    assert again.played == again.best >= first.played
    assert again.better == first.better
