"""What takes a while is done one by one for each person: who asks for many things waits for them alone."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from bot.domain.refusals import refusal
from bot.domain.tables import PersonId
from bot.matches.limits import LIMITS


class OneByOne:
    """A lock for each person, and how many hold it or wait for it: ``most``, no more."""

    def __init__(self, most: int = LIMITS.pictures_at_once) -> None:
        self._most = most
        self._locks: WeakValueDictionary[PersonId, asyncio.Lock] = WeakValueDictionary()
        self._waiting: Counter[PersonId] = Counter()

    def __len__(self) -> int:
        return len(self._waiting)

    @asynccontextmanager
    async def turn(self, person: PersonId, *, never_refused: bool = False) -> AsyncIterator[bool]:
        """Wait for the person's turn, and yield ``True``; raises ``Refusal`` where too many of theirs wait.

        ``never_refused``: it yields ``False`` at once then, since something else was done for the same click.
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
