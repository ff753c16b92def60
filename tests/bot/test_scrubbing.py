"""Nothing of what is deleted stays in any byte of a database's files, while others read and commit."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from bot.store import DatabaseReplaced
from bot.store.scrubbing import unused
from bot.store.sqlite import SqliteStore, open_sqlite
from tests.kit.waiting import let_others_run

MATCHES, PEOPLE, LEAVING = 1_000, 100, 30

LEAVES = (10, 13)
"""The first bytes of pages that refer to no others: of indexes, and of tables."""

INSERT = (
    "INSERT INTO chair (match, ord, person, name, withdrawn, asked) VALUES (?, ?, ?, ?, 0, 0)"
    " ON CONFLICT DO NOTHING"
)


def person(number: int) -> tuple[int, str]:
    """Return somebody whose id and name stand nowhere by chance."""
    return 812_345_678_901_234_567 + number * 7_919, f"Quicksilver {number:03d} Zoë"


def fill(connection: sqlite3.Connection) -> None:
    """Seat people at matches, in no order, so that pages are split everywhere."""
    rng = Random(1)
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("BEGIN")
    for _ in range(MATCHES):
        match = rng.randbytes(6).hex()
        for order in (0, 1):
            connection.execute(INSERT, (match, order, *person(rng.randrange(PEOPLE))))
    connection.execute("COMMIT")


def leave_copies(path: Path) -> int:
    """Leave a name between pointers and rows of pages, as SQLite does when it splits some; return how many.

    It is some of many thousand rows that leave one, others with each version of SQLite.
    """
    name, left = person(0)[1].encode(), 0
    with closing(sqlite3.connect(path)) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    data = bytearray(path.read_bytes())
    for page in range(size, len(data), size):
        rows = page + int.from_bytes(data[page + 5 : page + 7])
        pointers = page + 8 + 2 * int.from_bytes(data[page + 3 : page + 5])
        if data[page] in LEAVES and pointers + len(name) <= rows:
            data[rows - len(name) : rows] = name
            left += 1
    path.write_bytes(data)
    return left


def delete(connection: sqlite3.Connection) -> None:
    """Put pseudonyms in the place of some people."""
    for number in range(LEAVING):
        connection.execute(
            "UPDATE chair SET person = ord + 1, name = 'Former player' WHERE person = ?", person(number)[:1]
        )


def traces(path: Path) -> int:
    """Return how often one of those who were deleted stands in a byte of any file."""
    everything = b"".join(file.read_bytes() for file in path.parent.iterdir())
    people = map(person, range(LEAVING))
    return sum(everything.count(who.to_bytes(8)) + everything.count(name.encode()) for who, name in people)


def content(path: Path) -> list[tuple[object, ...]]:
    """Return all rows, from a file that is sound."""
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return connection.execute("SELECT * FROM chair ORDER BY match, ord").fetchall()


def size_of(path: Path) -> int:
    return path.stat().st_size


@pytest.fixture(params=["new", "old"])
async def store(request: pytest.FixtureRequest, path: Path) -> AsyncIterator[SqliteStore]:
    """Return a filled database, made by this version, or by one that knew nothing of vacuuming in steps."""
    store = await open_sqlite(path)
    if request.param == "old":
        await store.close()
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA auto_vacuum = NONE")
            connection.execute("VACUUM")
        store = await open_sqlite(path)
    await store.writer.run(fill)
    await store.close()
    assert leave_copies(path) > 5
    store = await open_sqlite(path)
    yield store
    await store.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "house.db"


async def test_nobody_who_was_deleted_is_in_any_byte(store: SqliteStore, path: Path) -> None:
    await store.writer.run(delete)
    before = content(path)
    await store.writer.run(lambda connection: connection.execute("PRAGMA wal_checkpoint(TRUNCATE)"))
    assert traces(path)
    await store.scrub()
    assert traces(path) == 0
    assert content(path) == before
    # Nor does it come back with pages that the writer had in memory.
    await store.writer.run(lambda connection: connection.execute("UPDATE chair SET asked_at = 1.5"))
    await store.writer.run(lambda connection: connection.execute("PRAGMA wal_checkpoint(TRUNCATE)"))
    assert traces(path) == 0
    assert len(content(path)) == len(before)


async def test_others_commit_and_read_meanwhile(store: SqliteStore, path: Path) -> None:
    await store.writer.run(delete)
    done = 0

    async def commit() -> None:
        nonlocal done
        while True:
            async with store.transaction() as unit:
                await unit.set_value("count", str(done))
            async with store.read() as reader:
                assert await reader.value("count") == str(done)
            done += 1

    task = asyncio.create_task(commit())
    while done < 20 and not task.done():
        await store.scrub()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert traces(path) == 0
    assert content(path)


async def test_nobody_waits_for_a_reader_that_holds_on_to_the_log(store: SqliteStore, path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM chair").fetchone()
        await store.writer.run(delete)
        scrubbing = asyncio.create_task(store.scrub())
        for number in range(100):
            async with store.transaction() as unit:
                await unit.set_value("count", str(number))
        assert not scrubbing.done()
        assert traces(path)
    await scrubbing
    assert traces(path) == 0


async def test_another_program_may_write_meanwhile(store: SqliteStore, path: Path) -> None:
    await store.writer.run(delete)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        scrubbing = asyncio.create_task(store.scrub())
        number = 0
        while not scrubbing.done():
            other.execute("INSERT OR REPLACE INTO house (key, value) VALUES ('other', ?)", (number,))
            number += 1
            await let_others_run()
        await scrubbing
        assert other.execute("SELECT value FROM house").fetchall() == [(str(number - 1),)]
    assert traces(path) == 0
    assert content(path)


def replace_by_copy(path: Path) -> bytes:
    """Put a copy in a file's place; return what is in it."""
    copy = path.read_bytes()
    path.rename(path.with_name("moved.db"))
    path.write_bytes(copy)
    return copy


async def test_a_file_that_somebody_has_put_there_is_left_alone(store: SqliteStore, path: Path) -> None:
    copy = replace_by_copy(path)
    for _ in range(2):
        with pytest.raises(DatabaseReplaced):
            await store.scrub()
    assert await asyncio.to_thread(path.read_bytes) == copy


@pytest.mark.parametrize("store", ["new"], indirect=True)
async def test_free_pages_are_returned(store: SqliteStore, path: Path) -> None:
    await store.scrub()
    size = size_of(path)
    await store.writer.run(lambda connection: connection.execute("DELETE FROM chair"))
    await store.scrub()
    assert size_of(path) < size / 2
    assert content(path) == []


def test_no_page_of_whatever_bytes_has_unused_bytes_outside() -> None:
    rng = Random(2)
    for kind in (2, 5, 10, 13, 0, 255):
        for number in (1, 2, 3):
            for _ in range(300):
                page = bytearray(rng.randbytes(512))
                page[100 if number == 1 else 0] = kind
                page[104 if number == 1 else 4] &= 1
                for start, end in unused(bytes(page), number):
                    assert 0 < start < end <= len(page)
    assert list(unused(b"", 2)) == []
