"""The pulse, and what ``bauta health`` says of it."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from bot.cli.doctor.here import check_service
from bot.cli.doctor.report import State
from bot.cli.health import BEHIND, OFFLINE, SILENT, ailment, report
from bot.conditions import Conditions
from bot.config import Config
from bot.domain.jobs import JobKind, NewJob
from bot.heartbeat import Beat, Heartbeat, read_beat
from bot.store import StoreError
from tests.bot.conftest import Room
from tests.kit.waiting import eventually

NOW = 1_000_000.0
WELL = Beat(NOW, 1, online=True, since=NOW - 50.0, overdue=0.0)


class House:
    """A pulse with a clock that stands and a connection that can be cut."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.now = NOW
        self.online = False
        self.path = Config(database=room.path).pulse()
        self.conditions = Conditions()
        self.pulse = Heartbeat(
            self.path,
            room.store,
            lambda: self.online,
            conditions=self.conditions.present,
            clock=lambda: self.now,
            every=0.01,
        )

    def beat(self) -> Beat:
        beat = read_beat(self.path)
        assert beat is not None
        return beat


@pytest.fixture
def house(room: Room) -> House:
    return House(room)


async def test_a_beat_says_how_the_bot_is(house: House) -> None:
    await house.pulse.beat()
    assert house.beat() == Beat(NOW, os.getpid(), online=False, since=NOW, overdue=0.0)
    house.now, house.online = NOW + 5, True
    await house.pulse.beat()
    assert (house.beat().online, house.beat().since) == (True, NOW + 5)
    house.now = NOW + 9
    await house.pulse.beat()
    assert (house.beat().at, house.beat().since) == (NOW + 9, NOW + 5)


async def test_the_doctor_reads_what_lasts_from_the_pulse(house: House) -> None:
    house.conditions.note("commands", "Discord refused them (400, code 50035)")
    house.conditions.note("sessions", "x" * 10_000)
    await house.pulse.beat()
    found = {finding.name: finding for finding in check_service(house.path)}
    assert found["commands"].text == "Discord refused them (400, code 50035)"
    assert all(finding.state is State.NOTE and finding.advice for finding in found.values())
    house.conditions.clear("sessions")
    await house.pulse.beat()
    assert [finding.name for finding in check_service(house.path)] == ["commands"]


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


async def test_where_the_database_does_not_answer_nothing_beats(
    house: House, room: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await house.pulse.beat()

    def fails() -> None:
        raise StoreError("no")

    monkeypatch.setattr(room.store, "read", fails)
    house.now += 50
    await house.pulse.beat()
    await house.pulse.beat()
    assert house.beat().at == NOW
    assert [record.message for record in caplog.records] == ["the pulse cannot be written (StoreError)"]
    monkeypatch.undo()
    await house.pulse.beat()
    assert house.beat().at == NOW + 50


@pytest.mark.parametrize(
    ("beat", "later", "said"),
    [
        (WELL, SILENT - 1, ""),
        (WELL, SILENT + 1, "no sign"),
        (WELL, -SILENT - 1, "no sign"),
        (Beat(NOW, 1, online=False, since=NOW - OFFLINE + 1, overdue=0.0), 0.0, ""),
        (Beat(NOW, 1, online=False, since=NOW - OFFLINE - 1, overdue=0.0), 0.0, "not been connected"),
        (Beat(NOW, 1, online=True, since=NOW - 1, overdue=BEHIND), 0.0, ""),
        (Beat(NOW, 1, online=True, since=NOW - 1, overdue=BEHIND + 1), 0.0, "behind"),
    ],
)
def test_ailments(beat: Beat, later: float, said: str) -> None:
    found = ailment(beat, NOW + later)
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
