"""Who manages a server says what may be played there, and ends a match in its thread."""

from __future__ import annotations

from pathlib import Path

from bot.pages.custom_ids import Button
from bot.pages.texts import Texts
from sandbox.permissions import Permission
from tests.e2e.stage import TABLES, Json, Player, Stage, press_id, refused
from tests.kit.reading import text_of
from tests.kit.waiting import eventually

HOUSE = Texts()


def manage(stage: Stage, name: str) -> None:
    """Give a person a role with the right to manage the server."""
    records = stage.sandbox.state.records
    guild = records.guild
    user = next(user for user in records.users.values() if user.name == name)
    role = type(guild.roles[guild.id])(id=4242, name="Stewards", permissions=int(Permission.MANAGE_GUILD))
    guild.roles[role.id] = role
    guild.members[user.id].roles.append(role.id)


async def server(player: Player, channel: str) -> Json:
    """Open the page about the server."""
    settings = (await player.window.command(channel, "settings")).message
    assert settings is not None
    mark = len(player.window.received)
    await player.window.press(settings, press_id(settings, Button.SERVER))
    return await player.window.updated(settings, since=mark)


async def choose(player: Player, page: Json, which: Button, values: list[str]) -> Json:
    mark = len(player.window.received)
    await player.window.select(page, f"b1:house:{which.value}", values)
    return await player.window.updated(page, since=mark)


async def test_a_server_has_rules_of_its_own(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        manage(stage, "Alba")
        alba, bruno = stage.alba, stage.bruno
        thread = await stage.begin("volo")
        page = await server(alba, TABLES)
        page = await choose(alba, page, Button.SERVER_PACES, ["day", "slow"])
        page = await choose(alba, page, Button.SERVER_OPENING, ["managers"])
        assert HOUSE.house("server.managers") in text_of(page)
        assert HOUSE.house("no.server_managers") in refused(await bruno.window.command(TABLES, "play volo"))
        page = await choose(alba, page, Button.SERVER_OPENING, ["everybody"])
        assert HOUSE.house("no.server_pace") in refused(
            await bruno.window.command(TABLES, "play volo", pace="live")
        )
        elsewhere = stage.sandbox.channel("general")
        page = await choose(alba, page, Button.SERVER_CHANNELS, [str(elsewhere.id)])
        assert HOUSE.house("no.server_channels") in refused(await bruno.window.command(TABLES, "play volo"))
        # Who manages nothing sees no button, and a press that they forge is refused.
        settings = (await bruno.window.command(thread, "settings")).message
        assert settings is not None
        assert "server" not in str(settings["components"])
        for forged in ("b1:house:server", "b1:house:server_most"):
            await bruno.window.forge(settings, forged)
        no = HOUSE.house("error.not_manager")
        await eventually(lambda: sum(no in text_of(m) for m in bruno.window.seen.values()) == 2)
        page = await server(alba, thread)
        mark = len(alba.window.received)
        await alba.window.press(page, press_id(page, Button.END_MATCH))
        question = await alba.window.updated(page, since=mark)
        assert "no result and no replay" in text_of(question)
        await alba.window.press(question, press_id(question, Button.END_FOR_GOOD))
        await eventually(
            lambda: any(HOUSE.house("said.match_ended") in text_of(m) for m in alba.window.seen.values())
        )
        board = await alba.board(thread, lambda board: HOUSE.house("closed.server") in text_of(board))
        assert "Seed" not in text_of(board)
        log = (await bruno.window.command(thread, "log")).message
        assert "replay.json" not in str(log)
        assert stage.sandbox.violations == []
        assert "incident" not in stage.logged()
