"""What holds at every moment of any match: nothing is lost, nobody stands on another."""

from __future__ import annotations

from collections import Counter

import pytest

from engines.core.base import fields_of
from engines.core.match import Match
from engines.volt import GAME
from engines.volt.arena import arena
from engines.volt.battle import LIMIT
from engines.volt.modules import COPIES, MINES, MODULES, goes_together
from engines.volt.state import State
from engines.volt.view import Lost, Phase, Public
from tests.contract.checks.sampling import baseline, seed, tables, wild
from tests.kit.samples import some


def check(match: Match) -> None:
    state: State = match.state
    public = state.public
    place = arena(public.arena)
    standing = [robot.pos for robot in public.robots if robot.pos is not None]
    assert len(standing) == len(set(standing)), "two robots on one space"
    assert not set(standing) & (place.solid | place.pits)
    for robot in public.robots:
        assert 0 <= robot.damage <= LIMIT
        assert robot.damage < LIMIT or robot.lost is Lost.DAMAGE
        assert robot.score <= public.target
    cards = Counter(name for deck in state.decks for name in deck)
    for seat, own in enumerate(state.own):
        assert len(own.names) == len(own.active) + len(own.spare), "a name twice"
        assert goes_together(own.active)
        assert set(public.face_up[seat]) <= set(own.active)
        assert set(public.listed[seat]) <= own.names
        cards.update(own.names)
        laid = sum(mine.seat == seat for mine in public.mines)
        assert public.robots[seat].gone or laid + public.mines_left[seat] == MINES
    assert cards == ({} if public.training else dict.fromkeys(MODULES, COPIES))
    assert len(set(public.tokens)) == len(public.tokens) <= 3
    assert all(0 <= n <= 3 - (number in public.tokens) for number, n in enumerate(public.supply, 1))
    for own in state.own:
        if own.program is not None:
            colours = Counter(die.colour for die in own.program.dice)
            assert len(own.program.dice) == 3
            assert max(colours.values()) <= 2
    if public.phase is not Phase.OVER:
        assert max(robot.score for robot in public.robots) < public.target
    for viewer in (None, *public.seats):
        assert fields_of(Public, match.view(viewer)) == fields_of(Public, public)


@pytest.mark.parametrize("how", [baseline, wild])
@pytest.mark.parametrize("number", some(range(len(tables(GAME))), 5))
def test_everything_is_conserved(number: int, how: object) -> None:
    play = baseline if how is baseline else wild
    for match in play(GAME, tables(GAME)[number], seed("volt", number)):
        check(match)


def test_points_come_from_kills_and_tokens() -> None:
    for number, setup in enumerate(tables(GAME)[:3]):
        *_, end = baseline(GAME, setup, seed("points", number))
        scored = Counter(fact["seat"] for _, fact in end.facts(None) if fact.kind == "scored")
        assert {robot.seat: robot.score for robot in end.view(None).robots if robot.score} == scored
