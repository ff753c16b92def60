"""Backups: a whole copy of a database that may be served meanwhile, and the way back.

A copy is made beside its place under a passing name, readable by this user alone, checked as a whole,
brought to the disk, and only then given its name. Whatever fails, nothing that stood before is touched.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from bot.store.base import StoreError
from bot.store.inspecting import Inspection, inspect, open_read_only
from bot.store.prepare import FileLock, check_folder, check_sqlite, explain

SET_BACK = "set_back"
"""The house's value that says that a backup was put back: the next start has to tell the threads."""

BEFORE = ".before-restore"
"""What is added to the name of the database that a backup replaces."""

SIDECARS = ("-wal", "-shm", "-journal")


def back_up(database: Path, target: Path) -> Inspection:
    """Copy a database to a new file; raises :class:`StoreError` and says what to do.

    It takes no lock and holds nobody up: it reads one moment, while the bot goes on writing.
    """
    check_sqlite()
    if not database.is_file():
        raise StoreError(f"There is no database {database}.\nSet BAUTA_DATABASE to the one to back up.")
    if os.path.lexists(target):
        raise StoreError(f"{target} exists already and is not overwritten.\nName a new file.")
    with _copy_of(database, target) as (copy, found):
        _name_anew(copy, target)
    return found


def restore(backup: Path, database: Path) -> tuple[Inspection, Path | None]:
    """Put a backup in a database's place; return what is in it, and where the former database is now.

    Raises :class:`StoreError` where a bot serves the database, or the backup cannot be used.
    An older schema is brought up to date at the next start.
    """
    check_sqlite()
    inspect(backup)
    database = database.resolve()
    if backup.resolve() == database:
        raise StoreError(f"{backup} is the database itself.\nName a backup of it.")
    check_folder(database)
    lock = FileLock(database)
    lock.take()
    try:
        with _copy_of(backup, database) as (copy, found):
            _mark(copy)
            former = _keep_former(database) if database.exists() else None
            copy.replace(database)
        _sync_folder(database.parent)
    finally:
        lock.release()
    return found, former


@contextmanager
def _copy_of(source: Path, target: Path) -> Iterator[tuple[Path, Inspection]]:
    """Lend a checked copy of ``source`` beside ``target``; it is gone after the block, unless renamed."""
    copy = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        os.close(os.open(copy, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise StoreError(
            f"{target} cannot be written ({error.strerror}).\nName a file in a folder that this user may write."
        ) from None
    try:
        _fill(copy, source)
        yield copy, inspect(copy)
    except sqlite3.Error as error:
        raise StoreError(explain(error, source)) from None
    except OSError as error:
        raise StoreError(f"{target} cannot be written ({error.strerror}). Nothing was changed.") from None
    finally:
        for name in (copy.name, *(copy.name + sidecar for sidecar in SIDECARS)):
            with suppress(OSError):
                copy.with_name(name).unlink()


def _fill(copy: Path, source: Path) -> None:
    """Copy a database page by page, of one moment, into one file that needs no others beside it."""
    with (
        closing(open_read_only(source)) as reader,
        closing(sqlite3.connect(copy, isolation_level=None)) as writer,
    ):
        reader.backup(writer)  # in one step: a writer meanwhile does not make it begin again
        writer.execute("PRAGMA journal_mode = DELETE")
    _sync(copy)


def _mark(copy: Path) -> None:
    """Note in a copy that it is a backup put back, so that the next start brings the threads in line."""
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(
            "INSERT OR REPLACE INTO house (key, value) VALUES (?, ?)", (SET_BACK, secrets.token_hex(8))
        )
        connection.execute("DELETE FROM house WHERE key LIKE 'commands:%'")  # they are sent anew
        connection.execute("COMMIT")
    _sync(copy)


def _keep_former(database: Path) -> Path:
    """Give the database that is replaced a second name, and return it. It stands under both until then."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    former = _free_name(database)
    for sidecar in SIDECARS:  # left only where the database is broken: they belong to it, not to the backup
        beside = database.with_name(database.name + sidecar)
        if beside.exists():
            beside.replace(former.with_name(former.name + sidecar))
    try:
        former.hardlink_to(database)
    except OSError:  # a file system without second names
        database.replace(former)
    return former


def _free_name(database: Path) -> Path:
    """Return the first name for the former database that no earlier one has."""
    first = database.with_name(database.name + BEFORE)
    number = 1
    found = first
    while os.path.lexists(found):
        number += 1
        found = first.with_name(f"{first.name}-{number}")
    return found


def _name_anew(copy: Path, target: Path) -> None:
    """Give a finished copy its name at once, unless the name is taken meanwhile."""
    try:
        target.hardlink_to(copy)
    except FileExistsError:
        raise StoreError(f"{target} exists already and is not overwritten.\nName a new file.") from None
    except OSError:  # a file system without second names
        copy.rename(target)
    _sync_folder(target.resolve().parent)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sync_folder(folder: Path) -> None:
    """Bring a folder's names to the disk, where its file system can."""
    with suppress(OSError):
        _sync(folder)
