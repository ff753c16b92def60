"""Tasks that run on their own, such as the outbox worker: kept, logged if they fail, cancelled at the end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

log = logging.getLogger(__name__)

CANCEL_TIMEOUT_S = 0.5
"""Seconds within which tasks end that are cancelled; what the database holds up ends with the store."""


async def cancel(*tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks and wait for their end, as long as they may take."""
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=CANCEL_TIMEOUT_S)


@asynccontextmanager
async def alongside(work: Coroutine[Any, Any, None], name: str) -> AsyncIterator[None]:
    """Let ``work`` run for as long as the block, and end it with the block."""
    task = asyncio.create_task(work, name=name)
    try:
        yield
    finally:
        await cancel(task)
        if task.done() and not task.cancelled():
            task.result()


class BackgroundTasks:
    """Holds the tasks that nobody awaits: asyncio itself keeps only weak references to them."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False

    def spawn(self, work: Coroutine[Any, Any, Any], name: str) -> None:
        """Run ``work`` on its own; if it fails, the log says so, once, under ``name``. None once closed."""
        if self._closed:
            work.close()
            return
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("%s failed", task.get_name(), exc_info=error)

    async def join(self) -> None:
        """Wait until no task is left; those that are spawned meanwhile count too."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def close(self) -> None:
        """Cancel all tasks and wait for their end, as :func:`cancel` does; none is begun any more."""
        self._closed = True
        # A copy: each task takes itself out of the set as it ends.
        await cancel(*self._tasks)
