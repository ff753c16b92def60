"""Close idle matches after thirty days, with a warning a week before."""

from __future__ import annotations

from bot.clocks.outages import Outages
from bot.domain.clocks import DAY, Pace
from bot.domain.jobs import JobKind, NewJob
from bot.domain.tables import Status
from bot.matches.closing import Closing, last_act
from bot.matches.loaded_table import LoadedTable
from bot.matches.table_cache import TableCache

CLOSED_AFTER = 30 * DAY
WARNED_BEFORE = 7 * DAY

LOOK_INTERVAL_S = 3_600.0
"""Seconds between searches for idle matches."""

IDLE_SURFACE = "idle"
"""The surface that records a warning: the epoch is the time of the last act, the version that of sending."""


class Idle:
    """Finds and closes idle matches. Matches without clocks are never closed."""

    def __init__(self, cache: TableCache, closing: Closing, outages: Outages) -> None:
        self._outages = outages
        self._cache = cache
        self._closing = closing
        self._looked_at = float("-inf")

    async def due(self) -> list[str]:
        """Return the matches to check; empty until :data:`LOOK_INTERVAL_S` has passed."""
        now = self._cache.clock()
        if abs(now - self._looked_at) < LOOK_INTERVAL_S:
            return []
        self._looked_at = now
        before = now - CLOSED_AFTER + WARNED_BEFORE
        async with self._cache.store.read() as reader:
            return [
                match
                for served in self._outages.served()
                for match in await reader.unchanged_since(before, served.count, served.ids)
            ]

    async def look(self, table_id: str) -> None:
        """Announce that an idle match will be closed, or close it; raises ``Refusal``."""
        table = await self._cache.get(table_id)
        if table.info.status is not Status.RUNNING or table.info.pace is Pace.NONE:
            return
        now, last = self._cache.clock(), last_act(table)
        if now < last + CLOSED_AFTER - WARNED_BEFORE:
            return
        said_at = await self._said_at(table, last)
        if said_at is None:
            async with self._cache.store.transaction() as transaction:
                await transaction.enqueue([NewJob(table_id, JobKind.IDLE, str(int(last)), due=now)])
            self._cache.wake()
        elif now >= max(last + CLOSED_AFTER, said_at + WARNED_BEFORE):
            await self._closing.close_idle(table_id, last)

    async def _said_at(self, table: LoadedTable, last: float) -> int | None:
        async with self._cache.store.read() as reader:
            said = await reader.shown(table.id, IDLE_SURFACE)
        return None if said is None or said.epoch != int(last) else said.version
