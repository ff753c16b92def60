"""What deleted rows leave behind in a file of SQLite: removed in small steps, between commits.

``secure_delete`` zeroes a row where it is deleted. But whenever SQLite splits or merges pages, copies of rows
that went to another page stay in the room between pointers and rows of the first, and outlive their rows.
Only ``VACUUM`` would get rid of them, and hold up every commit meanwhile. So these bytes are zeroed in the
file itself: SQLite ignores them, so that a page is sound whatever is interrupted. No page may be in the log
beside the file then, which is emptied first, nor in the writer's cache, which is dropped afterwards. See
``docs/adr/0047-what-grows.md``.
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
"""Pages that are looked at, and those that are vacuumed or zeroed while commits wait."""

PASSES = 2
"""How often the file is looked through: while rows go to other pages, so may what lies between them."""

RETRY_S = 0.05
"""Seconds until the log is emptied again that a reader holds on to."""

PATIENCE_S = 600.0
"""Seconds for which a reader may hold on to the log."""

MAX_PAGES = 1 << 24
"""Pages up to which the first byte of a page tells what it is: beyond, it may belong to a page's number."""

_HEADER_BYTES = {2: 12, 5: 12, 10: 8, 13: 8}
"""By the first byte of a page of a table or index: the length of what precedes its pointers."""

_FILE_HEADER_BYTES = 100
_LOCK_BYTE = 1 << 30


class Scrubber:
    """Removes what deleted rows left in a database. Its own handle on the file outlives SQLite's.

    Closing any handle on a file ends all locks that the process holds on it, SQLite's among them.
    """

    def __init__(self, files: OpenFiles, writer: Writer) -> None:
        self._files = files
        self._log = files.database.with_name(files.database.name + "-wal")
        self._writer = writer
        self._file: int | None = None

    async def scrub(self) -> None:
        """Return free pages, and zero what is left in the others.

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
        """Close the file: call it once SQLite has closed it."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    async def _locked(self, work: Callable[[sqlite3.Connection], bool]) -> bool:
        """Do a small step of work while commits wait; they go first before the next one."""
        async with self._writer.lock:
            return await self._writer.run(work)

    async def _empty_log(self) -> None:
        """Move all pages from the log to the file; raises ``sqlite3.Error`` if a reader holds on to them."""
        until = asyncio.get_running_loop().time() + PATIENCE_S
        while not await self._locked(_truncate_log):
            if asyncio.get_running_loop().time() >= until:
                raise sqlite3.OperationalError("a reader holds on to the write-ahead log")
            await asyncio.sleep(RETRY_S)

    def _open(self) -> None:
        self._files.check()
        if self._file is None:
            self._file = os.open(self._files.database, os.O_RDWR | os.O_CLOEXEC)
            # What goes past SQLite must not go into a file that somebody has just put there.
            self._files.check()

    def _handle(self) -> int:
        assert self._file is not None
        return self._file

    def _stale_pages(self, first: int) -> tuple[list[int], int | None]:
        """Return which pages from ``first`` on have unused bytes that are not zero, and where to look next.

        They are looked at as they stand, whatever is written meanwhile: no new page holds what is deleted.
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
        """Zero the unused bytes of pages; return whether that could be done now."""
        if not _truncate_log(connection):
            return False
        connection.execute("BEGIN IMMEDIATE")
        try:
            if self._log.stat().st_size:
                return False  # another program has written since
            size = _page_size(self._handle())
            for number in numbers:
                place = (number - 1) * size
                for start, end in unused(os.pread(self._handle(), size, place), number):
                    os.pwrite(self._handle(), bytes(end - start), place + start)
        finally:
            connection.execute("ROLLBACK")
            # What it holds of these pages would come back with the next change of them.
            connection.execute("PRAGMA shrink_memory")
        return True


def unused(page: bytes, number: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of a page of a table or an index that SQLite does not use, unless they are zero.

    These are the room between pointers and rows, and free blocks but for their first four bytes: see SQLite's
    documentation, "Database File Format", B-tree Pages.
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
        return  # it is none
    for start, end in ranges:
        if page.count(0, start, end) < end - start:
            yield start, end


def _page_size(file: int) -> int:
    size = int.from_bytes(os.pread(file, 2, 16))
    return 1 << 16 if size == 1 else size


def _is_mapped(file: int) -> bool:
    """Return whether the file has pages that map others: those from which free pages can be returned have."""
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
    """Move all pages from the log to the file; return whether that could be done now."""
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        return not _pragma(connection, "wal_checkpoint(TRUNCATE)")
    except sqlite3.OperationalError:
        return False  # another program checkpoints or writes just now
    finally:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")


def _pragma(connection: sqlite3.Connection, pragma: str) -> int:
    (value, *_) = connection.execute(f"PRAGMA {pragma}").fetchone()
    return int(value)
