"""Twins of every game, through the whole house: equal in what somebody may know, equal in what they get."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.workers import painting_pool
from bot.workers.pool import WorkerPool
from engines.core.registry import game
from tests.contract.checks.secrets import keeps_secrets
from tests.kit.painting import Inline
from tests.kit.samples import MORE, some
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
    "truths": (partial(check_truths, short=MORE == 1), (0, 6) if MORE > 1 else (3,)),
    "choices": (check_choices, (0,)),
    "drafts": (check_drafts, (6,) if MORE > 1 else (3,)),
    "idle": (check_idle, (3,)),
    "clocks": (check_clocks, (0, 3) if MORE > 1 else (3,)),
}
"""Checks, and after how many sentences each looks."""


OPEN_CHOICES = {"volo", "corto"}
"""Games in which nobody chooses in secret; what CORTO hides is drawn."""

OPEN_ACTS = {"volto", "volt", "volo", "corto"}
"""Games in which everybody sees when something is done."""

SECRET_CHOICES = {"volto", "volt", "doge", VAULT}
SECRET_ACTS = {"doge", VAULT}
"""Games in which there is something to find. Of any other it is tried and not presumed."""


@pytest.mark.parametrize("name", CHECKS)
async def test_twins(name: str, key: str, tmp_path: Path) -> None:
    in_acts = name in ("idle", "clocks")
    if MORE == 1 and key in (OPEN_CHOICES if name == "choices" else OPEN_ACTS if in_acts else ()):
        pytest.skip("everybody sees it in this game, as is tried by night")
    found = await twins_of(name, key, tmp_path)
    sure = SECRET_CHOICES if name == "choices" else SECRET_ACTS if in_acts else {key}
    if not found and key not in sure:
        pytest.skip("everybody has seen it")
    assert found or not keeps_secrets(game(key)), "no twin, nothing compared"


SLOW_S = 0.06
"""Seconds that some pictures take: three times as long as anybody would wait for one."""


class Uneven(Inline):
    """Takes long over each picture the first time: a machine that is busy with one of two houses."""

    def __init__(self) -> None:
        super().__init__()
        self.made: dict[object, Any] = {}

    async def _work(self, pool: WorkerPool, patience: float, work: Callable[..., Any], *given: Any) -> Any:
        try:
            if given not in self.made:
                self.made[given] = work(*given)
                async with asyncio.timeout(patience):
                    await asyncio.sleep(SLOW_S)
            return self.made[given]
        finally:
            pool.free.release()


async def test_what_a_clock_decides_is_decided_alike_in_both_houses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(twins, "Inline", Uneven)
    for wait in ("MAX_QUEUE_WAIT_S", "PICTURE_TIMEOUT_S", "REEL_START_WAIT", "REEL_WAIT", "FILM_TIMEOUT_S"):
        monkeypatch.setattr(painting_pool, wait, SLOW_S / 3)
    assert await check_truths(Tables("volt", before=8), tmp_path, short=True)


async def twins_of(name: str, key: str, folder: Path) -> int:
    """Return how many twins a check has compared."""
    check, moments = CHECKS[name]
    return sum([await check(Tables(key, before=before), folder) for before in moments])


@pytest.mark.parametrize("secretive", some(["volto", "volt", "corto", VAULT]))
async def test_a_game_without_twins_is_seen(
    secretive: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(twins, "twin", lambda *_: None)
    assert keeps_secrets(game(secretive))
    assert not await twins_of("truths", secretive, tmp_path)
