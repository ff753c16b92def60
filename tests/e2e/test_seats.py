"""A table opens as published; its host adds and removes seats until three people start it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bot.pages.custom_ids import Button
from bot.pages.texts import Texts
from sandbox.responses import DEFERRED_UPDATE
from tests.e2e.adviser import Adviser
from tests.e2e.stage import EPHEMERAL, TABLES, Json, Player, Stage, asked, has, press_id, refused
from tests.kit.reading import text_of
from tests.kit.waiting import eventually

HOUSE = Texts()
KEY = "doge"
"""Made for four, and its gifts are asked for."""


async def shows(player: Player, *words: str) -> Json:
    """Return the newest table once it says all that."""
    await player.table()

    def found() -> Json | None:
        place = player.window.channel_id(TABLES)
        tables = [m for m in player.window.seen.values() if m["channel_id"] == place and has(m, Button.JOIN)]
        newest = max(tables, key=lambda message: int(message["id"]))
        return newest if all(each in text_of(newest) for each in words) else None

    return await eventually(found)


async def resize(player: Player, table: Json, custom_id: str) -> None:
    """Press a button that changes the seats: nothing is answered but a refusal."""
    assert (await player.window.forge(table, custom_id)).answer == DEFERRED_UPDATE


def answers(player: Player) -> list[Json]:
    """Return the private messages that a window has."""
    return [m for m in player.window.seen.values() if m.get("flags", 0) & EPHEMERAL]


async def told(player: Player, words: str, times: int = 1) -> None:
    """Wait until a window was told something in private so many times."""

    await eventually(lambda: sum(words in text_of(message) for message in answers(player)) == times)


def taken(count: int, seats: int) -> str:
    return HOUSE.house("lobby.seats", taken=count, seats=seats)


async def test_three_start_a_table_that_shrank_and_grew(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        alba, bruno, carla = stage.alba, stage.bruno, await stage.player("Carla")
        await alba.window.command(TABLES, f"play {KEY}")
        table = await shows(alba, taken(1, 4), HOUSE.house("lobby.open", host="Alba", n=2), "Only when asked")
        assert text_of(table).count("◻️ free") == 3
        fewer = press_id(table, Button.REMOVE_SEAT)
        # Nobody but the host.
        await resize(bruno, await bruno.table(), fewer)
        await told(bruno, HOUSE.house("no.not_host", host="Alba"))
        private = len(answers(alba))
        await resize(alba, table, fewer)
        table = await shows(alba, taken(1, 3))
        assert len(answers(alba)) == private
        # The same button again, from a message that was not looked at since.
        await resize(alba, table, fewer)
        await told(alba, HOUSE.house("no.seats_changed", n=3))
        await resize(alba, table, fewer.replace("remove_seat:3", "add_seat:3"))
        await told(alba, HOUSE.house("no.seats_changed", n=3), 2)
        more = press_id(table, Button.ADD_SEAT)
        await asyncio.gather(resize(alba, table, more), resize(alba, table, more))
        await told(alba, HOUSE.house("no.seats_changed", n=4))
        table = await shows(alba, taken(1, 4))
        await resize(alba, table, more.removesuffix(":4"))
        await told(alba, HOUSE.house("error.stale"))

        await bruno.window.press(await bruno.table(), "Join")
        table = await shows(alba, taken(2, 4), HOUSE.house("lobby.enough", host="Alba", n=2))
        # Away from the channel, the host is told.
        call = HOUSE.house(
            "lobby.call", host=f"<@{alba.id}>", game="The Secret of the Doge", taken=2, seats=4
        )
        await eventually(lambda: any(call in text_of(m) for m in alba.window.seen.values()))
        await carla.window.press(await carla.table(), "Join")
        table = await shows(alba, taken(3, 4))
        # Two seats can be free no more: the button leads to three, and an older one's two is refused.
        held = fewer.replace("remove_seat:3", "remove_seat:2")
        await resize(alba, table, held)
        await told(alba, HOUSE.house("no.seats_changed", n=4), 2)

        begins = await alba.window.press(table, press_id(table, Button.START))
        assert HOUSE.house("said.begins") in refused(begins)
        thread = str(table["id"])
        board = await alba.board(thread)
        # All three place their pawns at once.
        assert set(asked(board)) == {alba.id, bruno.id, carla.id}
        setup = Adviser(stage.database).match().setup
        assert (setup.seats, setup.options) == (3, (("nights", "printed"), ("gifts", "asked")))
        running = await shows_running(alba, thread)
        assert taken(3, 3) in text_of(running)
        assert "◻️" not in text_of(running)
        assert not has(running, Button.ADD_SEAT)
        await resize(alba, running, more)
        await told(alba, HOUSE.house("no.started"))
        await eventually(lambda: not any(call in text_of(m) for m in alba.window.seen.values()))
        assert stage.sandbox.violations == []
        assert "incident" not in stage.logged()


async def shows_running(player: Player, thread: str) -> Json:
    """Return the table's message once its match is on."""

    def found() -> Json | None:
        message = player.window.seen.get(thread)
        return message if message is not None and has(message, Button.RULES) else None

    return await eventually(found)
