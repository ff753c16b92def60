"""The rules of Odds and Evens, one by one."""

from __future__ import annotations

import pytest

from engines.core import setups
from engines.core.match import Entry, EntryKind, Match
from tests.kit.odds.engine import GAME


def played(*rounds: tuple[int, int], goal: str = "3") -> Match:
    """Return a match after rounds: the fingers of Even and of Odd in each."""
    match = Match.start(GAME, setups.complete(GAME.manifest, 2, {"goal": goal}), bytes(32))
    for fingers in rounds:
        for seat, number in enumerate(fingers):
            match = match.act(seat, (str(number),))
    return match


@pytest.mark.parametrize(("fingers", "scores"), [((1, 1), (1, 0)), ((1, 2), (0, 1)), ((3, 1), (1, 0))])
def test_an_even_sum_is_a_round_for_even(fingers: tuple[int, int], scores: tuple[int, int]) -> None:
    assert played(fingers).view(None).public.scores() == scores


@pytest.mark.parametrize("goal", ["3", "5"])
def test_who_first_wins_the_rounds_agreed_wins(goal: str) -> None:
    rounds = [(1, 2)] * int(goal)
    assert played(*rounds[1:], goal=goal).outcome is None
    outcome = played(*rounds, goal=goal).outcome
    assert outcome is not None
    assert outcome.ranks == ((1,), (0,))


def test_who_leaves_loses() -> None:
    outcome = played((1, 1), (1, 1)).apply(Entry(EntryKind.WITHDRAW, 0)).outcome
    assert outcome is not None
    assert outcome.ranks == ((1,), (0,))


def test_what_was_said_cannot_be_taken_back() -> None:
    match = played().act(0, ("1",))
    assert match.menu(0) is None
