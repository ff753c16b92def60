"""Somebody plays with computers alone: levels are chosen at the table, hints asked for, the bot killed."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.pages.custom_ids import Action, Button
from tests.e2e.proofs import nothing_private_reached_others, the_log_can_be_replayed
from tests.e2e.stage import (
    TABLES,
    Json,
    Player,
    Stage,
    action,
    asked,
    has,
    leave,
    over,
    places,
    press_id,
    refused,
)
from tests.kit.reading import text_of

TURNS = 4
"""Turns that are played by hints alone before somebody resigns."""


async def test_a_match_with_a_computer_by_hints_alone(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        alba, bruno = stage.alba, stage.bruno
        await alba.window.command(TABLES, "play volo", board="small")
        table = await alba.table()
        press = press_id(await bruno.table(), Button.COMPUTER)
        assert "Only the table’s host" in refused(await bruno.window.press(await bruno.table(), press))
        page = (await alba.window.press(table, press)).message
        assert page is not None
        assert "Fledgling" in text_of(page)
        await alba.window.press(page, "Fledgling")
        await alba.start(table)
        thread = str(table["id"])
        for number in range(TURNS):
            board = await alba.board(thread, lambda new: over(new) or asked(new) == [alba.id])
            if over(board):
                break
            if number == TURNS // 2:
                await stage.kill_bot()
                await stage.start_bot()
            await _play_a_hint(alba, thread)
        assert "easy" in text_of(await _newest_table(alba))
        if not over(await alba.board(thread)):
            await leave(stage, thread)
        await bruno.window.command(thread, "board")
        nothing_private_reached_others(stage)
        assert stage.sandbox.violations == []
        assert "incident" not in stage.logged()
        assert "failed" not in stage.logged()
        await the_log_can_be_replayed(stage, thread, "volo")


async def _play_a_hint(player: Player, thread: str) -> None:
    board = await player.board(thread)
    hinted = await player.touch(action(await player.open(thread), Action.HINT))
    assert "💡" in text_of(hinted)
    assert any(place.action is Action.CONFIRM for place in places(hinted))
    await player.touch(action(hinted, Action.CONFIRM))
    await player.board(thread, lambda new: (new["id"], text_of(new)) != (board["id"], text_of(board)))


async def _newest_table(player: Player) -> Json:
    place = player.window.channel_id(TABLES)
    found = [message for message in player.window.seen.values() if message["channel_id"] == place]
    return max((m for m in found if has(m, Button.RULES)), key=lambda message: int(message["id"]))


@pytest.mark.parametrize("allowed", [False, True])
async def test_who_plays_with_people_gets_hints_where_the_table_allows_them(
    allowed: bool, tmp_path: Path
) -> None:
    async with Stage(tmp_path) as stage:
        thread = await stage.begin("volo", **({"hints": True} if allowed else {}))
        [person] = asked(await stage.alba.board(thread))
        player = stage.alba if stage.alba.id == person else stage.bruno
        offered = {place.action for place in places(await player.open(thread))}
        assert (Action.HINT in offered) is allowed
        if allowed:
            await _play_a_hint(player, thread)
        await leave(stage, thread)
