"""Some turns, hints against chance; the bot is killed, and who played by chance looks at turning points."""

from __future__ import annotations

from pathlib import Path

from bot.pages.custom_ids import Action, Button
from engines.core.rng import Rng
from tests.e2e.proofs import nothing_private_reached_others
from tests.e2e.stage import (
    Json,
    Player,
    Stage,
    action,
    asked,
    changed,
    components_of,
    has,
    leave,
    over,
    press_id,
)
from tests.kit.reading import text_of

TURNS = 8
"""Turns, by hints and by chance in turn, after which the match is left if it is not over by then."""

NEXT = "Next ▶"


async def test_who_has_played_looks_at_turning_points_afterwards(tmp_path: Path) -> None:
    stream = Rng(bytes(32)).stream("turning points")
    async with Stage(tmp_path) as stage:
        alba, bruno = stage.alba, stage.bruno
        thread = await stage.begin("volo", board="small", hints=True)
        assert not has(await _log(bruno, thread), Button.TURNING_POINTS)
        for _ in range(TURNS):
            if over(board := await alba.board(thread)):
                break
            if asked(board) == [alba.id]:
                hinted = await alba.touch(action(await alba.open(thread), Action.HINT))
                await alba.touch(action(hinted, Action.CONFIRM))
            else:
                await bruno.turn(thread, stream)
            await changed(alba, thread, board)
        if not over(await alba.board(thread)):
            await leave(stage, thread)
        await stage.kill_bot()
        await stage.start_bot()
        await _look_at_all(bruno, thread)
        clara = await stage.player("Clara")
        assert not has(await _log(clara, thread), Button.TURNING_POINTS)
        nothing_private_reached_others(stage)
        assert stage.sandbox.violations == []
        assert "incident" not in stage.logged()
        assert "failed" not in stage.logged()


async def _log(player: Player, thread: str) -> Json:
    message = (await player.window.command(thread, "log")).message
    assert message is not None
    return message


async def _look_at_all(player: Player, thread: str) -> None:
    """Look at a player's turning points, one after the other."""
    log = await _log(player, thread)
    page = (await player.window.press(log, press_id(log, Button.TURNING_POINTS))).message
    assert page is not None
    if not components_of(page):
        assert "No turning points" in text_of(page)
        return
    number = 1
    assert f"turning point {number} of" in text_of(page)
    while _can_be_pressed(page, NEXT):
        mark, number = len(player.window.received), number + 1
        await player.window.press(page, NEXT)
        page = await player.window.updated(page, since=mark)
        assert f"turning point {number} of" in text_of(page)
    assert number <= 3


def _can_be_pressed(page: Json, label: str) -> bool:
    return any(item.get("label") == label and not item.get("disabled") for item in components_of(page))
