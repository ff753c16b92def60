"""Views between acts, for every game: nobody sees what was said in secret, and its seat remembers it."""

from __future__ import annotations

from functools import cache

import pytest

from engines.core.match import AnyGame, Match
from engines.core.rng import Rng
from tests.contract.checks import knowledge
from tests.contract.checks.parts import shuffled_kinds
from tests.contract.checks.sampling import Line, sample, seed
from tests.contract.conftest import lines_of, secretive

EACH = 2
"""Moments of each match."""


@cache
def watched_of(key: str) -> tuple[Match, ...]:
    stream = Rng(seed("watched", key)).stream()
    return tuple(match for line in lines_of(key) for match in sample(line, EACH, stream))


@pytest.fixture
def watched(game: AnyGame) -> tuple[Match, ...]:
    """Return moments of each match of a game that keeps secrets."""
    if game.manifest.key not in secretive():
        pytest.skip("this game has no secrets")
    return watched_of(game.manifest.key)


def test_nobody_sees_what_was_said_in_secret(watched: tuple[Match, ...], rng: Rng) -> None:
    for number, match in enumerate(watched):
        for seat in range(match.setup.seats):
            knowledge.check_told_alike(match, seat, rng.child(number))


def test_a_seat_remembers_what_it_has_said(watched: tuple[Match, ...], rng: Rng) -> None:
    shuffled = shuffled_kinds(match.state for match in watched)
    for number, match in enumerate(watched[::EACH]):
        for seat in range(match.setup.seats):
            knowledge.check_remembers(match, seat, shuffled, rng.child(number))


def test_whatever_others_see_change_they_are_told(played: tuple[Line, ...]) -> None:
    for line in played:
        knowledge.check_untold(line)
