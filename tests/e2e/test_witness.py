"""Recorded evenings are judged: an honest one gives no finding, each fault planted into its record does."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from engines.core.rng import Rng
from tests.e2e.stage import Stage, leave, play
from tests.e2e.test_clicks import IN_TURN, TOGETHER
from tests.kit.waiting import until
from tests.kit.witness.evening import read_evening
from tests.kit.witness.journal import SETTLED
from tests.kit.witness.report import judge

Line: TypeAlias = dict[str, Any]
Plant: TypeAlias = Callable[[list[Line], Path], list[Line]]
"""What changes a record; its database in place."""

DAY_S = 86_400

RECEIPT = re.compile(r"\\u2705 .*?\\n")
"""The line of a panel that confirms something, in JSON."""


@dataclass(frozen=True, slots=True)
class _Record:
    """A database, and the journal beside it."""

    database: Path
    journal: Path

    def kinds(self) -> set[str]:
        """Return the kinds of what the witness finds."""
        findings, _ = judge(self.database, self.journal)
        return {finding.kind for finding in findings}

    def with_fault(self, folder: Path, plant: Plant) -> _Record:
        """Return a copy that tells of something that has not happened so."""
        folder.mkdir()
        copy = _Record(_copied(self.database, folder / "copy.db"), folder / "journal")
        lines = [json.loads(line) for line in self.journal.read_text("ascii").splitlines()]
        copy.journal.write_text("".join(json.dumps(line) + "\n" for line in plant(lines, copy.database)))
        return copy


def _copied(database: Path, copy: Path) -> Path:
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    return copy


async def _play_and_record(stage: Stage, key: str) -> tuple[_Record, _Record]:
    """Play a match with a kill in it; return the records as of its middle and of its end."""
    for player in (stage.alba, stage.bruno):
        await player.window.command("games", "settings", dms="on")
    thread = await stage.begin(key, pace="day")
    rng, killed = Rng(bytes(32)).stream(key), False

    async def kill_once(said: int) -> None:
        nonlocal killed
        if said == 2 and not killed:
            killed = True
            await until(stage.all_is_shown)
            await stage.kill_bot()
            await stage.start_bot()

    await play(stage, thread, rng, kill_once, 4)
    assert killed
    await until(stage.all_is_shown)
    stage.sandbox.mark(SETTLED)
    folder = stage.database.parent
    middle = _Record(_copied(stage.database, folder / "middle.db"), folder / "middle")
    middle.journal.write_bytes(stage.transcript.read_bytes())
    await leave(stage, thread)
    assert not await stage.witness(), "\n".join(stage.judged)
    return middle, _Record(stage.database, stage.transcript)


@pytest.mark.parametrize("key", [IN_TURN, TOGETHER])
async def test_an_honest_evening_gives_no_finding_and_each_planted_fault_does(
    key: str, tmp_path: Path
) -> None:
    async with Stage(tmp_path) as stage:
        middle, end = await _play_and_record(stage, key)
    evening = read_evening(end.database, end.journal)
    assert len(evening.transcript.kills) == 1
    assert {screen.kind for screen in evening.transcript.screens} == {"board", "panel"}
    assert {post.kind for post in evening.transcript.posts} >= {"board", "panel", "goodbye"}
    assert not [press for press in evening.transcript.presses if press.act == "confirm" and not press.done]
    assert middle.kinds() == end.kinds() == set()
    for number, (record, plant, kind) in enumerate(
        (
            (end, _without_a_press, "no right"),
            (end, _without_goodbyes, "no goodbye"),
            (end, _without_the_resignation, "acknowledged and lost"),
            (middle, _with_later_deadlines_on_boards, "board wrong"),
            (middle, _with_a_clock_that_gained, "clock wrong"),
            (middle, _with_a_refusal, "refused and done"),
            (end, _with_other_receipts, "confirm wrong"),
        )
    ):
        assert kind in record.with_fault(tmp_path / str(number), plant).kinds(), plant.__name__


# --- planted faults ---------------------------------------------------------------------------------------


def _first_sentence(database: Path) -> tuple[int, str]:
    """Return number and interaction of the first sentence that a person has said."""
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute("SELECT seq, request FROM log WHERE kind = 'act' ORDER BY seq").fetchall()
    return next((seq, request) for seq, request in rows if request.isdecimal())


def _without_a_press(lines: list[Line], database: Path) -> list[Line]:
    """Nobody has pressed for the first sentence."""
    _, request = _first_sentence(database)
    return [line for line in lines if not (line["t"] == "interaction" and str(line["id"]) == request)]


def _without_goodbyes(lines: list[Line], _: Path) -> list[Line]:
    """Nobody was told directly how the match ended."""
    return [line for line in lines if not (line["t"] == "message" and " is over" in line["content"])]


def _without_the_resignation(lines: list[Line], database: Path) -> list[Line]:
    """The log has lost what somebody was told is done."""
    with closing(sqlite3.connect(database)) as connection, connection:
        triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for (name,) in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("DELETE FROM log WHERE kind = 'withdraw'")
    return lines


def _with_later_deadlines_on_boards(lines: list[Line], _: Path) -> list[Line]:
    """Every board shows deadlines that are a quarter of a day too late."""

    def later(found: re.Match[str]) -> str:
        return f"<t:{int(found[1]) + DAY_S // 4}:"

    return [
        json.loads(re.sub(r"<t:(\d+):", later, json.dumps(line)))
        if line["t"] in ("message", "edit")
        else line
        for line in lines
    ]


def _with_a_clock_that_gained(lines: list[Line], database: Path) -> list[Line]:
    """The database has a deadline that is a quarter of an hour too late."""
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE chair SET until = until + 900, deadline = deadline + 900")
    return lines


def _with_a_refusal(lines: list[Line], database: Path) -> list[Line]:
    """The first sentence was refused, whatever the log says."""
    _, request = _first_sentence(database)
    messages = {line["message"] for line in lines if line["t"] == "answer" and str(line["id"]) == request}

    def refused(line: Line) -> Line:
        if line.get("id") in messages and line["t"] in ("message", "edit"):
            return json.loads(RECEIPT.sub(r"\\u26a0\\ufe0f Refused\\n", json.dumps(line)))  # type: ignore[no-any-return]
        return line

    return [refused(line) for line in lines]


def _with_other_receipts(lines: list[Line], _: Path) -> list[Line]:
    """Every panel that confirms something tells what nobody has done."""

    def other(line: Line) -> Line:
        return json.loads(RECEIPT.sub(r"\\u2705 The tide turns.\\n", json.dumps(line)))  # type: ignore[no-any-return]

    return [other(line) if line["t"] in ("message", "edit") else line for line in lines]
