"""The cache of tables over a store: loaded on demand, changed under one lock per table.

All services share one cache. Its tables equal their committed state: whenever that is uncertain, the table is
dropped and reloaded.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TypeVar
from weakref import WeakValueDictionary

from bot.domain.jobs import JobKind, NewJob
from bot.domain.match import Preset
from bot.domain.refusals import Refusal, refusal
from bot.domain.tables import HandledRequest, PersonId, Status, TableRow
from bot.matches.follow_ups import with_follow_ups
from bot.matches.loaded_table import NO_DRAFTS, LoadedTable
from bot.matches.loading import rebuild, status_after_replay, stored_table
from bot.matches.match_lists import MatchLists
from bot.matches.nicknames import Nicknames
from bot.matches.results import result_of
from bot.store import Change, Conflict, Store, Transaction
from engines.core.contract import Seat
from engines.core.match import AnyGame
from engines.core.registry import games as installed

T = TypeVar("T")

CAPACITY = 1_024
"""Maximum tables in memory."""

MOST_ROWS = 50_000
"""Maximum log rows of all tables in memory; a row takes about a kibibyte."""

WORKED_OUT = 256
"""Maximum tables whose seat views are kept, least recently used out first."""

ATTEMPTS = 5
"""Maximum attempts at a change if other writers are faster."""


class TableCache:
    """Loads tables, keeps the latest used in memory, and commits their changes."""

    def __init__(
        self,
        store: Store,
        *,
        wake: Callable[[], None],
        clock: Callable[[], float] = time.time,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        games: Mapping[str, AnyGame] | None = None,
        capacity: int = CAPACITY,
        most_rows: int = MOST_ROWS,
        worked_out: int = WORKED_OUT,
    ) -> None:
        self.store = store
        self.wake = wake
        """Wakes the outbox worker for new jobs."""
        self.clock = clock
        self.lag: Callable[[int], float] = lambda _: 0.0
        """Returns the seconds of outages that a server's clocks were not yet moved by."""
        self.before_step: Callable[[], Awaitable[None]] = _nothing
        """Awaited before each attempt: :attr:`lag` must be known by then. Raises ``StoreError``."""
        self.load_lag: Callable[[int], Awaitable[None]] = _nothing
        """Awaited for the table's server once the table is loaded. Raises ``StoreError``.

        Not earlier: if another process moves deadlines after the table was loaded, the commit conflicts.
        """
        self.entropy = entropy
        self.games = installed() if games is None else games
        self.lists = MatchLists(clock)
        self.nicknames = Nicknames()
        self.presets: dict[tuple[PersonId, str, str], str] = {}
        """Saved sentences by person, game and menu."""
        self._capacity = capacity
        self._most_rows = most_rows
        self.rows = 0
        """Log rows of all tables in memory."""
        self._tables: OrderedDict[str, LoadedTable] = OrderedDict()
        self._most_worked_out = worked_out
        self._worked_out: OrderedDict[str, None] = OrderedDict()
        """The ids of the tables used last, whose seat views are kept."""
        # A lock exists for as long as a task holds it or waits for it.
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._attempts = 0
        self._changes = 0
        """Counts changes of all tables at once."""
        self._let_in, self._all_done = asyncio.Event(), asyncio.Event()
        self._let_in.set()

    # --- in memory --------------------------------------------------------------------------------

    def peek(self, table_id: str) -> LoadedTable | None:
        """Return a table if it is in memory."""
        table = self._tables.get(table_id)
        if table is not None:
            self._tables.move_to_end(table_id)
            self._note_use(table_id)
        return table

    def _note_use(self, table_id: str) -> None:
        self._worked_out[table_id] = None
        self._worked_out.move_to_end(table_id)
        if len(self._worked_out) > self._most_worked_out:
            oldest, _ = self._worked_out.popitem(last=False)
            if (idle := self._tables.get(oldest)) is not None:
                idle.seat_views.clear()

    def loaded(self, table_id: str) -> bool:
        """Return whether a table is in memory, without counting as a use."""
        return table_id in self._tables

    def put(self, table: LoadedTable) -> None:
        """Keep a table that equals its committed state, evicting the least recently used ones if full."""
        table_id = table.row.info.id
        before = self._tables.get(table_id)
        if before is not None and before.version > table.version:
            return  # a later commit got here first
        self.forget(table_id)
        self._tables[table_id] = table
        self.rows += _cost(table)
        while len(self._tables) > self._capacity or (self.rows > self._most_rows and len(self._tables) > 1):
            self.forget(next(iter(self._tables)))
        if before is None or before.row is not table.row:
            self.lists.put(table.row)

    def forget(self, table_id: str) -> None:
        """Drop a table from memory; its next use reloads it."""
        forgotten = self._tables.pop(table_id, None)
        if forgotten is not None:
            self.rows -= _cost(forgotten)

    def forget_all(self) -> None:
        """Drop every table from memory, after their stored state was changed."""
        for table_id in list(self._tables):
            self.forget(table_id)

    # --- loading ----------------------------------------------------------------------------------

    async def get(self, table_id: str, version: int = 0) -> LoadedTable:
        """Return a table's committed state, at ``version`` or newer; raises ``Refusal`` if there is none.

        A commit is visible in the database a moment before memory has it. Callers that have read the
        database, such as jobs, pass the version they saw.
        """
        table = self.peek(table_id)
        if table is not None and table.version >= max(version, await self._committed_elsewhere(table_id)):
            return table
        # The committer holds the lock until the cache is updated.
        async with self.locked(table_id) as loaded:
            if loaded.version >= version:
                return loaded
            self.forget(table_id)
            return await self._load(table_id)

    async def _committed_elsewhere(self, table_id: str) -> int:
        """Return the version committed to a shared database; 0 if no other process shares it.

        Notifications from other processes may be lost, so the database is asked.
        """
        if self.store.sharing is None:
            return 0
        async with self.store.read() as reader:
            return await reader.version(table_id)

    async def _current(self, table_id: str) -> LoadedTable:
        table = self.peek(table_id)
        if table is not None and table.version >= await self._committed_elsewhere(table_id):
            return table
        self.forget(table_id)
        return await self._load(table_id)

    def on_remote_change(self, change: Change) -> None:
        """Drop a table that another process has changed, and wake the outbox worker."""
        table = self._tables.get(change.table_id)
        if table is not None and table.version < change.version:
            self.forget(change.table_id)
        self.wake()

    @asynccontextmanager
    async def locked(self, table_id: str) -> AsyncIterator[LoadedTable]:
        """Hold a table's lock and load the table; raises ``Refusal`` if it does not exist."""
        lock = self._locks.setdefault(table_id, asyncio.Lock())
        async with lock:
            try:
                # The lock's previous holder may have loaded it meanwhile.
                yield await self._current(table_id)
            except Refusal:
                raise
            except BaseException:
                # It is uncertain whether the change was committed, e.g. after a cancellation.
                self.forget(table_id)
                raise

    @asynccontextmanager
    async def held(self, table_id: str) -> AsyncIterator[None]:
        """Hold a table's lock without loading it, to change its stored state; then drop it from memory."""
        lock = self._locks.setdefault(table_id, asyncio.Lock())
        async with lock:
            try:
                yield
            finally:
                self.forget(table_id)

    async def attempt(self, table_id: str, work: Callable[[LoadedTable], Awaitable[T]]) -> T:
        """Do ``work`` on a table under its lock, reloading and retrying if another writer was faster.

        Raises what ``work`` raises, and ``Refusal`` after :data:`ATTEMPTS` conflicts.
        """
        await self.before_step()
        await self._let_in.wait()
        self._attempts += 1
        try:
            for _ in range(ATTEMPTS):
                try:
                    async with self.locked(table_id) as table:
                        await self.load_lag(table.info.place.guild_id)
                        return await work(table)
                except Conflict:
                    continue
            raise refusal("busy")
        finally:
            self._attempts -= 1
            self._all_done.set()

    @asynccontextmanager
    async def exclusive(self) -> AsyncIterator[None]:
        """Block new attempts and wait for running ones; afterwards every table is reloaded.

        For changes to all tables at once: each attempt reads both the table's row and the clock before such a
        change, or both after it. Only one task may use this at a time, and it must not call :meth:`attempt`.
        """
        self._let_in.clear()
        try:
            while self._attempts:
                self._all_done.clear()
                await self._all_done.wait()
            yield
        finally:
            self._changes += 1
            self.forget_all()
            self._let_in.set()

    async def _load(self, table_id: str) -> LoadedTable:
        changes = self._changes
        stored = await stored_table(self.store, table_id)
        for person, preset in stored.presets:
            self.presets[person, preset.game, preset.menu] = preset.text
        # In a thread: a long match takes a while to replay.
        table = await asyncio.to_thread(rebuild, stored, self.games)
        if changes != self._changes:
            return await self._load(table_id)  # all tables were changed meanwhile
        status = status_after_replay(table)
        if status is table.info.status:
            if table.row.broken:
                await self._tell_broken(table_id)
            self.put(table)
            return table
        # It was frozen or unfrozen just now: notify its players.
        kinds = [JobKind.LOBBY, JobKind.FROZEN if status is Status.FROZEN else JobKind.BOARD]
        if status is Status.RUNNING:
            kinds.append(JobKind.COMPUTER)
        jobs = [NewJob(table_id, kind) for kind in kinds]
        return await self.commit(table, table.with_info(status=status), jobs=jobs)

    async def _tell_broken(self, table_id: str) -> None:
        """Notify a table's players that it cannot be read: only once, however often this is called."""
        jobs = [NewJob(table_id, kind) for kind in (JobKind.LOBBY, JobKind.FROZEN)]
        async with self.store.transaction() as transaction:
            await transaction.enqueue(jobs)
        self.wake()

    # --- committing -------------------------------------------------------------------------------

    async def commit(
        self,
        old: LoadedTable | None,
        new: LoadedTable,
        *,
        jobs: Iterable[NewJob] = (),
        request: HandledRequest | None = None,
        preset: tuple[PersonId, Preset] | None = None,
        admit: Callable[[Transaction], Awaitable[None]] | None = None,
        also: Callable[[Transaction], Awaitable[None]] | None = None,
    ) -> LoadedTable:
        """Write the differences between two versions of a table, and its jobs, in one transaction.

        ``admit`` runs first, and an exception from it rolls back everything. ``also`` writes data outside the
        table. Raises :class:`Conflict` if the table was changed meanwhile or the request was already handled.
        """
        if new.row.broken:
            raise refusal("frozen")  # the readable part must not overwrite what could not be read
        new, jobs = self.nicknames.shown(old, new, jobs)
        new = replace(new, version=1 if old is None else old.version + 1)
        async with self.store.transaction() as transaction:
            if admit is not None:
                await admit(transaction)
            await save_changes(transaction, old, new)
            if request is not None:
                await transaction.add_request(request, self.clock())
            if old is not None and old.info.status is Status.OPEN is not new.info.status:
                await transaction.cancel(new.id, JobKind.EXPIRE)
            if jobs:
                await transaction.enqueue(jobs)
            if preset is not None:
                await transaction.save_preset(*preset)
            if also is not None:
                await also(transaction)
        # Update memory after the commit, since uncommitted state must not be cached, and before anything is
        # announced: see `get`.
        if preset is not None:
            person, kept = preset
            self.presets[person, kept.game, kept.menu] = kept.text
        self.put(new)
        if jobs:
            self.wake()
        return new

    async def settle(
        self,
        old: LoadedTable,
        new: LoadedTable,
        *,
        actor: Seat | None = None,
        request: HandledRequest | None = None,
        preset: tuple[PersonId, Preset] | None = None,
        admit: Callable[[Transaction], Awaitable[None]] | None = None,
    ) -> LoadedTable:
        """Commit a step of a match with the resulting status, drafts and jobs; raises as :meth:`commit`."""
        lag = self.lag(new.info.place.guild_id)
        new, jobs = with_follow_ups(old, new, self.clock(), actor, lag)
        return await self.commit(old, new, jobs=jobs, request=request, preset=preset, admit=admit)

    async def handled(self, request: str, table_id: str, person: PersonId, act: str) -> HandledRequest | None:
        """Return the record of a request handled before; raises ``Refusal`` if it was for something else."""
        async with self.store.read() as reader:
            found = await reader.request(request)
        if found is not None and (found.table_id, found.person, found.act) != (table_id, person, act):
            raise refusal("request")
        return found


