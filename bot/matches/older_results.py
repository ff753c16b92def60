"""Results of matches that ended before results were stored: replayed once, in the background."""

from __future__ import annotations

import asyncio
import logging

from bot.domain.refusals import Refusal
from bot.domain.shards import ALL
from bot.matches.loading import rebuild, stored_table
from bot.matches.results import result_of
from bot.matches.table_cache import TableCache
from bot.store import WITHOUT_RESULT, StoreError

LOG = logging.getLogger("bauta.tables")

PAUSE_S = 1.0
"""Seconds between two matches: running ones come first."""


class OlderResults:
    """Recovers missing results, one match at a time. A restart begins with those that are still missing."""

    def __init__(self, cache: TableCache) -> None:
        self._cache = cache

    async def recover_all(self, pause: float = PAUSE_S) -> None:
        """Store the results of all matches on this process's servers that lack them.

        A match that cannot be replayed as it was played is marked, and not tried again.
        """
        store = self._cache.store
        async with store.read() as reader:
            lacking = await reader.lacking_results(store.sharing.shards if store.sharing else ALL)
        if lacking:
            LOG.info("recovering the results of %d matches", len(lacking))
        for table_id in lacking:
            try:
                await self._recover(table_id)
            except (StoreError, Refusal) as error:
                LOG.warning("match %s: result not recovered: %s", table_id, error)
            await asyncio.sleep(pause)

    async def _recover(self, table_id: str) -> None:
        store = self._cache.store
        stored = await stored_table(store, table_id)
        # In a thread: a long match takes a while to replay.
        result = result_of(await asyncio.to_thread(rebuild, stored, self._cache.games))
        async with store.transaction() as transaction:
            # A person may have deleted their data meanwhile; the next start tries again.
            if await transaction.version(table_id) != stored.version:
                return
            if result is None:
                LOG.warning("match %s: its result cannot be recovered", table_id)
                await transaction.set_value(f"{WITHOUT_RESULT}{table_id}", "")
            else:
                await transaction.save_result(*result)
