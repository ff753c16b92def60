"""The outbox: pending jobs, which messages show what, and what a start and a restore make due."""

from __future__ import annotations

import logging
import math
import secrets
from collections.abc import Awaitable, Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from bot.domain.jobs import Call, CallWay, Job, JobKind, NewJob, QueuedJob, RecordBefore, Shown
from bot.domain.match import Board, Draft, DraftRow
from bot.domain.shards import ALL
from bot.domain.surfaces import BOARD, HASH, resting_surface, thread_surface, written_to_surface
from bot.domain.tables import PersonId, Status, TableRow
from bot.matches.loaded_table import LoadedTable
from bot.matches.match_lists import RECENT_SECONDS
from bot.matches.table_cache import TableCache
from bot.store import Reader, Store
from bot.store.backup import RESTORED_KEY
from engines.core.contract import Seat
from engines.core.optional_methods import Interrupting
from engines.core.rng import SEED_BYTES, part_hash

LOG = logging.getLogger("bauta.outbox")

ABANDONED_REQUEST_S = 30.0
"""Seconds after which Discord no longer carries out an abandoned request: one of a process that died, or of a
job that took too long."""

MAX_ANSWER_AGE_S = 3600.0
"""Seconds after which no click is answered any more. Discord accepts answers for a quarter of an hour."""

CHECKED_PREFIX = "checked:"
"""Key prefix of the stored values that name the program which last checked all matches of some shards."""

RESTORE_ID = "era"
"""Key of the stored value that changes with every restore. Older versions use this key too, so it stays."""

REVISION_JUMP = 100_000
"""Added to draft revisions: more than any draft changes between a backup and its restore."""

_GOING_ON = (Status.OPEN, Status.RUNNING, Status.FROZEN)


