from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.domain.tables import DEFAULT_THEME, Preferences
from bot.store import StoreError, prepare
from bot.store.checks import check_file
from bot.store.prepare import FileLock, check_sqlite
from bot.store.sqlite import SqliteStore, open_sqlite
from tests.kit.waiting import PATIENCE


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "house.db"


async def refusal(path: Path) -> str:
    """Return why a database is refused; it must not be touched by it."""
    before = content(path)
    with pytest.raises(StoreError) as caught:
        await create(path)
    assert content(path) == before
    return str(caught.value)


def content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def rights(path: Path) -> int:
    return path.stat().st_mode & 0o777


async def create(path: Path) -> None:
    await (await open_sqlite(path)).close()


async def test_only_its_owner_can_read_a_new_database(path: Path) -> None:
    before = os.umask(0)
    try:
        store = await open_sqlite(path)
    finally:
        os.umask(before)
    try:
        async with store.transaction() as unit:
            await unit.set_value("a", "b")
        found = {file.name: rights(file) for file in path.parent.iterdir()}
    finally:
        await store.close()
    assert {"house.db", "house.db-wal", "house.db-shm"} <= set(found)
    assert set(found.values()) == {0o600}


async def test_a_database_that_is_there_keeps_its_rights(path: Path) -> None:
    await create(path)
    os.chmod(path, 0o640)  # noqa: PTH101 - a path's own method would count as blocking
    await create(path)
    assert rights(path) == 0o640


async def rows_of(store: SqliteStore, sql: str) -> list[tuple[Any, ...]]:
    return list(await store.writer.run(lambda connection: connection.execute(sql).fetchall()))


async def test_a_new_database_has_our_pragmas(path: Path) -> None:
    store = await open_sqlite(path)
    try:
        for pragma, value in (
            ("journal_mode", "wal"),
            ("synchronous", 2),
            ("foreign_keys", 1),
            ("busy_timeout", prepare.BUSY_MILLISECONDS),
            ("user_version", len(prepare.migrations())),
            ("application_id", prepare.APPLICATION_ID),
        ):
            assert await rows_of(store, f"PRAGMA {pragma}") == [(value,)]
        tables = await rows_of(
            store,
            "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'",
        )
        assert {name for name, _ in tables} >= {"match", "chair", "log", "draft", "job", "shown", "person"}
        assert all(strict for _, strict in tables)
    finally:
        await store.close()


async def test_it_opens_again_and_keeps_what_it_has(path: Path) -> None:
    await create(path)
    before = content(path)
    await create(path)
    assert content(path) == before


async def test_the_folder_is_made_where_only_that_is_missing(tmp_path: Path) -> None:
    await create(tmp_path / "var" / "house.db")
    text = await refusal(tmp_path / "no" / "such" / "house.db")
    assert "There is no folder" in text
    assert "Make it first" in text


async def test_a_folder_is_no_database(tmp_path: Path) -> None:
    assert "is a folder" in await refusal(tmp_path)


def test_a_file_that_is_no_database(path: Path) -> None:
    path.write_bytes(b"not a database at all\n" * 200)
    text = asyncio.run(refusal(path))
    assert "is broken" in text
    assert "backup" in text


def test_a_malformed_database(path: Path) -> None:
    asyncio.run(create(path))
    data = bytearray(path.read_bytes())
    data[5000:-200] = b"\xff" * (len(data) - 5200)
    path.write_bytes(data)
    assert "is broken" in asyncio.run(refusal(path))


@pytest.mark.parametrize(("table", "is_refused"), [("log", False), ("chair", False), ("job", True)])
def test_the_start_of_a_large_house_reads_no_matches_that_are_over(
    path: Path, monkeypatch: pytest.MonkeyPatch, table: str, is_refused: bool
) -> None:
    monkeypatch.setattr(prepare, "WHOLLY_CHECKED_BYTES", 0)
    asyncio.run(create(path))
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    data = bytearray(path.read_bytes())
    data[(page - 1) * size : page * size] = b"\xff" * size
    path.write_bytes(data)
    if is_refused:
        assert "is broken" in asyncio.run(refusal(path))
    else:
        asyncio.run(create(path))
        with pytest.raises(StoreError, match="is broken"):
            check_file(path)


