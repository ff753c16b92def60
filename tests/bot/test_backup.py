"""Backups and their return: whole, private, never over anything, refused where something could be lost."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.__main__ import main
from bot.domain.jobs import JobKind
from bot.domain.tables import Status
from bot.matches.outbox import RESTORE_ID, REVISION_JUMP, begin_after_restore
from bot.store import StoreError, prepare
from bot.store.backup import COPIED_AT, LOST_KEY, RESTORED_KEY, back_up, restore
from bot.store.checks import JSON_COLUMNS, check_file, is_held
from bot.store.sqlite import open_sqlite
from tests.bot.conftest import Room


def rows(database: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute(sql).fetchall()


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def some(folder: Path, pattern: str) -> list[Path]:
    return sorted(folder.glob(pattern))


def content(path: Path) -> bytes:
    return path.read_bytes()


@pytest.fixture
async def saved(room: Room, tmp_path: Path) -> Path:
    """Return a backup of a house with a match that has begun; the house goes on."""
    await room.lay_all(await room.begin())
    file = tmp_path / "saved.db"
    back_up(room.path, file)
    return file


async def test_a_backup_is_whole_private_and_one_file(room: Room, tmp_path: Path) -> None:
    info = await room.begin()
    before = names(tmp_path)
    found = back_up(room.path, tmp_path / "saved.db")
    assert names(tmp_path) == before | {"saved.db"}
    assert mode(tmp_path / "saved.db") == 0o600
    assert dict(found.matches) == {"running": 1}
    assert check_file(tmp_path / "saved.db").schema == len(prepare.migrations())
    assert rows(tmp_path / "saved.db", "SELECT id FROM match") == [(info.id,)]
    assert rows(tmp_path / "saved.db", "PRAGMA journal_mode") == [("delete",)]
    [(made,)] = rows(tmp_path / "saved.db", f"SELECT value FROM house WHERE key = '{COPIED_AT}'")
    assert isinstance(made, str)
    assert int(made) > 1_700_000_000


async def test_a_backup_holds_nobody_up_and_holds_one_moment(room: Room, tmp_path: Path) -> None:
    """A writer goes on while copies are made, and every copy is sound."""
    info = await room.begin("volto")
    stop, failed = threading.Event(), list[str]()

    def copy_on() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            try:
                back_up(room.path, tmp_path / f"saved-{number}.db")
            except StoreError as error:
                failed.append(str(error))

    thread = threading.Thread(target=copy_on)
    thread.start()
    try:
        assert await room.play_some(info, 22) == 22
    finally:
        stop.set()
        thread.join()
    assert failed == []
    copies = some(tmp_path, "saved-*.db")
    assert copies
    written = await room.log_rows(info.id)
    for copy in copies:
        [(count,)] = rows(copy, "SELECT count(*) FROM log")
        assert count in range(len(written) + 1)


async def test_nothing_is_overwritten(saved: Path, room: Room) -> None:
    before = content(saved)
    with pytest.raises(StoreError, match="exists already"):
        back_up(room.path, saved)
    assert content(saved) == before
    with pytest.raises(StoreError, match="exists already"):
        back_up(room.path, room.path)


async def test_a_name_that_is_taken_meanwhile_is_left_alone(
    room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "saved.db"
    link = Path.hardlink_to

    def others_first(self: Path, other: Path) -> None:
        target.write_text("somebody else's")
        link(self, other)

    monkeypatch.setattr(Path, "hardlink_to", others_first)
    with pytest.raises(StoreError, match="exists already"):
        back_up(room.path, target)
    assert target.read_text() == "somebody else's"
    assert not some(tmp_path, ".saved*")


def no_links(self: Path, other: Path) -> None:
    raise OSError(errno.EPERM, "Operation not permitted")


async def test_a_disk_without_second_names_will_do(
    room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await room.begin()
    monkeypatch.setattr(Path, "hardlink_to", no_links)
    back_up(room.path, tmp_path / "saved.db")
    await room.store.close()
    _, former = restore(tmp_path / "saved.db", room.path)
    assert former is not None
    assert len(rows(former, "SELECT id FROM match")) == len(rows(room.path, "SELECT id FROM match")) == 1
    await room.enter()


async def test_a_backup_that_cannot_be_made_leaves_nothing(
    room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(StoreError, match="There is no database"):
        back_up(tmp_path / "no.db", tmp_path / "saved.db")
    with pytest.raises(StoreError, match="cannot be written"):
        back_up(room.path, tmp_path / "no" / "such" / "saved.db")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    before = names(tmp_path)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space left"):
        back_up(room.path, tmp_path / "saved.db")
    assert names(tmp_path) == before


async def test_a_served_database_is_not_replaced(saved: Path, room: Room) -> None:
    assert is_held(room.path)
    before = room.path.read_bytes()
    with pytest.raises(StoreError, match="Another process serves"):
        restore(saved, room.path)
    assert room.path.read_bytes() == before
    await room.store.close()
    assert not is_held(room.path)
    restore(saved, room.path)
    assert not is_held(room.path)
    await room.enter()


async def test_the_former_database_stays_beside(saved: Path, room: Room) -> None:
    [info] = [line.table for line in await room.services.queries.matches(11 + 700000000000000000)]
    await room.play_some(info, 2)
    after = [one.seq for one in await room.log_rows(info.id)]
    await room.store.close()
    former = [restore(saved, room.path)[1] for _ in range(2)]
    assert [path.name for path in former if path is not None] == [
        "house.db.before-restore",
        "house.db.before-restore-2",
    ]
    assert former[0] is not None
    assert rows(former[0], "SELECT seq FROM log ORDER BY seq") == [(seq,) for seq in after]
    assert len(rows(room.path, "SELECT seq FROM log")) == len(after) - 2
    assert mode(room.path) == 0o600
    await room.enter()
    assert len(await room.log_rows(info.id)) == len(after) - 2


async def test_what_was_not_yet_in_the_main_file_goes_with_the_former_database(
    saved: Path, room: Room
) -> None:
    """A killed bot leaves its log beside the database: it is neither lost nor played into the backup."""
    await room.begin()
    await room.begin()
    wal, main = room.path.with_name("house.db-wal"), room.path
    kept = {path.name: path.read_bytes() for path in (main, wal)}
    assert len(kept["house.db-wal"]) > 0
    await room.store.close()
    for name, data in kept.items():
        main.with_name(name).write_bytes(data)
    _, former = restore(saved, main)
    assert former is not None
    assert len(rows(former, "SELECT id FROM match")) == 3
    assert len(rows(main, "SELECT id FROM match")) == 1
    await room.enter()


async def test_a_broken_database_is_replaced_too(saved: Path, room: Room) -> None:
    await room.store.close()
    room.path.write_bytes(b"\xff" * 5000)
    wal = room.path.with_name("house.db-wal")
    wal.write_bytes(b"\xff" * 500)
    _, former = restore(saved, room.path)
    assert former is not None
    assert former.read_bytes() == b"\xff" * 5000
    assert former.with_name(former.name + "-wal").read_bytes() == b"\xff" * 500
    assert not wal.exists()
    assert check_file(room.path).matches
    await room.enter()


async def test_a_failed_swap_leaves_everything_as_it_was(
    saved: Path, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    await room.begin()
    await room.store.close()
    before, here = room.path.read_bytes(), names(room.path.parent)
    replace = Path.replace

    def fails(self: Path, target: Path) -> Path:
        if self.name.startswith(".house.db."):
            raise OSError(errno.EIO, "Input/output error")
        return replace(self, target)

    for links in (Path.hardlink_to, no_links):
        monkeypatch.setattr(Path, "hardlink_to", links)
        monkeypatch.setattr(Path, "replace", fails)
        with pytest.raises(StoreError, match=r"Input/output error.*Nothing was changed"):
            restore(saved, room.path)
        assert room.path.read_bytes() == before
        assert names(room.path.parent) == here
    monkeypatch.undo()
    await room.enter()


def spoil(file: Path, sql: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(sql)
        connection.commit()


LOG_STANDS = """
CREATE TRIGGER log_stands BEFORE UPDATE ON log
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;
"""


BROKEN = r"^The backup \S+/saved\.db is broken.*Nothing was changed\.\nName another backup\.$"

TROUBLES: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing": (lambda file: file.unlink(), "There is no database"),
    "junk": (lambda file: file.write_bytes(b"junk" * 2000), BROKEN),
    "cut": (lambda file: os.truncate(file, file.stat().st_size // 2), BROKEN),
    "foreign": (
        lambda file: spoil(file, "PRAGMA application_id = 7"),
        r"another program.*\nName a backup\.$",
    ),
    "newer": (lambda file: spoil(file, "PRAGMA user_version = 999"), r"newer version.*999"),
    "orphan": (lambda file: spoil(file, "DELETE FROM match"), BROKEN),
}


OTHER = (
    r"^The backup \S+ has another schema than this program makes \({}\)\. Nothing was changed\.\nName a file"
)

SCHEMAS = {
    "CREATE TRIGGER spy AFTER INSERT ON log BEGIN SELECT 1; END": "'spy'",
    "CREATE VIEW all_seeds AS SELECT seed FROM match": "'all_seeds'",
    "CREATE TABLE added (a TEXT) STRICT": "'added'",
    "CREATE VIRTUAL TABLE added USING fts5 (a)": "'added', .*, …",
    "CREATE INDEX added ON person (abs(id))": "'added'",
    "CREATE INDEX added ON person (id) WHERE length(zone) > 2": "'added'",
    "ALTER TABLE person ADD COLUMN added TEXT": "'person'",
    "ALTER TABLE person ADD COLUMN added TEXT AS (upper(zone))": "'person'",
    "ALTER TABLE person RENAME COLUMN zone TO place": "'person'",
    "ALTER TABLE retired DROP COLUMN at": "'retired', 'retired_at'",
    "DROP TRIGGER log_stays": "'log_stays'",
    "DROP INDEX retired_at": "'retired_at'",
    "DROP TABLE retired": "'retired', 'retired_at'",
    "UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')') WHERE name = 'retired'": "'retired'",
    "UPDATE sqlite_schema SET sql = replace(sql, 'CHECK (revision >= 0)', '')": "'lesson'",
    "PRAGMA user_version = 3": ".*",
    "PRAGMA user_version = -1": ".*",
}


@pytest.mark.parametrize("statement", SCHEMAS)
async def test_a_backup_with_another_schema_is_refused(saved: Path, room: Room, statement: str) -> None:
    named = SCHEMAS[statement]
    if statement.startswith("ALTER TABLE retired"):
        spoil(saved, "DROP INDEX retired_at")
    spoil(saved, statement)
    await room.store.close()
    before = room.path.read_bytes()
    with pytest.raises(StoreError, match=OTHER.format(named)):
        restore(saved, room.path)
    assert room.path.read_bytes() == before
    await room.enter()


async def test_a_backup_with_statistics_of_sqlite_is_taken(saved: Path, room: Room) -> None:
    spoil(saved, "ANALYZE")
    await room.store.close()
    restore(saved, room.path)
    await room.enter()


@pytest.mark.parametrize("table", JSON_COLUMNS)
@pytest.mark.parametrize(
    "value", ["[" * 5 + "]" * 5, '{"a":' * 5 + "1" + "}" * 5, "[" * 200_000, '[["]", [[[1]]]]]']
)
async def test_a_backup_with_deeper_json_than_ours_is_refused(
    saved: Path, room: Room, table: str, value: str
) -> None:
    with closing(sqlite3.connect(saved)) as connection:
        connection.execute("INSERT INTO lesson VALUES (1, 'g', 'l', '[]', 0, '[]', 0)")
        connection.execute(
            "INSERT INTO server VALUES (1, 'everybody', '[]', '[]', NULL, '[]', 'none', NULL, '', '')"
        )
        connection.execute("DROP TRIGGER log_stands")
        for column in JSON_COLUMNS[table][-1:]:
            connection.execute(f"UPDATE {table} SET {column} = ?", (value,))
            assert connection.execute("SELECT changes()").fetchone() != (0,)
        connection.executescript(LOG_STANDS)
        connection.commit()
    await room.store.close()
    with pytest.raises(StoreError, match=f"in its table {table} that is nested deeper"):
        restore(saved, room.path)
    await room.enter()


async def test_brackets_in_a_text_are_no_depth(saved: Path, room: Room) -> None:
    spoil(saved, """UPDATE draft SET words = '["[[[[[[", "\\"[[[[[", "{{{{"]'""")
    await room.store.close()
    restore(saved, room.path)
    await room.enter()


@pytest.mark.parametrize("trouble", TROUBLES)
async def test_a_backup_that_cannot_be_used_is_refused(saved: Path, room: Room, trouble: str) -> None:
    do, text = TROUBLES[trouble]
    do(saved)
    await room.store.close()
    before, here = room.path.read_bytes(), names(room.path.parent)
    with pytest.raises(StoreError, match=text):
        restore(saved, room.path)
    assert room.path.read_bytes() == before
    assert names(room.path.parent) == here
    await room.enter()


async def test_a_backup_that_has_no_room_is_refused(
    saved: Path, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    await room.store.close()
    here = names(room.path.parent)
    free = 7
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(total=free, used=0, free=free))
    with pytest.raises(StoreError, match="Free some space"):
        restore(saved, room.path)
    assert names(room.path.parent) == here
    await room.enter()


async def test_a_broken_database_is_named_and_not_its_copy(room: Room, tmp_path: Path) -> None:
    await room.begin()
    spoil(room.path, "DELETE FROM match")
    with pytest.raises(
        StoreError, match=rf"^The database {room.path} is broken.*\nPut a backup in its place"
    ):
        back_up(room.path, tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()


async def test_the_database_is_no_backup_of_itself(room: Room) -> None:
    await room.store.close()
    with pytest.raises(StoreError, match="the database itself"):
        restore(room.path, room.path)
    await room.enter()


async def test_an_older_schema_is_brought_up_to_date_at_the_next_start(
    saved: Path, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = [*prepare.migrations(), "CREATE TABLE extra (a TEXT) STRICT;"]
    await room.store.close()
    monkeypatch.setattr(prepare, "migrations", lambda: scripts)
    monkeypatch.setattr("bot.store.checks.migrations", lambda: scripts)
    found, _ = restore(saved, room.path)
    assert found.lacks == 1
    await room.enter()
    assert rows(room.path, "SELECT count(*) FROM extra") == [(0,)]


async def test_a_house_is_restored_where_there_is_none(saved: Path, room: Room, tmp_path: Path) -> None:
    fresh = tmp_path / "elsewhere" / "house.db"
    found, former = restore(saved, fresh)
    assert former is None
    assert dict(found.matches) == {"running": 1}
    store = await open_sqlite(fresh)
    assert await begin_after_restore(store, 5.0)
    await store.close()


async def test_an_era_begins_once(saved: Path, room: Room) -> None:
    [line] = await room.services.queries.matches(700000000000000011)
    info = line.table
    panel = await room.panel(info, 0)
    lost = await room.begin()
    async with room.store.transaction() as unit:
        await unit.save_table((await room.services.cache.get(lost.id)).row)
    await room.store.close()
    restore(saved, room.path)
    [(era,)] = rows(room.path, f"SELECT value FROM house WHERE key = '{RESTORED_KEY}'")
    room.store = await open_sqlite(room.path)
    assert await begin_after_restore(room.store, room.now)
    assert not await begin_after_restore(room.store, room.now)
    async with room.store.read() as reader:
        assert await reader.value(RESTORE_ID) == era
        jobs = await reader.next_jobs(99, room.now)
    assert [(job.table_id, job.kind) for job in jobs if job.kind is JobKind.SET_BACK] == [
        (info.id, JobKind.SET_BACK)
    ]
    again = await (await room.again()).panel(info, 0)
    assert again.revision == panel.revision + REVISION_JUMP
    assert again.table.status is Status.RUNNING


async def test_where_lost_matches_are_shown_is_kept(saved: Path, room: Room) -> None:
    lost = await room.begin()
    columns = "match, surface, channel, message, epoch, version, since"
    sql = f"INSERT INTO shown ({columns}) VALUES (?, 'board', 71, 72, 1, 1, 0)"
    await room.store.close()
    with closing(sqlite3.connect(room.path)) as connection:
        connection.execute(sql, (lost.id,))
        connection.commit()
    restore(saved, room.path)
    [(value,)] = rows(room.path, f"SELECT value FROM house WHERE key = '{LOST_KEY}'")
    assert isinstance(value, str)
    assert [71, 72, "board"] in json.loads(value)
    await room.enter()


async def test_the_commands_say_what_they_did(
    room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BAUTA_DATABASE", str(room.path))
    await room.begin()
    file = str(tmp_path / "saved.db")
    assert main(["backup", file]) == 0
    assert f"{file}: 1 running" in capsys.readouterr().out
    assert main(["backup", file]) == 1
    assert "bauta backup: " in capsys.readouterr().err
    assert main(["restore", file]) == 1
    assert "Another process" in capsys.readouterr().err
    await room.store.close()
    assert main(["restore", file]) == 0
    out = capsys.readouterr().out
    assert "1 running" in out
    assert ".before-restore" in out
    monkeypatch.setenv("BAUTA_LOG_LEVEL", "LOUD")
    assert main(["restore", file]) == 1
    assert "settings" in capsys.readouterr().err
    await room.enter()
