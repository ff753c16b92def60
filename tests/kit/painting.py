"""A pool of painters without processes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from bot.processes.crew import Crew
from bot.rendering.pool import RenderPool


class Inline(RenderPool):
    """Paints in a thread instead of processes: the pictures are the same, and tests are quick."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._thread = ThreadPoolExecutor(1)

    async def __aenter__(self) -> Inline:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._thread.shutdown()

    async def _work(self, crew: Crew, patience: float, work: Callable[..., Any], *given: Any) -> Any:
        try:
            job = asyncio.get_running_loop().run_in_executor(self._thread, work, *given)
            return await asyncio.wait_for(job, patience)
        finally:
            crew.free.release()
