"""Background tasks, such as the outbox worker: kept alive, logged if they fail, cancelled at shutdown."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

log = logging.getLogger(__name__)

CANCEL_TIMEOUT_S = 0.5
"""Seconds to wait for cancelled tasks; those that the database blocks end with the store."""


async def cancel(*tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks and wait for them to end, for at most :data:`CANCEL_TIMEOUT_S`."""
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=CANCEL_TIMEOUT_S)


@asynccontextmanager
async def alongside(work: Coroutine[Any, Any, None], name: str) -> AsyncIterator[None]:
    """Run ``work`` in the background during the block; raise its error, if any, when the block ends."""
    task = asyncio.create_task(work, name=name)
    try:
        yield
    finally:
        await cancel(task)
        if task.done() and not task.cancelled():
            task.result()


class BackgroundTasks:
    """Holds tasks that are not awaited: asyncio itself keeps only weak references to them."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False

    def spawn(self, work: Coroutine[Any, Any, Any], name: str) -> None:
        """Run ``work`` in the background; log a failure once, under ``name``. Does nothing once closed."""
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
        """Wait until no task is left, including those spawned meanwhile."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def close(self) -> None:
        """Cancel all tasks and wait as :func:`cancel` does; no more are started."""
        self._closed = True
        # A copy: each task removes itself from the set as it ends.
        await cancel(*self._tasks)
