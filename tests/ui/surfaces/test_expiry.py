"""A table that nobody joins says that it closed, and how it opens again."""

from __future__ import annotations

from pathlib import Path

from bot.domain.tables import Place
from bot.pages.custom_ids import Button, ButtonId, pack
from bot.pages.texts import Texts
from tests.duel import DUEL
from tests.kit import waiting
from tests.kit.tables import sit_down
from tests.ui.limits import sent, walk
from tests.ui.surfaces.room import ANNA, BEN, CHANNEL, Room
from tests.ui.surfaces.test_bulkheads import Wall, at_work, reopened


async def test_it_is_said_and_undone_with_one_click(tmp_path: Path) -> None:
    wall = Wall()
    async with reopened(tmp_path / "bauta.db", clock=wall) as room:
        table = await room.services.lobby.open(DUEL, {}, None, ANNA, Place(1, CHANNEL), 1)
        again, join = (pack(ButtonId(table.id, button)) for button in (Button.REOPEN, Button.JOIN))
        async with at_work(room):
            await waiting.until(lambda: offers(room, table.id, join))
            wall.now += 86_400.0
            room.worker.wake()
            await waiting.until(lambda: offers(room, table.id, again))
            assert Texts().house("lobby.expired") in await said(room, table.id)
            assert not await offers(room, table.id, join)
            await room.services.lobby.reopen(table.id, ANNA, 2)
            room.worker.wake()
            await waiting.until(lambda: offers(room, table.id, join))
            room.table = await sit_down(room.services, table.id, BEN, 3)


async def message(room: Room, match: str) -> list[dict[str, object]]:
    shown = await room.services.outbox.shown(match, "lobby")
    return [] if shown is None else list(walk(sent(room.notes.messages[shown.message_id][1])))


async def offers(room: Room, match: str, custom_id: str) -> bool:
    return any(item.get("custom_id") == custom_id for item in await message(room, match))


async def said(room: Room, match: str) -> str:
    return "".join(str(item.get("content", "")) for item in await message(room, match))