async def test_a_database_of_another_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
        other.commit()
    assert "another program" in await refusal(path)


async def test_a_newer_database(path: Path) -> None:
    await create(path)
    with closing(sqlite3.connect(path)) as newer:
        newer.execute("PRAGMA user_version = 9999")
    text = await refusal(path)
    assert "newer version" in text
    assert "9999" in text


def test_an_old_sqlite() -> None:
    check_sqlite((3, 37, 0))
    with pytest.raises(StoreError, match=r"3\.36\.9 is too old: 3\.37"):
        check_sqlite((3, 36, 9))


async def test_a_folder_that_cannot_be_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", denied)
    text = await refusal(path)
    assert "cannot be written (Permission denied)" in text
    assert "the right to write" in text


async def test_a_database_that_cannot_be_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await create(path)

    def read_only(database: Path, **_: bool) -> sqlite3.Connection:
        return sqlite3.connect(f"file:{database}?mode=ro&immutable=1", uri=True, isolation_level=None)

    monkeypatch.setattr(prepare, "connect", read_only)
    with pytest.raises(StoreError, match=r"cannot be opened for writing|no write-ahead log"):
        await open_sqlite(path)


def test_a_failed_start_lets_go_of_the_lock(path: Path) -> None:
    path.write_bytes(b"junk" * 1000)
    asyncio.run(refusal(path))
    path.unlink()
    asyncio.run(create(path))


async def test_one_process_at_a_time(path: Path, repository: Path) -> None:
    store = await open_sqlite(path)
    script = (
        "import asyncio, sys\nfrom pathlib import Path\nfrom bot.store import StoreError\n"
        "from bot.store.sqlite import open_sqlite\n"
        "async def main():\n"
        "    try:\n        store = await open_sqlite(Path(sys.argv[1]))\n"
        "    except StoreError as error:\n        sys.exit(str(error))\n"
        "    await store.close()\n"
        "asyncio.run(main())\n"
    )

    def other() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", script, str(path)],
            cwd=repository,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    try:
        second = await asyncio.to_thread(other)
        assert second.returncode == 1
        assert "Another process serves the database" in second.stderr
        assert "Another process" in await refusal(path)
    finally:
        await store.close()
    assert (await asyncio.to_thread(other)).returncode == 0


async def test_a_link_leads_to_the_same_lock(path: Path) -> None:
    store = await open_sqlite(path)
    link = path.with_name("link.db")
    link.symlink_to(path)
    try:
        with pytest.raises(StoreError, match="Another process"):
            await open_sqlite(link)
    finally:
        await store.close()


def test_the_lock_is_let_go_once(path: Path) -> None:
    lock = FileLock(path)
    lock.release()
    lock.take()
    lock.release()
    lock.release()


