"""Export and deletion of the data stored about a person."""

from __future__ import annotations

import asyncio
import logging
import secrets
from contextlib import suppress
from typing import Any

from bot.domain.jobs import JobKind, NewJob
from bot.domain.refusals import Refusal
from bot.domain.tables import PSEUDONYM, Person, PersonId, RequestId, Status, TableInfo, TableRow
from bot.matches.lessons import Lessons
from bot.matches.limits import Admission, disguise
from bot.matches.lobby import Lobby
from bot.matches.settings import Settings
from bot.matches.table_cache import TableCache
from bot.store import SCRUB, StoreError

LOG = logging.getLogger("bauta.privacy")

DELETION_PREFIX = "deleting:"
"""Key prefix of the marks of pending deletions, which a restart resumes; a person's id follows."""

SCRUB_INTERVAL_S = 600.0
"""Minimum seconds between two scrubs of the whole file, so that no person can keep the disk busy."""

SCRUB_CHECK_INTERVAL_S = 30.0
"""Interval in seconds for checking whether a scrub is needed."""


class Privacy:
    """The use cases of ``/privacy``."""

    def __init__(
        self, cache: TableCache, lobby: Lobby, settings: Settings, lessons: Lessons, admission: Admission
    ) -> None:
        self._cache = cache
        self._lobby = lobby
        self._settings = settings
        self._lessons = lessons
        self._admission = admission
        self._scrubbing = asyncio.Lock()
        self._scrubbed = -SCRUB_INTERVAL_S

    async def count_export(self, person: Person, request_id: RequestId) -> None:
        """Count an export before it is made; raises ``Refusal`` if there were too many."""
        async with self._cache.store.transaction() as unit:
            await self._admission.admit_export(unit, person.id, str(request_id), self._cache.clock())

    async def export(self, person: Person) -> dict[str, Any]:
        """Return everything that the database has about a person, as JSON data.

        It contains no seed and no secret of others: only the person's own sentences are included.
        """
        async with self._cache.store.read() as reader:
            kept = await reader.kept_about(person.id)
        return {"person": str(person.id), **kept}

    async def blocking_matches(self, who: PersonId) -> list[TableInfo]:
        """Return the running matches in which a person still has a seat."""
        async with self._cache.store.read() as reader:
            rows = await reader.tables_of(who, self._cache.clock())
        return [row.info for row in rows if _is_needed(row, who)]

    async def delete(self, person: Person) -> list[TableInfo]:
        """Delete a person's data, unless running matches need them; return those matches.

        At tables that are no longer open, a pseudonym replaces the person. Call :meth:`scrub` afterwards. The
        deletion may be repeated safely, and a person who returns is treated as new.
        """
        blocked = await self.blocking_matches(person.id)
        if not blocked and await self._knows(person.id):
            await self._settings.set_value(f"{DELETION_PREFIX}{person.id}", "")
            blocked = await self._carry_out(person.id)
        return blocked

    async def resume(self) -> None:
        """Finish deletions that a restart interrupted. Call it before serving, and :meth:`scrub` after it."""
        async with self._cache.store.read() as reader:
            begun = await reader.values_like(DELETION_PREFIX)
        for key, _ in begun:
            await self._carry_out(int(key.removeprefix(DELETION_PREFIX)))

    async def keep_scrubbing(self) -> None:
        """Scrub the database whenever something was deleted, until cancelled."""
        while True:
            try:
                await self.scrub()
            except StoreError as error:
                LOG.warning("scrub failed: %s", error)
            await asyncio.sleep(SCRUB_CHECK_INTERVAL_S)

    async def scrub(self) -> None:
        """Scrub the database if something was deleted, so that nothing of it remains in a file.

        Deletions within a few minutes share one scrub. A failure is logged and retried later.
        """
        async with self._scrubbing:
            mark = await self._settings.get_value(SCRUB)
            if mark is None:
                return
            now = asyncio.get_running_loop().time
            await asyncio.sleep(max(0.0, self._scrubbed + SCRUB_INTERVAL_S - now()))
            # Deletions during the scrub set a new mark.
            mark = await self._settings.get_value(SCRUB)
            self._scrubbed = now()
            try:
                await self._cache.store.scrub()
                async with self._cache.store.transaction() as transaction:
                    await transaction.drop_value(SCRUB, mark)
            except StoreError as error:
                LOG.warning("scrub failed, deleted data is still in the file: %s", error)

    async def _knows(self, who: PersonId) -> bool:
        async with self._cache.store.read() as reader:
            return any((await reader.kept_about(who)).values())

    async def _carry_out(self, who: PersonId) -> list[TableInfo]:
        await self._leave_open_tables(who)
        async with self._cache.store.read() as reader:
            named = await reader.tables_naming(who)
        blocked = [info for table_id in named if (info := await self._rename(table_id, who)) is not None]
        async with self._settings.changing(who) as transaction:
            # If a match began just now, the rest can be deleted once the person has left it.
            await transaction.drop_value(f"{DELETION_PREFIX}{who}")
            if not blocked:
                await transaction.delete_person(who)
                await disguise(transaction, who)
                await transaction.set_value(SCRUB, secrets.token_hex(4))
        if not blocked:
            self._cache.lists.drop(who)
            self._cache.nicknames.forget(who)
            self._lessons.forget(who)
            for key in [key for key in self._cache.presets if key[0] == who]:
                del self._cache.presets[key]
        return blocked

    async def _leave_open_tables(self, who: PersonId) -> None:
        async with self._cache.store.read() as reader:
            rows = await reader.tables_in([Status.OPEN], self._cache.clock())
        for row in rows:
            people = [chair.person for chair in row.info.chairs] + list(row.invited)
            for person in people:
                if person is not None and person.id == who:
                    # If it has begun or closed meanwhile, a pseudonym takes the chair.
                    with suppress(Refusal):
                        await self._lobby.leave(row.info.id, person, f"privacy:{secrets.token_hex(8)}")

    async def _rename(self, table_id: str, who: PersonId) -> TableInfo | None:
        """Replace a person with a pseudonym at a table, or return the running match that needs them."""
        async with self._cache.held(table_id):
            async with self._cache.store.transaction() as transaction:
                row = await transaction.table(table_id)
                if row is None or _is_needed(row, who):
                    return None if row is None else row.info
                await transaction.rename_person(table_id, who, PSEUDONYM)
                if row.info.status is Status.RUNNING:
                    # The public version does not change, so the board must be marked stale here.
                    await transaction.mark_stale([table_id])
                    await transaction.enqueue(
                        NewJob(table_id, kind) for kind in (JobKind.LOBBY, JobKind.BOARD)
                    )
                row = await transaction.table(table_id)
            if row is not None:
                self._cache.lists.put(row)
        # The board still shows their name.
        self._cache.wake()
        return None


def _is_needed(row: TableRow, who: PersonId) -> bool:
    if row.info.status is not Status.RUNNING:
        return False
    return any(c.person is not None and c.person.id == who and not c.withdrawn for c in row.info.chairs)
