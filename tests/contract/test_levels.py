"""Computer players of three levels, for every game that has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from engines.core.match import AnyGame, Match
from engines.core.optional_methods import Level, Thinking
from engines.core.rng import Rng
from tests.contract import planted_levels as planted
from tests.contract.checks.levels import check_level, check_names
from tests.contract.checks.sampling import baseline, seed, tables
from tests.contract.conftest import GAMES, moments_of
from tests.kit.samples import FIVE, MORE

KEYS = [key for key, game in GAMES.items() if isinstance(game, Thinking)]

LOOKED_AT = 9 if MORE > 1 else 3
"""Moments of each game."""


def check(moments: Iterable[Match]) -> int:
    """Check the levels at these moments, one after the other; return how many answers there were."""
    count, rng = 0, Rng(seed("levels"))
    for number, match in enumerate(moments):
        for seat in sorted(seat for seat in match.waiting if seat in match.game.waiting(match.view(seat))):
            check_level(match, seat, tuple(Level)[count % len(Level)], rng.child("level", number, seat))
            count += 1
    return count


@pytest.mark.parametrize("key", KEYS)
def test_levels_say_what_their_seat_may_say_and_tell_nothing_hidden(key: str) -> None:
    assert check(moments_of(key)[:LOOKED_AT]) >= LOOKED_AT


@pytest.mark.parametrize("key", KEYS)
def test_levels_have_names(key: str) -> None:
    check_names(GAMES[key])


def test_the_five_have_levels() -> None:
    assert set(FIVE) <= set(KEYS)
    assert "vault" not in KEYS


def vault(game: AnyGame) -> Iterator[Match]:
    """Yield moments of a match of the vault, for a game of other players."""
    for match in baseline(GAMES["vault"], tables(GAMES["vault"])[0], seed("levels")):
        if match.waiting:
            yield replace(match, game=game)


def test_sound_levels_pass() -> None:
    check_names(planted.Levelled())
    assert check(vault(planted.Levelled()))


BROKEN = (planted.Moody, planted.Beginner, planted.Wordless, planted.Peeking, planted.Boasting)


@pytest.mark.parametrize("broken", BROKEN)
def test_a_wrong_level_is_seen(broken: type[planted.Levelled]) -> None:
    with pytest.raises((AssertionError, KeyError)):
        check(vault(broken()))
