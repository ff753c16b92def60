"""Units that are committed together: each whole or not at all, whatever becomes of the others."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from bot.store import Conflict, StoreError
from bot.store.prepare import connect, prepare
from bot.store.schema import Statement
from bot.store.sqlite import SqliteStore, open_sqlite
from bot.store.writer import Entry, Writer, commit_group
from tests.kit.waiting import PATIENCE, let_others_run

VALUES = "INSERT INTO house (key, value) VALUES (?, ?)"


def unit(*keys: str, unique: bool = True) -> Entry:
    return Entry([Statement(VALUES, [(key, "1")], unique) for key in keys])


def keys(connection: sqlite3.Connection) -> list[str]:
    return [key for (key,) in connection.execute("SELECT key FROM house ORDER BY key")]


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    database = tmp_path / "house.db"
    prepare(database)
    connection = connect(database)
    yield connection
    connection.close()


async def set_value(store: SqliteStore, key: str) -> None:
    async with store.transaction() as unit:
        await unit.set_value(key, "1")


async def test_units_of_one_moment_share_a_commit(tmp_path: Path) -> None:
    store = await open_sqlite(tmp_path / "house.db")
    said: list[str] = []
    await store.writer.run(lambda connection: connection.set_trace_callback(said.append))
    await asyncio.gather(*(set_value(store, f"k{number}") for number in range(50)))
    assert said.count("COMMIT") == 2  # the first one's, and that of all who came meanwhile
    async with store.read() as reader:
        for number in range(50):
            assert await reader.value(f"k{number}") == "1"
    await store.close()


@pytest.mark.parametrize(
    ("bad", "error"),
    [
        ([Statement(VALUES, [("a", "2")], unique=True)], Conflict),
        ([Statement(VALUES, [("x", "1"), ("a", "2")])], sqlite3.IntegrityError),
        ([Statement(VALUES, [("x", "1")]), Statement("INSERT INTO nowhere VALUES (1)", [()])], sqlite3.Error),
        ([Statement(VALUES, [("x", "1")]), Statement(VALUES, [("y", 1 << 80)])], OverflowError),
    ],
)
def test_one_that_fails_costs_the_others_nothing(
    connection: sqlite3.Connection, bad: Sequence[Statement], error: type[Exception]
) -> None:
    group = [unit("a", "b"), Entry(bad), unit("c")]
    commit_group(connection, group)
    assert [type(entry.error) for entry in (group[0], group[2])] == [type(None)] * 2
    assert isinstance(group[1].error, error)
    assert all(entry.done for entry in group)
    assert keys(connection) == ["a", "b", "c"]


class NoCommit(sqlite3.Connection):
    """A connection whose disk fails when it matters."""

    def execute(self, sql: str, /, *values: object) -> sqlite3.Cursor:
        if sql == "COMMIT":
            raise sqlite3.OperationalError("disk I/O error")
        return super().execute(sql, *values)  # type: ignore[arg-type]


def test_nobody_is_told_that_it_is_committed_where_it_is_not(tmp_path: Path) -> None:
    database = tmp_path / "house.db"
    prepare(database)
    connection = sqlite3.connect(database, isolation_level=None, factory=NoCommit)
    group = [unit("a"), unit("a"), unit("b")]
    commit_group(connection, group)
    assert [str(entry.error) for entry in group] == ["disk I/O error"] * 3
    assert not connection.in_transaction
    assert keys(connection) == []
    connection.close()


class NoWayBack(NoCommit):
    """A connection whose disk is gone altogether."""

    def execute(self, sql: str, /, *values: object) -> sqlite3.Cursor:
        if sql == "ROLLBACK":
            raise sqlite3.OperationalError("disk I/O error")
        return super().execute(sql, *values)


async def test_nobody_waits_for_ever_where_nothing_works(tmp_path: Path) -> None:
    database = tmp_path / "house.db"
    prepare(database)
    broken = sqlite3.connect(database, isolation_level=None, factory=NoWayBack, check_same_thread=False)
    writer = Writer(broken)
    async with asyncio.timeout(PATIENCE):
        tasks = [writer.commit(unit(key).statements) for key in "abc"]
        results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [str(result) for result in results[:1]] == ["disk I/O error"]
    assert all(isinstance(result, sqlite3.OperationalError) for result in results)
    await writer.close()
    with sqlite3.connect(database) as connection:
        assert keys(connection) == []
    connection.close()


def test_a_full_disk_loses_nothing_that_was_acknowledged(connection: sqlite3.Connection) -> None:
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages + 4}")
    group = [Entry([Statement(VALUES, [(f"k{n:02}", "v" * 2_000)])]) for n in range(20)]
    commit_group(connection, group)
    assert not connection.in_transaction
    assert any(entry.error is not None for entry in group)
    assert keys(connection) == [f"k{n:02}" for n, entry in enumerate(group) if entry.error is None]


async def test_cancelled_before_its_turn_a_unit_is_not_carried_out(tmp_path: Path) -> None:
    store = await open_sqlite(tmp_path / "house.db")
    async with store.transaction() as holding:
        assert await holding.value("gone") is None  # who asks holds the connection
        tasks = [asyncio.create_task(set_value(store, key)) for key in ("gone", "stays")]
        await let_others_run()
        tasks[0].cancel()
        with pytest.raises(asyncio.CancelledError):
            await tasks[0]
    await tasks[1]
    async with store.read() as reader:
        assert await reader.value("gone") is None
        assert await reader.value("stays") == "1"
    await store.close()


async def test_whoever_leads_carries_the_others_along_even_if_cancelled(tmp_path: Path) -> None:
    prepare(tmp_path / "house.db")
    writer = Writer(connect(tmp_path / "house.db"))
    async with writer.lock:
        tasks = [asyncio.create_task(writer.commit(unit(key).statements)) for key in "abc"]
        await asyncio.sleep(0)
    while not any(task.done() for task in tasks):
        tasks[0].cancel()
        await asyncio.sleep(0)
    results = await asyncio.gather(*tasks, return_exceptions=True)
    found = await writer.run(keys)
    assert found in (["a", "b", "c"], ["b", "c"])
    assert [type(result) for result in results[1:]] == [type(None)] * 2
    await writer.close()


async def test_a_database_that_fails_is_explained_to_all(tmp_path: Path) -> None:
    store = await open_sqlite(tmp_path / "house.db")
    await store.writer.run(lambda connection: connection.execute("PRAGMA query_only = ON"))
    tasks = [set_value(store, key) for key in "ab"]
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(result) for result in results] == [StoreError] * 2
    await store.close()


PROGRAM = """
import asyncio, sys
from pathlib import Path
from bot.store.sqlite import open_sqlite

async def main():
    store = await open_sqlite(Path(sys.argv[1]))
    async def many(name):
        for number in range(10**6):
            async with store.transaction() as unit:
                await unit.set_value(f"{name}:{number}", "1")
            print(f"{name}:{number}", flush=True)
    await asyncio.gather(*(many(name) for name in "abcdefgh"))

asyncio.run(main())
"""


async def test_nothing_acknowledged_is_lost_by_a_kill(tmp_path: Path, repository: Path) -> None:
    path = tmp_path / "house.db"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PROGRAM, str(path), cwd=repository, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    told = [(await process.stdout.readline()).decode().strip() for _ in range(400)]
    os.kill(process.pid, signal.SIGKILL)
    told += [line.decode().strip() for line in (await process.stdout.read()).splitlines(keepends=True)[:-1]]
    await process.wait()
    store = await open_sqlite(path)
    async with store.read() as reader:
        lost = [key for key in told if await reader.value(key) is None]
    await store.close()
    assert lost == []
    assert len(set(told)) == len(told)
