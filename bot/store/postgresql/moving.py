"""Move a whole database from SQLite to PostgreSQL, and verify it before it becomes visible there.

The move is one PostgreSQL transaction, including the schema: an interrupted move leaves the target as it was,
with nothing to clean up. The source is only read, from one snapshot, and locked so that no bot can start on
it meanwhile.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import psycopg
from psycopg import errors

from bot.domain.address import PostgresqlAddress
from bot.store.checks import Inspection, check_file, is_held, open_read_only
from bot.store.contents import Row, Seal, Table, Tally, read_as_it_stands, rows, seals, tables
from bot.store.errors import StoreError
from bot.store.postgresql.explaining import explain_serving, explain_start
from bot.store.postgresql.preparing import check_server, conninfo
from bot.store.postgresql.receiving import Receiver, Tell
from bot.store.prepare import FileLock, check_sqlite, explain

TO = "--to"
"""The option with the target's address, for error messages."""


@dataclass(frozen=True, slots=True)
class Logs:
    """Result of verifying the logs on both sides."""

    matches: int = 0
    broken: tuple[str, ...] = ()
    """Matches whose logs were broken before, and still are: only these are frozen, as before."""


@dataclass(frozen=True, slots=True)
class Moved:
    """Summary of a move whose data is the same on both sides."""

    matches: tuple[tuple[str, int], ...]
    """Number of matches in each status."""
    rows: int
    tables: int
    logs: Logs
    seconds: float


def move(source: Path, target: PostgresqlAddress, tell: Tell) -> Moved:
    """Move a database; raises :class:`StoreError` with advice, having moved nothing.

    Only if the connection is lost at the commit, everything may have been moved.
    """
    begun = time.monotonic()
    check_sqlite()
    database = source.resolve()
    if database.is_file() and is_held(database):
        raise StoreError(
            f"A bot serves {source} now, or another move reads it. Nothing was moved.\n"
            "Stop it first: what it wrote meanwhile would be lost."
        )
    lock = FileLock(database)
    try:
        if database.is_file():
            lock.take()
        found = check_file(database)
        _check_age(database, found)
        tell(f"{source} is whole; nobody can serve it until this is done")
        with closing(open_read_only(database)) as old:
            read_as_it_stands(old)
            old.execute("BEGIN")  # one snapshot for all queries
            passed, logs = _carry(old, target, tell)
    except sqlite3.Error as error:
        raise StoreError(explain(error, database, serving=True)) from None
    finally:
        lock.release()
    return Moved(
        matches=found.matches,
        rows=sum(tally.rows for tally in passed),
        tables=len(passed),
        logs=logs,
        seconds=time.monotonic() - begun,
    )


def _check_age(database: Path, found: Inspection) -> None:
    if found.lacks:
        raise StoreError(
            f"{database} was written by an older version of the house. Nothing was moved.\n"
            "Start this version on it once, which brings it up to date, stop it, and move then."
        )


def _carry(old: sqlite3.Connection, target: PostgresqlAddress, tell: Tell) -> tuple[list[Tally], Logs]:
    try:
        new = psycopg.connect(conninfo(target, TO), autocommit=True)
    except psycopg.Error as error:
        raise StoreError(explain_start(error, target, TO)) from None
    is_checked = False
    try:
        with new:
            check_server(new, target)
            receiver = Receiver(new, target)
            with receiver.unit():
                wanted = receiver.open(tables(old))
                passed = [_filled(receiver, table, old, tell) for table in wanted]
                logs = _check(receiver, wanted, passed, old, tell)
                receiver.check_alone()
                is_checked = True
            return passed, logs
    except psycopg.Error as error:
        raise StoreError(_explained(error, target, is_checked=is_checked)) from None


def _explained(error: psycopg.Error, target: PostgresqlAddress, *, is_checked: bool) -> str:
    if is_checked and isinstance(error, psycopg.OperationalError):
        return (
            f"{target} was lost at the last step: either everything is there now, or nothing.\n"
            "Move again: it says which."
        )
    if isinstance(error, (errors.InsufficientPrivilege, errors.ReadOnlySqlTransaction, errors.DiskFull)):
        return explain_start(error, target, TO)
    # The text of other errors may quote the row being written.
    return (
        f"{explain_serving(error, target)} Nothing was moved.\n"
        "See what its server's log says, then move again."
    )


def _filled(receiver: Receiver, table: Table, old: sqlite3.Connection, tell: Tell) -> Tally:
    passed = receiver.fill(table, old, tell)
    tell(f"{table.name}: {passed.rows:,} rows")
    return passed


def _check(
    receiver: Receiver, moved: Sequence[Table], passed: Sequence[Tally], old: sqlite3.Connection, tell: Tell
) -> Logs:
    """Read everything back from the target and compare; raises :class:`StoreError`."""
    logs = Logs()
    for table, before in zip(moved, passed, strict=True):
        tell(f"{table.name}: checking")
        after = Tally()
        arrived = after.over(receiver.rows(table))
        if table.name == "log":
            logs = _same_logs(table, rows(old, table), arrived)
        for _ in arrived:
            pass
        if after.found != before.found:
            raise _differs(f"the table {table.name}")
    return logs


def _same_logs(table: Table, here: Iterable[Row], there: Iterable[Row]) -> Logs:
    """Verify all logs on both sides, as loading a match does; raises :class:`StoreError`."""
    matches, broken = 0, list[str]()
    for before, after in zip_longest(seals(table, here), seals(table, there)):
        if before is None or after is None or before != after:
            match = (before or after or Seal("?", 0)).match
            raise _differs(f"the log of match {match}")
        matches += 1
        if before.broken:
            broken.append(before.match)
    return Logs(matches, tuple(broken))


def _differs(what: str) -> StoreError:
    return StoreError(
        f"The check has found that {what} is not the same on both sides. Nothing was moved.\n"
        "Please report this with the versions of PostgreSQL and SQLite; the source is as it was."
    )
