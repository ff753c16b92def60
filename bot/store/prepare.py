"""Prepare an SQLite database for serving: lock, integrity check, version, missing migrations."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import sqlite3
from contextlib import closing
from importlib.resources import files
from pathlib import Path

from bot.store.errors import StoreError, Unreachable
from bot.store.open_files import CheckedConnection, OpenFiles
from bot.store.tables import TABLES

OLDEST_SQLITE = (3, 37, 0)
"""The first version with STRICT tables."""

APPLICATION_ID = 0x42617574
"""Identifies our databases in their file header ("Baut")."""

BUSY_MILLISECONDS = 5_000

WHOLLY_CHECKED_BYTES = 64 << 20
"""Size up to which the start checks a whole file. Backups and the doctor always check all of it."""

GROWING_TABLES = frozenset(table.name for table in TABLES if table.grows)
"""The tables that grow with every match."""

_OF_A_VALUE = re.compile(r"\S+ value in \S+$")
"""SQLite's finding for a column value of the wrong type, or a forbidden NULL."""

_PASSING = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_PROTOCOL,
    }
)
"""Errors that may pass by themselves: another program's lock, a full or failing disk."""

_PASSING_SYSTEM_ERRORS = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.EAGAIN}
)

_PRAGMAS = (
    f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}",
    "PRAGMA foreign_keys = ON",
    "PRAGMA synchronous = FULL",  # acknowledged commits survive a power cut
    "PRAGMA secure_delete = ON",  # overwrite deleted data
    "PRAGMA trusted_schema = OFF",  # run no code from a foreign database
    "PRAGMA recursive_triggers = ON",  # or INSERT OR REPLACE would bypass the log's triggers
)


class FileLock:
    """The serving process's lock on a database: ``flock`` on ``<database>.lock``."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(database.name + ".lock")
        self._handle: int | None = None

    def take(self) -> None:
        """Take the lock; raises :class:`StoreError` if it is held or its file cannot be created."""
        while True:
            handle = self._opened()
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # A lock on a file that was deleted meanwhile would exclude nobody.
                if self._leads_to(handle):
                    break
            except OSError:
                os.close(handle)
                raise Unreachable(
                    f"Another process serves the database already (it holds {self._path}).\n"
                    "Stop that one first, or give this one a database of its own."
                ) from None
            os.close(handle)
        self._handle = handle

    def _opened(self) -> int:
        try:
            return os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise _file_error(error)(
                f"The database's folder {self._path.parent} cannot be written ({error.strerror}).\n"
                "Give this user the right to write there, or put the database elsewhere."
            ) from None

    def _leads_to(self, handle: int) -> bool:
        try:
            return os.path.samestat(self._path.stat(), os.fstat(handle))
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Release the lock; the file stays, since deleting it would let two processes in."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def _file_error(error: OSError) -> type[StoreError]:
    return Unreachable if error.errno in _PASSING_SYSTEM_ERRORS else StoreError


def check_sqlite(version: tuple[int, int, int] = sqlite3.sqlite_version_info) -> None:
    """Raise :class:`StoreError` if SQLite is too old."""
    if version < OLDEST_SQLITE:
        found = ".".join(map(str, version))
        raise StoreError(
            f"SQLite {found} is too old: 3.37 or newer is needed.\n"
            "Use a Python that is built with a newer SQLite."
        )


def check_folder(database: Path) -> None:
    """Create the database's folder if only that is missing; raises :class:`StoreError` otherwise."""
    folder = database.parent
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise _file_error(error)(
            f"There is no folder {folder} for the database, and it cannot be made ({error.strerror}).\n"
            "Make it first, or put the database elsewhere."
        ) from None
    if database.is_dir():
        raise StoreError(f"{database} is a folder, not a database. Name a file in it.")


