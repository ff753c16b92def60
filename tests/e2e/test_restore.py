"""The drill: back up while matches run, play on, be killed, restore: the threads tell the truth."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.pages.custom_ids import Action, Button
from bot.pages.texts import Texts
from tests.e2e.stage import EPHEMERAL, TABLES, Json, Stage, action, asked, has, id_in, press_id
from tests.e2e.test_clicks import IN_TURN, TOGETHER, ready_to_confirm
from tests.e2e.test_dms import no_panel_in, panel_in
from tests.e2e.test_recovery import boards, moved_on, play_on, say, to_move
from tests.e2e.upkeep import bauta
from tests.kit.reading import text_of
from tests.kit.waiting import eventually

HOUSE = Texts()


def public(stage: Stage, thread: str) -> list[Json]:
    """Return what everybody sees of the bot in a thread, the oldest first."""
    here = [one for one in stage.alba.window.seen.values() if one["channel_id"] == thread]
    found = [one for one in here if one["author"].get("bot") and not one["flags"] & EPHEMERAL]
    return sorted(found, key=lambda message: int(message["id"]))


def told(stage: Stage, thread: str, key: str) -> list[Json]:
    """Return the messages of a thread that say one of the house's texts."""
    return [message for message in public(stage, thread) if HOUSE.house(key) in text_of(message)]


async def restored(stage: Stage, file: Path) -> None:
    """Kill the bot, put the backup back, start again."""
    await stage.kill_bot()
    ended = await bauta(stage.environment(), "restore", str(file))
    assert ended.code == 0, ended
    await stage.start_bot()


async def test_the_house_goes_on_from_its_backup(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        file = tmp_path / "saved.db"
        thread = await stage.begin(IN_TURN)
        for _ in range(2):
            await moved_on(stage, thread, await say(stage, thread))
        then = text_of(await stage.alba.board(thread))
        mover = await to_move(stage, thread)
        ended = await bauta(stage.environment(), "backup", str(file))
        assert ended.code == 0, ended
        assert "1 running" in ended.out

        # The house plays on: three sentences, another match, and one panel left open before its Confirm.
        for _ in range(3):
            await moved_on(stage, thread, await say(stage, thread))
        lost = await stage.begin(TOGETHER)
        late = await to_move(stage, thread)
        await ready_to_confirm(late, thread)
        stale = late.panel
        assert stale is not None
        refused = await bauta(stage.environment(), "restore", str(file))
        assert refused.code == 1
        assert "Another process serves the database" in refused.err

        await restored(stage, file)
        await eventually(lambda: told(stage, thread, "restored.told"))
        board = await stage.alba.board(thread, lambda one: asked(one) == [mover.id])
        [notice] = told(stage, thread, "restored.told")
        assert int(board["id"]) > int(notice["id"])
        assert "<t:" in text_of(notice)
        assert state(then) == state(text_of(board))
        await eventually(lambda: boards(stage, thread) == [board["id"]])
        await eventually(lambda: told(stage, lost, "restored.lost"))
        await eventually(lambda: boards(stage, lost) == [])

        # A panel of the lost hours commits nothing.
        mark = len(late.window.received)
        late.panel = stale
        await late.window.press(stale, id_in(stale, action(stale, Action.CONFIRM)))
        panel = await late.window.updated(stale, since=mark)
        assert HOUSE.house("note.stale") in text_of(panel)
        assert asked(await stage.alba.board(thread)) == [mover.id]

        # The match goes on through boards that Discord has seen before, and each is a new message.
        for _ in range(4):
            before = public(stage, thread)[-1]["id"]
            await moved_on(stage, thread, await say(stage, thread))
            await eventually(lambda: int(public(stage, thread)[-1]["id"]) > int(before))  # noqa: B023
            await eventually(lambda: boards(stage, thread) == [public(stage, thread)[-1]["id"]])
        assert len(told(stage, thread, "restored.told")) == 1
        assert stage.sandbox.violations == []
        assert "incident" not in stage.logged()


def state(board: str) -> list[str]:
    """Return the lines of a board that say where the match stands."""
    return [line for line in board.splitlines() if line.startswith(("###", "➡️"))]


async def test_a_match_whose_end_was_seen_says_so(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        file = tmp_path / "saved.db"
        thread = await stage.begin(TOGETHER)
        assert (await bauta(stage.environment(), "backup", str(file))).code == 0
        outcome = await stage.alba.window.command(thread, "resign")
        assert outcome.message is not None
        await stage.alba.window.press(outcome.message, press_id(outcome.message, Button.RESIGN))
        await stage.alba.board(thread, lambda board: has(board, Button.REMATCH))
        await restored(stage, file)
        await eventually(lambda: told(stage, thread, "restored.seed"))
        board = await stage.alba.board(thread, lambda one: not has(one, Button.REMATCH))
        assert asked(board)


async def test_restoring_twice_keeps_both_former_databases(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        file = tmp_path / "saved.db"
        thread = await stage.begin(TOGETHER)
        assert (await bauta(stage.environment(), "backup", str(file))).code == 0
        for number in (1, 2):
            await restored(stage, file)
            await eventually(lambda: len(told(stage, thread, "restored.told")) == number)  # noqa: B023
            await eventually(lambda: len(boards(stage, thread)) == 1)
        assert former(tmp_path) == ["bauta.db.before-restore", "bauta.db.before-restore-2"]


@pytest.mark.nightly
async def test_turns_in_direct_messages_go_back_too(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        file = tmp_path / "saved.db"
        dms = {}
        for player in (stage.alba, stage.bruno):
            dms[player.id] = (await player.window.dm())["id"]
            await player.window.command(TABLES, "settings", dms="on")
        thread = await stage.begin(IN_TURN)
        first = await to_move(stage, thread)
        old = await panel_in(first, dms[first.id])
        assert (await bauta(stage.environment(), "backup", str(file))).code == 0
        await moved_on(stage, thread, await say(stage, thread))
        second = await to_move(stage, thread)
        await panel_in(second, dms[second.id])
        await no_panel_in(first, dms[first.id])
        await restored(stage, file)
        await no_panel_in(second, dms[second.id])
        new = await panel_in(first, dms[first.id])
        assert new["id"] != old["id"]
        await eventually(lambda: told(stage, thread, "restored.told"))
        first.panel = new
        assert await play_on(first)
        await moved_on(stage, thread, first)
        await panel_in(second, dms[second.id])
        assert stage.sandbox.violations == []
        assert "incident" not in stage.logged()


def former(folder: Path) -> list[str]:
    """Return the names of the databases that backups have replaced."""
    return sorted(path.name for path in folder.glob("*.before-restore*"))
