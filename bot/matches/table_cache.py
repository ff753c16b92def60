"""What all use cases stand on: tables in memory, one lock a table, loading, and the one way to commit."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TypeAlias, TypeVar
from weakref import WeakValueDictionary

from bot.domain.drafts import Draft, DraftRow, Kept
from bot.domain.jobs import JobKind, NewJob
from bot.domain.match import LogRow
from bot.domain.people import Person, PersonId
from bot.domain.refusals import Refusal
from bot.domain.requests import HandledRequest
from bot.domain.tables import MatchLine, Status, TableRow
from bot.matches.follow_ups import jobs_between
from bot.matches.loaded_table import Drafts, LoadedTable, no
from bot.matches.match_log import MatchLog
from bot.store.protocol import Conflict, Reader, Store, Transaction
from engines.core.contract import Manifest, Seat
from engines.core.match import AnyGame
from engines.core.registry import games as installed

LOG = logging.getLogger("bauta.tables")

T = TypeVar("T")
RequestId: TypeAlias = int | str
Who: TypeAlias = Person | PersonId

CAPACITY = 1_024
"""Tables that are kept in memory at most."""

BULK = 50_000
"""Rows of logs that the tables in memory have together at most: a row costs about as much as a kibibyte."""

ATTEMPTS = 5
"""How often a unit is tried that another one was faster than."""

RECENT_SECONDS = 7 * 86_400.0
"""How long an ended match stays in its players' lists."""


_THEME = re.compile(r"[a-z][a-z0-9_-]{0,31}")


def theme_name(text: str) -> str:
    """Return ``text`` if a theme could have that name; raises ``Refusal``."""
    if _THEME.fullmatch(text) is None:
        raise no("unknown_theme")
    return text


def person_id(who: Who) -> PersonId:
    """Return the id of a person, however they are given."""
    return who.id if isinstance(who, Person) else who


