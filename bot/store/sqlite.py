"""SQLite: one writer on a thread of its own, a few readers through aiosqlite, each transaction one unit."""

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
"""Seconds that closing may take: SQLite moves its write-ahead log into the file."""

READERS = 2
"""Connections that only read."""


async def open_sqlite(path: Path) -> SqliteStore:
    """Open a database, made where there is none; raises :class:`StoreError` and says what to do."""
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
    # Cancelled half-way too: no connection and no lock may be left behind.
    except BaseException as error:
        for connection in readers:
            await connection.close()
        lock.release()
        if isinstance(error, sqlite3.Error):
            raise database_error(error, database) from None
        raise
    return SqliteStore(database, lock, writer, readers, files)


def _connect(database: Path, files: OpenFiles, *, query_only: bool = False) -> sqlite3.Connection:
    """Open a connection that has read, and so has the write-ahead log open too."""
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
    """Nobody else writes to it."""

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
        """Device and inode of what is open, by the end of its name."""
        self._file_lock = lock
        self.writer = writer
        """The connection that writes. Units go through :meth:`transaction`."""
        self._scrubber = Scrubber(files, writer)
        self._open: set[SqliteTransaction] = set()
        self._idle = asyncio.Event()
        self._all = readers
        # The connection that was used last has its pages still in memory.
        self._readers: asyncio.LifoQueue[aiosqlite.Connection] = asyncio.LifoQueue()
        for reader in readers:
            self._readers.put_nowait(reader)

    @asynccontextmanager
    async def read(self) -> AsyncIterator[Reader]:
        """Lend a reader, which sees one moment; raises :class:`StoreError`."""
        connection = await self._readers.get()
        try:
            with self._explained():
                try:
                    # In a transaction, several questions are answered as of one moment.
                    await finished(connection.execute_fetchall("BEGIN"))
                    yield SqliteReader(connection)
                finally:
                    await finished(_end(connection))
        finally:
            self._readers.put_nowait(connection)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        """Begin a unit of changes; raises :class:`StoreError` where it cannot be written.

        A unit that asks nothing is carried out at the end of the block, and raises :class:`Conflict` there.
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
        """Leave nothing of what was deleted in any file; commits go on. Raises :class:`StoreError`."""
        with self._explained():
            try:
                await self._scrubber.scrub()
            except OSError as error:
                raise StoreError(
                    f"The database {self._database} cannot be scrubbed ({error.strerror})."
                ) from error

    async def close(self) -> None:
        """Close all connections and release the lock; what is under way is undone if it takes too long.

        Nobody was told that such a unit is committed. A disk that does not respond keeps the lock, which the
        end of the process releases.
        """
        await ended_within(CLOSE_TIMEOUT_S, self._open, self._idle)
        self.writer.interrupt()
        closing = asyncio.create_task(self._close_all())
        await asyncio.wait([closing], timeout=CHECKPOINT_TIMEOUT_S)
        if not closing.done():
            log.warning("closing the database timed out: the end of the process closes it")
            return
        self._file_lock.release()
        closing.result()

    async def _close_all(self) -> None:
        # One after the other: the last one finds itself alone, and moves the log into the file.
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