async def test_an_older_database_is_brought_up_to_date(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = prepare.migrations()
    monkeypatch.setattr(prepare, "migrations", lambda: whole[:1])
    await create(path)
    with closing(prepare.connect(path)) as connection:
        connection.execute(
            "INSERT INTO match VALUES ('m', 'g', '1', 2, '[]', '[]', 'open', NULL, '', 1, 'A', 1, 1,"
            " NULL, NULL, 0.0, NULL, 0.0, NULL)"
        )
        connection.execute("INSERT INTO person VALUES (11, 1, 'fr')")
    monkeypatch.setattr(prepare, "migrations", lambda: whole)
    store = await open_sqlite(path)
    try:
        async with store.read() as reader:
            assert await reader.preferences(11) == Preferences(dms=True, language="fr")
            table = await reader.table("m")
            assert table is not None
            assert table.info.theme == DEFAULT_THEME
    finally:
        await store.close()


async def test_a_migration_is_all_or_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await create(path)
    whole = prepare.migrations()
    broken = [*whole, "CREATE TABLE extra (a TEXT) STRICT;\nINSERT INTO nowhere VALUES (1);"]
    monkeypatch.setattr(prepare, "migrations", lambda: broken)
    with pytest.raises(StoreError, match="no such table: nowhere"):
        await open_sqlite(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(whole),)
        assert connection.execute("SELECT * FROM sqlite_schema WHERE name = 'extra'").fetchall() == []
    broken[-1] = "CREATE TABLE extra (a TEXT) STRICT;"
    await create(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(whole) + 1,)


def test_migrations_are_numbered_without_a_gap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def two(_: str) -> Path:
        return tmp_path

    (tmp_path / "migrations" / "sqlite").mkdir(parents=True)
    for name in ("0001_a.sql", "0003_b.sql"):
        (tmp_path / "migrations" / "sqlite" / name).write_text("SELECT 1;")
    monkeypatch.setattr(prepare, "files", two)
    with pytest.raises(RuntimeError, match="0003_b"):
        prepare.migrations()


@pytest.fixture
def raw(path: Path) -> Iterator[sqlite3.Connection]:
    """Return a connection past our own code, to a database with one match."""
    asyncio.run(create(path))
    with closing(prepare.connect(path)) as connection:
        connection.execute(
            "INSERT INTO match (id, game, ruleset, seats, options, data_hashes, status, commitment, host,"
            " host_name, guild, channel, opened_at, changed_at)"
            " VALUES ('m', 'g', '1', 2, '[]', '[]', 'open', '', 1, 'A', 1, 1, 0.0, 0.0)"
        )
        connection.execute("INSERT INTO log VALUES ('m', 1, 'act', 0, '[]', 'd', 'r1', 0.0, '', NULL, '')")
        yield connection


def test_the_log_only_grows(raw: sqlite3.Connection) -> None:
    for sql in (
        "UPDATE log SET words = '[1]'",
        "DELETE FROM log",
        "INSERT OR REPLACE INTO log VALUES ('m', 1, 'act', 0, '[2]', 'd', 'r2', 0.0, '', NULL, '')",
        "INSERT INTO log VALUES ('m', 1, 'act', 0, '[]', 'd', 'r2', 0.0, '', NULL, '')",
        "INSERT INTO log VALUES ('m', 2, 'act', 0, '[]', 'd', 'r1', 0.0, '', NULL, '')",
        "INSERT INTO log VALUES ('x', 1, 'act', 0, '[]', 'd', 'r3', 0.0, '', NULL, '')",
        "INSERT INTO log VALUES ('m', 3, 'shout', 0, '[]', 'd', 'r4', 0.0, '', NULL, '')",
        "INSERT INTO log VALUES ('m', 3, 'act', 'zero', '[]', 'd', 'r5', 0.0, '', NULL, '')",
    ):
        with pytest.raises(sqlite3.IntegrityError):
            raw.execute(sql)
    assert raw.execute("SELECT seq, words FROM log").fetchall() == [(1, "[]")]


def test_revisions_never_go_back(raw: sqlite3.Connection) -> None:
    raw.execute("INSERT INTO draft VALUES ('m', 0, 0, '[]', 5, 0, '[]', NULL)")
    raw.execute("UPDATE draft SET revision = 6")
    with pytest.raises(sqlite3.IntegrityError, match="never goes back"):
        raw.execute("UPDATE draft SET revision = 4")


def test_a_person_has_one_chair(raw: sqlite3.Connection) -> None:
    into = "INSERT INTO chair (match, ord, person, name, withdrawn, asked) VALUES ('m', ?, 7, 'A', 0, 0)"
    raw.execute(into, [0])
    with pytest.raises(sqlite3.IntegrityError):
        raw.execute(into, [1])


async def test_words_that_stood_for_names_are_left_out(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = prepare.migrations()
    monkeypatch.setattr(prepare, "migrations", lambda: whole[:19])
    await create(path)
    with closing(prepare.connect(path)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        for order, person in enumerate((1, 700_000_000_000_000_001)):
            connection.execute(
                "INSERT INTO chair (match, ord, person, name, withdrawn, asked) VALUES ('m', ?, ?, ?, 0, 0)",
                (order, person, "Former player"),
            )
        connection.execute("INSERT INTO person (id, dms, language) VALUES (11, 0, 'en')")
    monkeypatch.setattr(prepare, "migrations", lambda: whole)
    await (await open_sqlite(path)).close()
    with closing(prepare.connect(path)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM chair ORDER BY ord")]
        assert names == ["", "Former player"], "people may be called so"
        assert connection.execute("SELECT language, locale FROM person").fetchall() == [("", "")]
