"""Discord's REST API away while its gateway is there: nobody's time, and nobody is judged in it."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.domain.clocks import HOUR, MINUTE
from bot.gateway.rest_health import PAUSED_UNTIL
from bot.pages.custom_ids import Button
from engines.core.rng import Rng
from tests.e2e.stage import Player, Stage, asked, press_id
from tests.kit.reading import text_of
from tests.kit.waiting import eventually, until

OUT, BACK = "Discord's API is out of service", "Discord's API is in service again"
BAN_S = 600


def deadlines(stage: Stage) -> list[float]:
    sql = "SELECT deadline FROM chair WHERE deadline IS NOT NULL ORDER BY ord"
    with closing(sqlite3.connect(stage.database)) as connection:
        return [deadline for (deadline,) in connection.execute(sql).fetchall()]


def judged(stage: Stage) -> list[str]:
    sql = "SELECT kind FROM log WHERE kind IN ('time_up', 'lapse')"
    with closing(sqlite3.connect(stage.database)) as connection:
        return [kind for (kind,) in connection.execute(sql).fetchall()]


async def begun(stage: Stage) -> tuple[str, Player]:
    """Begin a match with an hour a decision; return its thread, and who is asked first."""
    thread = await stage.begin("volo", pace="evening")
    [person] = asked(await stage.alba.board(thread))
    # A request that is under way would begin before the clock is moved, and fail after it.
    await until(stage.all_is_shown)
    return thread, next(player for player in stage.people.values() if player.id == person)


@pytest.mark.parametrize(
    "fault",
    [
        {"status": 500},
        {"drop": True},
        pytest.param({"status": 429, "retry_after": None}, marks=pytest.mark.nightly),
    ],
)
async def test_half_an_hour_without_rest_is_nobodys(fault: dict[str, int], tmp_path: Path) -> None:
    async with Stage(tmp_path, moves_clock=True) as stage:
        thread, player = await begun(stage)
        before, clock = deadlines(stage), stage.sandbox.state.clock
        stage.sandbox.advance(HOUR - 10 * MINUTE)
        began = clock.now()
        stage.sandbox.fault(".*", 1_000_000, **fault)  # type: ignore[arg-type]
        board = await player.board(thread)
        await player.window.press(board, press_id(board, Button.LOG), wait=False)
        await eventually(lambda: OUT in stage.logged())
        for _ in range(3):
            stage.sandbox.advance(10 * MINUTE)
        lost = clock.now() - began
        stage.sandbox.state.faults.clear()
        await eventually(lambda: deadlines(stage) != before)
        assert BACK in stage.logged()
        [moved] = [new - old for new, old in zip(deadlines(stage), before, strict=True)]
        # What the bot took to start counts, too.
        assert lost - 2 < moved < lost + MINUTE
        assert judged(stage) == []
        # The ten minutes that were left are left, and count.
        stage.sandbox.advance(8 * MINUTE)
        assert await player.turn(thread, Rng(bytes(32)).stream("outage"))
        assert judged(stage) == []
        assert stage.sandbox.violations == []


async def test_an_outage_that_nobody_has_noticed_judges_nobody(tmp_path: Path) -> None:
    async with Stage(tmp_path, moves_clock=True) as stage:
        thread, _ = await begun(stage)
        await eventually(lambda: stage.sandbox.state.clock.now() > 0)
        stage.sandbox.fault(".*", 1_000_000, status=502)
        stage.sandbox.advance(HOUR + 1)
        await eventually(lambda: OUT in stage.logged())
        for _ in range(4):
            stage.sandbox.advance(MINUTE)
            await eventually(lambda: stage.sandbox.state.clock.now() > 0)
        assert judged(stage) == []
        stage.sandbox.state.faults.clear()
        await eventually(lambda: BACK in stage.logged())
        stage.sandbox.advance(10 * MINUTE)
        await eventually(lambda: judged(stage) == ["time_up"])
        await stage.alba.board(thread, lambda board: "⏳" not in text_of(board) or True)


async def is_noted(stage: Stage) -> bool:
    """Return whether the database holds until when nothing is sent."""
    with closing(sqlite3.connect(stage.database)) as connection:
        return bool(connection.execute("SELECT 1 FROM house WHERE key = ?", (PAUSED_UNTIL,)).fetchall())


async def test_a_ban_is_heeded_by_the_whole_house(tmp_path: Path) -> None:
    async with Stage(tmp_path, moves_clock=True) as stage:
        thread, player = await begun(stage)
        tried: list[str] = []
        take = stage.sandbox.state.faults.take

        def counted(method: str, path: str) -> object:
            tried.append(f"{method} {path}")
            return take(method, path)

        stage.sandbox.state.faults.take = counted  # type: ignore[method-assign, assignment]
        stage.sandbox.fault(".*", 1_000_000, ban=BAN_S)
        board = await player.board(thread)
        await player.window.press(board, press_id(board, Button.LOG), wait=False)
        await eventually(lambda: OUT in stage.logged())
        under_way = len(tried)
        assert under_way <= 2
        for _ in range(4):
            await player.window.press(board, press_id(board, Button.LOG), wait=False)
            stage.sandbox.advance(BAN_S / 6)
        await until(lambda: is_noted(stage))
        # It heeds the ban after a restart, too: logging in is a request.
        await stage.kill_bot()
        await stage.launch_bot()
        await eventually(lambda: len(re.findall("reconnecting in", stage.logged())) >= 1)
        assert len(tried) == under_way
        said = stage.logged()
        assert "no requests for 600 s: POST /interactions/{id}/{token}/callback says 429" in said
        assert "Traceback" not in said
        stage.sandbox.state.faults.clear()
