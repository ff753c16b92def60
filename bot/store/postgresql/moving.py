"""A whole house carried from SQLite to PostgreSQL, and checked before anybody can see it there.

All of it is one transaction of PostgreSQL, the schema included: whatever ends a move before its end leaves
the target as it was, and nothing half-moved is ever there to be served or to be cleaned up. The source is
only read, as of one moment, and held meanwhile so that nobody begins to serve it.
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
"""Where the address of the target stands, for whoever has to correct it."""


@dataclass(frozen=True, slots=True)
class Logs:
    """The logs that were verified on both sides."""

    matches: int = 0
    broken: tuple[str, ...] = ()
    """Matches whose logs were broken before, and are so still: they are frozen alone, as before."""


@dataclass(frozen=True, slots=True)
class Moved:
    """What was carried over, and is the same on both sides."""

    matches: tuple[tuple[str, int], ...]
    """How many matches are in each status."""
    rows: int
    tables: int
    logs: Logs
    seconds: float


def move(source: Path, target: PostgresqlAddress, tell: Tell) -> Moved:
    """Carry a house over; raises :class:`StoreError` and says what to do: nothing was moved then."""
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
            old.execute("BEGIN")  # everything as of one moment
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
    # What others say may quote the row that was being written.
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
    """Read everything again on the other side, and compare; raises :class:`StoreError`."""
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
    """Verify all logs as whoever loads a match does, on both sides at once."""
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
