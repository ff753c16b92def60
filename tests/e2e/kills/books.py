"""What the bot's database holds: read beside the bot that serves it, checked after it was killed."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import aiosqlite
from psycopg import AsyncRawCursor
from psycopg_pool import AsyncConnectionPool

from bot.domain.address import Address, PostgresqlAddress
from bot.domain.jobs import TIMED, JobKind
from bot.domain.match import LogRow
from bot.domain.tables import Status, TableRow
from bot.matches.match_log import MatchLog
from bot.store import Reader
from bot.store.postgresql.connections import Connection, Pool
from bot.store.postgresql.units import PostgresqlReader
from bot.store.sqlite_units import SqliteReader
from engines.core.registry import game

LATER = frozenset({JobKind.FILM, JobKind.CHECK, *TIMED})
"""Jobs that nothing which is shown waits for."""


@dataclass(frozen=True, slots=True)
class Books:
    """All tables and logs of one moment, and the jobs that wait."""

    tables: Mapping[str, TableRow]
    logs: Mapping[str, tuple[LogRow, ...]]
    jobs: tuple[tuple[str, JobKind, str], ...]
    """Table, kind and last error of each."""

    def urgent(self) -> list[str]:
        """Return the jobs that should not wait for long, in words."""
        return [
            f"{kind.value} of {table} waits {error}" for table, kind, error in self.jobs if kind not in LATER
        ]


async def read(address: Address) -> Books:
    """Read a database while it is served; nothing of it is changed, not even its write-ahead log."""
    if isinstance(address, PostgresqlAddress):
        async with _pool(address) as pool:
            reader = PostgresqlReader(pool)
            try:
                return await _books(reader)
            finally:
                await reader.close()
    connection = await aiosqlite.connect(f"file:{address}?mode=ro", uri=True, isolation_level=None)
    try:
        await connection.execute("BEGIN")
        return await _books(SqliteReader(connection))
    finally:
        await connection.close()


def _pool(address: PostgresqlAddress) -> Pool:
    options = {"autocommit": True, "cursor_factory": AsyncRawCursor}
    return AsyncConnectionPool(
        address.url, connection_class=Connection, kwargs=options, min_size=1, open=False
    )


async def _books(reader: Reader) -> Books:
    tables = {row.info.id: row for row in await reader.tables_in(list(Status), 0.0)}
    logs = {key: tuple(await reader.log(key)) for key in tables}
    # No use case asks for a job's error.
    jobs = await reader._all("SELECT match, kind, error FROM job")  # noqa: SLF001
    return Books(tables, logs, tuple((match, JobKind(kind), error) for match, kind, error in jobs))


def damage(database: Address) -> list[str]:
    """Return what SQLite finds wrong in a database whose process was killed; it is looked at in a copy.

    What holds PostgreSQL's is not killed with the bot.
    """
    if isinstance(database, PostgresqlAddress) or not database.exists():
        return []
    with tempfile.TemporaryDirectory() as folder:
        for suffix in ("", "-wal"):
            file = database.with_name(database.name + suffix)
            if file.exists():
                shutil.copy(file, folder)
        with closing(sqlite3.connect(Path(folder) / database.name)) as connection:
            found = [row[0] for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
            found += [f"a broken reference {row}" for row in connection.execute("PRAGMA foreign_key_check")]
    return found


class Chronicles:
    """The matches of the books, replayed; what was replayed before is only continued."""

    def __init__(self) -> None:
        self._known: dict[str, MatchLog] = {}

    def of(self, books: Books, table: str) -> MatchLog:
        """Return a match as its log tells it; raises the error of a row that its game refuses."""
        row, rows = books.tables[table], books.logs[table]
        chronicle = self._known.get(table)
        if chronicle is None or chronicle.rows != rows[: len(chronicle.rows)]:
            assert row.seed is not None
            chronicle = MatchLog.begin(game(row.info.game), row.info.setup, row.seed)
        for each in rows[len(chronicle.rows) :]:
            chronicle = chronicle.then(each)
            assert chronicle.digest == each.digest
        self._known[table] = chronicle
        return chronicle
