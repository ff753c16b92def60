"""Does slow work one by one per person, so that somebody who asks for a lot delays nobody else."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from bot.domain.refusals import refusal
from bot.domain.tables import PersonId
from bot.matches.limits import LIMITS


class PerPersonQueue:
    """A lock per person, which at most ``most`` tasks hold or wait for."""

    def __init__(self, most: int = LIMITS.pictures_at_once) -> None:
        self._most = most
        self._locks: WeakValueDictionary[PersonId, asyncio.Lock] = WeakValueDictionary()
        self._waiting: Counter[PersonId] = Counter()

    def __len__(self) -> int:
        return len(self._waiting)

    @asynccontextmanager
    async def turn(self, person: PersonId, *, never_refused: bool = False) -> AsyncIterator[bool]:
        """Wait for the person's turn, and yield ``True``; raises ``Refusal`` if too many of theirs wait.

        ``never_refused``: yield ``False`` at once instead, as the same click has had other effects already.
        """
        if self._waiting[person] >= self._most:
            if not never_refused:
                raise refusal("busy")
            yield False
            return
        self._waiting[person] += 1
        try:
            async with self._locks.setdefault(person, asyncio.Lock()):
                yield True
        finally:
            self._waiting[person] -= 1
            if not self._waiting[person]:
                del self._waiting[person]
