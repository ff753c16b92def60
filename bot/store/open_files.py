"""Detect that the files of an open SQLite database were deleted or replaced.

A file that is deleted or replaced under an open connection goes on taking commits, which are lost later.
SQLite keeps all four files in place while a connection is open, whatever other programs do through SQLite; so
a changed device or inode always comes from outside SQLite.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bot.store.errors import DatabaseReplaced, StoreError

LOG = logging.getLogger("bauta.store")

ENDS = ("", "-wal", "-shm", ".lock")
"""Suffixes: the database, its write-ahead log, that log's index, the serving process's lock."""

CHECKED = frozenset({"BEGIN", "COMMIT"})
"""Statements before which the files are checked: a reader's first one, and the one that writes."""

ADVICE = (
    "Nothing is read or changed any more. Do not stop the bot yet: docs/troubleshooting.md, "
    "“The database was deleted or replaced”, says how to save what it still has open."
)


def difference(database: Path, noted: Mapping[str, str]) -> str:
    """Describe the first file that was replaced; empty: none. Raises :class:`StoreError`."""
    for end, was in noted.items():
        name = f"{database}{end}"
        try:
            now = _identity(Path(name).stat())
        except (FileNotFoundError, NotADirectoryError):
            return f"The database {database} is no longer the file that is open: {name} is gone."
        except OSError as error:
            raise StoreError(f"{name} cannot be looked at ({error.strerror}).") from None
        if now != was:
            return f"The database {database} is no longer the file that is open: {name} was replaced."
    return ""


def _identity(found: os.stat_result) -> str:
    return f"{found.st_dev}:{found.st_ino}"


class OpenFiles:
    """The files that this process has open. ``named``: the database's configured path, maybe a link."""

    def __init__(self, database: Path, named: Path) -> None:
        self.database = database
        self._named = named
        self._lost = ""
        self._discovery = threading.Lock()
        self.noted: Mapping[str, str] = {}
        """Devices and inodes by file name suffix; empty until :meth:`note`."""
        self._expected: list[tuple[str, int, int]] = []
        """Names, devices and inodes, ready for the fast check before every commit."""

    def note(self) -> None:
        """Record the files; call it after a connection has read, when all of them exist."""
        names = [f"{self.database}{end}" for end in ENDS]
        if self._named != self.database:
            names.append(str(self._named))
        try:
            found = [(name, Path(name).stat()) for name in names]
        except OSError as error:
            raise StoreError(f"The database {self.database} cannot be used ({error.strerror}).") from None
        self.noted = {end: _identity(status) for end, (_, status) in zip(ENDS, found, strict=False)}
        self._expected = [(name, status.st_dev, status.st_ino) for name, status in found]

    def check(self) -> None:
        """Raise :class:`DatabaseReplaced` if a file was ever found deleted or replaced."""
        if not self._lost and self._are_same():
            return
        with self._discovery:
            if not self._lost and (lost := self._difference()):
                self._lost = lost
                LOG.error("%s\n%s", lost, ADVICE)
        if self._lost:
            raise DatabaseReplaced(f"{self._lost}\n{ADVICE}")

    def _are_same(self) -> bool:
        try:
            for name, device, inode in self._expected:
                found = os.stat(name)  # noqa: PTH116 - Path.stat takes twice as long
                if found.st_ino != inode or found.st_dev != device:
                    return False
        except OSError:
            return False
        return True

    def _difference(self) -> str:
        found = difference(self.database, self.noted)
        return found or difference(self._named, {"": self.noted[""]})


class CheckedConnection(sqlite3.Connection):
    """A connection that refuses to begin or commit once the files were replaced."""

    files: OpenFiles | None = None

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Execute a statement; raises :class:`StoreError` too."""
        if self.files is None or sql not in CHECKED:
            return super().execute(sql, parameters)
        self.files.check()
        cursor = super().execute(sql, parameters)
        if sql == "COMMIT":
            # Do not acknowledge a commit to a file that was replaced meanwhile.
            self.files.check()
        return cursor
