"""How much work a computer player does is bounded whatever its seat holds: else its time would tell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from engines.core.contract import Seat
from engines.core.match import Match
from engines.core.optional_methods import Level, Skill, Thinking
from engines.core.rng import Rng
from tests.contract import planted_levels as planted
from tests.contract.checks.sampling import seed
from tests.contract.conftest import GAMES
from tests.kit.samples import MORE
from tests.kit.work import BESIDE, CALLS, calls, moments, thought, twins

SHARE = 1.0 if MORE > 1 else 1 / 64
"""The share of each budget that is used: the whole by night. What is counted grows with it."""

KEYS = sorted({key for key, game in GAMES.items() if isinstance(game, Thinking)} - {"volo"})
"""Games with levels, without the one in which all see the same."""

LOOKED_AT = MORE
"""Moments of each game and level, each in twin truths too."""

TWINS = 2 if MORE > 1 else 1
"""Twin truths of each moment."""


def check(found: Iterable[tuple[Match, Seat]], level: Level, effort: float, twin_truths: int = TWINS) -> int:
    """Count the calls of thoughts at these moments and in their twins; return the most."""
    rng, counts = Rng(seed("work")), list[int]()
    bound = CALLS[level] * effort + BESIDE
    for number, (match, seat) in enumerate(found):
        for twin in twins(match, seat, twin_truths, rng.child(number)):
            counts.append(calls(thought(twin, seat, Skill(level, effort))))
            assert counts[-1] <= bound, f"{match.setup.game}: {level} works longer than its floor lasts"
    return max(counts)


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("key", KEYS)
def test_thoughts_are_bounded_in_all_truths(key: str, level: Level) -> None:
    assert check(moments(GAMES[key], LOOKED_AT, key, level.value), level, SHARE) > 0


@pytest.mark.nightly
def test_the_widest_moment_that_was_found_is_bounded_with_the_whole_budget() -> None:
    # Forty thousand playouts that compare 158 moves each, were none of them left out.
    match, seat = moments(GAMES["volto"], 40, "y")[19]
    assert check([(match, seat)], Level.BEST, 1.0, twin_truths=0) > CALLS[Level.BEST] / 2


def test_a_level_that_broods_over_some_hands_is_seen() -> None:
    game = planted.Brooding()
    found = [(replace(match, game=game), seat) for match, seat in moments(GAMES["vault"], 12, "brooding")]
    with pytest.raises(AssertionError, match="works longer"):
        check(found, Level.FIRST, 1.0)
    assert check(((replace(match, game=planted.Levelled()), seat) for match, seat in found), Level.FIRST, 1.0)
