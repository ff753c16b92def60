"""One writer per message: edits for clicks and for the outbox wait for each other.

An edit lists the files that the message keeps; Discord refuses it if another edit has replaced them
meanwhile. Of several edits for clicks only the newest counts, and none lands after a newer one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class _Queue:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    newest: int = 0
    users: int = 0


@dataclass(slots=True)
class PendingEdit:
    """An edit that is being prepared."""

    _queue: _Queue
    _number: int

    def is_newest(self) -> bool:
        """Return whether no later edit of the message has begun."""
        return self._number == self._queue.newest

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[bool]:
        """Wait until no other edit is being sent; yields whether this one should still be sent."""
        async with self._queue.lock:
            yield self.is_newest()


class EditOrder:
    """Orders the edits of each message; a message without pending edits takes no memory."""

    def __init__(self) -> None:
        self._queues: dict[Hashable, _Queue] = {}

    def __len__(self) -> int:
        return len(self._queues)

    @asynccontextmanager
    async def begin(self, message: Hashable) -> AsyncIterator[PendingEdit]:
        """Begin an edit of a message, which is the newest from now on."""
        queue = self._queues.setdefault(message, _Queue())
        queue.users += 1
        queue.newest += 1
        try:
            yield PendingEdit(queue, queue.newest)
        finally:
            self._leave(message, queue)

    @asynccontextmanager
    async def alone(self, message: Hashable) -> AsyncIterator[None]:
        """Block all other edits of a message; a pending one stays the newest."""
        queue = self._queues.setdefault(message, _Queue())
        queue.users += 1
        try:
            async with queue.lock:
                yield
        finally:
            self._leave(message, queue)

    def _leave(self, message: Hashable, queue: _Queue) -> None:
        queue.users -= 1
        if queue.users == 0:
            del self._queues[message]
