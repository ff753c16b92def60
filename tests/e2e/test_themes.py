"""Themes through the real client: one's own pictures are one's own, the board is the same for everybody."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.pages.custom_ids import Action, Button
from bot.pages.texts import Texts
from bot.workers.painter import theme_label
from engines.core.rng import Rng
from tests.e2e.stage import TABLES, Json, Player, Stage, has, over, places
from tests.e2e.test_clicks import IN_TURN
from tests.e2e.test_dms import panel_in, panels
from tests.e2e.test_recovery import moved_on, to_move
from tests.kit.components import button, pictures
from tests.kit.person import PersonError
from tests.kit.reading import text_of
from tests.kit.waiting import eventually, until

HOUSE = Texts()


async def seen_by(player: Player, message: Json | None) -> list[bytes]:
    """Return the pictures of a message as a person's window loads them."""
    assert message is not None
    found = pictures(message)
    assert found
    return [await player.window.fetch(picture) for picture in found]


async def asked_for(player: Player, thread: str, command: str) -> list[bytes]:
    return await seen_by(player, (await player.window.command(thread, command)).message)


async def board_shows(player: Player, thread: str, wanted: list[bytes]) -> bool:
    """Return whether the board shows these pictures; not if a newer one takes its place meanwhile."""
    try:
        return await seen_by(player, await player.board(thread)) == wanted
    except PersonError:
        return False


async def settings(player: Player, **options: Any) -> str:
    return text_of((await player.window.command(TABLES, "settings", **options)).message or {"components": []})


async def test_whose_pictures_are_in_which_theme(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        alba, bruno = stage.alba, stage.bruno
        thread = await stage.begin(IN_TURN)
        [board] = await seen_by(alba, await alba.board(thread))
        assert await asked_for(alba, thread, "board") == [board]
        assert theme_label("default", "en") in await settings(alba)
        before = await seen_by(alba, await alba.open(thread))
        with pytest.raises(PersonError):
            await alba.window.command(TABLES, "settings", theme="plaid")
        assert theme_label("clear", "en") in await settings(alba, theme="clear")

        # At once, for what is private to her; for nobody and nothing else.
        [clear] = await asked_for(alba, thread, "board")
        assert clear != board
        assert await seen_by(alba, await alba.open(thread)) != before
        assert await asked_for(bruno, thread, "board") == [board]
        assert await seen_by(bruno, await bruno.board(thread)) == [board]
        assert theme_label("default", "en") in await settings(bruno)
        own = await asked_for(bruno, thread, "hand")
        await settings(bruno, theme="clear")
        assert await asked_for(bruno, thread, "hand") != own
        await settings(bruno, theme="default")
        assert await asked_for(bruno, thread, "hand") == own

        # After a restart too; and what is posted then is still painted for all alike.
        await stage.kill_bot()
        await stage.start_bot()
        assert await asked_for(alba, thread, "board") == [clear]
        player = await to_move(stage, thread)
        await player.turn(thread, Rng(bytes(32)).stream("themes"))
        await moved_on(stage, thread, player)
        asked = await asked_for(bruno, thread, "board")
        for each in (alba, bruno):
            await until(partial(board_shows, each, thread, asked))
        await settings(alba, theme="default")

        # The host chooses how a table's board is painted.
        await alba.window.command(TABLES, f"play {IN_TURN}", theme="clear")
        table = await bruno.table()
        await bruno.window.press(table, "Join")
        await alba.start(table)
        ours = await alba.board(table["id"])
        [painted] = await seen_by(bruno, ours)
        for each in (alba, bruno):
            assert await asked_for(each, table["id"], "board") != [painted]
        await settings(bruno, theme="clear")
        assert await asked_for(bruno, table["id"], "board") == [painted]
        assert stage.sandbox.violations == []
        assert "incident" not in stage.logged()


async def test_direct_messages_that_are_switched_on_in_mid_turn_come_at_once(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        thread = await stage.begin(IN_TURN)
        player = await to_move(stage, thread)
        channel = (await player.window.dm())["id"]
        await settings(player, theme="clear")
        assert HOUSE.house("settings.dms_on") in await settings(player, dms="on")
        player.panel = await panel_in(player, channel)
        assert Action.TYPE in {place.action for place in places(player.panel)}
        shown = await seen_by(player, player.panel)
        assert shown == await seen_by(player, await player.open(thread))
        for switch in ("off", "on"):
            await settings(player, dms=switch)
        await player.turn(thread, Rng(bytes(32)).stream("dms"))
        await moved_on(stage, thread, player)
        await eventually(lambda: not panels(player, channel))
        sent = [m for m in player.window.seen.values() if m["channel_id"] == channel and pictures(m)]
        assert len(sent) == 1


async def test_a_film_survives_a_restart_and_is_not_made_again(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        thread = await stage.begin(IN_TURN)
        alba = stage.alba
        question = (await alba.window.command(thread, "resign")).message
        assert question is not None
        await alba.window.press(question, button(question, HOUSE.house("resign.sure"))["custom_id"])
        last = await alba.board(thread, _with_film)
        assert over(last)
        await eventually(lambda: _noted(stage.database, "film"))
        path = rf"/channels/{thread}/messages/{last['id']}$"
        await stage.kill_bot()
        edits = len(stage.said(f"PATCH .*{path}"))
        await stage.start_bot()
        await alba.window.press(last, "Rematch")
        await eventually(lambda: any(has(m, Button.JOIN) for m in alba.window.seen.values()))
        assert len(stage.said(f"PATCH .*{path}")) == edits
        assert _with_film(alba.window.seen[last["id"]])
        assert stage.sandbox.violations == []


def _noted(database: Path, surface: str) -> bool:
    """Return whether the house has noted what it has shown on a surface."""
    with closing(sqlite3.connect(database)) as connection:
        return bool(connection.execute("SELECT 1 FROM shown WHERE surface = ?", (surface,)).fetchall())


def _with_film(message: dict[str, Any]) -> bool:
    return [file["filename"].partition(".")[0] for file in pictures(message)] == ["board", "film"]
