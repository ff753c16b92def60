"""Readers and units of changes for SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

import aiosqlite

from bot.domain.jobs import NewJob
from bot.store.reader import Reader
from bot.store.schema import Parameters, SqlRow, Statement
from bot.store.tables.work import JOB, SHOWN
from bot.store.transaction import Transaction
from bot.store.writer import Rows, Writer, bound, carry_out, roll_back

LAST_REVISION = 1 << 62
"""Upper bound of valid job revisions."""

_NOT_OF_THEIR_TYPES = {
    table.name: " OR ".join(
        f"typeof({column.name}) <> '{column.codec.sql_type.lower()}'"
        for column in table.columns
        if (column.name,) != table.key  # SQLite has its own numbers there
    )
    for table in (JOB, SHOWN)
}


class SqliteReader(Reader):
    """Queries one connection."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection

    async def _all(self, sql: str, *values: object) -> list[SqlRow]:
        return list(await self._connection.execute_fetchall(sql, bound(values)))


class SqliteTransaction(Transaction):
    """A write-only unit collects its statements and executes them at its end, in a group with other units.

    A unit that reads holds the writer connection from its first query on.
    """

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._statements: list[Statement] = []
        self._begun = False

    async def commit(self) -> None:
        """Commit the collected statements; raises :class:`Conflict` and SQLite errors."""
        if self._begun:
            await self._writer.run(lambda connection: connection.execute("COMMIT"))
            self._let_go()
        elif self._statements:
            await self._writer.commit(self._statements)

    async def undo(self) -> None:
        """Roll back the unit, unless it is committed."""
        if self._begun:
            try:
                await self._writer.run(roll_back)
            finally:
                self._let_go()

    def _let_go(self) -> None:
        self._begun = False
        self._writer.lock.release()

    async def _all(self, sql: str, *values: object) -> list[SqlRow]:
        await self._begin()

        def ask(connection: sqlite3.Connection) -> Rows:
            return connection.execute(sql, bound(values)).fetchall()

        return list(await self._writer.run(ask))

    async def _begin(self) -> None:
        if self._begun:
            return
        # From here on the unit blocks the group commits, so only rare use cases read while they write.
        await self._writer.lock.acquire()
        self._begun = True

        def begin(connection: sqlite3.Connection) -> None:
            self._writer.begin(connection)
            for statement in self._statements:
                carry_out(connection, statement)

        await self._writer.run(begin)

    async def _do_all(
        self, sql: str, rows: Sequence[Parameters], *, unique: bool = False, found: bool = False
    ) -> None:
        statement = Statement(sql, rows, unique, found)
        if self._begun:
            await self._writer.run(lambda connection: carry_out(connection, statement))
        else:
            self._statements.append(statement)

    async def enqueue(self, jobs: Iterable[NewJob]) -> None:
        """Put jobs into the outbox, with their tables' versions in this unit.

        A job that is there already gets a new revision.
        """
        # The revision is the row id, so replacing a row gives it a new one.
        rows = [(job.table_id, job.kind.value, job.target, job.due, job.table_id) for job in jobs]
        await self._do_all(
            "INSERT OR REPLACE INTO job (match, kind, target, due, version)"
            # A broken table has jobs too: they notify its players.
            " VALUES (?, ?, ?, ?, coalesce("
            "(SELECT version FROM match WHERE id = ? AND typeof(version) = 'integer'), 0))",
            rows,
        )

    async def drop_unreadable(self) -> None:
        """Delete jobs and ``shown`` rows with invalid types, which SQLite would refuse to change.

        A revision near the largest row id would even block all new jobs. The start of the bot checks what
        these rows were for anyway.
        """
        for table, odd in _NOT_OF_THEIR_TYPES.items():
            await self._do(f"DELETE FROM {table} WHERE {odd}")  # noqa: S608 - our own names
        await self._do("DELETE FROM job WHERE revision NOT BETWEEN 1 AND ?", LAST_REVISION)
