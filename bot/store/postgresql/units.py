"""Readers and units of changes for PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from psycopg import AsyncRawCursor, errors

from bot.domain.jobs import NewJob
from bot.store.errors import Conflict
from bot.store.finishing import finished
from bot.store.postgresql.connections import Connection, Pool, awaited, give_back, with_retries
from bot.store.postgresql.dialect import bound, translated
from bot.store.reader import Reader
from bot.store.schema import Parameters, SqlRow, Statement
from bot.store.transaction import Transaction

UNIT_LOCK = 0x4261757402
"""The advisory lock of all units: shared for write-only units, exclusive for one that also reads.

So what a unit reads stays unchanged until it is committed, as with SQLite's single writer.
"""


class PostgresqlReader(Reader):
    """Queries a pooled connection, in a transaction that begins with the first query."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._connection: Connection | None = None

    async def _all(self, sql: str, *values: object) -> list[SqlRow]:
        return await finished(self._asked(sql, values))

    async def _asked(self, sql: str, values: Parameters) -> list[SqlRow]:
        if self._connection is not None:
            return await ask(self._connection, sql, values)
        self._connection, found = await with_retries(self._pool, lambda each: ask_first(each, sql, values))
        return found

    async def close(self) -> None:
        """End the transaction."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await give_back(self._pool, connection)


class PostgresqlTransaction(Transaction):
    """A write-only unit collects its statements, and sends them together at its end.

    A unit that reads holds a connection and the exclusive lock from its first query on.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._statements: list[Statement] = []
        self._connection: Connection | None = None
        self.changes: dict[str, int] = {}
        """Changes to announce to other processes after the commit: version, or 0 for jobs, by table."""

    async def commit(self) -> None:
        """Commit the collected statements; raises :class:`Conflict` and psycopg errors."""
        if self._connection is not None:
            await finished(commit(self._connection))
            await finished(self._let_go())
        elif self._statements:
            await finished(self._commit_at_once())

    async def undo(self) -> None:
        """Roll back the unit, unless it is committed."""
        await finished(self._let_go())

    async def _let_go(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await give_back(self._pool, connection)

    async def _commit_at_once(self) -> None:
        # Safe to retry: until the commit, everything sent is rolled back with its connection.
        connection, _ = await with_retries(self._pool, lambda each: carry_out(each, self._statements))
        try:
            await commit(connection)
        finally:
            await give_back(self._pool, connection)

    async def _all(self, sql: str, *values: object) -> list[SqlRow]:
        return await finished(self._asked(sql, values))

    async def _asked(self, sql: str, values: Parameters) -> list[SqlRow]:
        if self._connection is not None:
            return await ask(self._connection, sql, values)

        async def begin(connection: Connection) -> list[SqlRow]:
            with awaited(connection):
                await connection.execute("BEGIN")
                await connection.execute("SELECT pg_advisory_xact_lock($1)", [UNIT_LOCK])
            for statement in self._statements:
                await one_by_one(connection, statement)
            return await ask(connection, sql, values)

        self._connection, found = await with_retries(self._pool, begin)
        return found

    async def _do_all(
        self, sql: str, rows: Sequence[Parameters], *, unique: bool = False, found: bool = False
    ) -> None:
        statement = Statement(sql, rows, unique, found)
        if self._connection is None:
            self._statements.append(statement)
        else:
            await finished(one_by_one(self._connection, statement))

    async def advance(self, table_id: str, version: int) -> None:
        """Raise a table's version by one, to ``version``; raises :class:`Conflict` if it was another."""
        self.changes[table_id] = version
        await super().advance(table_id, version)

    async def enqueue(self, jobs: Iterable[NewJob]) -> None:
        """Put jobs into the outbox, with their tables' versions in this unit.

        A job that is there already gets a new revision.
        """
        jobs = list(jobs)
        self.changes = {job.table_id: 0 for job in jobs} | self.changes
        await self._do_all(
            "INSERT INTO job (match, kind, target, due, version)"
            " VALUES (?1, ?2, ?3, ?4, coalesce((SELECT version FROM match WHERE id = ?1), 0))"
            " ON CONFLICT (match, kind, target) DO UPDATE SET revision = DEFAULT, due = excluded.due,"
            " version = excluded.version, tries = 0, error = ''",
            [(job.table_id, job.kind.value, job.target, job.due) for job in jobs],
        )

    async def drop_unreadable(self) -> None:
        """Do nothing: PostgreSQL enforces column types."""


async def ask(connection: Connection, sql: str, values: Parameters) -> list[SqlRow]:
    """Return all rows of a query."""
    text, names = translated(sql)
    with awaited(connection):
        cursor = await connection.execute(text.encode(), bound(names, values))
        return list(await cursor.fetchall())


async def ask_first(connection: Connection, sql: str, values: Parameters) -> list[SqlRow]:
    """Begin a transaction with a query, in one round trip, and return all rows."""
    text, names = translated(sql)
    with awaited(connection):
        async with connection.pipeline():
            await connection.execute("BEGIN")
            cursor = await connection.execute(text.encode(), bound(names, values))
        return list(await cursor.fetchall())


async def one_by_one(connection: Connection, statement: Statement) -> None:
    """Execute a statement for each of its rows; raises :class:`Conflict`."""
    text, names = translated(statement.sql)
    for row in statement.rows:
        try:
            with awaited(connection):
                cursor = await connection.execute(text.encode(), bound(names, row))
        except errors.UniqueViolation as error:
            raise _of_taken_key(statement, error) from None
        if statement.found and not cursor.rowcount:
            raise Conflict("no such row")


async def carry_out(connection: Connection, statements: Sequence[Statement]) -> None:
    """Begin a transaction and execute all statements, in one round trip, without committing.

    Raises :class:`Conflict`.
    """
    sent: list[tuple[Statement, AsyncRawCursor[tuple[Any, ...]]]] = []
    try:
        with awaited(connection):
            async with connection.pipeline():
                await connection.execute("BEGIN")
                await connection.execute("SELECT pg_advisory_xact_lock_shared($1)", [UNIT_LOCK])
                for statement in statements:
                    text, names = translated(statement.sql)
                    for row in statement.rows:
                        cursor = AsyncRawCursor(connection)
                        sent.append((statement, cursor))
                        await cursor.execute(text.encode(), bound(names, row))
    except errors.UniqueViolation as error:
        # Earlier statements have succeeded, later ones were not executed.
        failed = next(statement for statement, cursor in sent if cursor.pgresult is None)
        raise _of_taken_key(failed, error) from None
    if any(statement.found and not cursor.rowcount for statement, cursor in sent):
        raise Conflict("no such row")


async def commit(connection: Connection) -> None:
    """Commit the open transaction. If this raises, it may be committed or not."""
    with awaited(connection):
        cursor = await connection.execute("COMMIT")
        if cursor.statusmessage != "COMMIT":
            # PostgreSQL answers COMMIT of a failed transaction with a rollback, and no error.
            raise errors.InFailedSqlTransaction


def _of_taken_key(statement: Statement, error: errors.UniqueViolation) -> Exception:
    return Conflict("a row of that key exists") if statement.unique else error
