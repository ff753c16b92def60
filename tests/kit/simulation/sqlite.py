"""SQLite in a simulation: without threads and file locks, with a file in memory."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
from unittest import mock

import aiosqlite

import bot.store.prepare
import bot.store.sqlite
import bot.store.writer
from bot.store import Store, open_store
from bot.store.prepare import connect, prepare
from tests.kit.simulation.database import Site
from tests.kit.simulation.groups import Groups
from tests.kit.simulation.profiles import SQLITE

T = TypeVar("T")


class InlineConnection:
    """A connection of ``aiosqlite`` without its thread: the loop schedules each query."""

    def __init__(self, connector: Callable[[], sqlite3.Connection], **_: object) -> None:
        self._connector = connector
        self._open: sqlite3.Connection

    def __await__(self) -> Iterator[Any]:
        return self._connect().__await__()

    async def _connect(self) -> InlineConnection:
        self._open = await self._run(self._connector)
        return self

    async def _run(self, work: Callable[..., T], *given: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(None, work, *given)

    async def execute_fetchall(self, sql: str, values: Any = ()) -> list[Any]:
        """Return all rows."""
        return await self._run(lambda: self._open.execute(sql, values).fetchall())

    @property
    def in_transaction(self) -> bool:
        """Return whether a transaction is open."""
        return self._open.in_transaction

    async def close(self) -> None:
        """Close the connection."""
        await self._run(self._open.close)


class NoLock:
    """Replaces the lock of the serving process, because there is only one process here."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(database.name + ".lock")

    def take(self) -> None:
        """Create the file, which the store expects to exist."""
        self._path.touch()

    def release(self) -> None:
        """Release nothing."""


class SqliteDatabase:
    """A file: see :class:`~tests.kit.simulation.database.Database`."""

    is_polled = False
    is_busy = False
    profiles = SQLITE

    def __init__(self, path: Path) -> None:
        self.address = path
        self.processes = 1
        self.has_failed = False
        self._groups: Groups
        self._opened: list[sqlite3.Connection] = []
        """The connections opened since the last life ended."""
        self._reader = sqlite3.connect(path, isolation_level=None)

    @property
    def is_connected(self) -> bool:
        """Return whether the bot has an open connection."""
        return any(map(_is_open, self._opened))

    @contextmanager
    def edges(self, site: Site) -> Iterator[None]:
        """Replace threads by the loop, and inject faults between the bot and its file."""
        self._groups = groups = Groups(site)
        watching = groups.watching(bot.store.writer.commit_group)
        with (
            mock.patch.object(aiosqlite, "Connection", InlineConnection),
            mock.patch.object(bot.store.prepare, "CheckedConnection", groups.connection()),
            mock.patch.object(bot.store.sqlite, "connect", self._connect),
            mock.patch.object(bot.store.sqlite, "FileLock", NoLock),
            mock.patch.object(bot.store.writer, "commit_group", watching),
        ):
            yield

    def _connect(self, database: Path, **options: Any) -> sqlite3.Connection:
        """Open a connection like the store, but without durability."""
        connection = connect(database, **options)
        connection.execute("PRAGMA synchronous = OFF")
        self._opened.append(connection)
        return connection

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        """Return committed rows."""
        return self._reader.execute(sql).fetchall()

    def version(self) -> object:
        """Return a value that changes with each commit."""
        return self.ask("PRAGMA data_version")

    async def open_to_audit(self) -> Store:
        """Open it for audits."""
        return await open_store(self.address)

    def fail(self, *, is_failing: bool) -> None:
        """Start or stop failing units and groups."""
        self._groups.is_failing = is_failing
        self.has_failed |= self._groups.may_fail

    def hold(self, _: float) -> str:
        """Hold nothing: waiting for SQLite's lock would block its only writer."""
        return ""

    def freeze(self, _: int) -> None:
        """Do nothing: a file has no connection timeout."""

    def cut_off(self, _: int) -> None:
        """Close all connections, as a killed process closes its files."""
        for connection in self._opened:
            connection.close()
        self._opened.clear()

    def close(self) -> None:
        """Close the simulation's own connections."""
        self._reader.close()


def _is_open(connection: sqlite3.Connection) -> bool:
    try:
        connection.cursor().close()
    except sqlite3.ProgrammingError:
        return False
    return True


@contextmanager
def in_sqlite() -> Iterator[SqliteDatabase]:
    """Yield an empty database file with all migrations."""
    with tempfile.TemporaryDirectory(prefix="bauta-simulation-", dir=_memory()) as folder:
        path = Path(folder) / "house.sqlite"
        path.write_bytes(_empty_database())
        path.chmod(0o600)
        database = SqliteDatabase(path)
        try:
            yield database
        finally:
            database.close()


@cache
def _empty_database() -> bytes:
    """Return an empty database with all migrations, because creating one takes longer than many runs."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "empty.sqlite"
        prepare(path)
        return path.read_bytes()


def _memory() -> str | None:
    """Return a folder in memory if there is one, so that no test waits for a disk."""
    shared = Path("/dev/shm")
    return str(shared) if shared.is_dir() else None
