"""Time that is nobody's: while the bot was away, or its machine's clock was set."""

from __future__ import annotations

import logging
from collections.abc import Callable

from bot.domain.jobs import JobKind, NewJob
from bot.matches.settings import Settings
from bot.matches.table_cache import TableCache

LOG = logging.getLogger("bauta.clocks")

ALIVE = "clocks.alive"
"""The bot's own value that says when it last looked at the clocks: a Unix time."""

OFTEN = 20.0
"""Seconds after which the bot notes again that it is there."""

SHORTEST = 60.0
"""Seconds from which on time counts as lost."""

LONG = 600.0
"""Seconds from which on boards are edited to show their new deadlines; less is grace in judging."""


class Outages:
    """Moves every deadline by the time in which nobody could decide."""

    def __init__(self, cache: TableCache, settings: Settings, monotonic: Callable[[], float]) -> None:
        self._cache = cache
        self._settings = settings
        self._monotonic = monotonic
        self._noted = 0.0
        """What :data:`ALIVE` says."""
        self._ahead: float | None = None
        """Seconds from the loop's time to wall time, when last looked."""

    async def resume(self) -> None:
        """Make up for the time since the bot last looked at the clocks. Call it before any is judged."""
        noted, now = await self._settings.get_value(ALIVE), self._cache.clock()
        self._ahead = now - self._monotonic()
        await self._note(now, lost=0.0 if noted is None else now - float(noted))

    async def look(self) -> None:
        """Note that the bot is there; make up for a clock that was set, or a machine that slept."""
        now = self._cache.clock()
        ahead = now - self._monotonic()
        before, self._ahead = self._ahead, ahead
        jump = 0.0 if before is None else ahead - before
        if abs(now - self._noted) >= OFTEN or abs(jump) >= SHORTEST:
            await self._note(now, lost=jump)

    async def _note(self, now: float, lost: float) -> None:
        """Note that the bot is there, and move every deadline by what was ``lost``, in one transaction.

        A clock that was set back moves them to before, for they are wall times.
        """
        is_lost, is_long = abs(lost) >= SHORTEST, abs(lost) >= LONG
        async with self._cache.store.read() as reader:
            tables = await reader.by_deadline() if is_long else []
        async with self._cache.store.transaction() as transaction:
            await transaction.set_value(ALIVE, str(now))
            if is_lost:
                await transaction.shift_clocks(lost)
                await transaction.doubt(tables)
                await transaction.enqueue(NewJob(table, JobKind.BOARD, due=now) for table in tables)
        self._noted = now
        if is_lost:
            LOG.info("deadlines are moved by %d s", lost)
            self._cache.forget_all()
            self._cache.wake()
