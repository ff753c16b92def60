"""Places at processes: whoever has a job waits for one here, those whom all wait for first."""

from __future__ import annotations

import asyncio
from collections import deque


class Places:
    """As many places as there are processes."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._first: deque[asyncio.Future[None]] = deque()
        self._others: deque[asyncio.Future[None]] = deque()

    async def acquire(self, *, first: bool = False) -> None:
        """Wait for a place and take it; ``first``: before all who wait and did not say so."""
        if self._free:
            self._free -= 1
            return
        waiter = asyncio.get_running_loop().create_future()
        (self._first if first else self._others).append(waiter)
        try:
            await waiter
        except asyncio.CancelledError:
            if not waiter.cancelled():  # its turn came at the same moment
                self.release()
            raise

    def release(self) -> None:
        """Give a place back: to whoever is next, if somebody waits."""
        for queue in (self._first, self._others):
            while queue:
                waiter = queue.popleft()
                if not waiter.done():
                    waiter.set_result(None)
                    return
        self._free += 1
