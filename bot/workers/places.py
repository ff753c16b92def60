"""Semaphores for worker processes: jobs wait here, in two priorities or in fair turns per person."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import replace
from itertools import count

from bot.domain.fair_queue import FairQueue, Ticket


class Places:
    """A semaphore with one place per process, and two priorities of waiters."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._first: deque[asyncio.Future[None]] = deque()
        self._others: deque[asyncio.Future[None]] = deque()

    async def acquire(self, *, first: bool = False) -> None:
        """Wait for a place and take it; ``first``: ahead of all waiters without this flag."""
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
        """Give a place back, passing it to the next waiter if there is one."""
        for queue in (self._first, self._others):
            while queue:
                waiter = queue.popleft()
                if not waiter.done():
                    waiter.set_result(None)
                    return
        self._free += 1


class FairPlaces(Places):
    """Places taken in fair turns: one person's many jobs delay each other, not other people's jobs."""

    def __init__(self, places: int) -> None:
        super().__init__(places)
        self._line = FairQueue()
        self._waiters: dict[str, asyncio.Future[None]] = {}
        self._numbers = count()

    async def take_turn(self, ticket: Ticket) -> None:
        """Wait until it is the turn of the ticket's person, and take a place."""
        # A match may wait for several places at once, so each wait needs its own id.
        own = replace(ticket, match=f"{ticket.match}:{next(self._numbers)}")
        self._line.put(own)
        if self._free:
            self._free -= 1
            self._line.take()  # nobody else waits; it counts as a turn
            return
        waiter = self._waiters[own.match] = asyncio.get_running_loop().create_future()
        try:
            await waiter
        except asyncio.CancelledError:
            if waiter.cancelled():
                self._line.remove(own.match)
                del self._waiters[own.match]
            else:  # its turn came at the same moment
                self.release()
            raise

    def release(self) -> None:
        """Give a place back, passing it to the waiter whose turn it is, if any."""
        while (ticket := self._line.take()) is not None:
            waiter = self._waiters.pop(ticket.match)
            if not waiter.done():
                waiter.set_result(None)
                return
        super().release()
