"""What a seat notes down for itself, for every game that takes notes."""

from __future__ import annotations

import pytest

from engines.core.optional_methods import TakesNotes
from engines.core.rng import Rng
from tests.contract.checks import notes
from tests.contract.conftest import GAMES, lines_of, moments_of
from tests.kit.samples import MORE

FEW = 5 * MORE
"""Moments of a game, and matches, at which notes are taken."""

KEYS = [key for key, game in GAMES.items() if isinstance(game, TakesNotes)]


@pytest.fixture(params=KEYS)
def key(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_the_vault_takes_notes_and_not_every_game_does() -> None:
    assert "vault" in KEYS
    assert "volo" not in KEYS


def test_nobody_can_notice_a_note(key: str) -> None:
    rng, found = Rng(bytes(32)), 0
    for number, match in enumerate(moments_of(key)[:FEW]):
        for seat in range(match.setup.seats):
            found += notes.check_notes(match, seat, rng.child(number))
    assert found, "nobody may note anything down"


def test_nothing_follows_from_a_note(key: str) -> None:
    rng, found = Rng(bytes(32)), 0
    for number, line in enumerate(lines_of(key)[:FEW]):
        found += notes.check_without_notes(line, rng.child(number))
    assert found, "nobody notes anything down"


def test_what_counts_as_a_note_is_one(key: str) -> None:
    for line in lines_of(key):
        notes.check_logged(line)
