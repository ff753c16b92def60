"""The journal: one line per event, written at once, readable by its owner only."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from sandbox.server import Sandbox
from tests.kit.person import Person


def lines_of(journal: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in journal.read_text("ascii").splitlines()]


async def test_what_happens_is_written_at_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    journal.touch(0o644)
    async with Sandbox(page=False, transcript=journal) as sandbox:
        assert stat.S_IMODE(journal.stat().st_mode) == 0o600
        async with await Person.connect(sandbox.entrance, "Alba") as alba:
            message = await alba.say("games", "Good evening")
            sandbox.advance(60.0)
            sandbox.mark("settled")
            sandbox.delete_message(message["id"])
            await alba.set_dms(is_open=False)
            sandbox.time_out("Alba", None)
            sandbox.leave("Alba")
            found = lines_of(journal)
    assert [line["t"] for line in found] == [
        "begun", "message", "clock", "mark", "moderated", "deletion", "dms", "timeout", "member",
    ]  # fmt: skip
    said, clock = found[1], found[2]
    assert (said["content"], said["author"], said["notified"]) == ("Good evening", int(alba.id), [])
    assert clock["at"] - said["at"] >= 60.0
    assert (clock["seconds"], clock["told"]) == (60.0, False)
    text = journal.read_text("ascii")
    assert sandbox.token not in text
    assert sandbox.guard.access.key not in text


def test_without_a_file_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sandbox = Sandbox(page=False)
    sandbox.mark("settled")
    assert not list(tmp_path.iterdir())


async def test_a_second_run_is_appended(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    for _ in range(2):
        async with Sandbox(page=False, transcript=journal):
            pass
    assert [line["t"] for line in lines_of(journal)] == ["begun", "begun"]
