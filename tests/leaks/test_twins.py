"""Twins of every game, through the whole house: equal in what somebody may know, equal in what they get."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from engines.core.registry import game
from tests.contract.checks.sampling import baseline, seed, tables
from tests.contract.checks.secrets import has_secrets
from tests.leaks.checks.twins import Tables, check_choices, check_drafts, check_idle, check_truths

MOMENTS = (0, 3, 9)
Check = Callable[[Tables, Path], Awaitable[int]]


def keeps_secrets(key: str) -> bool:
    """Return whether a game's viewers know different things soon after its start."""
    match = next(iter(baseline(game(key), tables(game(key))[0], seed("secret"))))
    return has_secrets(match)


@pytest.mark.parametrize("check", [check_truths, check_choices, check_drafts, check_idle])
async def test_twins(check: Check, key: str, tmp_path: Path) -> None:
    found = [await check(Tables(key, before=before), tmp_path) for before in MOMENTS]
    assert any(found) or not keeps_secrets(key), "no twin, nothing compared"
