"""Twins of every game, through the whole house: equal in what somebody may know, equal in what they get."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from engines.core.registry import game
from tests.contract.checks.secrets import keeps_secrets
from tests.kit.vault.install import KEY as VAULT
from tests.leaks.checks import twins
from tests.leaks.checks.twins import (
    Tables,
    check_choices,
    check_clocks,
    check_drafts,
    check_idle,
    check_truths,
)

Check = Callable[[Tables, Path], Awaitable[int]]

CHECKS: dict[str, tuple[Check, tuple[int, ...]]] = {
    "truths": (check_truths, (0, 6)),
    "choices": (check_choices, (0,)),
    "drafts": (check_drafts, (6,)),
    "idle": (check_idle, (3,)),
    "clocks": (check_clocks, (0, 3)),
}
"""Checks, and after how many sentences each looks."""


OPEN_CHOICES = {"volo", "corto"}
"""Games in which nobody chooses in secret; what CORTO hides is drawn."""


@pytest.mark.parametrize("name", CHECKS)
async def test_twins(name: str, key: str, tmp_path: Path) -> None:
    found = await twins_of(name, key, tmp_path)
    if name in ("idle", "clocks") and not found and key != VAULT:
        pytest.skip("everybody sees when something is done in this game")
    if name == "choices" and key in OPEN_CHOICES:
        pytest.skip("everybody sees what is chosen in this game")
    assert found or not keeps_secrets(game(key)), "no twin, nothing compared"


async def twins_of(name: str, key: str, folder: Path) -> int:
    """Return how many twins a check has compared."""
    check, moments = CHECKS[name]
    return sum([await check(Tables(key, before=before), folder) for before in moments])


@pytest.mark.parametrize("secretive", ["volto", "volt", "corto", VAULT])
async def test_a_game_without_twins_is_seen(
    secretive: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(twins, "twin", lambda *_: None)
    assert keeps_secrets(game(secretive))
    assert not await twins_of("truths", secretive, tmp_path)
