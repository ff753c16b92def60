"""SQLite through aiosqlite: one writer behind one lock, a few readers, each transaction one unit."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite

from bot.store.base import Reader, StoreError, Transaction
from bot.store.prepare import FileLock, check_folder, check_sqlite, connect, explain, prepare
from bot.store.queries import SqliteReader
from bot.store.writes import SqliteTransaction

T = TypeVar("T")

READERS = 2
"""Connections that only read."""


async def open_store(path: Path) -> SqliteStore:
    """Open a database, made where there is none; raises :class:`StoreError` and says what to do."""
    check_sqlite()
    database, lock = await asyncio.to_thread(_take, path)
    opened: list[aiosqlite.Connection] = []
    try:
        await asyncio.to_thread(prepare, database)
        opened.append(await _connect(database))
        while len(opened) <= READERS:
            opened.append(await _connect(database, query_only=True))
    except BaseException as error:
        for connection in opened:
            await connection.close()
        lock.release()
        if isinstance(error, sqlite3.Error):
            raise StoreError(explain(error, database)) from None
        raise
    return SqliteStore(database, lock, opened[0], opened[1:])


def _take(path: Path) -> tuple[Path, FileLock]:
    """Return where the database is, whatever links lead there, and its lock, taken."""
    database = path.resolve()
    check_folder(database)
    lock = FileLock(database)
    lock.take()
    return database, lock


class SqliteStore:
    """A :class:`bot.store.base.Store`. Built by :func:`open_store`."""

    def __init__(
        self,
        database: Path,
        lock: FileLock,
        writer: aiosqlite.Connection,
        readers: list[aiosqlite.Connection],
    ) -> None:
        self._database = database
        self._file_lock = lock
        self._writer = writer
        self._writing = asyncio.Lock()
        self._readers: asyncio.LifoQueue[aiosqlite.Connection] = asyncio.LifoQueue()
        self._all = (writer, *readers)
        for reader in readers:
            self._readers.put_nowait(reader)

    @asynccontextmanager
    async def read(self) -> AsyncIterator[Reader]:
        """Lend a reader, which sees one moment; raises :class:`StoreError`."""
        connection = await self._readers.get()
        try:
            async with self._unit(connection, "BEGIN"):
                yield SqliteReader(connection)
        finally:
            self._readers.put_nowait(connection)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        """Begin a unit of changes; raises :class:`StoreError` where it cannot be written."""
        async with self._writing, self._unit(self._writer, "BEGIN IMMEDIATE"):
            yield SqliteTransaction(self._writer)

    async def close(self) -> None:
        """Wait for the transaction under way, close all and let go of the lock."""
        async with self._writing:
            for connection in self._all:
                await connection.close()
            self._file_lock.release()

    @asynccontextmanager
    async def _unit(self, connection: aiosqlite.Connection, begin: str) -> AsyncIterator[None]:
        try:
            try:
                await _finish(connection.execute_fetchall(begin))
                yield
                await _finish(connection.execute_fetchall("COMMIT"))
            except BaseException:
                await _finish(_roll_back(connection))
                raise
        except sqlite3.Error as error:
            raise StoreError(explain(error, self._database)) from error


async def _connect(database: Path, *, query_only: bool = False) -> aiosqlite.Connection:
    connector = partial(connect, database, query_only=query_only)
    return await aiosqlite.Connection(connector, iter_chunk_size=64)


async def _roll_back(connection: aiosqlite.Connection) -> None:
    if connection.in_transaction:
        await connection.execute_fetchall("ROLLBACK")


async def _finish(work: Coroutine[Any, Any, T]) -> T:
    """Await ``work`` to its end, even where this task is cancelled meanwhile: no half-open unit is left."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is None:
        return task.result()
    task.exception()
    raise cancelled
