"""Places at processes: jobs wait for one here, in two lines or in turns that are fair by person."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import replace
from itertools import count

from bot.domain.fair_queue import FairQueue, Ticket


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


class FairPlaces(Places):
    """Places that are taken in turns: many jobs of one person wait for each other, others not for them."""

    def __init__(self, places: int) -> None:
        super().__init__(places)
        self._line = FairQueue()
        self._waiters: dict[str, asyncio.Future[None]] = {}
        self._numbers = count()

    async def take_turn(self, ticket: Ticket) -> None:
        """Wait for a place and take it, once it is the turn of the ticket's person."""
        # A match may wait for several places at the same time.
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
        """Give a place back: to whose turn it is, if somebody waits."""
        while (ticket := self._line.take()) is not None:
            waiter = self._waiters.pop(ticket.match)
            if not waiter.done():
                waiter.set_result(None)
                return
        super().release()