class Outbox:
    """The outbox worker's queries and records."""

    def __init__(self, cache: TableCache) -> None:
        self._cache = cache

    async def resume(self, program: str = "") -> None:
        """Fill the match lists and enqueue checks of current matches. Call it once, before serving.

        ``program``: the running version; if it also ran here before, boards recorded as right are skipped.
        If several processes share the database, each checks the servers of its shards.

        Anything committed but not shown before a crash still has its job. Messages that are right are not
        sent again.
        """
        now = self._cache.clock()
        sharing = self._cache.store.sharing
        shards = ALL if sharing is None else sharing.shards
        key = f"{CHECKED_PREFIX}{shards}/{shards.count}"
        async with self._cache.store.read() as reader:
            rows = await reader.tables_in(_GOING_ON, now - RECENT_SECONDS, shards)
            unfinished = await reader.unfinished(now)
            is_known = program != "" and await reader.value(key) == program
            doubtful = await reader.ill_shown(BOARD, shards) if is_known else None
        for row in rows:
            self._cache.lists.put(row)
        looked_at = frozenset(row.info.id for row in rows) if doubtful is None else frozenset(doubtful)
        jobs = [NewJob(row.info.id, kind, due=now) for row in rows for kind in self._checks(row, looked_at)]
        jobs += [NewJob(match, JobKind.REVIEW, due=now + ABANDONED_REQUEST_S) for match in unfinished]
        async with self._cache.store.transaction() as transaction:
            await transaction.drop_unreadable()
            await transaction.enqueue(jobs)
            # In the transaction of the checks, which run even if this process ends soon.
            await transaction.set_value(key, program)
            # After a fix the operator restarts the bot and does not want to wait for retries.
            await transaction.retry_now(now)
        self._cache.wake()

    async def retry(self) -> None:
        """Reschedule all failed jobs to now."""
        async with self._cache.store.transaction() as transaction:
            await transaction.retry_now(self._cache.clock())

    def _checks(self, row: TableRow, looked_at: Container[str]) -> Iterator[JobKind]:
        if row.broken:
            yield from (JobKind.LOBBY, JobKind.FROZEN)
        elif row.info.status in (Status.RUNNING, Status.FROZEN):
            # This version may be able to replay what its predecessor could not, or the reverse.
            if row.info.id in looked_at or row.info.status is Status.FROZEN:
                yield JobKind.CHECK
            # A computer player's sentence may have been refused because of a bug that is fixed now.
            if any(chair.person is None and chair.seat in row.asked for chair in row.info.chairs):
                yield JobKind.COMPUTER
            elif self._may_interrupt(row):
                yield JobKind.INTERRUPT

    def _may_interrupt(self, row: TableRow) -> bool:
        has_computers = any(chair.person is None for chair in row.info.chairs)
        return has_computers and isinstance(self._cache.games.get(row.info.game), Interrupting)

    async def bind_thread(self, table_id: str, thread_id: int, channel_id: int | None = None) -> None:
        """Store the match's thread, which the table's message links to; raises ``Refusal``.

        ``channel_id``: where it was created. If the match has moved to another channel meanwhile, the thread
        is stored for its return.
        """

        async def work(table: LoadedTable) -> None:
            if channel_id is not None and channel_id != table.info.place.channel_id:
                async with self._cache.store.transaction() as unit:
                    await unit.set_shown(table_id, thread_surface(channel_id), Shown(channel_id, thread_id))
                return
            if table.info.thread_id != thread_id:
                jobs = [NewJob(table_id, JobKind.LOBBY, due=self._cache.clock())]
                await self._cache.commit(table, table.with_info(thread_id=thread_id), jobs=jobs)

        await self._cache.attempt(table_id, work)

    async def next_jobs(self, limit: int) -> list[Job]:
        """Return the jobs that are ready, the oldest first."""
        async with self._cache.store.read() as reader:
            return await reader.next_jobs(limit, self._cache.clock())

    async def jobs_after(self, revision: int, limit: int) -> list[QueuedJob]:
        """Return at most ``limit`` jobs newer than a revision, the oldest first, due or not.

        Unreadable jobs are removed, and their tables' messages are checked.
        """
        return await self._readable(lambda reader: reader.jobs_after(revision, limit))

    async def jobs_of(self, table_ids: Iterable[str]) -> list[QueuedJob]:
        """Return the due jobs of some tables. Unreadable ones are removed, as above."""
        ids, now = list(table_ids), self._cache.clock()
        return await self._readable(lambda reader: reader.jobs_of(ids, now))

    async def _readable(
        self, ask: Callable[[Reader], Awaitable[tuple[list[QueuedJob], list[int]]]]
    ) -> list[QueuedJob]:
        while True:
            async with self._cache.store.read() as reader:
                found, broken = await ask(reader)
            if not broken:
                return found
            LOG.error("outbox: removing %d unreadable jobs", len(broken))
            async with self._cache.store.transaction() as transaction:
                await transaction.remove_jobs(broken)

    async def catch_up(self, job: Job) -> None:
        """Wait until memory has the version that a job was enqueued for.

        The job must not run earlier: it would show an older state and then be removed. Raises ``Refusal`` if
        the table does not exist.
        """
        await self._cache.get(job.table_id, job.version)

    async def next_due(self) -> float | None:
        """Return the Unix time when the next job is due; ``None``: there is none."""
        async with self._cache.store.read() as reader:
            return await reader.next_due()

    async def ask_for(self, jobs: Iterable[tuple[str, JobKind, str]]) -> None:
        """Enqueue jobs due now, even if postponed before; each is a table id, a kind and a target."""
        now = self._cache.clock()
        async with self._cache.store.transaction() as transaction:
            await transaction.enqueue(NewJob(table, kind, target, now) for table, kind, target in jobs)
        self._cache.wake()

    async def review(self, table_id: str) -> None:
        """Enqueue a review of a match, due when no request abandoned now can take effect any more."""
        async with self._cache.store.transaction() as transaction:
            due = self._cache.clock() + ABANDONED_REQUEST_S
            await transaction.enqueue([NewJob(table_id, JobKind.REVIEW, due=due)])
        self._cache.wake()

    async def ask_for_place(self, channel_id: int) -> None:
        """Mark the messages of all current tables of a channel stale, and enqueue jobs to resend them."""
        async with self._cache.store.read() as reader:
            rows = await reader.tables_in(_GOING_ON, self._cache.clock())
        found = [row for row in rows if row.info.place.channel_id == channel_id]
        await self.mark_stale([row.info.id for row in found])
        await self.ask_for(
            (row.info.id, JobKind.BOARD if row.info.status is Status.RUNNING else JobKind.LOBBY, "")
            for row in found
        )

    async def mark_stale(self, table_ids: Sequence[str]) -> None:
        """Mark tables' messages stale, so the next job resends them."""
        async with self._cache.store.transaction() as transaction:
            await transaction.mark_stale(table_ids)

    async def running_threads(self, guild_id: int) -> list[tuple[str, int, int]]:
        """Return the running matches in a server: id, channel and thread of each."""
        async with self._cache.store.read() as reader:
            return await reader.running_threads(guild_id)

    async def record_before(self, table_id: str, surface: str) -> RecordBefore:
        """Return the record of a surface; call it before reading the data for a new page.

        The page is at least as new as a stale mark in the record, so that it may remove the mark.
        """
        async with self._cache.store.read() as reader:
            row = await reader.shown(table_id, surface)
            committed = await reader.version(table_id)
        version = (await self._cache.get(table_id, committed)).version
        return (
            RecordBefore(version, None, "") if row is None else RecordBefore(version, row.message, row.digest)
        )

    async def done(self, job: Job) -> None:
        """Remove a finished job, unless it was enqueued again meanwhile."""
        async with self._cache.store.transaction() as transaction:
            await transaction.done(job)

    async def failed(self, job: Job, error: str, retry_at: float) -> None:
        """Schedule a retry of a failed job at a Unix time, unless it was enqueued again meanwhile."""
        async with self._cache.store.transaction() as transaction:
            await transaction.failed(job, error, retry_at)

    async def shown(self, table_id: str, surface: str) -> Shown | None:
        """Return our message on a surface of a table."""
        async with self._cache.store.read() as reader:
            row = await reader.shown(table_id, surface)
        return None if row is None else row.message

    async def standing(self, table_id: str, prefix: str) -> list[tuple[str, Shown]]:
        """Return our current messages on all surfaces that begin with ``prefix``, the oldest first."""
        async with self._cache.store.read() as reader:
            surfaces = await reader.surfaces(table_id, prefix)
        found = [(surface, await self.shown(table_id, surface)) for surface in surfaces]
        standing = [(surface, shown) for surface, shown in found if shown is not None]
        return sorted(standing, key=lambda each: each[1].message_id)

    async def note_written_to(self, board: Board) -> None:
        """Record, before posting a board, whom it does not ping: they get a direct message or a later ping.

        Edits of the board use this record: later preferences do not change an existing message.
        """
        for seat in (*board.called, *board.written_to, *board.resting):
            await self._note_epoch(board, written_to_surface(seat), holds=seat in board.written_to)
            await self._note_epoch(board, resting_surface(seat), holds=seat in board.resting)
        # People whose quiet hours end at the same time share one ping message.
        rest: dict[int, list[Seat]] = {}
        for seat, free in sorted(board.resting.items()):
            if free:
                rest.setdefault(math.ceil(free), []).append(seat)
        calls = [Call(CallWay.MENTION, free, tuple(seats)) for free, seats in rest.items()]
        await self.call(board.table.id, calls)

    async def _note_epoch(self, board: Board, surface: str, *, holds: bool) -> None:
        noted = await self.last_version(board.table.id, surface) == board.epoch
        if noted is not holds:
            epoch = board.epoch if holds else 0
            await self.set_shown(board.table.id, surface, Shown(0, 0, epoch, epoch))

    async def note_unreached(self, person: PersonId, *, reached: bool) -> None:
        """Record whether Discord accepted a direct message to a person."""
        async with self._cache.store.read() as reader:
            _, before = await reader.called(person)
        if reached is (before is not None):
            async with self._cache.store.transaction() as transaction:
                await transaction.note_unreached(person, None if reached else self._cache.clock())
        elif not reached:
            async with self._cache.store.transaction() as transaction:
                await transaction.note_unreached(person, self._cache.clock())

    async def dm_channel(self, person: PersonId, account: int) -> int | None:
        """Return the direct message channel of a bot account and a person, if it was used before."""
        async with self._cache.store.read() as reader:
            return await reader.dm_channel(person, account)

    async def note_dm_channel(self, person: PersonId, account: int, channel: int | None) -> None:
        """Store the direct message channel of a bot account and a person; ``None``: it is gone."""
        async with self._cache.store.transaction() as transaction:
            if channel is None:
                await transaction.forget_dm_channel(person, account)
            else:
                await transaction.note_dm_channel(person, account, channel)

    async def call(self, table_id: str, calls: Iterable[Call]) -> None:
        """Schedule calls to people, each at its own time."""
        jobs = [NewJob(table_id, JobKind.REMIND, call.target, due=float(call.at)) for call in calls]
        if jobs:
            async with self._cache.store.transaction() as transaction:
                await transaction.enqueue(jobs)
            self._cache.wake()

    async def last_version(self, table_id: str, surface: str) -> int:
        """Return the version last shown on a surface, even if its message is gone; 0: none."""
        async with self._cache.store.read() as reader:
            row = await reader.shown(table_id, surface)
        return 0 if row is None else row.version

    async def set_shown(self, table_id: str, surface: str, shown: Shown, before: str = "") -> None:
        """Record our message on a surface after it was posted or edited.

        ``before``: the digest from :meth:`begin`. If the message was marked stale since, the mark stays.
        """
        async with self._cache.store.transaction() as transaction:
            await transaction.set_shown(table_id, surface, shown, before)

    async def retire(self, message_id: int) -> None:
        """Record that a direct message loses its buttons for good, before they are removed.

        Another process may be answering a click there and restore the buttons. It checks this record
        afterwards: either it finds the record, or its answer came before the removal.
        """
        now = self._cache.clock()
        async with self._cache.store.transaction() as transaction:
            await transaction.retire(message_id, now, now - MAX_ANSWER_AGE_S)

    async def reinstate(self, message_id: int) -> None:
        """Record that a direct message keeps its buttons after all: they were not removed."""
        async with self._cache.store.transaction() as transaction:
            await transaction.reinstate(message_id)

    async def is_retired(self, message_id: int) -> bool:
        """Return whether a direct message has lost its buttons for good, or is about to."""
        async with self._cache.store.read() as reader:
            return await reader.is_retired(message_id)

    async def note_version(self, table_id: str, surface: str, version: int) -> None:
        """Record that our message on a surface is right for a newer version too."""
        async with self._cache.store.transaction() as transaction:
            await transaction.note_version(table_id, surface, version)

    async def drop_shown(self, table_id: str, surface: str, *, again: JobKind | None = None) -> None:
        """Record that our message is gone from a surface; ``again``: the job that sends a new one."""
        jobs = [] if again is None else [NewJob(table_id, again, due=self._cache.clock())]
        async with self._cache.store.transaction() as transaction:
            await transaction.drop_shown(table_id, surface)
            await transaction.enqueue(jobs)
        if jobs:
            self._cache.wake()


