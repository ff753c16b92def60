"""The PostgreSQL target of a move: create its tables, check it, fill it, and read it back."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, TypeAlias

import psycopg
from psycopg import errors, sql

from bot.domain.address import PostgresqlAddress
from bot.store.contents import ROWID, Row, Table, Tally, fault, last_number, match_at, rows
from bot.store.errors import StoreError
from bot.store.postgresql.identity import HOUSE_ID
from bot.store.postgresql.preparing import CONNECTION_DEFAULTS, MIGRATION_LOCK, migrate, schema_version

Connection: TypeAlias = "psycopg.Connection[tuple[Any, ...]]"
Tell: TypeAlias = Callable[[str], None]

PROGRESS_ROWS = 100_000
"""Rows of a large table between two progress messages."""

DISCONNECT_TIMEOUT_S = 3.0
"""Seconds for which PostgreSQL may still list a closed connection."""

BATCH = 2_000
"""Rows fetched at once, so that no table has to fit into memory."""

_REFUSALS = (psycopg.DataError, psycopg.IntegrityError, errors.ProgramLimitExceeded)
"""Errors for values that PostgreSQL rejects."""

_BOUNDS = (
    "SET LOCAL idle_in_transaction_session_timeout = 0",
    "SET LOCAL lock_timeout = '5s'",
    "SET LOCAL synchronous_commit = on",  # after success, the operator may delete the source
)

_SERVING = """
SELECT count(*) FROM pg_stat_activity AS other
WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND application_name IN (%s, current_setting('application_name'))
    AND NOT EXISTS (SELECT FROM pg_locks
                    WHERE pg_locks.pid = other.pid AND locktype = 'advisory' AND NOT granted)
