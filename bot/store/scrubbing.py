"""Remove the remains of deleted rows from an SQLite file, in small steps between commits.

``secure_delete`` zeroes a row where it is deleted. But whenever SQLite splits or merges pages, copies of rows
that went to another page stay in the gap between pointers and rows of the first, and outlive their rows.
Only ``VACUUM`` would remove them, and block every commit meanwhile. So these bytes are zeroed in the file
itself: SQLite ignores them, so a page stays valid whenever this is interrupted. The pages must not be in the
write-ahead log, which is emptied first, nor in the writer's cache, which is dropped afterwards. See
``docs/adr/0047``.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from bot.store.finishing import finished
from bot.store.open_files import OpenFiles
from bot.store.prepare import BUSY_MILLISECONDS
from bot.store.writer import Writer

PAGES_AT_ONCE = 512
"""Pages per step: scanned, or vacuumed or zeroed while commits wait."""

PASSES = 2
"""Scans of the file: while rows move to other pages, remains between them may move too."""

RETRY_S = 0.05
"""Seconds between attempts to empty a log that a reader still uses."""

PATIENCE_S = 600.0
"""Seconds to wait for a reader that uses the log."""

MAX_PAGES = 1 << 24
"""Maximum pages of a file: beyond, the first byte of a page may be part of a page number, not its type."""

_HEADER_BYTES = {2: 12, 5: 12, 10: 8, 13: 8}
"""Header length of table and index pages, by the first byte of the page."""

_FILE_HEADER_BYTES = 100
_LOCK_BYTE = 1 << 30


class Scrubber:
    """Removes the remains of deleted rows from a database. Its own file handle outlives SQLite's.

    Closing any handle on a file releases all locks that the process holds on it, including SQLite's.
    """

    def __init__(self, files: OpenFiles, writer: Writer) -> None:
        self._files = files
        self._log = files.database.with_name(files.database.name + "-wal")
        self._writer = writer
        self._file: int | None = None

    async def scrub(self) -> None:
        """Return free pages to the disk, and zero remains in the others.

        Raises ``sqlite3.Error``, ``OSError`` and :class:`DatabaseReplaced`.
        """
        self._open()
        while await self._locked(_return_pages):
            pass
        for _ in range(PASSES):
            await self._empty_log()
            first: int | None = 1
            while first is not None:
                stale, first = await finished(asyncio.to_thread(self._stale_pages, first))
                while stale and not await self._locked(partial(self._zero, numbers=stale)):
                    await self._empty_log()
            await finished(asyncio.to_thread(os.fsync, self._handle()))

    def close(self) -> None:
        """Close the file; call it after SQLite has closed it."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    async def _locked(self, work: Callable[[sqlite3.Connection], bool]) -> bool:
        """Run a small step while commits wait; queued commits run before the next step."""
        async with self._writer.lock:
            return await self._writer.run(work)

    async def _empty_log(self) -> None:
        """Checkpoint the whole log; raises ``sqlite3.Error`` if a reader blocks it too long."""
        until = asyncio.get_running_loop().time() + PATIENCE_S
        while not await self._locked(_truncate_log):
            if asyncio.get_running_loop().time() >= until:
                raise sqlite3.OperationalError("a reader holds on to the write-ahead log")
            await asyncio.sleep(RETRY_S)

    def _open(self) -> None:
        self._files.check()
        if self._file is None:
            self._file = os.open(self._files.database, os.O_RDWR | os.O_CLOEXEC)
            # Writes that bypass SQLite must not go into a replaced file.
            self._files.check()

    def _handle(self) -> int:
        assert self._file is not None
        return self._file

    def _stale_pages(self, first: int) -> tuple[list[int], int | None]:
        """Return the pages from ``first`` on with nonzero unused bytes, and the page to continue at.

        Concurrent writes do not matter: new pages never hold deleted data.
        """
        size = _page_size(self._handle())
        read = os.pread(self._handle(), PAGES_AT_ONCE * size, (first - 1) * size)
        pages = [read[offset : offset + size] for offset in range(0, len(read), size)]
        last = first + len(pages)
        if last > MAX_PAGES:
            raise sqlite3.OperationalError(f"a file of more than {MAX_PAGES} pages is not scrubbed")
        is_mapped = _is_mapped(self._handle())
        stale = [
            number
            for number, page in enumerate(pages, first)
            if any(unused(page, number)) and not (is_mapped and _is_map(number, size))
        ]
        return stale, last if len(pages) == PAGES_AT_ONCE else None

    def _zero(self, connection: sqlite3.Connection, numbers: Sequence[int]) -> bool:
        """Zero the unused bytes of pages; return whether this was possible now."""
        if not _truncate_log(connection):
            return False
        connection.execute("BEGIN IMMEDIATE")
        try:
            if self._log.stat().st_size:
                return False  # another program wrote meanwhile
            size = _page_size(self._handle())
            for number in numbers:
                place = (number - 1) * size
                for start, end in unused(os.pread(self._handle(), size, place), number):
                    os.pwrite(self._handle(), bytes(end - start), place + start)
        finally:
            connection.execute("ROLLBACK")
            # Cached copies of these pages would be written back with their next change.
            connection.execute("PRAGMA shrink_memory")
        return True


def unused(page: bytes, number: int) -> Iterator[tuple[int, int]]:
    """Yield the nonzero ranges of a table or index page that SQLite does not use.

    These are the gap between pointers and rows, and free blocks except for their first four bytes: see
    SQLite's documentation, "Database File Format", B-tree Pages.
    """
    header = _FILE_HEADER_BYTES if number == 1 else 0
    length = _HEADER_BYTES.get(page[header]) if page else None
    if length is None:
        return
    block, cells, rows = (int.from_bytes(page[header + at : header + at + 2]) for at in (1, 3, 5))
    ranges = [(header + length + 2 * cells, rows or len(page))]
    while block and block + 4 <= len(page):
        following, size = (int.from_bytes(page[at : at + 2]) for at in (block, block + 2))
        ranges.append((block + 4, block + size))
        block = following if following > block else 0
    if any(not start <= end <= len(page) for start, end in ranges):
        return  # not a table or index page
    for start, end in ranges:
        if page.count(0, start, end) < end - start:
            yield start, end


def _page_size(file: int) -> int:
    size = int.from_bytes(os.pread(file, 2, 16))
    return 1 << 16 if size == 1 else size


def _is_mapped(file: int) -> bool:
    """Return whether the file has pointer map pages, as files that can return free pages do."""
    return any(os.pread(file, 4, 52))


def _is_map(number: int, size: int) -> bool:
    apart = size // 5 + 1
    return number > 1 and ((number - 2) % apart == 0 or number - 1 == _LOCK_BYTE // size + 1)


def _return_pages(connection: sqlite3.Connection) -> bool:
    """Return some free pages to the disk; return whether there may be more. Older files keep theirs."""
    before = _pragma(connection, "freelist_count")
    connection.execute(f"PRAGMA incremental_vacuum({PAGES_AT_ONCE})").fetchall()
    return 0 < _pragma(connection, "freelist_count") < before


def _truncate_log(connection: sqlite3.Connection) -> bool:
    """Checkpoint the whole log; return whether this was possible now."""
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        return not _pragma(connection, "wal_checkpoint(TRUNCATE)")
    except sqlite3.OperationalError:
        return False  # another program is checkpointing or writing
    finally:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")


def _pragma(connection: sqlite3.Connection, pragma: str) -> int:
    (value, *_) = connection.execute(f"PRAGMA {pragma}").fetchone()
    return int(value)