async def begin_after_restore(store: Store, now: float) -> bool:
    """Prepare the store if a backup was restored since the last start; return whether one was.

    Everything shown since the backup was made is still on Discord. So:

    - each table that is open or running gets a job that announces the restore, and the later draws of a match
      are keyed with the restore id, since those of the lost hours were seen;
    - each table whose match has not begun, open or reopenable, gets a new shuffle part with its own hash;
    - drafts get revisions that no panel of the lost hours can have;
    - messages get nonces with the new restore id, since Discord would answer an old nonce with the old
      message.
    """
    async with store.transaction() as transaction:
        restore_id = await transaction.value(RESTORED_KEY)
        if not restore_id:
            return False
        rows = [row for row in await transaction.tables_in(_GOING_ON, now) if row.info.status in _GOING_ON]
        for row in rows:
            stored = {(one.seat, one.aside): one.draft for one in await transaction.drafts(row.info.id)}
            seats = [c.seat for c in row.info.chairs if c.seat is not None and c.person is not None]
            for seat, aside in product(seats, (False, True)):
                draft = stored.get((seat, aside), Draft())
                moved = replace(draft, revision=draft.revision + REVISION_JUMP)
                await transaction.save_draft(row.info.id, DraftRow(seat, aside, moved))
            await transaction.advance(row.info.id, await transaction.version(row.info.id) + 1)
        await transaction.set_restore_id(restore_id)
        for table_id in await transaction.unbegun():
            # A match that is void now may have revealed the old part at its end, and so the deal.
            part = secrets.token_bytes(SEED_BYTES)
            await transaction.replace_part(table_id, part, part_hash(part), HASH)
        # The records of shown messages are as old as the backup: the messages may have changed since.
        await transaction.mark_stale([row.info.id for row in rows])
        # Due before the jobs of every start, so that void messages are handled first.
        await transaction.enqueue(NewJob(row.info.id, JobKind.SET_BACK, due=now - 1.0) for row in rows)
        await transaction.enqueue(NewJob(row.info.id, JobKind.LOBBY, due=now) for row in rows)
        await transaction.set_value(RESTORE_ID, restore_id)
        await transaction.set_value(RESTORED_KEY, "")
    LOG.warning("backup restored: %d tables continue from it", len(rows))
    return True
