"""Of several redrawings of one message only the newest counts, and none lands after a newer one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class _Slot:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    newest: int = 0
    users: int = 0


@dataclass(slots=True)
class Ticket:
    """One redrawing of one message."""

    _slot: _Slot
    _number: int

    @property
    def newest(self) -> bool:
        """Return whether no later redrawing was begun."""
        return self._number == self._slot.newest

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[bool]:
        """Wait until no other redrawing is being sent; yields whether this one still is to be."""
        async with self._slot.lock:
            yield self.newest


class Latest:
    """Hands out tickets by message; keeps nothing of a message that nobody redraws."""

    def __init__(self) -> None:
        self._slots: dict[Hashable, _Slot] = {}

    @asynccontextmanager
    async def ticket(self, key: Hashable) -> AsyncIterator[Ticket]:
        """Begin a redrawing of ``key``: from now on it is the newest."""
        slot = self._slots.setdefault(key, _Slot())
        slot.users += 1
        slot.newest += 1
        try:
            yield Ticket(slot, slot.newest)
        finally:
            slot.users -= 1
            if slot.users == 0:
                del self._slots[key]
