"""A pool of painters without processes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from bot.rendering.pool import RenderPool


class Inline(RenderPool):
    """Paints in a thread instead of processes: the pictures are the same, and tests are quick."""

    def _new_pool(self) -> Any:
        return ThreadPoolExecutor(1)

    async def __aenter__(self) -> Inline:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._pool.shutdown()
