"""Finish database work even if its caller is cancelled, until the store is closed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Sized
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")

log = logging.getLogger(__name__)

CLOSE_TIMEOUT_S = 0.5
"""Seconds that running units get when the store closes, and then the connection pools."""


async def finished(work: Coroutine[Any, Any, T] | asyncio.Future[T]) -> T:
    """Await ``work`` to its end even if this task is cancelled, so that no unit stays half open."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is None:
        return task.result()
    task.exception()
    raise cancelled


async def ended_within(seconds: float, units: Sized, idle: asyncio.Event) -> None:
    """Wait up to ``seconds`` until no unit is running; ``idle`` is set whenever there is none."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while units:
                idle.clear()
                await idle.wait()
    if units:
        log.warning("closing store: rolling back %d unconfirmed units", len(units))
