"""What is shown follows from what is committed: after kills, deletions, lost answers."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.pages.custom_ids import Action, Button
from engines.core.rng import Rng
from tests.e2e.stage import (
    EPHEMERAL,
    TABLES,
    Player,
    Stage,
    action,
    asked,
    choices,
    has,
    no_finding,
    places,
)
from tests.e2e.test_clicks import IN_TURN, TOGETHER, ready_to_confirm
from tests.kit.waiting import eventually, until

V2 = 1 << 15
SENT = r"(POST|PATCH) /channels/\d+/messages"


async def to_move(stage: Stage, thread: str) -> Player:
    board = await stage.alba.board(thread)
    return next(player for player in (stage.alba, stage.bruno) if player.id in asked(board))


async def say(stage: Stage, thread: str) -> Player:
    """Let whose turn it is say something; return who it was."""
    player = await to_move(stage, thread)
    assert await player.turn(thread, Rng(bytes(32)).stream(len(stage.sandbox.requests)))
    return player


def boards(stage: Stage, thread: str) -> list[str]:
    """Return the boards with buttons in a thread."""
    found = stage.alba.window.seen.values()
    return [m["id"] for m in found if m["channel_id"] == thread and has(m, Button.LOG)]


async def moved_on(stage: Stage, thread: str, player: Player) -> None:
    await stage.alba.board(thread, lambda board: asked(board) and player.id not in asked(board))


async def test_a_kill_between_commit_and_board(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        thread = await stage.begin(IN_TURN)
        player = await to_move(stage, thread)
        await ready_to_confirm(player, thread)
        stage.sandbox.fault(rf"POST /channels/{thread}/messages", 9, slow=30.0)
        assert player.panel is not None
        await player.touch(action(player.panel, Action.CONFIRM))
        await stage.kill_bot()
        stage.sandbox.state.faults.clear()
        await stage.start_bot()
        await moved_on(stage, thread, player)
        await eventually(lambda: len(boards(stage, thread)) == 1)
        await no_finding(stage)


# After five in a row discord.py gives up, and the outbox posts again; the pauses until then make 25 seconds.
@pytest.mark.parametrize("lost", [2, pytest.param(5, marks=pytest.mark.nightly)])
async def test_a_lost_answer_posts_no_second_board(lost: int, tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        thread = await stage.begin(IN_TURN)
        stage.sandbox.fault(rf"POST /channels/{thread}/messages", lost, status=500, after=True)
        player = await say(stage, thread)
        await moved_on(stage, thread, player)
        stage.sandbox.state.faults.clear()
        player = await say(stage, thread)
        await moved_on(stage, thread, player)
        await eventually(lambda: len(boards(stage, thread)) == 1)
        # One board at the start, and one for each of the two sentences.
        messages = await stage.alba.window.messages(thread)
        assert sum(1 for m in messages if m["flags"] & V2 and not m["flags"] & EPHEMERAL) == 3
        await no_finding(stage)


async def test_a_deleted_board_a_sleeping_and_a_deleted_thread(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        thread = await stage.begin(TOGETHER)
        [old] = boards(stage, thread)
        stage.sandbox.delete_message(old)
        await stage.kill_bot()
        await stage.start_bot()
        # Whoever deleted it may have meant it: it comes again once a player looks for it.
        await stage.alba.window.command(thread, "board")
        await eventually(lambda: boards(stage, thread) not in ([], [old]))

        stage.sandbox.set_thread(thread, archived=True)
        panel = await stage.alba.window.command(TABLES, "turn")
        stage.alba.panel = panel.message
        assert await play_on(stage.alba)
        await stage.alba.board(thread, lambda board: stage.alba.id not in asked(board))
        assert not stage.alba.window.channels[thread]["thread_metadata"]["archived"]

        stage.sandbox.delete_channel(thread)
        panel = await stage.bruno.window.command(TABLES, "turn")
        stage.bruno.panel = panel.message
        assert await play_on(stage.bruno)
        table = await eventually(lambda: _new_thread(stage, thread))
        board = await stage.alba.board(table)
        assert len(asked(board)) == 1
        assert "incident" not in stage.logged()
        assert stage.sandbox.violations == []
        await no_finding(stage)


async def test_a_thread_that_was_deleted_while_the_bot_was_away(tmp_path: Path) -> None:
    """Nobody has to ask for it; one that is merely archived is left as it is."""
    async with Stage(tmp_path) as stage:
        thread = await stage.begin(TOGETHER)
        before = set(stage.alba.window.channels)
        await until(stage.all_is_shown)
        await stage.kill_bot()
        stage.sandbox.set_thread(thread, archived=True)
        sent = len(stage.said(SENT))
        await stage.start_bot()
        await eventually(lambda: stage.said(r"GET /channels/\d+/threads/archived/public"))
        await until(stage.all_is_shown)
        assert len(stage.said(SENT)) == sent, "a restart sends what is right already"
        await stage.kill_bot()
        stage.sandbox.delete_channel(thread)
        await stage.start_bot()
        new = await eventually(lambda: next(iter(set(stage.alba.window.channels) - before), ""))
        assert len(asked(await stage.alba.board(new))) == 2
        assert not stage.said(rf"PATCH /channels/{thread}$"), "an archived thread was woken"


async def play_on(player: Player) -> bool:
    """Say a sentence in the panel that is open."""
    rng = Rng(bytes(32)).stream("on")
    for _ in range(40):
        assert player.panel is not None
        confirm = [place for place in places(player.panel) if place.action is Action.CONFIRM]
        if confirm:
            await player.touch(confirm[0])
            return True
        place, values = rng.choice(choices(player.panel))
        await player.touch(place, values)
    return False


def _new_thread(stage: Stage, old: str) -> str | None:
    channels = stage.alba.window.channels
    return next((key for key, c in channels.items() if c["type"] == 11 and key != old), None)


async def test_a_dropped_gateway_and_a_clean_stop(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        thread = await stage.begin(IN_TURN)
        for how in ("resume", "reconnect", "invalid"):
            await stage.sandbox.drop_gateway(how)
            await asyncio.sleep(0.3)
        await eventually(lambda: stage.alba.window.bot.get("online"))
        player = await say(stage, thread)
        await moved_on(stage, thread, player)
        assert await stage.stop_bot() == 0
        assert "Traceback" not in stage.logged()
