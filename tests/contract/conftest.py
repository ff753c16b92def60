"""The games that the suite runs over, and matches of each."""

from __future__ import annotations

from functools import cache

import pytest

from engines.core import registry
from engines.core.match import AnyGame, Match
from engines.core.rng import Rng
from tests.contract.checks.sampling import Line, lines, sample, seed
from tests.core.toy import GAME as TOY

GAMES: dict[str, AnyGame] = {**registry.games(), TOY.manifest.key: TOY}
"""All games of the registry; the toy too, so that the checks themselves are always exercised."""

MATCHES = 30
"""Matches played of each game, every one checked move by move."""

SAMPLED = 36
"""Moments of a game that the dearer checks look at."""


@cache
def lines_of(key: str) -> tuple[Line, ...]:
    """Return the matches of a game; played once for all tests."""
    return lines(GAMES[key], MATCHES)


@cache
def moments_of(key: str) -> tuple[Match, ...]:
    """Return open moments of all the matches of a game, spread evenly."""
    stream = Rng(seed("moments", key)).stream()
    each = -(-SAMPLED // MATCHES)
    picked = [match for line in lines_of(key) for match in sample(line, each, stream)]
    return stream.shuffled(picked)[:SAMPLED]


@pytest.fixture(params=list(GAMES))
def game(request: pytest.FixtureRequest) -> AnyGame:
    return GAMES[request.param]


@pytest.fixture
def played(game: AnyGame) -> tuple[Line, ...]:
    return lines_of(game.manifest.key)


@pytest.fixture
def moments(game: AnyGame) -> tuple[Match, ...]:
    return moments_of(game.manifest.key)


@pytest.fixture
def rng(game: AnyGame) -> Rng:
    return Rng(seed("check", game.manifest.key))