class TableCache:
    """Tables in memory over a store. The use cases are built on it; ``Tables`` is the face of all."""

    def __init__(
        self,
        store: Store,
        *,
        wake: Callable[[], None],
        clock: Callable[[], float] = time.time,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        games: Mapping[str, AnyGame] | None = None,
        capacity: int = CAPACITY,
        bulk: int = BULK,
    ) -> None:
        self._store = store
        self._wake = wake
        self._clock = clock
        self._entropy = entropy
        self._games = installed() if games is None else games
        self._capacity = capacity
        self._most_rows = bulk
        self._rows = 0
        self._cache: OrderedDict[str, LoadedTable] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._lines: dict[PersonId, dict[str, MatchLine]] = {}
        self._listed: dict[str, frozenset[PersonId]] = {}
        """In whose lists a table stands."""
        self._presets: dict[tuple[PersonId, str, str], str] = {}

    # --- tables in memory -------------------------------------------------------------------------

    def _peek(self, table_id: str) -> LoadedTable | None:
        """Return a table if it lies in memory."""
        live = self._cache.get(table_id)
        if live is not None:
            self._cache.move_to_end(table_id)
        return live

    def _put(self, live: LoadedTable) -> None:
        self._forget(live.id)
        self._cache[live.id] = live
        self._rows += live.rows
        while len(self._cache) > self._capacity or (self._rows > self._most_rows and len(self._cache) > 1):
            self._forget(next(iter(self._cache)))
        self._list(live.row)

    def _forget(self, table_id: str) -> None:
        forgotten = self._cache.pop(table_id, None)
        if forgotten is not None:
            self._rows -= forgotten.rows

    async def _get(self, table_id: str) -> LoadedTable:
        """Return a table as it is committed; raises ``Refusal`` for one that does not exist."""
        live = self._peek(table_id)
        if live is not None:
            return live
        async with self._locked(table_id) as loaded:
            return loaded

    @asynccontextmanager
    async def _locked(self, table_id: str) -> AsyncIterator[LoadedTable]:
        """Hold a table's lock. Whatever fails but a refusal makes the memory of it doubtful: forgotten."""
        lock = self._locks.setdefault(table_id, asyncio.Lock())
        async with lock:
            try:
                yield self._peek(table_id) or await self._load(table_id)
            except Refusal:
                raise
            except BaseException:
                self._forget(table_id)
                raise

    async def _attempt(self, table_id: str, work: Callable[[LoadedTable], Awaitable[T]]) -> T:
        """Do ``work`` on a table under its lock; where another writer was faster, load it and do it again."""
        for _ in range(ATTEMPTS):
            try:
                async with self._locked(table_id) as live:
                    return await work(live)
            except Conflict:
                continue
        raise no("busy")

    # --- lists of matches -------------------------------------------------------------------------

    def _list(self, row: TableRow) -> None:
        """Keep the lists of the people at a table in line with it; what is long over leaves them."""
        table, here = row.info.id, people_of(row)
        for person in self._listed.pop(table, frozenset()) - here:
            self._lines[person].pop(table, None)
        for person in here:
            lines = self._lines.setdefault(person, {})
            lines[table] = line_of(row, person)
            self._drop_old(lines)
        if here:
            self._listed[table] = here

    def _drop_old(self, lines: dict[str, MatchLine]) -> None:
        edge = self._clock() - RECENT_SECONDS
        old = [key for key, line in lines.items() if line.table.status is Status.OVER and line.since <= edge]
        for key in old:
            del lines[key]
            self._listed.pop(key, None)

    # --- loading ----------------------------------------------------------------------------------

    async def _load(self, table_id: str) -> LoadedTable:
        async with self._store.read() as reader:
            row = await reader.table(table_id)
            if row is None:
                raise no("unknown_match")
            rows = await reader.log(table_id)
            drafts = await reader.drafts(table_id)
            await self._load_presets(reader, row)
        if row.seed is None:
            live = LoadedTable(row)
        else:
            live = await self._replayed(row, row.seed, rows, drafts)
        self._put(live)
        return live

    async def _load_presets(self, reader: Reader, row: TableRow) -> None:
        for chair in row.info.chairs:
            if chair.person is not None:
                for kept in await reader.kept(chair.person.id, row.info.game):
                    self._presets[chair.person.id, kept.game, kept.menu] = kept.text

    async def _replayed(
        self, row: TableRow, seed: bytes, rows: list[LogRow], stored: Iterable[DraftRow]
    ) -> LoadedTable:
        """Replay a match off the loop. What cannot be played on is frozen, what again can is thawed."""
        chronicle = await asyncio.to_thread(self._replay, row, seed, rows)
        status = row.info.status
        if chronicle is None:
            live = LoadedTable(row)
            return live if status is not Status.RUNNING else await self._turn(live, Status.FROZEN)
        live = LoadedTable(row, chronicle)
        drafts = drafts_by_seat(stored)
        live = replace(live, drafts={seat: both.fitted(live.desk(seat)) for seat, both in drafts.items()})
        if status is not Status.FROZEN:
            return live
        return await self._turn(live, Status.OVER if chronicle.public.outcome else Status.RUNNING)

    async def _turn(self, live: LoadedTable, status: Status) -> LoadedTable:
        """Freeze or thaw a match, and have its players told."""
        new = live.with_info(status=status)
        kinds = [JobKind.LOBBY, JobKind.FROZEN if status is Status.FROZEN else JobKind.BOARD]
        if status is Status.RUNNING:
            kinds.append(JobKind.COMPUTER)
        return await self._commit(live, new, jobs=[NewJob(live.id, kind) for kind in kinds])

    def _replay(self, row: TableRow, seed: bytes, rows: list[LogRow]) -> MatchLog | None:
        """Return the match, or ``None`` where it would not be the one that was played."""
        game = self._games.get(row.info.game)
        if game is None or not _plays(game.manifest, row):
            LOG.error("match %s: its game, ruleset or data are not installed", row.info.id)
            return None
        try:
            chronicle = MatchLog.replay(game, row.info.setup, seed, rows)
            same = chronicle.digest == chronicle.match.digest()
        except Exception as error:  # whatever a changed engine does with an old log
            LOG.error("match %s: its log is refused (%s)", row.info.id, type(error).__name__)
            return None
        if not same:
            LOG.error("match %s: its replay differs", row.info.id)
            return None
        return chronicle

    # --- committing -------------------------------------------------------------------------------

    async def _commit(
        self,
        old: LoadedTable | None,
        new: LoadedTable,
        *,
        jobs: Iterable[NewJob] = (),
        request: HandledRequest | None = None,
        kept: tuple[PersonId, Kept] | None = None,
    ) -> LoadedTable:
        """Write what differs between two looks of a table, jobs and all, in one transaction.

        Raises :class:`Conflict` where the log has grown meanwhile or the request was carried out before.
        """
        jobs = list(jobs)
        async with self._store.transaction() as transaction:
            await _save_row(transaction, old, new)
            if request is not None:
                await transaction.add_request(request, self._clock())
            for row in _new_rows(old, new):
                await transaction.append(new.id, row)
            for draft in _new_drafts(old, new):
                await transaction.save_draft(new.id, draft)
            await transaction.enqueue(jobs)
            if kept is not None:
                await transaction.keep(*kept)
        if kept is not None:
            self._presets[kept[0], kept[1].game, kept[1].menu] = kept[1].text
        self._put(new)
        if jobs:
            self._wake()
        return new

    async def _settle(
        self,
        old: LoadedTable,
        new: LoadedTable,
        *,
        actor: Seat | None = None,
        request: HandledRequest | None = None,
        kept: tuple[PersonId, Kept] | None = None,
    ) -> LoadedTable:
        """Commit a match that went on: status, drafts and jobs follow from what happened in it."""
        new, jobs = jobs_between(old, new, self._clock(), actor)
        return await self._commit(old, new, jobs=jobs, request=request, kept=kept)

    async def _repeated(
        self, request: str, table_id: str, person: PersonId, act: str
    ) -> HandledRequest | None:
        """Return what an interaction was answered before; raises ``Refusal`` if it meant something else."""
        async with self._store.read() as reader:
            found = await reader.request(request)
        if found is not None and (found.table_id, found.person, found.act) != (table_id, person, act):
            raise no("request")
        return found


