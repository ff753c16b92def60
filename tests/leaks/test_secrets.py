"""Silence, canaries, and what stays within the house."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.samples import FIVE, MORE, some
from tests.kit.vault.install import KEY
from tests.leaks.checks.canaries import check_canaries
from tests.leaks.checks.faults import check_faults
from tests.leaks.checks.inside import check_dataclasses, check_files, check_reprs
from tests.leaks.checks.silence import check_sentences, check_silence
from tests.leaks.checks.twins import Tables

ASKED_IN_SECRET = [(0, "lay {card}"), (1, "return 0"), (0, "note {card}"), (1, "peek"), (0, "lay {card}")]
"""A seat that has laid is asked again, and nobody but it and the sender may know."""

SENTENCES = 7 if MORE > 1 else 3
"""How far each game is played."""


@pytest.mark.parametrize("closed", some([False, True]))
async def test_what_is_done_in_secret_is_not_to_be_counted(key: str, tmp_path: Path, *, closed: bool) -> None:
    silent = await check_silence(Tables(key, 1), tmp_path, sentences=SENTENCES, closed=closed)
    assert silent or key != KEY


@pytest.mark.parametrize(("pledges", "seats"), some([("secret", 2), ("open", 2), ("secret", 3), ("open", 3)]))
async def test_nothing_of_the_vault_is_to_be_counted(pledges: str, seats: int, tmp_path: Path) -> None:
    tables = Tables(KEY, 2, seats, (("pledges", pledges),))
    assert await check_silence(tables, tmp_path, sentences=16)


@pytest.mark.parametrize("pledges", ["secret", "open"])
async def test_nothing_that_a_computer_does_in_secret_is_to_be_counted(pledges: str, tmp_path: Path) -> None:
    tables = Tables(KEY, 4, 3, (("pledges", pledges),), computers=1)
    assert await check_silence(tables, tmp_path, sentences=16)


async def test_what_computers_are_asked_unasked_is_not_to_be_counted(tmp_path: Path) -> None:
    """Where they may interrupt, they are asked after each act that they see something of."""
    assert await check_silence(Tables("doge", 6, 4, computers=2), tmp_path, sentences=10)


@pytest.mark.parametrize("closed", [False, True])
async def test_who_is_asked_in_secret_is_not_to_be_seen(tmp_path: Path, *, closed: bool) -> None:
    await check_sentences(Tables(KEY, 1), tmp_path, ASKED_IN_SECRET, closed=closed)


@pytest.mark.parametrize(
    ("pledges", "seats"), [("secret", 3), ("open", 2), pytest.param("open", 3, marks=pytest.mark.nightly)]
)
async def test_no_card_reaches_who_must_not_know_it(pledges: str, seats: int, tmp_path: Path) -> None:
    assert await check_canaries(tmp_path, pledges=pledges, seats=seats) > 100


async def test_what_goes_wrong_says_no_secret(tmp_path: Path) -> None:
    assert await check_faults(tmp_path) > 30


async def test_nothing_that_lives_shows_a_secret(tmp_path: Path) -> None:
    assert await check_reprs(tmp_path) > 50


def test_no_data_class_shows_what_somebody_holds() -> None:
    assert check_dataclasses() > 20


async def test_nothing_secret_is_kept_on_disk(key: str, tmp_path: Path) -> None:
    assert await check_files(key, tmp_path) > 0 or key not in (*FIVE, KEY)
