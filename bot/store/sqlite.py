"""The SQLite store: one writer on its own thread, and a few readers through aiosqlite."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path

import aiosqlite

from bot.store.errors import StoreError
from bot.store.finishing import CLOSE_TIMEOUT_S, ended_within, finished
from bot.store.open_files import OpenFiles
from bot.store.prepare import FileLock, check_folder, check_sqlite, connect, database_error, prepare
from bot.store.reader import Reader
from bot.store.scrubbing import Scrubber
from bot.store.sqlite_units import SqliteReader, SqliteTransaction
from bot.store.transaction import Transaction
from bot.store.writer import Writer

log = logging.getLogger(__name__)

CHECKPOINT_TIMEOUT_S = 2.0
"""Seconds that closing may take, since SQLite checkpoints its write-ahead log."""

READERS = 2
"""Number of read-only connections."""


async def open_sqlite(path: Path) -> SqliteStore:
    """Open a database, created if missing; raises :class:`StoreError` with advice."""
    check_sqlite()
    lock, files = await asyncio.to_thread(_take, path)
    database = files.database
    readers: list[aiosqlite.Connection] = []
    try:
        await asyncio.to_thread(prepare, database)
        while len(readers) < READERS:
            connector = partial(_connect, database, files, query_only=True)
            readers.append(await aiosqlite.Connection(connector, iter_chunk_size=64))
        writer = Writer(await asyncio.to_thread(_connect_writer, database, files))
    # On cancellation too, leave no connection and no lock behind.
    except BaseException as error:
        for connection in readers:
            await connection.close()
        lock.release()
        if isinstance(error, sqlite3.Error):
            raise database_error(error, database) from None
        raise
    return SqliteStore(database, lock, writer, readers, files)


def _connect(database: Path, files: OpenFiles, *, query_only: bool = False) -> sqlite3.Connection:
    """Open a connection and read once, so that the write-ahead log is open too."""
    connection = connect(database, query_only=query_only, files=files)
    try:
        connection.execute("SELECT 1 FROM house LIMIT 1").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def _connect_writer(database: Path, files: OpenFiles) -> sqlite3.Connection:
    connection = _connect(database, files)
    try:
        files.note()
    except BaseException:
        connection.close()
        raise
    return connection


def _take(path: Path) -> tuple[FileLock, OpenFiles]:
    database = path.resolve()
    check_folder(database)
    lock = FileLock(database)
    lock.take()
    return lock, OpenFiles(database, path.absolute())


class SqliteStore:
    """A database that this process serves. Built by :func:`open_sqlite`."""

    sharing: None = None
    """No other process shares the database."""

    def __init__(
        self,
        database: Path,
        lock: FileLock,
        writer: Writer,
        readers: list[aiosqlite.Connection],
        files: OpenFiles,
    ) -> None:
        self._database = database
        self.files = files.noted
        """Devices and inodes of the open files, by file name suffix."""
        self._file_lock = lock
        self.writer = writer
        """The writer connection. Use :meth:`transaction` for units."""
        self._scrubber = Scrubber(files, writer)
        self._open: set[SqliteTransaction] = set()
        self._idle = asyncio.Event()
        self._all = readers
        # The connection used last still has its pages cached.
        self._readers: asyncio.LifoQueue[aiosqlite.Connection] = asyncio.LifoQueue()
        for reader in readers:
            self._readers.put_nowait(reader)

    @asynccontextmanager
    async def read(self) -> AsyncIterator[Reader]:
        """Lend a reader with a consistent snapshot; raises :class:`StoreError`."""
        connection = await self._readers.get()
        try:
            with self._explained():
                try:
                    # In a transaction, several queries see the same snapshot.
                    await finished(connection.execute_fetchall("BEGIN"))
                    yield SqliteReader(connection)
                finally:
                    await finished(_end(connection))
        finally:
            self._readers.put_nowait(connection)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        """Begin a unit of changes; raises :class:`StoreError` if the database cannot be written.

        A write-only unit is executed at the end of the block, and raises :class:`Conflict` there.
        """
        unit = SqliteTransaction(self.writer)
        self._open.add(unit)
        try:
            with self._explained():
                try:
                    yield unit
                    await unit.commit()
                except BaseException:
                    await unit.undo()
                    raise
        finally:
            self._open.discard(unit)
            if not self._open:
                self._idle.set()

    async def scrub(self) -> None:
        """Remove deleted data from all files while commits continue. Raises :class:`StoreError`."""
        with self._explained():
            try:
                await self._scrubber.scrub()
            except OSError as error:
                raise StoreError(
                    f"The database {self._database} cannot be scrubbed ({error.strerror})."
                ) from error

    async def close(self) -> None:
        """Close all connections and release the lock; roll back units that take too long.

        Those units were not acknowledged. If the disk does not respond, the lock is held until the process
        ends.
        """
        await ended_within(CLOSE_TIMEOUT_S, self._open, self._idle)
        self.writer.interrupt()
        closing = asyncio.create_task(self._close_all())
        await asyncio.wait([closing], timeout=CHECKPOINT_TIMEOUT_S)
        if not closing.done():
            log.warning("database close timed out: left to the end of the process")
            return
        self._file_lock.release()
        closing.result()

    async def _close_all(self) -> None:
        # One after the other: the last connection checkpoints the log.
        await self.writer.close()
        for connection in self._all:
            await connection.close()
        self._scrubber.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise database_error(error, self._database, serving=True) from error


async def _end(connection: aiosqlite.Connection) -> None:
    if connection.in_transaction:
        await connection.execute_fetchall("ROLLBACK")
