"""Backups: a whole copy of a database that may be served meanwhile, and the way back; and compact files.

A copy is made beside its place under a passing name, readable by this user alone, checked as a whole,
brought to the disk, and only then given its name. Whatever fails, nothing that stood before is touched.
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

SET_BACK = "set_back"
"""The bot's own value that says that a backup was restored: the next start has to tell the threads."""

BEFORE = ".before-restore"
"""What is added to the name of the database that a backup replaces."""

LOST = "lost"
"""The bot's own value that says where matches are shown that began after the backup: JSON."""

COPIED_AT = "copied_at"
"""The bot's own value that says when a backup was made: a Unix time."""

COMPACTED_BYTES_PER_S = 15 << 20
"""Of a database that is compacted and checked, on a small machine."""

SIDECARS = ("-wal", "-shm", "-journal")

_PUT = "INSERT OR REPLACE INTO house (key, value) VALUES (?, ?)"


def back_up(database: Path, target: Path) -> Inspection:
    """Copy a database to a new file; raises :class:`StoreError` and says what to do.

    It takes no lock and holds nobody up: it reads one moment, while the bot goes on writing.
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
        except FileExistsError:  # made by somebody else meanwhile
            raise StoreError(f"{target} exists already and is not overwritten.\nName a new file.") from None
        _sync_folder(target.resolve().parent)
    return found


def restore(backup: Path, database: Path) -> tuple[Inspection, Path | None]:
    """Put a backup in a database's place; return what is in it, and where the former database is now.

    Raises :class:`StoreError` where a bot serves the database, or the backup cannot be used.
    An older schema is brought up to date at the next start.
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
    """Rewrite a database in the format of new ones; return what is in it, and the seconds that it took.

    Free pages are gone then, and whatever deleted rows had left in them before this version of the bot; from
    then on free pages are returned while the bot serves. ``tell`` is told first how long it may take. Raises
    :class:`StoreError`, also where a bot serves the database.
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
    # A file with holes takes no room until it is copied.
    size, free = backup.stat().st_size, shutil.disk_usage(database.parent).free
    if size > free:
        raise StoreError(
            f"{backup} needs {size >> 20} MiB beside {database}, and {free >> 20} are free. "
            "Nothing was changed.\nFree some space first."
        )


@contextmanager
def _copy_of(source: Path, target: Path, *, is_backup: bool) -> Iterator[tuple[Path, Inspection]]:
    """Lend a checked copy of ``source`` beside ``target``; it is gone after the block, unless renamed."""
    with _new_beside(source, target, is_backup=is_backup) as copy:
        with closing(open_read_only(source)) as reader, closing(_open(copy)) as writer:
            reader.backup(writer)  # in one step: a writer meanwhile does not make it begin again
            writer.execute("PRAGMA journal_mode = DELETE")
        _sync(copy)
        yield copy, check_file(copy, copy_of=source, is_backup=is_backup)


@contextmanager
def _new_beside(source: Path, target: Path, *, is_backup: bool) -> Iterator[Path]:
    """Lend an empty file beside ``target``, which is gone after the block, unless renamed.

    Raises :class:`StoreError` for errors of SQLite, which are about ``source``, and of the disk.
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
    """Note in ``copy`` what the next start needs to bring the threads in line with it."""
    shown: list[tuple[str, int, int, str]] = []
    # There may be no database, or a broken one: that is why a backup is put back.
    with suppress(sqlite3.Error), closing(open_read_only(database)) as former:
        shown = former.execute(
            "SELECT match, channel, message, surface FROM shown WHERE message <> 0 ORDER BY message"
        ).fetchall()
    with closing(_open(copy)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        known = {match for (match,) in connection.execute("SELECT id FROM match")}
        lost = [place for match, *place in shown if match not in known]
        connection.execute(_PUT, (SET_BACK, secrets.token_hex(16)))
        connection.execute(_PUT, (LOST, json.dumps(lost)))
        connection.execute("DELETE FROM house WHERE key LIKE 'commands:%'")  # they are sent anew
        connection.execute("COMMIT")
    _sync(copy)


def _swap(copy: Path, database: Path) -> Path | None:
    """Put ``copy`` in the database's place at once; return the name that the former one has now.

    What SQLite left beside a broken database belongs to that one: it goes first, or it would be
    played into the backup. Where the last step fails, everything is where it was.
    """
    if not database.exists():
        copy.replace(database)
        return None
    with suppress(sqlite3.Error), closing(_open(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    names = (_beside(database, BEFORE if number == 1 else f"{BEFORE}-{number}") for number in count(1))
    former = next(name for name in names if not os.path.lexists(name))
    _name(database, former)
    pairs = [(_beside(database, end), _beside(former, end)) for end in SIDECARS]
    moved = [(old, new) for old, new in pairs if old.exists()]
    try:
        for old, new in moved:
            old.replace(new)
        copy.replace(database)
    except OSError:
        former.replace(database)  # two names of one file: nothing happens
        former.unlink(missing_ok=True)
        for old, new in moved:
            if new.exists():
                new.replace(old)
        raise
    return former


def _name(path: Path, name: Path) -> None:
    """Give a file a second name; on a file system that has none, the new name instead of its own."""
    try:
        # A rename would overwrite what has that name, a link does not.
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
