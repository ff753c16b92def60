"""A look into a database that may be served at the same time: nothing is written, no transaction waits."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bot.store.errors import StoreError
from bot.store.prepare import (
    APPLICATION_ID,
    BUSY_MILLISECONDS,
    broken,
    explain,
    foreign,
    is_damaged,
    migrations,
    newer,
)


@dataclass(frozen=True, slots=True)
class Inspection:
    """What stands in a database, without anything that is secret."""

    schema: int
    """The number of its last migration."""
    lacks: int
    """Migrations that this version has beyond that."""
    size: int
    """Bytes of its file."""
    matches: tuple[tuple[str, int], ...]
    """How many matches are in each status."""


def open_read_only(database: Path) -> sqlite3.Connection:
    """Open a database that must exist; raises ``sqlite3.Error``."""
    uri = f"{database.resolve().as_uri()}?mode=ro"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None)
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def check_file(database: Path, *, copy_of: Path | None = None, is_backup: bool = False) -> Inspection:
    """Check a database as a whole; raises :class:`StoreError`, which names the file that it is a copy of."""
    named = copy_of or database
    if not database.is_file():
        raise StoreError(f"There is no database {database}.\nName a file that exists.")
    try:
        with closing(open_read_only(database)) as connection:
            connection.execute("BEGIN")  # everything as of one moment
            (owner,) = connection.execute("PRAGMA application_id").fetchone()
            if owner != APPLICATION_ID:
                raise StoreError(foreign(named, is_backup=is_backup))
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            known = len(migrations())
            if version > known:
                raise StoreError(newer(named, version, known))
            orphan = connection.execute("PRAGMA foreign_key_check").fetchone()
            if is_damaged(connection, wholly=True) or orphan is not None:
                raise StoreError(broken(named, is_backup=is_backup))
            if is_backup and (code := _foreign_code(connection, version)):
                raise StoreError(
                    f"The backup {named} brings code that is not this program's ({', '.join(code)}). "
                    "Nothing was changed.\nName a file that `bauta backup` made."
                )
            rows = connection.execute("SELECT status, count(*) FROM match GROUP BY status ORDER BY status")
            return Inspection(version, known - version, database.stat().st_size, tuple(rows))
    except sqlite3.Error as error:
        raise StoreError(explain(error, named, is_backup=is_backup)) from None


def _foreign_code(connection: sqlite3.Connection, version: int) -> list[str]:
    """Return the triggers and views of a database that no migration up to its version has made so."""
    question = "SELECT name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view') ORDER BY name"
    with closing(sqlite3.connect(":memory:")) as fresh:
        for script in migrations()[:version]:
            fresh.executescript(script)
        known = set(fresh.execute(question))
    return [repr(name[:40]) for name, sql in connection.execute(question) if (name, sql) not in known]


def is_held(database: Path) -> bool:
    """Return whether a process serves the database. The lock is only touched, for an instant and shared."""
    path = database.with_name(database.name + ".lock")
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    else:
        return False
    finally:
        os.close(handle)
