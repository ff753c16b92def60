"""The games that the suite runs over, and matches of each."""

from __future__ import annotations

from functools import cache

import pytest

from engines.core import registry
from engines.core.contract import Setup, Words
from engines.core.match import AnyGame, Match
from engines.core.rng import Rng
from tests.contract.checks import hidden, secrets
from tests.contract.checks.sampling import WAYS, Line, lines, sample, seed, tables
from tests.kit.samples import MORE
from tests.kit.vault import GAME as VAULT

GAMES: dict[str, AnyGame] = {**registry.games(), VAULT.manifest.key: VAULT}
"""All games of the registry; the vault too, so that the checks themselves are always exercised."""

LEAST = 8
"""Matches played of each game, every one checked move by move; more where there are many kinds of tables."""

LEAST_BY_NIGHT = 12 * MORE

SAMPLED = 10 * MORE if MORE > 1 else 6
"""Moments of a game that the dearer checks look at."""

AT_A_TABLE = 4 * MORE if MORE > 1 else 6
"""Moments at each kind of table."""

SHORT = 20
"""Sentences of matches that are called short: more of their moments are looked at, as each shows little."""


@cache
def lines_of(key: str) -> tuple[Line, ...]:
    """Return the matches of a game; played once for all tests.

    One at each kind of table, in one way or another; by night several of each way.
    """
    kinds = len(tables(GAMES[key]))
    many = max(LEAST_BY_NIGHT, len(WAYS) * kinds * MORE) if MORE > 1 else max(LEAST, kinds)
    return lines(GAMES[key], many)


@cache
def moments_of(key: str) -> tuple[Match, ...]:
    """Return open moments of all the matches of a game, spread evenly."""
    stream = Rng(seed("moments", key)).stream()
    found = lines_of(key)
    each = -(-SAMPLED // len(found))
    picked = [match for line in found for match in sample(line, each, stream)]
    return stream.shuffled(picked)[:SAMPLED]


TABLES = [(key, setup) for key, game in GAMES.items() for setup in tables(game)]
"""Every table size of every game, every kind of option with every choice, and every earlier ruleset."""


def name_of(table: tuple[str, Setup]) -> str:
    """Return the name of a table in test ids: its size, an old ruleset, options that are not the defaults."""
    key, setup = table
    manifest = GAMES[key].manifest
    defaults = {option.key: option.default for option in manifest.options}
    earlier = () if setup.ruleset == manifest.ruleset else (f"ruleset{setup.ruleset}",)
    return "-".join((key, str(setup.seats), *earlier, *(v for k, v in setup.options if v != defaults[k])))


def by_night(table: tuple[str, Setup]) -> bool:
    """Return whether a table is looked at by night alone.

    Each third of a game is not, unless it differs from another only by a further choice of the same option.
    """
    if tables(GAMES[table[0]]).index(table[1]) % 3:
        return True
    options = {option.key: [c.key for c in option.choices] for option in GAMES[table[0]].manifest.options}
    return any(value in options[key][2:] for key, value in table[1].options)


@cache
def lines_at(key: str, setup: Setup) -> tuple[Line, ...]:
    """Return the matches of a game at one kind of table."""
    return tuple(line for line in lines_of(key) if line.end.setup == setup)


@cache
def moments_at(key: str, setup: Setup) -> tuple[Match, ...]:
    """Return open moments of the matches at one kind of table."""
    stream = Rng(seed("moments at", key)).stream()
    found = lines_at(key, setup)
    many = AT_A_TABLE if max(len(line.moments) for line in found) > SHORT else 4 * AT_A_TABLE
    each = -(-many // len(found))
    picked = [match for line in found for match in sample(line, each, stream)]
    return stream.shuffled(picked)[:many]


def words_at(key: str, setup: Setup) -> tuple[Words, ...]:
    """Return the sentences of the matches at one kind of table."""
    return tuple(entry.words for line in lines_at(key, setup) for entry in line.end.log if entry.words)


@cache
def open_at(key: str, setup: Setup) -> tuple[hidden.Hidden, list[Match]]:
    """Return which parts are hidden from whom at one kind of table, and the moments that show it."""
    rng = Rng(seed("open at", key, setup.seats))
    found, moments = hidden.open_parts(moments_at(key, setup), rng)
    found.update(hidden.open_at_the_start(GAMES[key], setup))
    return found, moments


@pytest.fixture(
    params=[pytest.param(t, marks=[pytest.mark.nightly] if by_night(t) else []) for t in TABLES],
    ids=[*map(name_of, TABLES)],
)
def table(request: pytest.FixtureRequest) -> tuple[str, Setup]:
    found: tuple[str, Setup] = request.param
    return found


@cache
def secretive() -> frozenset[str]:
    return frozenset(key for key, game in GAMES.items() if secrets.keeps_secrets(game))


@pytest.fixture
def secret_table(table: tuple[str, Setup]) -> tuple[str, Setup]:
    """Return each table of each game that keeps secrets."""
    if table[0] not in secretive():
        pytest.skip("this game has no secrets")
    return table


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


@pytest.fixture
def rng_at(table: tuple[str, Setup]) -> Rng:
    return Rng(seed("check", name_of(table)))
