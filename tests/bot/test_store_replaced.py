"""The files of SQLite deleted or replaced while they are open: nothing more is changed, and it is said."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from bot.store import StoreError
from bot.store.prepare import FileLock
from bot.store.sqlite import SqliteStore, open_sqlite


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "var").mkdir()
    return tmp_path / "var" / "house.db"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqliteStore]:
    store = await open_sqlite(path)
    await set_value(store, "before", "1")
    yield store
    await store.close()


async def set_value(store: SqliteStore, key: str, value: str) -> None:
    async with store.transaction() as unit:
        await unit.set_value(key, value)


async def ask_and_set(store: SqliteStore, key: str) -> None:
    """Change something in a unit that asks first: it holds the writing connection."""
    async with store.transaction() as unit:
        await unit.value(key)
        await unit.set_value(key, "1")


async def value(store: SqliteStore, key: str) -> str | None:
    async with store.read() as reader:
        return await reader.value(key)


def beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)


def deleted(end: str) -> Callable[[Path], None]:
    return lambda path: beside(path, end).unlink()


def replaced(end: str) -> Callable[[Path], None]:
    def replace(path: Path) -> None:
        other = path.with_name("other")
        shutil.copyfile(beside(path, end), other)
        other.replace(beside(path, end))

    return replace


def folder_renamed(path: Path) -> None:
    path.parent.rename(path.parent.with_name("elsewhere"))


def all_deleted(path: Path) -> None:
    for file in path.parent.iterdir():
        file.unlink()


DAMAGES = {
    "database deleted": deleted(""),
    "database replaced": replaced(""),
    "wal deleted": deleted("-wal"),
    "wal replaced": replaced("-wal"),
    "shm deleted": deleted("-shm"),
    "lock deleted": deleted(".lock"),
    "lock replaced": replaced(".lock"),
    "all deleted": all_deleted,
    "folder renamed": folder_renamed,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
async def test_every_use_is_refused_from_then_on(
    damage: Callable[[Path], None], store: SqliteStore, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    damage(path)
    for use in (set_value(store, "a", "1"), ask_and_set(store, "b"), value(store, "before"), store.scrub()):
        with pytest.raises(
            StoreError, match=r"is no longer the file that is open.*\n.*docs/troubleshooting\.md"
        ):
            await use
    records = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(records) == 1
    assert "docs/troubleshooting.md" in records[0].message
    assert not await store.writer.run(lambda connection: connection.in_transaction)


async def test_a_change_that_is_under_way_is_not_committed(store: SqliteStore, path: Path) -> None:
    async def change() -> None:
        async with store.transaction() as unit:
            assert await unit.value("late") is None
            await unit.set_value("late", "1")
            deleted("-wal")(path)

    with pytest.raises(StoreError, match="no longer"):
        await change()
    found = await store.writer.run(
        lambda connection: connection.execute("SELECT * FROM house WHERE key = 'late'").fetchall()
    )
    assert found == []


async def test_it_does_not_recover_once_the_file_is_back(store: SqliteStore, path: Path) -> None:
    aside = path.with_name("aside")
    os.rename(path, aside)  # noqa: PTH104 - a path's own method would count as blocking
    with pytest.raises(StoreError):
        await set_value(store, "a", "1")
    os.rename(aside, path)  # noqa: PTH104
    with pytest.raises(StoreError, match="no longer the file"):
        await set_value(store, "a", "1")


async def test_a_link_that_leads_elsewhere(path: Path) -> None:
    link = path.with_name("link.db")
    link.symlink_to(path.name)
    store = await open_sqlite(link)
    try:
        await set_value(store, "a", "1")
        link.unlink()
        link.symlink_to("another.db")
        with pytest.raises(StoreError, match="no longer the file"):
            await set_value(store, "a", "2")
    finally:
        await store.close()


@pytest.mark.parametrize("end", ["-wal", "-shm", ".lock"])
async def test_what_is_beside_it_may_go_and_a_stop_in_good_order_keeps_all(path: Path, end: str) -> None:
    """docs/troubleshooting.md promises it: as it closes, SQLite writes into the file what the log held."""
    store = await open_sqlite(path)
    await set_value(store, "kept", "1")
    deleted(end)(path)
    with pytest.raises(StoreError):
        await set_value(store, "lost", "1")
    await store.close()
    store = await open_sqlite(path)
    try:
        assert await value(store, "kept") == "1"
        assert await value(store, "lost") is None
    finally:
        await store.close()


async def test_of_two_that_serve_after_the_lock_was_deleted_the_first_changes_nothing(
    store: SqliteStore, path: Path
) -> None:
    deleted(".lock")(path)
    second = await open_sqlite(path)
    try:
        await set_value(second, "a", "second")
        with pytest.raises(StoreError, match="no longer the file"):
            await set_value(store, "a", "first")
        assert await value(second, "a") == "second"
    finally:
        await second.close()


async def test_a_file_that_was_renamed_gets_its_name_back_once_the_house_is_closed(path: Path) -> None:
    """docs/troubleshooting.md promises it."""
    store = await open_sqlite(path)
    await set_value(store, "kept", "1")
    aside = path.with_name("aside")
    os.rename(path, aside)  # noqa: PTH104
    with pytest.raises(StoreError):
        await set_value(store, "lost", "1")
    await store.close()
    os.rename(aside, path)  # noqa: PTH104
    store = await open_sqlite(path)
    try:
        assert await value(store, "kept") == "1"
    finally:
        await store.close()


OTHERS = (
    "connection.execute('SELECT * FROM house').fetchall()",
    "connection.execute('INSERT INTO house VALUES (1, 1)')",
    "connection.execute('PRAGMA wal_checkpoint(TRUNCATE)').fetchall()",
    "connection.execute('VACUUM')",
    "connection.backup(sqlite3.connect(':memory:'))",
)


@pytest.mark.parametrize("act", OTHERS)
async def test_other_programs_may_use_it_meanwhile(act: str, store: SqliteStore, path: Path) -> None:
    """What SQLite itself does with its files is no damage, however another connection is closed."""
    script = f"import sqlite3\nconnection = sqlite3.connect({str(path)!r}, isolation_level=None)\n{act}\n"
    for end in ("connection.close()", "import os\nos._exit(0)"):
        await asyncio.to_thread(subprocess.run, [sys.executable, "-c", script + end], check=True)
        script = script.replace("(1, 1)", "(2, 2)")
        await set_value(store, "a", end)
        assert await value(store, "a") == end


async def test_a_second_process_gets_a_lock_that_protects(path: Path) -> None:
    """A lock whose file was deleted while somebody took it would let two processes in."""

    class Hasty(FileLock):
        def _opened(self) -> int:
            handle = super()._opened()
            if not seen:
                seen.append(handle)
                beside(path, ".lock").unlink()
            return handle

    seen: list[int] = []
    lock = Hasty(path)
    lock.take()
    try:
        with pytest.raises(StoreError, match="Another process serves"):
            FileLock(path).take()
    finally:
        lock.release()
