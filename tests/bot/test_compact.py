"""``bauta compact``: files of older versions are rewritten, whole or not at all."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.cli.doctor.local_checks import check_sqlite_file
from bot.cli.doctor.report import State
from bot.store.checks import check_file
from tests.bot.conftest import Room


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def content(path: Path) -> bytes:
    return path.read_bytes()


def make_older(database: Path, name: str) -> None:
    """Make a file as older versions made it, with a name in a page that has been free since then."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA auto_vacuum = NONE")
        connection.execute("VACUUM")
        connection.execute("PRAGMA secure_delete = OFF")
        connection.execute("CREATE TABLE passing (name TEXT)")
        connection.executemany("INSERT INTO passing VALUES (?)", [(name,)] * 1_000)
        connection.execute("DROP TABLE passing")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def dump(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as connection:
        return list(connection.iterdump())


async def test_a_file_of_an_older_version_is_written_anew(
    room: Room, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    info = await room.begin("volto")
    await room.play_some(info, 4)
    await room.store.close()
    pulse = room.path.with_name("pulse")
    make_older(room.path, "Zoë Quicksilver")
    before = dump(room.path)
    assert not check_file(room.path).is_compact
    assert [each.name for each in check_sqlite_file(room.path, pulse) if each.state is State.NOTE] == [
        "compact"
    ]
    assert "Zoë Quicksilver".encode() in content(room.path)
    monkeypatch.setenv("BAUTA_DATABASE", str(room.path))
    assert main(["compact"]) == 0
    first, last = capsys.readouterr().out.splitlines()
    assert "take about 1 s" in first
    assert "1 running; schema" in last
    assert "it took" in last
    assert "Zoë Quicksilver".encode() not in content(room.path)
    assert dump(room.path) == before
    assert check_file(room.path).is_compact
    assert mode(room.path) == 0o600
    assert names(room.path.parent) == {room.path.name, f"{room.path.name}.lock"}
    assert [each.name for each in check_sqlite_file(room.path, pulse) if each.state is State.NOTE] == []
    await room.enter()
    assert await room.play_some(info, 4) == 4


async def test_nothing_is_compacted_that_is_served_broken_or_not_there(
    room: Room, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    await room.begin()
    monkeypatch.setenv("BAUTA_DATABASE", str(room.path))
    assert main(["compact"]) == 1
    assert "Another process serves" in capsys.readouterr().err
    await room.store.close()
    data = bytearray(content(room.path))
    data[4096:-4096] = b"\xff" * (len(data) - 8192)
    room.path.write_bytes(data)
    assert main(["compact"]) == 1
    assert "is broken" in capsys.readouterr().err
    assert content(room.path) == data
    assert names(room.path.parent) == {room.path.name, f"{room.path.name}.lock"}
    room.path.unlink()
    assert main(["compact"]) == 1
    assert "There is no database" in capsys.readouterr().err
    await room.enter()