"""
"""Counts other connected bots, except those waiting for a migration to finish."""

_COLUMNS = """
SELECT attname, attidentity <> '' FROM pg_attribute
WHERE attrelid = to_regclass(quote_ident(%s)) AND attnum > 0 AND NOT attisdropped
"""


class Receiver:
    """The target of a move, filled in one transaction: complete at its end, or unchanged."""

    def __init__(self, connection: Connection, address: PostgresqlAddress) -> None:
        self._connection = connection
        self._address = address
        self._was_there = False
        self._tables: tuple[Table, ...] = ()

    def open(self, wanted: Sequence[Table]) -> list[Table]:
        """Create the tables if there are none; return those to fill. Raises :class:`StoreError`.

        Until the transaction ends, no bot can start on this database.
        """
        self._hold()
        self._was_there = schema_version(self._connection) > 0
        # Before waiting for any table lock: a serving bot holds none for long.
        self.check_alone()
        for bound in _BOUNDS:
            self._connection.execute(bound.encode())
        migrate(self._connection, self._address)
        self._connection.execute("SET LOCAL statement_timeout = 0")  # a migration sets its own timeout
        self._tables = tuple(map(self._fitted, wanted))
        self._lock_tables()
        # A bot started on this database earlier has given it an id: the moved data gets a new one.
        self._connection.execute("DELETE FROM house WHERE key = %s", (HOUSE_ID,))
        self._check_empty()
        return list(self._tables)

    def _hold(self) -> None:
        [(held,)] = self._connection.execute(
            "SELECT pg_try_advisory_xact_lock(%s)", (MIGRATION_LOCK,)
        ).fetchall()
        if not held:
            raise StoreError(
                f"Another process moves matches to {self._address}, or brings it up to date.\n"
                "Wait until it is done. One that was killed lets go of it within a minute."
            )

    def check_alone(self) -> None:
        """Raise :class:`StoreError` if a bot serves the target, which is impossible if it had no tables."""
        if not self._was_there:
            return
        until = time.monotonic() + DISCONNECT_TIMEOUT_S
        while self._is_served():
            if time.monotonic() < until:
                time.sleep(0.05)
                continue
            raise StoreError(
                f"A bot serves {self._address} already, or is connected to it. Nothing was moved.\n"
                "Stop it first, and name a database that is empty."
            )

    def _is_served(self) -> bool:
        # Within a transaction, PostgreSQL would repeat its cached answer.
        self._connection.execute("SELECT pg_stat_clear_snapshot()")
        [(others,)] = self._connection.execute(
            _SERVING, (CONNECTION_DEFAULTS["application_name"],)
        ).fetchall()
        return bool(others)

    def _fitted(self, table: Table) -> Table:
        """Fit a table to the target's columns; raises :class:`StoreError` if they differ.

        PostgreSQL may store SQLite's row number as a column of its own.
        """
        there = {name for name, _ in self._columns(table)}
        if not there:
            raise self._unknown(f"a table {table.name!r}")
        if lacking := sorted(set(table.names) - there):
            raise self._unknown(f"a column {lacking[0]!r} in its table {table.name!r}")
        if ROWID in there and ROWID not in table.names:
            table = table.numbered()
        if added := sorted(there - set(table.names)):
            raise StoreError(
                f"{self._address} has a column {added[0]!r} in its table {table.name!r}, which the house has "
                "not made. Nothing was moved.\nName a database that is empty."
            )
        return table

    def _unknown(self, what: str) -> StoreError:
        return StoreError(
            f"The database to move has {what}, which the house has not made. Nothing was moved.\n"
            "Somebody has added it: take it out of a copy of the database, and move that."
        )

    def _columns(self, table: Table) -> list[tuple[str, bool]]:
        found = self._connection.execute(_COLUMNS, (table.name,)).fetchall()
        return [(name, bool(is_identity)) for name, is_identity in found]

    def _lock_tables(self) -> None:
        names = sql.SQL(", ").join(sql.Identifier(table.name) for table in self._tables)
        try:
            self._connection.execute(sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(names))
        except errors.LockNotAvailable:
            raise StoreError(
                f"Somebody is using the tables of {self._address}. Nothing was moved.\n"
                "Stop whatever works with that database, then move again."
            ) from None

    def _check_empty(self) -> None:
        for table in self._tables:
            question = sql.SQL("SELECT EXISTS (SELECT FROM {})").format(sql.Identifier(table.name))
            [(has_rows,)] = self._connection.execute(question).fetchall()
            if has_rows:
                raise StoreError(
                    f"{self._address} is not empty: there are rows in its table {table.name}. It was left as "
                    "it is.\nName an empty database. If a move to it was broken off: a move leaves all or "
                    "nothing, so everything is there."
                )

    def fill(self, table: Table, source: sqlite3.Connection, tell: Tell) -> Tally:
        """Copy all rows of a table; return their tally. Raises :class:`StoreError`."""
        passed = Tally()
        statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
            sql.Identifier(table.name), sql.SQL(", ").join(map(sql.Identifier, table.names))
        )
        try:
            with self._connection.cursor() as cursor, cursor.copy(statement) as copy:
                for row in rows(source, table):
                    if (why := fault(table, row)) is not None:
                        raise table.refuse(match_at(source, table, passed.rows + 1), why)
                    copy.write_row(row)
                    passed.add(row)
                    if passed.rows % PROGRESS_ROWS == 0:
                        tell(f"{table.name}: {passed.rows:,} rows so far")
        except _REFUSALS as error:
            # The error's own text quotes the row.
            why = error.diag.constraint_name or error.sqlstate or type(error).__name__
            line = re.search(rf"COPY {re.escape(table.name)}\D+(\d+)", error.diag.context or "")
            match = match_at(source, table, int(line[1])) if line else None
            raise table.refuse(match, f"it is against {why}") from None
        self._number(table, source)
        # Give the planner statistics now, rather than when autovacuum runs.
        self._connection.execute(sql.SQL("ANALYZE {}").format(sql.Identifier(table.name)))
        return passed

    def _number(self, table: Table, source: sqlite3.Connection) -> None:
        """Continue identity columns after SQLite's last number, so that no number is reused.

        Unlike ``setval``, this is rolled back with the transaction.
        """
        for column in (name for name, is_identity in self._columns(table) if is_identity):
            self._connection.execute(
                sql.SQL("ALTER TABLE {} ALTER COLUMN {} RESTART WITH {}").format(
                    sql.Identifier(table.name),
                    sql.Identifier(column),
                    sql.Literal(last_number(source, table, column) + 1),
                )
            )

    def rows(self, table: Table) -> Iterator[Row]:
        """Yield the rows of a table in the order of the source."""
        kinds = {column.name: column.kind for column in table.columns}
        order = [
            sql.SQL('{} COLLATE "C"' if kinds[name] == "TEXT" else "{}").format(sql.Identifier(name))
            for name in table.key
        ]
        question = sql.SQL("SELECT {} FROM {} ORDER BY {}").format(
            sql.SQL(", ").join(map(sql.Identifier, table.names)),
            sql.Identifier(table.name),
            sql.SQL(", ").join(order),
        )
        with self._connection.cursor(name="bauta_move") as cursor:
            cursor.itersize = BATCH
            cursor.execute(question)
            yield from cursor

    def unit(self) -> AbstractContextManager[object]:
        """Begin the transaction."""
        return self._connection.transaction()
