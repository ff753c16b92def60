"""Nobody learns what is hidden: twins, refusals, facts; for every game."""

from __future__ import annotations

import pytest

from engines.core.match import AnyGame, Match
from engines.core.rng import Rng
from tests.contract.checks import secrets
from tests.contract.checks.sampling import tables, viewers

SHARE = (1, 2)
"""The share of views that have a twin, at least, of the moments in which something is hidden."""


def test_twins_reach_the_same(moments: tuple[Match, ...], rng: Rng) -> None:
    hiding: list[bool] = []
    for number, match in enumerate(moments):
        child = rng.child("twins", number)
        found = [secrets.check_twin(match, viewer, child) for viewer in viewers(match)]
        hiding += found if secrets.has_secrets(match) else []
    assert sum(hiding) * SHARE[1] >= len(hiding) * SHARE[0], "too few views have a twin"


def test_games_without_secrets_have_no_twins(moments: tuple[Match, ...], rng: Rng) -> None:
    if any(secrets.has_secrets(match) for match in moments):
        pytest.skip("this game has secrets")
    for match in moments:
        for viewer in viewers(match):
            assert secrets.twin(match, viewer, rng) is None, "all see the same, and yet something is hidden"


def test_secret_choices_are_told_alike(moments: tuple[Match, ...], rng: Rng) -> None:
    for match in moments:
        secrets.check_secret_choices(match, rng)


def test_starts_are_told_alike(game: AnyGame) -> None:
    for setup in tables(game):
        secrets.check_start(game, setup)