async def _nothing(*_: object) -> None:
    """Prepare nothing."""


async def save_changes(transaction: Transaction, old: LoadedTable | None, new: LoadedTable) -> None:
    """Write what changed from ``old`` to ``new``; ``old`` ``None``: everything.

    Raises :class:`Conflict` if the table was changed meanwhile.
    """
    row, before = new.row, None if old is None else old.row
    if row != before:
        await transaction.save_table(row)
    await transaction.advance(row.info.id, new.version)
    if row != before:
        if before is None or _sitting(row) != _sitting(before):
            await transaction.save_chairs(row)
        elif row.asked_since != before.asked_since or row.clocks != before.clocks:
            # By far the most frequent change of chairs.
            await transaction.save_asked(row)
        await _save_holders(transaction, row, before)
    if new.log is not None:
        known = 0 if old is None or old.log is None else len(old.log.rows)
        for entry in new.log.rows[known:]:
            await transaction.append(row.info.id, entry)
    await _save_result(transaction, old, new)
    for seat, drafts in new.drafts.items():
        former = NO_DRAFTS if old is None else old.drafts.get(seat, NO_DRAFTS)
        if drafts is not former:
            for draft in drafts.changed_rows(seat, former):
                await transaction.save_draft(row.info.id, draft)


async def _save_result(transaction: Transaction, old: LoadedTable | None, new: LoadedTable) -> None:
    """Write the result of a match that ends with this change."""
    if old is not None and old.info.status is not new.info.status:
        result = result_of(new)
        if result is not None:
            await transaction.save_result(*result)


async def _save_holders(transaction: Transaction, row: TableRow, before: TableRow | None) -> None:
    """Write the seat offer and new former holders of seats."""
    if row.offer != (None if before is None else before.offer):
        await transaction.save_seat_offer(row)
    for holder in row.info.former[0 if before is None else len(before.info.former) :]:
        await transaction.add_former_holder(row.info.id, holder)


def _sitting(row: TableRow) -> tuple[object, ...]:
    return row.info.chairs, row.invited, row.first_joins


def _cost(table: LoadedTable) -> int:
    return 0 if table.log is None else len(table.log.rows)
