"""Waiting for a condition, never for a time: the only place where tests sleep."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import NoReturn, TypeVar

T = TypeVar("T")

PATIENCE = 300.0
"""Timeout of every wait, in seconds: far more than needed, even on a machine ten times as slow."""

PAUSE = 0.02
"""Seconds between two checks."""


async def eventually(look: Callable[[], T | None], patience: float = PATIENCE) -> T:
    """Return the first true result of ``look``; ``TimeoutError`` after ``patience`` seconds."""
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
    """Run other tasks until all wait for external events."""
    for _ in range(rounds):
        await asyncio.sleep(0)
