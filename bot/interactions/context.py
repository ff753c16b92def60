"""What all handlers of interactions share."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from bot.clocks import Clocks
from bot.domain.refusals import refusal
from bot.domain.tables import PersonId
from bot.gateway.edit_order import EditOrder
from bot.matches import Services
from bot.matches.limits import LIMITS
from bot.runtime.background import BackgroundTasks
from bot.sync.pictures import Pictures
from bot.sync.problems import Problem


class PerPersonQueue:
    """A lock per person, which at most ``most`` tasks hold or wait for.

    Slow work is done one by one per person, so that a person who asks for a lot delays nobody else.
    """

    def __init__(self, most: int = LIMITS.slow_work_at_once) -> None:
        self._most = most
        self._locks: WeakValueDictionary[PersonId, asyncio.Lock] = WeakValueDictionary()
        self._waiting: Counter[PersonId] = Counter()

    def __len__(self) -> int:
        return len(self._waiting)

    @asynccontextmanager
    async def place(self, person: PersonId, *, never_refused: bool = False) -> AsyncIterator[bool]:
        """Wait for the person's lock, and yield ``True``; raises ``Refusal`` if too many of their tasks wait.

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


@dataclass(frozen=True, slots=True)
class Context:
    """Everything that the handlers of one bot need."""

    services: Services
    clocks: Clocks
    pictures: Pictures
    background: BackgroundTasks
    problems: Mapping[str, Problem] = field(repr=False)
    """By match: what keeps the bot from showing it, such as a permission that it lacks."""
    look_after: Callable[[str], None]
    """Check a match's public messages now: somebody looks for them, or a problem may be solved."""
    edits: EditOrder = field(default_factory=EditOrder)
    slow_work: PerPersonQueue = field(default_factory=PerPersonQueue)
    """For work that may take a while, such as painting, replaying or exporting."""
