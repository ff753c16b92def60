"""Back up, restore and compact databases; a backup can be made while the bot serves.

A copy is written beside its target under a temporary name, readable by this user only, checked as a whole,
synced to disk and only then renamed. If any step fails, existing files stay untouched.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path

from bot.store.checks import Inspection, check_file, open_read_only
from bot.store.errors import StoreError
from bot.store.prepare import FileLock, check_folder, check_sqlite, connect, explain

RESTORED_KEY = "set_back"
"""Key in ``house``: a backup was restored, so the next start must notify the threads."""

FORMER_SUFFIX = ".before-restore"
"""Suffix for the database that a backup replaces."""

LOST_KEY = "lost"
"""Key in ``house``: the messages of matches that began after the backup, as JSON."""

COPIED_AT = "copied_at"
"""Key in ``house``: when a backup was made, as a Unix time."""

COMPACTED_BYTES_PER_S = 15 << 20
"""Speed of compacting and checking a database on a small machine."""

SIDECARS = ("-wal", "-shm", "-journal")

_PUT = "INSERT OR REPLACE INTO house (key, value) VALUES (?, ?)"


def back_up(database: Path, target: Path) -> Inspection:
    """Copy a database to a new file; raises :class:`StoreError` and says what to do.

    It takes no lock: it reads a consistent snapshot while the bot goes on writing.
    """
    check_sqlite()
    if not database.is_file():
        raise StoreError(f"There is no database {database}.\nSet BAUTA_DATABASE to the one to back up.")
    if os.path.lexists(target):
        raise StoreError(f"{target} exists already and is not overwritten.\nName a new file.")
    with _copy_of(database, target, is_backup=False) as (copy, found):
        with closing(_open(copy)) as connection:
            connection.execute(_PUT, (COPIED_AT, str(int(time.time()))))
        _sync(copy)
        try:
            _name(copy, target)
        except FileExistsError:  # created by another process meanwhile
            raise StoreError(f"{target} exists already and is not overwritten.\nName a new file.") from None
        _sync_folder(target.resolve().parent)
    return found


def restore(backup: Path, database: Path) -> tuple[Inspection, Path | None]:
    """Replace a database with a backup; return what the backup holds, and the former database's new path.

    Raises :class:`StoreError` if a bot serves the database or the backup is unusable.
    An older schema is migrated at the next start.
    """
    check_sqlite()
    check_file(backup, is_backup=True)
    database = database.resolve()
    if backup.resolve() == database:
        raise StoreError(f"{backup} is the database itself.\nName a backup of it.")
    check_folder(database)
    _check_room(backup, database)
    lock = FileLock(database)
    lock.take()
    try:
        with _copy_of(backup, database, is_backup=True) as (copy, found):
            _mark(copy, database)
            former = _swap(copy, database)
        _sync_folder(database.parent)
    finally:
        lock.release()
    return found, former


def compact(database: Path, tell: Callable[[str], None]) -> tuple[Inspection, float]:
    """Rewrite a database in the current file format; return what it holds, and the seconds it took.

    This drops free pages, with any deleted data that older versions left in them; afterwards free pages are
    returned while the bot serves. ``tell`` first gets a line with the estimated time. Raises
    :class:`StoreError`, also if a bot serves the database.
    """
    check_sqlite()
    database = database.resolve()
    if not database.is_file():
        raise StoreError(f"There is no database {database}.\nSet BAUTA_DATABASE to the one to compact.")
    lock = FileLock(database)
    lock.take()
    begun = time.monotonic()
    try:
        _check_room(database, database)
        size = database.stat().st_size
        tell(f"{database}: {size >> 20} MiB, which take about {1 + size // COMPACTED_BYTES_PER_S} s")
        with _new_beside(database, database, is_backup=False) as copy:
            with closing(connect(database)) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
                connection.execute("VACUUM INTO ?", (str(copy),))
            _sync(copy)
            found = check_file(copy, copy_of=database)
            if any(_beside(database, end).exists() for end in SIDECARS):
                raise StoreError(f"Another program uses {database}. Nothing was changed.\nEnd it first.")
            copy.replace(database)
        _sync_folder(database.parent)
    finally:
        lock.release()
    return found, time.monotonic() - begun


def _check_room(backup: Path, database: Path) -> None:
    # A sparse file takes its full size once it is copied.
    size, free = backup.stat().st_size, shutil.disk_usage(database.parent).free
    if size > free:
        raise StoreError(
            f"{backup} needs {size >> 20} MiB beside {database}, and {free >> 20} are free. "
            "Nothing was changed.\nFree some space first."
        )


@contextmanager
def _copy_of(source: Path, target: Path, *, is_backup: bool) -> Iterator[tuple[Path, Inspection]]:
    """Lend a checked copy of ``source`` beside ``target``; deleted after the block unless renamed."""
    with _new_beside(source, target, is_backup=is_backup) as copy:
        with closing(open_read_only(source)) as reader, closing(_open(copy)) as writer:
            reader.backup(writer)  # in one step, or a concurrent write would restart it
            writer.execute("PRAGMA journal_mode = DELETE")
        _sync(copy)
        yield copy, check_file(copy, copy_of=source, is_backup=is_backup)


@contextmanager
def _new_beside(source: Path, target: Path, *, is_backup: bool) -> Iterator[Path]:
    """Lend an empty file beside ``target``; deleted after the block unless renamed.

    Raises :class:`StoreError` for SQLite errors, which concern ``source``, and for disk errors.
    """
    copy = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        os.close(os.open(copy, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise StoreError(
            f"{target} cannot be written ({error.strerror}).\nName a file where this user may write."
        ) from None
    try:
        yield copy
    except sqlite3.Error as error:
        raise StoreError(explain(error, source, is_backup=is_backup)) from None
    except OSError as error:
        raise StoreError(f"{target} cannot be written ({error.strerror}). Nothing was changed.") from None
    finally:
        for end in ("", *SIDECARS):
            with suppress(OSError):
                _beside(copy, end).unlink()


def _mark(copy: Path, database: Path) -> None:
    """Store in ``copy`` what the next start needs to update the threads."""
    shown: list[tuple[str, int, int, str]] = []
    # There may be no database, or a broken one: the reason for the restore.
    with suppress(sqlite3.Error), closing(open_read_only(database)) as former:
        shown = former.execute(
            "SELECT match, channel, message, surface FROM shown WHERE message <> 0 ORDER BY message"
        ).fetchall()
    with closing(_open(copy)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        known = {match for (match,) in connection.execute("SELECT id FROM match")}
        lost = [place for match, *place in shown if match not in known]
        connection.execute(_PUT, (RESTORED_KEY, secrets.token_hex(16)))
        connection.execute(_PUT, (LOST_KEY, json.dumps(lost)))
        connection.execute("DELETE FROM house WHERE key LIKE 'commands:%'")  # register them again
        connection.execute("COMMIT")
    _sync(copy)


def _swap(copy: Path, database: Path) -> Path | None:
    """Replace the database with ``copy`` atomically; return the former database's new path.

    SQLite's files beside a broken database are moved away first, or SQLite would replay them into the
    backup. If the last step fails, everything is put back.
    """
    if not database.exists():
        copy.replace(database)
        return None
    with suppress(sqlite3.Error), closing(_open(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    names = (
        _beside(database, FORMER_SUFFIX if number == 1 else f"{FORMER_SUFFIX}-{number}")
        for number in count(1)
    )
    former = next(name for name in names if not os.path.lexists(name))
    _name(database, former)
    pairs = [(_beside(database, end), _beside(former, end)) for end in SIDECARS]
    moved = [(old, new) for old, new in pairs if old.exists()]
    try:
        for old, new in moved:
            old.replace(new)
        copy.replace(database)
    except OSError:
        former.replace(database)  # no-op if both names are links to one file
        former.unlink(missing_ok=True)
        for old, new in moved:
            if new.exists():
                new.replace(old)
        raise
    return former


def _name(path: Path, name: Path) -> None:
    """Hard-link a file to a new name; on a file system without hard links, rename it."""
    try:
        # Unlike a rename, a link never overwrites.
        name.hardlink_to(path)
    except FileExistsError:
        raise
    except OSError:
        path.rename(name)


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sync_folder(folder: Path) -> None:
    with suppress(OSError):
        _sync(folder)
