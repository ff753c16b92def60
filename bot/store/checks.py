"""Inspect a database, even while a bot serves it: nothing is written, and no transaction has to wait."""

from __future__ import annotations

import fcntl
import os
import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import accumulate
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
from bot.store.tables import TABLES

STATISTICS = ("sqlite_stat1", "sqlite_stat4")
"""Tables that SQLite's ``ANALYZE`` adds: an operator may have run it."""

MAX_NAMED = 5

JSON_COLUMNS: Mapping[str, tuple[str, ...]] = {
    table.name: names
    for table in TABLES
    if (names := tuple(column.name for column in table.columns if column.codec.is_json))
}

MAX_JSON_DEPTH = 4
"""Maximum depth of nested lists; ours have two."""

_JSON_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Inspection:
    """A summary of a database, without secrets."""

    schema: int
    """Number of its last migration."""
    lacks: int
    """Missing migrations."""
    size: int
    """File size in bytes."""
    matches: tuple[tuple[str, int], ...]
    """Number of matches in each status."""
    is_compact: bool
    """Free pages can be returned to the disk while the bot serves."""


def open_read_only(database: Path) -> sqlite3.Connection:
    """Open an existing database read-only; raises ``sqlite3.Error``."""
    uri = f"{database.resolve().as_uri()}?mode=ro"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None)
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def check_file(database: Path, *, copy_of: Path | None = None, is_backup: bool = False) -> Inspection:
    """Check a whole database; raises :class:`StoreError`, whose message names ``copy_of`` if given."""
    named = copy_of or database
    if not database.is_file():
        raise StoreError(f"There is no database {database}.\nName a file that exists.")
    try:
        with closing(open_read_only(database)) as connection:
            connection.execute("BEGIN")  # one snapshot for all queries
            (owner,) = connection.execute("PRAGMA application_id").fetchone()
            if owner != APPLICATION_ID:
                raise StoreError(foreign(named, is_backup=is_backup))
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            known = len(migrations())
            if version > known:
                raise StoreError(newer(named, version, known))
            if is_backup:
                # Before anything else: the integrity check evaluates expressions from the schema.
                _check_schema(connection, named, version)
            orphan = connection.execute("PRAGMA foreign_key_check").fetchone()
            if is_damaged(connection, "integrity_check") or orphan is not None:
                raise StoreError(broken(named, is_backup=is_backup))
            if is_backup:
                _check_json(connection, named)
            rows = connection.execute("SELECT status, count(*) FROM match GROUP BY status ORDER BY status")
            (vacuum,) = connection.execute("PRAGMA auto_vacuum").fetchone()
            size = database.stat().st_size
            return Inspection(version, known - version, size, tuple(rows), bool(vacuum))
    except sqlite3.Error as error:
        raise StoreError(explain(error, named, is_backup=is_backup)) from None


def _check_schema(connection: sqlite3.Connection, named: Path, version: int) -> None:
    """Raise :class:`StoreError` if a schema differs from what the migrations up to its version create.

    Any difference could be code, such as a trigger or an index on an expression.
    """
    question = "SELECT type, name, tbl_name, sql FROM sqlite_schema"
    with closing(sqlite3.connect(":memory:")) as fresh:
        for script in migrations()[: max(version, 0)]:
            fresh.executescript(script)
        known = set(fresh.execute(question))
        # Accept these tables only with the statements that SQLite itself creates.
        fresh.execute("ANALYZE")
        statistics = {row for row in fresh.execute(question) if row[1] in STATISTICS}
    found = set(connection.execute(question))
    if others := sorted({repr(str(name)[:40]) for _, name, *_ in (found ^ known) - statistics}):
        raise StoreError(
            f"The backup {named} has another schema than this program makes "
            f"({', '.join(others[:MAX_NAMED])}{', …' if len(others) > MAX_NAMED else ''}). "
            "Nothing was changed.\nName a file that `bauta backup` made."
        )


def _check_json(connection: sqlite3.Connection, named: Path) -> None:
    """Raise :class:`StoreError` if a value is nested too deeply to be read; ours never are."""
    connection.create_function("json_depth", 1, _json_depth, deterministic=True)
    there = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    for table in there & JSON_COLUMNS.keys():
        for column in JSON_COLUMNS[table]:
            # Counting brackets is fast, and leaves few values to parse.
            brackets = f"2 * length({column}) - length(replace({column}, '[', ''))"
            question = (
                f"SELECT 1 FROM {table} WHERE {brackets} - length(replace({column}, '{{', '')) > ?1"  # noqa: S608 - our own names
                f" AND json_depth({column}) > ?1 LIMIT 1"
            )
            if connection.execute(question, (MAX_JSON_DEPTH,)).fetchone() is not None:
                raise StoreError(
                    f"The backup {named} has a value in its table {table} that is nested deeper than "
                    "this program writes. Nothing was changed.\nName a file that `bauta backup` made."
                )


def _json_depth(text: str) -> int:
    signs = (1 if sign in "[{" else -1 if sign in "]}" else 0 for sign in _JSON_TEXT.sub("", text))
    return max(accumulate(signs), default=0)


def is_held(database: Path) -> bool:
    """Return whether a process serves the database, by taking its lock for a moment, shared."""
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