def make_private(database: Path) -> None:
    """Create a missing database file, readable by its owner only, since it holds every seed.

    SQLite gives the files beside it the same permissions. An existing file keeps its own. Raises
    :class:`StoreError`.
    """
    try:
        os.close(os.open(database, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        raise _file_error(error)(
            f"The database {database} cannot be made ({error.strerror}).\n"
            "Give this user the right to write there, or put the database elsewhere."
        ) from None


def connect(database: Path, *, query_only: bool = False, files: OpenFiles | None = None) -> CheckedConnection:
    """Open a connection with our pragmas; transactions are begun by hand (no ``isolation_level``).

    ``files``: the files to check before each begin and commit.
    """
    connection = sqlite3.connect(
        database, isolation_level=None, check_same_thread=False, factory=CheckedConnection
    )
    try:
        connection.files = files
        for pragma in _PRAGMAS:
            connection.execute(pragma)
        # Invalid UTF-8 affects its own row only, not every query that reads it.
        connection.text_factory = _read_text
        if query_only:
            connection.execute("PRAGMA query_only = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def _read_text(stored: bytes) -> str:
    return stored.decode("utf-8", "replace")


def is_damaged(connection: sqlite3.Connection, *checks: str) -> bool:
    """Return whether a file is damaged, according to some of SQLite's checks.

    An invalid column value does not count: it affects one match, and is detected when it is read.
    """
    connection.execute("PRAGMA ignore_check_constraints = ON")
    found = [str(line) for check in checks for (line,) in connection.execute(f"PRAGMA {check}")]
    connection.execute("PRAGMA ignore_check_constraints = OFF")
    return any(line != "ok" and not _OF_A_VALUE.match(line) for line in found)


def _checks_at_start(connection: sqlite3.Connection, database: Path) -> list[str]:
    """Return the checks to run at the start: in a large file, they skip the tables that grow."""
    if database.stat().st_size <= WHOLLY_CHECKED_BYTES:
        return ["quick_check"]
    rows = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
    names = [name.replace("'", "''") for (name,) in rows if name not in GROWING_TABLES]
    return [f"quick_check('{name}')" for name in names]


def prepare(database: Path) -> None:
    """Check a database and bring it up to date; raises :class:`StoreError` with advice."""
    make_private(database)
    try:
        with closing(connect(database)) as connection:
            if not database.stat().st_size:
                # An existing file keeps its mode until it is compacted.
                connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            _check(connection, database)
            _migrate(connection, database)
    except sqlite3.Error as error:
        raise database_error(error, database) from None


def database_error(error: sqlite3.Error, database: Path, *, serving: bool = False) -> StoreError:
    """Build the error to raise for an SQLite error: :class:`Unreachable` if it may pass by itself."""
    kind = Unreachable if getattr(error, "sqlite_errorcode", 0) & 0xFF in _PASSING else StoreError
    return kind(explain(error, database, serving=serving))


def explain(error: sqlite3.Error, database: Path, *, serving: bool = False, is_backup: bool = False) -> str:
    """Explain an SQLite error to the operator, with advice.

    While the bot is ``serving``, the error's own text is left out: it could quote stored data.
    """
    text = str(error)
    name = getattr(error, "sqlite_errorname", type(error).__name__) if serving else text
    if "not a database" in text or "malformed" in text:
        return broken(database, is_backup=is_backup)
    if "readonly" in text or "read-only" in text or "unable to open" in text:
        return (
            f"The database {database} cannot be opened for writing ({name}).\n"
            "Give this user the right to write the file and its folder, or put the database elsewhere."
        )
    if "full" in text:
        advice = "Free some space." if serving else "Free some space, then start again."
        return f"There is no room left for the database {database}. {advice}"
    return f"The database {database} cannot be used ({name})."


def migrations() -> list[str]:
    """Return the numbered SQL scripts in order; the n-th migrates to version n."""
    folder = files("bot.store") / "migrations" / "sqlite"
    named = {item.name: item for item in folder.iterdir() if item.name.endswith(".sql")}
    for number, name in enumerate(sorted(named), 1):
        if int(name.partition("_")[0]) != number:
            raise RuntimeError(f"migration {name} is not number {number}")
    return [named[name].read_text("utf-8") for name in sorted(named)]


def broken(database: Path, *, is_backup: bool = False) -> str:
    """Return the message for a damaged file, or one that is no database."""
    if is_backup:
        return (
            f"The backup {database} is broken, or is no database at all. Nothing was changed.\n"
            "Name another backup."
        )
    return (
        f"The database {database} is broken, or is no database at all. It was left as it is.\n"
        "Put a backup in its place, or move it away to begin with an empty one."
    )


def foreign(database: Path, *, is_backup: bool = False) -> str:
    """Return the message for another program's database."""
    advice = "Name a backup." if is_backup else "Name another file for the house's database."
    return f"{database} is a database of another program. It was left as it is.\n{advice}"


def newer(database: Path, version: int, known: int) -> str:
    """Return the message for a database with more migrations than this version knows."""
    return (
        f"{database} was written by a newer version of the house (its number is {version}, "
        f"this one knows {known}). It was left as it is.\nInstall the newer version again."
    )


def _check(connection: sqlite3.Connection, database: Path) -> None:
    if is_damaged(connection, *_checks_at_start(connection, database)):
        raise StoreError(broken(database))
    (owner,) = connection.execute("PRAGMA application_id").fetchone()
    (items,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if items and owner != APPLICATION_ID:
        raise StoreError(foreign(database))
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise StoreError(
            f"The place of the database {database} has no write-ahead log (a network drive?).\n"
            "Put the database on a local disk."
        )


def _migrate(connection: sqlite3.Connection, database: Path) -> None:
    scripts = migrations()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(scripts):
        raise StoreError(newer(database, version, len(scripts)))
    for number, script in enumerate(scripts[version:], version + 1):
        try:
            # Version and script in one transaction: a migration is applied as a whole or not at all.
            connection.executescript(
                f"BEGIN IMMEDIATE;\n{script}\nPRAGMA application_id = {APPLICATION_ID};\n"
                f"PRAGMA user_version = {number};\nCOMMIT;"
            )
        except sqlite3.Error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
    # Let a read-only database fail here, at the start, not at the first sentence.
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("ROLLBACK")
