"""Waiting for a condition, never for a time: the only place where tests sleep."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import NoReturn, TypeVar

T = TypeVar("T")

PATIENCE = 300.0
"""Seconds after which a wait has failed: far more than any takes, on a machine ten times as slow too."""

PAUSE = 0.02
"""Seconds between two looks."""


async def eventually(look: Callable[[], T | None], patience: float = PATIENCE) -> T:
    """Return what ``look`` gives as soon as it is true; ``TimeoutError`` after ``patience`` seconds."""
    async with asyncio.timeout(patience):
        while True:
            found = look()
            if found:
                return found
            await asyncio.sleep(PAUSE)


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    """Wait until ``holds`` returns true; ``TimeoutError`` after ``PATIENCE`` seconds."""
    async with asyncio.timeout(PATIENCE):
        while True:
            if await holds():
                return
            await asyncio.sleep(PAUSE)


async def for_ever() -> NoReturn:
    """Wait until cancelled."""
    while True:
        await asyncio.Event().wait()


async def let_others_run(rounds: int = 50) -> None:
    """Let every task that can go on do so, until all wait for something outside."""
    for _ in range(rounds):
        await asyncio.sleep(0)
