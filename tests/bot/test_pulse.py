"""The pulse, and what ``bauta health`` says of it."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.cli.doctor.local_checks import check_service
from bot.cli.doctor.report import State
from bot.cli.health import MAX_OFFLINE_S, MAX_OVERDUE_S, health_problem, report
from bot.config import Config
from bot.domain.jobs import JobKind, NewJob
from bot.runtime.heartbeat import MAX_AGE_S, Beat, Conditions, Heartbeat, read_beat
from bot.store import StoreError, Transaction
from bot.store.sqlite import open_sqlite
from renderers.core.disk_cache import DiskCache
from tests.bot.conftest import Room
from tests.kit.postgresql import BOTH_STORES
from tests.kit.waiting import eventually

NOW = 1_000_000.0
WELL = Beat(NOW, 1, online=True, since=NOW - 50.0, overdue=0.0)


class House:
    """A pulse with a clock that stands and a connection that can be cut."""

    def __init__(self, room: Room, path: Path) -> None:
        self.room = room
        self.now = NOW
        self.online = False
        self.path = path
        self.conditions = Conditions()
        self.pulse = Heartbeat(
            self.path,
            room.store,
            lambda: self.online,
            conditions=self.conditions.present,
            clock=lambda: self.now,
            interval=0.01,
        )

    def beat(self) -> Beat:
        beat = read_beat(self.path)
        assert beat is not None
        return beat


@pytest.fixture
def house(room: Room, tmp_path: Path) -> House:
    return House(room, tmp_path / "house.pulse")


async def test_a_pulse_in_the_cache_leaves_the_cache_its_users_alone(
    room: Room, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """With PostgreSQL the pulse stands there, and may come before the first picture."""
    for folder in (tmp_path / "new", tmp_path / "wide"):
        async with Heartbeat(folder / "shards-all.pulse", room.store, lambda: True).beating():
            if folder.name == "wide":  # as an earlier version made it
                folder.chmod(0o755)
            assert DiskCache(folder).make_private()
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


@BOTH_STORES
async def test_a_beat_says_how_the_bot_is(house: House, room: Room) -> None:
    await house.pulse.beat()
    files = dict(room.store.files)
    assert house.beat() == Beat(NOW, os.getpid(), online=False, since=NOW, overdue=0.0, files=files)
    house.now, house.online = NOW + 5, True
    await house.pulse.beat()
    assert (house.beat().online, house.beat().since) == (True, NOW + 5)
    house.now = NOW + 9
    await house.pulse.beat()
    assert (house.beat().at, house.beat().since) == (NOW + 9, NOW + 5)


async def test_the_doctor_reads_what_lasts_from_the_pulse(house: House) -> None:
    house.conditions.note("commands", "Discord refused them (400, code 50035)")
    house.conditions.note("sessions", "x" * 10_000)
    house.now, house.online = time.time(), True
    await house.pulse.beat()
    found = {finding.name: finding for finding in check_service(house.path)}
    assert found["commands"].text == "Discord refused them (400, code 50035)"
    assert found.pop("service").state is State.OK
    assert all(finding.state is State.NOTE and finding.advice for finding in found.values())
    house.conditions.clear("sessions")
    await house.pulse.beat()
    assert [finding.name for finding in check_service(house.path)] == ["service", "commands"]


async def test_a_job_that_is_due_is_counted(house: House, room: Room) -> None:
    info = await room.begin()
    async with room.store.transaction() as unit:
        await unit.enqueue([NewJob(info.id, JobKind.BOARD, due=NOW - 700.0)])
    house.now = max(NOW, room.now)
    await house.pulse.beat()
    assert house.beat().overdue >= 700.0


async def test_it_beats_on_and_stops_in_good_order(house: House) -> None:
    async with house.pulse.beating():
        assert house.path.exists()
        house.now += 3
        await eventually(lambda: house.beat().at == NOW + 3)
    assert not house.path.exists()


@BOTH_STORES
async def test_a_database_that_cannot_be_asked_is_said_once_and_is_ill(
    house: House, room: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails() -> None:
        raise StoreError("no\nand what to do")

    monkeypatch.setattr(room.store, "read", fails)
    await house.pulse.beat()
    await house.pulse.beat()
    assert health_problem(house.beat(), NOW) == "no"
    assert [record.message for record in caplog.records] == ["unhealthy: no"]
    monkeypatch.undo()
    await house.pulse.beat()
    assert health_problem(house.beat(), NOW) == ""


async def test_what_can_be_asked_and_not_written_is_ill(house: House, room: Room) -> None:
    await room.writer.run(lambda connection: connection.execute("PRAGMA query_only = ON"))
    await house.pulse.beat()
    assert "cannot be opened for writing" in health_problem(house.beat(), NOW)
    house.now = time.time()
    await house.pulse.beat()
    assert check_service(house.path)[0].state is State.FAIL
    await room.writer.run(lambda connection: connection.execute("PRAGMA query_only = OFF"))
    await house.pulse.beat()
    assert house.beat().problem == ""


@BOTH_STORES
async def test_a_commit_that_hangs_is_known_before_it_ends(house: House, room: Room) -> None:
    release = asyncio.Event()
    transaction = room.store.transaction

    @asynccontextmanager
    async def hangs() -> AsyncIterator[Transaction]:
        async with transaction() as unit:
            yield unit
            tries.append(1)
            await release.wait()

    tries: list[int] = []
    house.pulse = Heartbeat(house.path, room.store, lambda: True, clock=lambda: house.now, probe_timeout=0.05)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room.store, "transaction", hangs)
        for _ in range(3):
            await house.pulse.beat()
            assert "has not answered for" in health_problem(house.beat(), NOW)
    assert len(tries) <= 1, "none is tried beside one that hangs"
    release.set()
    house.pulse = Heartbeat(house.path, room.store, lambda: True, clock=lambda: house.now)
    await house.pulse.beat()
    assert house.beat().problem == ""


async def test_another_value_than_the_one_that_was_committed_is_ill(house: House, room: Room) -> None:
    other = await open_sqlite(room.path.with_name("other.db"))
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(room.store, "read", other.read)
            await house.pulse.beat()
        assert "is not in its database" in house.beat().problem
    finally:
        await other.close()


async def test_a_pulse_that_cannot_be_written_ages(house: House, caplog: pytest.LogCaptureFixture) -> None:
    await house.pulse.beat()
    blocked = house.path.with_name(house.path.name + ".new")
    blocked.mkdir()
    house.now += MAX_AGE_S + 1
    for _ in range(2):
        await house.pulse.beat()
    assert "no sign" in health_problem(house.beat(), house.now)
    assert [record.message for record in caplog.records] == [
        "unhealthy: the pulse cannot be written (Is a directory)"
    ]
    blocked.rmdir()
    await house.pulse.beat()
    assert health_problem(house.beat(), house.now) == ""


@pytest.mark.parametrize(
    ("beat", "later", "said"),
    [
        (WELL, MAX_AGE_S - 1, ""),
        (WELL, MAX_AGE_S + 1, "no sign"),
        (WELL, -MAX_AGE_S - 1, "no sign"),
        (Beat(NOW, 1, online=False, since=NOW - MAX_OFFLINE_S + 1, overdue=0.0), 0.0, ""),
        (Beat(NOW, 1, online=False, since=NOW - MAX_OFFLINE_S - 1, overdue=0.0), 0.0, "not been connected"),
        (Beat(NOW, 1, online=True, since=NOW - 1, overdue=MAX_OVERDUE_S), 0.0, ""),
        (Beat(NOW, 1, online=True, since=NOW - 1, overdue=MAX_OVERDUE_S + 1), 0.0, "behind"),
        (Beat(NOW, 1, online=True, since=NOW - 1, overdue=0.0, problem="no room"), 0.0, "no room"),
    ],
)
def test_health_problems(beat: Beat, later: float, said: str) -> None:
    found = health_problem(beat, NOW + later)
    assert (said in found) if said else (found == "")


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    database = tmp_path / "house.db"
    monkeypatch.setenv("BAUTA_DATABASE", str(database))
    path = Config(database=database).pulse()

    def health() -> tuple[int, str]:
        return report(), capsys.readouterr().out.strip()

    assert health() == (1, "no bot serves this database")
    for junk in ("", "junk", "[1]", "{}", json.dumps({"at": "soon"})):
        path.write_text(junk)
        assert health() == (1, "its pulse cannot be read")
    now = time.time()
    path.write_text(json.dumps({"at": now, "pid": 1, "online": True, "since": now, "overdue": 0}))
    assert health() == (0, "well")
    path.write_text(json.dumps({"at": now - 9_000, "pid": 1, "online": True, "since": now, "overdue": 0}))
    code, said = health()
    assert code == 1
    assert "no sign" in said
    monkeypatch.setenv("BAUTA_LOG_LEVEL", "LOUD")
    code, said = health()
    assert code == 1
    assert "settings" in said
