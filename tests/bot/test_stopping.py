"""Whatever hangs, a stop ends: what was not confirmed is undone, and the exit code says that all is well."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path

import pytest

from bot.domain.shards import ALL
from bot.runtime.background import BackgroundTasks, alongside
from bot.store import Store, StoreError, open_store
from bot.store.postgresql import connections
from bot.store.prepare import FileLock
from bot.store.sqlite import SqliteStore, open_sqlite
from tests.kit.postgresql import Cluster
from tests.kit.waiting import PATIENCE, eventually, for_ever, let_others_run

# --- the whole process --------------------------------------------------------------------------------

PROGRAM = """
import asyncio, logging, os, sys, time
from bot.cli import running
from bot.runtime.log_setup import set_up

running.SHUTDOWN_TIMEOUT_S = 0.2
set_up("INFO")

def tell():
    os.write(1, b"ready")

{work}

sys.exit(running.run_until_stopped(work(), until_eof=False))
"""

HANGS = {
    "a thread that asks for a name": """
async def work():
    hangs = asyncio.to_thread(time.sleep, 3600)
    asyncio.get_running_loop().call_later(0.1, tell)
    await hangs
""",
    "a task that cannot be cancelled": """
async def work():
    tell()
    while True:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            pass
""",
    "the loop itself": """
async def work():
    tell()
    time.sleep(3600)
""",
    "whatever reads the log": """
async def work():
    asyncio.get_running_loop().call_later(0.1, tell)
    await asyncio.sleep(0.2)
    while True:
        logging.getLogger("bauta").info("x" * 60_000)
""",
}


@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("work", HANGS.values(), ids=HANGS)
def test_a_stop_ends_whatever_hangs(work: str, asked: signal.Signals) -> None:
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, "-c", PROGRAM.format(work=work)], stdout=pipe, stderr=pipe)
    with process:
        try:
            assert process.stdout is not None
            assert process.stdout.read(5) == b"ready"
            process.send_signal(asked)
            # Nobody reads what it logs.
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()


# --- the store ----------------------------------------------------------------------------------------


@pytest.fixture
async def sqlite(tmp_path: Path) -> SqliteStore:
    return await open_sqlite(tmp_path / "house.db")


async def put(store: Store) -> None:
    async with store.transaction() as unit:
        await unit.set_value("a", "1")


async def ask_and_put(store: Store) -> None:
    async with store.transaction() as unit:
        await unit.value("a")
        await unit.set_value("a", "1")


async def is_undone(store: Store, *units: asyncio.Task[None]) -> None:
    """Close a store; units that were under way fail, and nothing waits for what they wait for."""
    async with asyncio.timeout(PATIENCE):
        await store.close()
        found = await asyncio.gather(*units, return_exceptions=True)
    assert all(isinstance(each, StoreError) for each in found), found


@contextmanager
def locked(database: Path) -> Iterator[None]:
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


async def test_another_program_that_locks_the_file_holds_up_no_stop(
    sqlite: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.writer.BUSY_MILLISECONDS", 3_600_000)
    with locked(tmp_path / "house.db"):
        units = [asyncio.create_task(work(sqlite)) for work in (put, ask_and_put, put)]
        await asyncio.sleep(0)
        await is_undone(sqlite, *units)
    again = await open_sqlite(tmp_path / "house.db")
    async with again.read() as reader:
        assert await reader.value("a") is None
    await again.close()


async def test_a_unit_waits_for_another_program_while_nobody_stops(
    sqlite: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.writer.BUSY_SLICE_MS", 1)
    with locked(tmp_path / "house.db"):
        unit = asyncio.create_task(put(sqlite))
        done, _ = await asyncio.wait([unit], timeout=0.1)
        assert not done
    await unit
    await sqlite.close()


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT begun() UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


async def test_a_long_question_holds_up_no_stop(sqlite: SqliteStore) -> None:
    """Such as the search through all rows, or a VACUUM."""
    begun = threading.Event()

    def note() -> int:
        begun.set()
        return 1

    def ask(connection: sqlite3.Connection) -> None:
        connection.create_function("begun", 0, note)
        connection.execute(ENDLESS).fetchone()

    working = asyncio.create_task(sqlite.writer.run(ask))
    await eventually(begun.is_set)
    async with asyncio.timeout(PATIENCE):
        await sqlite.close()
        with pytest.raises(sqlite3.OperationalError, match="interrupted"):
            await working


async def test_a_disk_that_does_not_respond_keeps_the_lock(sqlite: SqliteStore, tmp_path: Path) -> None:
    begun, responds = threading.Event(), threading.Event()

    def hang(_: sqlite3.Connection) -> None:
        begun.set()
        responds.wait(PATIENCE)

    working = asyncio.create_task(sqlite.writer.run(hang))
    await eventually(begun.is_set)
    async with asyncio.timeout(PATIENCE):
        await sqlite.close()
    lock = FileLock(tmp_path / "house.db")
    # What hangs may be written yet: nobody else may serve the file.
    with pytest.raises(StoreError, match="serves the database already"):
        lock.take()
    responds.set()
    await working
    # Once it responds, the connections are closed after all.
    await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}))


@asynccontextmanager
async def frozen(cluster: Cluster) -> AsyncIterator[None]:
    cluster.signal(signal.SIGSTOP)
    try:
        yield
    finally:
        cluster.signal(signal.SIGCONT)


async def test_a_frozen_postgresql_holds_up_no_stop(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "RESPONSE_TIMEOUT_S", 3_600.0)
    store = await open_store(cluster.house(), ALL)
    async with frozen(cluster):
        units = [asyncio.create_task(work(store)) for work in (put, ask_and_put, put)]
        await let_others_run()
        await is_undone(store, *units)


# --- work in the background ---------------------------------------------------------------------------


async def stubborn() -> None:
    """Go on whatever happens, as what waits for a database does."""
    while True:
        with suppress(asyncio.CancelledError):
            await for_ever()


async def test_work_in_the_background_holds_up_no_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.runtime.background.CANCEL_TIMEOUT_S", 0.01)
    before = asyncio.all_tasks()
    tasks = BackgroundTasks()
    tasks.spawn(stubborn(), "stubborn")
    async with asyncio.timeout(PATIENCE):
        async with alongside(stubborn(), "stubborn"):
            await asyncio.sleep(0)
        await tasks.close()
    for task in asyncio.all_tasks() - before:
        task.get_coro().close()
