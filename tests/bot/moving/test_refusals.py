"""``bauta move`` refuses in words that say what to do, and changes nothing."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from bot.__main__ import main
from bot.domain.address import PostgresqlAddress
from bot.store import Store, StoreError, prepare
from bot.store.checks import open_read_only
from bot.store.contents import Row, Table
from bot.store.opening import open_store
from bot.store.postgresql import receiving
from bot.store.postgresql.moving import move
from bot.store.prepare import FileLock
from tests.bot.moving.conftest import arrived, change, quiet, refusal, schema_of
from tests.kit.postgresql import Cluster

SECRET = "s3cr3t-word"


# --- refusals of the source ---------------------------------------------------------------------------


def test_a_source_that_is_not_there_is_refused(tmp_path: Path, target: PostgresqlAddress) -> None:
    assert "There is no database" in refusal(tmp_path / "none.db", target)
    assert not list(tmp_path.iterdir())


def spoil(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[8192:12288] = b"\xff" * 4096
    path.write_bytes(data)


def test_a_source_of_another_program_is_refused(tmp_path: Path, target: PostgresqlAddress) -> None:
    change(tmp_path / "other.db", "CREATE TABLE a (b)")
    assert "another program" in refusal(tmp_path / "other.db", target)


async def test_a_damaged_source_is_refused(small: Path, target: PostgresqlAddress) -> None:
    change(small, "PRAGMA wal_checkpoint(TRUNCATE)")
    spoil(small)
    assert "is broken" in refusal(small, target)


async def test_an_older_source_and_a_newer_one_are_refused(small: Path, target: PostgresqlAddress) -> None:
    known = len(prepare.migrations())
    change(small, f"PRAGMA user_version = {known - 1}")
    assert "an older version" in refusal(small, target)
    change(small, f"PRAGMA user_version = {known + 1}")
    assert "a newer version" in refusal(small, target)


async def test_a_source_that_is_served_is_refused(small: Path, target: PostgresqlAddress) -> None:
    store = await open_store(small)
    try:
        assert "A bot serves" in await asyncio.to_thread(refusal, small, target)
    finally:
        await store.close()


async def test_nobody_begins_to_serve_the_source_meanwhile(small: Path, target: PostgresqlAddress) -> None:
    refused = list[str]()

    def look(words: str) -> None:
        with pytest.raises(StoreError, match="serves the database already"):
            FileLock(small).take()
        refused.append(words)

    await asyncio.to_thread(move, small, target, look)
    assert len(refused) > 2 * 16
    lock = FileLock(small)
    lock.take()
    lock.release()


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("CREATE TABLE added (a TEXT PRIMARY KEY) STRICT", "a table 'added'"),
        ("ALTER TABLE person ADD COLUMN added TEXT", "a column 'added' in its table 'person'"),
    ],
)
async def test_what_the_house_has_not_made_is_refused(
    small: Path, target: PostgresqlAddress, cluster: Cluster, statement: str, what: str
) -> None:
    change(small, statement)
    assert what in refusal(small, target)
    assert arrived(cluster, target) is None


UNMOVABLE = [
    (
        "UPDATE match SET host_name = 'a' || char(0) || 'secret'",
        "match",
        "host_name has a character of number 0",
    ),
    ("UPDATE match SET host_name = CAST(x'73656372657480' AS TEXT)", "match", "host_name is no text"),
    ("UPDATE match SET pace = 'secret'", "match", "it is against match_pace_check"),
    ("UPDATE chair SET name = 'secret', nudged = 9", "chair", "it is against chair_nudged_check"),
    (f"UPDATE request SET id = hex(randomblob({20_000})) WHERE rowid_of", "request", "it is against 54000"),
]


@pytest.mark.parametrize(("statement", "table", "why"), UNMOVABLE)
async def test_a_row_that_postgresql_does_not_take_is_named_but_not_shown(
    small: Path, target: PostgresqlAddress, cluster: Cluster, statement: str, table: str, why: str
) -> None:
    with closing(open_read_only(small)) as connection:
        [(match,)] = connection.execute("SELECT id FROM match").fetchall()
    change(small, statement.replace(" WHERE rowid_of", ""))
    said = refusal(small, target)
    assert f"A row of match {match} in the table {table} cannot stand in PostgreSQL ({why})" in said
    assert "secret" not in said
    assert "bauta doctor" in said
    assert arrived(cluster, target) is None


async def test_a_value_of_another_type_is_refused(
    small: Path, target: PostgresqlAddress, cluster: Cluster
) -> None:
    change(
        small,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET sql = replace(sql, 'REAL', 'ANY') WHERE name = 'match'",
        "PRAGMA writable_schema = RESET",
        "UPDATE match SET changed_at = 'secret'",
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET sql = replace(sql, 'ANY', 'REAL') WHERE name = 'match'",
        "PRAGMA writable_schema = RESET",
    )
    said = refusal(small, target)
    assert "changed_at is of another type" in said
    assert "secret" not in said


# --- refusals of the target ---------------------------------------------------------------------------


async def test_a_target_that_is_not_empty_is_refused(
    small: Path, target: PostgresqlAddress, cluster: Cluster
) -> None:
    store = await open_store(target)
    async with store.transaction() as unit:
        await unit.set_value("a", "b")
    await store.close()
    assert "is not empty: there are rows in its table house" in refusal(small, target)
    assert arrived(cluster, target) == 1


async def test_moving_twice_is_refused_and_says_that_all_is_there(
    small: Path, target: PostgresqlAddress
) -> None:
    await asyncio.to_thread(move, small, target, quiet)
    assert "a move leaves all or nothing, so everything is there" in refusal(small, target)


async def test_a_target_that_is_served_is_refused(
    small: Path, target: PostgresqlAddress, cluster: Cluster
) -> None:
    store = await open_store(target)
    try:
        assert "A bot serves" in await asyncio.to_thread(refusal, small, target)
    finally:
        await store.close()
    assert arrived(cluster, target) == 0


async def test_who_begins_to_serve_the_target_meanwhile_waits_and_who_has_begun_is_seen(
    small: Path, target: PostgresqlAddress, cluster: Cluster
) -> None:
    loop = asyncio.get_running_loop()
    begun = list[Future[Store]]()

    def look(words: str) -> None:
        if words.startswith("match:") and not begun:
            begun.append(asyncio.run_coroutine_threadsafe(open_store(target), loop))
            while not cluster.execute("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"):
                assert not begun[0].done()

    await (await open_store(target)).close()
    moved = await asyncio.to_thread(move, small, target, look)
    store = await asyncio.wrap_future(begun[0])
    await store.close()
    assert arrived(cluster, target) == moved.rows


async def test_two_moves_at_once_do_not_mix(small: Path, target: PostgresqlAddress, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(small)) as old, closing(sqlite3.connect(other)) as copy:
        old.backup(copy)
    refused = list[str]()

    def look(words: str) -> None:
        if not refused:
            refused.append(refusal(other, target))

    def at_match(words: str) -> None:
        if words.startswith("match:"):
            look(words)

    await asyncio.to_thread(move, small, target, at_match)
    assert "Another process moves matches" in refused[0]


async def test_a_target_of_another_program_is_refused(
    small: Path, target: PostgresqlAddress, cluster: Cluster
) -> None:
    cluster.execute(f"CREATE TABLE {schema_of(target)}.match (a INT)")
    assert "another program's tables" in refusal(small, target)
    assert arrived(cluster, target) == 0


async def test_a_target_of_a_newer_version_is_refused(
    small: Path, target: PostgresqlAddress, cluster: Cluster
) -> None:
    await (await open_store(target)).close()
    cluster.execute(f"INSERT INTO {schema_of(target)}.migration (number) VALUES (9999)")
    assert "a newer version" in refusal(small, target)
    assert arrived(cluster, target) == 0


async def test_a_target_whose_tables_are_in_use_is_refused(
    small: Path, target: PostgresqlAddress, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    await (await open_store(target)).close()
    monkeypatch.setattr(receiving, "_BOUNDS", ("SET LOCAL lock_timeout = '50ms'",))
    with closing(psycopg.connect(target.url)) as somebody:
        somebody.execute("SELECT FROM match")
        assert "Somebody is using the tables" in refusal(small, target)


async def test_a_target_that_does_not_answer_is_refused_without_its_password(
    small: Path, cluster: Cluster, capsys: pytest.CaptureFixture[str]
) -> None:
    for place in (f"bauta:{SECRET}@127.0.0.1:1/bauta", f"nobody:{SECRET}@/postgres?host={cluster.folder}"):
        url = f"postgresql://{place}"
        said = refusal(small, PostgresqlAddress(url))
        assert "cannot be used" in said
        assert main(["move", "--from", f"sqlite:{small}", "--to", url]) == 1
        shown = "".join(capsys.readouterr())
        assert "--to" in shown
        assert SECRET not in shown + said


async def test_a_user_who_may_make_no_tables_is_refused(
    small: Path, target: PostgresqlAddress, cluster: Cluster
) -> None:
    cluster.execute("CREATE ROLE visitor LOGIN")
    cluster.execute(f"GRANT USAGE ON SCHEMA {schema_of(target)} TO visitor")
    address = PostgresqlAddress(target.url.replace("bauta@", "visitor@"))
    assert "may not make tables" in refusal(small, address)
    assert arrived(cluster, target) is None


SPOILT = [
    ("chair", "UPDATE chair SET name = name || '!'", "the table chair"),
    ("job", "UPDATE job SET due = due + 0.001", "the table job"),
    ("request", "DELETE FROM request", "the table request"),
    (
        "log",
        "INSERT INTO log SELECT match, 3, kind, seat, words, digest, 'x', at, chain FROM log WHERE seq = 1",
        "the log of match",
    ),
]


@pytest.mark.parametrize(("table", "statement", "what"), SPOILT)
async def test_what_arrives_as_something_else_is_found(
    small: Path,
    target: PostgresqlAddress,
    cluster: Cluster,
    monkeypatch: pytest.MonkeyPatch,
    table: str,
    statement: str,
    what: str,
) -> None:
    honest = receiving.Receiver.rows

    def spoilt(self: receiving.Receiver, read: Table) -> Iterator[Row]:
        if read.name == table:
            self._connection.execute(statement.encode())
        return honest(self, read)

    monkeypatch.setattr(receiving.Receiver, "rows", spoilt)
    assert what in refusal(small, target)
    assert arrived(cluster, target) is None
