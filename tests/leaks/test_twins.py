"""Twins of every game, through the whole house: equal in what somebody may know, equal in what they get."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from engines.core.registry import game
from tests.contract.checks.sampling import baseline, seed, tables
from tests.contract.checks.secrets import has_secrets
from tests.leaks.checks.twins import Tables, check_choices, check_drafts, check_idle, check_truths
from tests.leaks.vault.install import KEY as VAULT

Check = Callable[[Tables, Path], Awaitable[int]]

CHECKS: dict[str, tuple[Check, tuple[int, ...]]] = {
    "truths": (check_truths, (0, 3, 9)),
    "choices": (check_choices, (0, 3, 9)),
    "drafts": (check_drafts, (0, 6)),
    "idle": (check_idle, (0, 3)),
}
"""Checks, and after how many sentences each looks."""


def keeps_secrets(key: str) -> bool:
    """Return whether a game's viewers know different things soon after its start."""
    match = next(iter(baseline(game(key), tables(game(key))[0], seed("secret"))))
    return has_secrets(match)


@pytest.mark.parametrize("name", CHECKS)
async def test_twins(name: str, key: str, tmp_path: Path) -> None:
    check, moments = CHECKS[name]
    found = [await check(Tables(key, before=before), tmp_path) for before in moments]
    if name == "idle" and not any(found) and key != VAULT:
        pytest.skip("everybody sees when something is done in this game")
    assert any(found) or not keeps_secrets(key), "no twin, nothing compared"
