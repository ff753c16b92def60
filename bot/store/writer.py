"""The writer connection on its own thread, and group commits.

Units that wait at the same time are committed together: one ``COMMIT``, so one ``fsync``, for all of them.
Each unit has a savepoint, so that a failing unit rolls back only itself. No unit is acknowledged before the
``COMMIT`` has returned. See ``docs/adr/0008``.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from bot.store.errors import Conflict, StoreError
from bot.store.finishing import finished
from bot.store.prepare import BUSY_MILLISECONDS
from bot.store.schema import Parameters, Statement

T = TypeVar("T")

Rows = list[tuple[Any, ...]]

MAX_GROUP_SIZE = 256
"""Maximum units in one group commit."""

BUSY_SLICE_MS = 100
"""While another program holds the write lock, check this often whether the store is closing."""

KEY_EXISTS_ERRORS = ("SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE")
"""Errors for a key that exists already."""


def bound(values: Parameters) -> Parameters:
    """Convert values for SQLite: lists become JSON."""
    if isinstance(values, Mapping):
        return values
    return [json.dumps(value) if isinstance(value, list) else value for value in values]


def carry_out(connection: sqlite3.Connection, statement: Statement) -> None:
    """Execute a statement; raises :class:`Conflict` and SQLite errors."""
    try:
        for row in statement.rows:
            changed = connection.execute(statement.sql, bound(row)).rowcount
            if statement.found and not changed:
                raise Conflict("no such row")
    except sqlite3.IntegrityError as error:
        if statement.unique and error.sqlite_errorname in KEY_EXISTS_ERRORS:
            raise Conflict(str(error)) from None
        raise


@dataclass(slots=True, eq=False)
class Entry:
    """A write-only unit, and its result once it is ``done``."""

    statements: Sequence[Statement] = field(repr=False)
    done: bool = False
    error: Exception | None = None


class Writer:
    """One connection on one thread, with the lock that its users must hold."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.lock = asyncio.Lock()
        self._connection = connection
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._waiting: list[Entry] = []
        self._is_closing = False

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``work`` on the thread, to its end even if this task is cancelled.

        Raises :class:`StoreError` once :meth:`interrupt` was called.
        """
        if self._is_closing:
            raise StoreError("The database is closed, since the bot stops.")
        return await self._run(work)

    async def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        loop = asyncio.get_running_loop()
        return await finished(loop.run_in_executor(self._thread, work, self._connection))

    async def commit(self, statements: Sequence[Statement]) -> None:
        """Commit a unit; raises :class:`Conflict` and SQLite errors.

        The first lock holder commits all queued units; the others find theirs done. A unit that is
        cancelled while queued is not executed.
        """
        entry = Entry(statements)
        self._waiting.append(entry)
        try:
            async with self.lock:
                while not entry.done:
                    group, self._waiting = self._waiting[:MAX_GROUP_SIZE], self._waiting[MAX_GROUP_SIZE:]
                    try:
                        await self.run(partial(commit_group, group=group, begin=self.begin))
                    except Exception as error:  # even the rollback failed: let no unit wait forever
                        for each in group:
                            each.done, each.error = True, error
        finally:
            # Cancelled while queued: it must not be executed later.
            if entry in self._waiting:
                self._waiting.remove(entry)
        if entry.error is not None:
            raise entry.error

    def begin(self, connection: sqlite3.Connection) -> None:
        """Begin a write on the thread: wait for other programs' locks, unless the store is closing."""
        until = time.monotonic() + BUSY_MILLISECONDS / 1_000
        # SQLite's own busy wait cannot be interrupted.
        connection.execute(f"PRAGMA busy_timeout = {BUSY_SLICE_MS}")
        try:
            while not self._has_begun(connection, until):
                pass
        finally:
            connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")

    def _has_begun(self, connection: sqlite3.Connection, until: float) -> bool:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            is_busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not is_busy or self._is_closing or time.monotonic() >= until:
                raise
            return False
        return True

    def interrupt(self) -> None:
        """Interrupt the thread's current statement, and accept no more work."""
        self._is_closing = True
        self._connection.interrupt()

    async def close(self) -> None:
        """Close the connection and end the thread."""
        await self._run(_close)
        self._thread.shutdown(wait=False)


def _close(connection: sqlite3.Connection) -> None:
    # An interrupt lasts until the next statement, and would prevent the checkpoint of the log.
    connection.execute("SELECT 1").fetchone()
    connection.close()


def _begin_at_once(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")


def commit_group(
    connection: sqlite3.Connection,
    group: Sequence[Entry],
    begin: Callable[[sqlite3.Connection], None] = _begin_at_once,
) -> None:
    """Execute units in one transaction, and store the result in each entry."""
    try:
        begin(connection)
        errors = [_attempt(connection, entry) for entry in group]
        connection.execute("COMMIT")
    except Exception as error:  # whatever it is, no unit is committed
        roll_back(connection)
        errors = [error] * len(group)
    for entry, found in zip(group, errors, strict=True):
        entry.done, entry.error = True, found


def _attempt(connection: sqlite3.Connection, entry: Entry) -> Exception | None:
    """Execute one unit behind a savepoint; return the error that rolled it back, if any.

    Raises errors that roll back the whole transaction, such as a full disk.
    """
    # Savepoints are never nested, so one name is enough.
    connection.execute("SAVEPOINT unit")
    try:
        for statement in entry.statements:
            carry_out(connection, statement)
    except Exception as error:
        if not connection.in_transaction:
            raise
        connection.execute("ROLLBACK TO unit")
        connection.execute("RELEASE unit")
        return error
    connection.execute("RELEASE unit")
    return None


def roll_back(connection: sqlite3.Connection) -> None:
    """Roll back the open transaction, if any."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")
