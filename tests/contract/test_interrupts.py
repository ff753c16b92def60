"""Sentences that nobody has asked for: what computer players say, for every game whose players interrupt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from engines.core.match import AnyGame, Match
from engines.core.optional_methods import Interrupting, Level, Skill, Thinking
from tests.contract import planted_interrupts as planted
from tests.contract.checks.interrupts import check_interrupt
from tests.contract.checks.sampling import baseline, seed, tables
from tests.contract.conftest import GAMES, lines_of, moments_of
from tests.kit.vault.eager import GAME as EAGER
from tests.kit.vault.eager import Eager

KEYS = [key for key, game in GAMES.items() if isinstance(game, Interrupting)]

MATCHES = 12
"""Matches of the vault whose players interrupt."""

TINY = 0.01
"""The effort of levels that are looked at."""

LAST = 3
"""Moments at the end of each match that are looked at, too: there most is known."""


def said(moments: Iterable[Match], skill: Skill | None = None) -> int:
    """Check the interrupts at these moments; return how many there were."""
    return sum(check_interrupt(match, seat, skill) for match in moments for seat in range(match.setup.seats))


def eager(game: AnyGame) -> Iterator[Match]:
    """Yield the moments of matches of the vault, played by the sound game."""
    open_table = next(setup for setup in tables(EAGER) if ("pledges", "open") in setup.options)
    for number in range(MATCHES):
        for match in baseline(EAGER, open_table, seed("eager", number)):
            yield Match(game, match.setup, match.seed, match.state, match.log, match.batches)


def test_interrupts_are_asides_that_are_taken() -> None:
    assert said(eager(EAGER)), "nobody interrupts"


@pytest.mark.parametrize("key", KEYS)
def test_interrupts_of_every_game_are_asides_that_are_taken(key: str) -> None:
    said(moments_of(key))
    for line in lines_of(key):
        said(line.moments[-LAST:])


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("key", [key for key in KEYS if isinstance(GAMES[key], Thinking)])
def test_interrupts_of_every_level_are_asides_that_are_taken(key: str, level: Level) -> None:
    for line in lines_of(key):
        said(line.moments[-LAST:], Skill(level, TINY))


BROKEN = (planted.OnDuty, planted.Refused, planted.RecordBefore, planted.Noting, planted.Moody)


@pytest.mark.parametrize("broken", BROKEN)
def test_a_wrong_interrupt_is_seen(broken: type[Eager]) -> None:
    with pytest.raises(AssertionError):
        said(eager(broken()))