def people_of(row: TableRow) -> frozenset[PersonId]:
    """Return the people in whose lists a table belongs: none, if it was given up before it began."""
    if row.info.status is Status.CLOSED:
        return frozenset()
    return frozenset(chair.person.id for chair in row.info.chairs if chair.person is not None)


def line_of(row: TableRow, person: PersonId) -> MatchLine:
    """Return a table as a line of a person's list."""
    seat = row.info.seat_of(person)
    asked = row.info.status is Status.RUNNING and seat is not None and seat in row.asked
    return MatchLine(row.info, seat, asked, row.changed_at)


def drafts_by_seat(rows: Iterable[DraftRow]) -> dict[Seat, Drafts]:
    """Return the stored drafts, two a seat."""
    found: dict[Seat, dict[bool, Draft]] = {}
    for row in rows:
        found.setdefault(row.seat, {})[row.aside] = row.draft
    return {seat: Drafts(both.get(False, Draft()), both.get(True, Draft())) for seat, both in found.items()}


def _plays(manifest: Manifest, row: TableRow) -> bool:
    """Return whether the installed game has the ruleset and the data that a match began with."""
    return manifest.ruleset == row.info.setup.ruleset and set(row.data_hashes) <= set(manifest.data_hashes)


async def _save_row(transaction: Transaction, old: LoadedTable | None, new: LoadedTable) -> None:
    """Write what differs of the table itself: mostly nothing, or who is asked."""
    row, was = new.row, None if old is None else old.row
    if row == was:
        return
    await transaction.save_table(row)
    if was is None or row.info.chairs != was.info.chairs or row.invited != was.invited:
        await transaction.save_chairs(row)
    elif row.asked != was.asked:
        await transaction.save_asked(row)


def _new_rows(old: LoadedTable | None, new: LoadedTable) -> tuple[LogRow, ...]:
    if new.chronicle is None:
        return ()
    before = len(old.chronicle.rows) if old is not None and old.chronicle is not None else 0
    return new.chronicle.rows[before:]


def _new_drafts(old: LoadedTable | None, new: LoadedTable) -> list[DraftRow]:
    changed: list[DraftRow] = []
    for seat, drafts in new.drafts.items():
        before = Drafts() if old is None else old.drafts_of(seat)
        changed += [row for row, was in zip(drafts.rows(seat), before.rows(seat), strict=True) if row != was]
    return changed
