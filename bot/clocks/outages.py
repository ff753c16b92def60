"""Time that is nobody's: while the bot was away, or its machine's clock was set."""

from __future__ import annotations

import logging

from bot.domain.jobs import JobKind, NewJob
from bot.matches.settings import Settings
from bot.matches.table_cache import TableCache
from bot.store import Store
from bot.timekeeping import SteadyClock

LOG = logging.getLogger("bauta.clocks")

ALIVE = "clocks.alive"
"""The bot's own value that says when it last looked at the clocks: a Unix time."""

OFTEN = 20.0
"""Seconds after which the bot notes again that it is there."""

SHORTEST = 60.0
"""Seconds from which on time counts as lost."""

LONG = 600.0
"""Seconds from which on boards are edited to show their new deadlines; less is grace in judging."""


async def note_first_start(store: Store, now: float) -> None:
    """Note that the bot is there, if it never was: it may die before it has looked at any clock."""
    async with store.transaction() as transaction:
        if await transaction.value(ALIVE) is None:
            await transaction.set_value(ALIVE, str(now))


class Outages:
    """Moves every deadline by the time in which nobody could decide; ``clock`` is the cache's own."""

    def __init__(self, cache: TableCache, settings: Settings, clock: SteadyClock) -> None:
        self._cache = cache
        self._settings = settings
        self._clock = clock
        self._noted = 0.0
        """What :data:`ALIVE` says."""

    async def resume(self) -> None:
        """Make up for the time since the bot last looked at the clocks. Call it before any is judged."""
        noted, drift = await self._settings.get_value(ALIVE), self._clock.drift()
        await self._note(drift, lost=0.0 if noted is None else self._clock() + drift - float(noted))

    async def look(self) -> None:
        """Note that the bot is there; make up for a clock that was set, or a machine that slept."""
        drift = self._clock.drift()
        if abs(drift) >= SHORTEST or self._clock() - self._noted >= OFTEN:
            await self._note(drift, lost=drift)

    def follow(self) -> None:
        """Follow the machine's clock, while it is another process that makes up for what was lost."""
        self._clock.follow(self._clock.drift())

    async def _note(self, drift: float, lost: float) -> None:
        """Note that the bot is there, by a clock that has followed the machine's, and move what was lost."""
        if abs(lost) >= SHORTEST:
            async with self._cache.alone():
                await self._move(lost, drift)
                self._clock.follow(drift)
            LOG.info("deadlines are moved by %d s", lost)
            self._cache.wake()
        else:
            self._clock.follow(drift)
            async with self._cache.store.transaction() as transaction:
                await transaction.set_value(ALIVE, str(self._clock()))
        self._noted = self._clock()

    async def _move(self, lost: float, drift: float) -> None:
        """Move every deadline by what was ``lost``, in one transaction with the note that it is made up for.

        A clock that was set back moves them to before, for they are wall times. Holidays pass while the bot
        is away, but not because a clock is set.
        """
        now = self._clock() + drift
        async with self._cache.store.read() as reader:
            tables = await reader.by_deadline() if abs(lost) >= LONG else []
        async with self._cache.store.transaction() as transaction:
            await transaction.set_value(ALIVE, str(now))
            await transaction.shift_clocks(lost)
            await transaction.shift_holidays(drift)
            await transaction.doubt(tables)
            await transaction.enqueue(NewJob(table, JobKind.BOARD, due=now) for table in tables)
