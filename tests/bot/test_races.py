"""Answers given at once that want the same thing: the first has it, the other is asked again."""

from __future__ import annotations

from engines.core.contract import msg
from tests.bot.conftest import Room, click
from tests.kit.postgresql import BOTH_STORES

pytestmark = BOTH_STORES

PROGRAM = "program I:b3E II:r4NW III:b2N"


async def test_a_program_whose_tile_is_gone_asks_for_the_tile_alone(room: Room) -> None:
    info = await room.begin("volt", options={"training": "on"})
    for seat, space in enumerate(("c1", "e9")):
        await room.say(info, seat, f"start {space}")
    anna = room.person(info, 0)
    first = await room.panel(info, 0)
    typed = await room.services.drafts.type_in(info.id, anna, f"{PROGRAM} tile:1", click(first))
    assert typed.menu is not None
    assert typed.menu.closing
    await room.say(info, 1, f"{PROGRAM} tile:1")
    now = await room.panel(info, 0)
    assert now.draft == tuple(PROGRAM.split())
    assert now.notes == (msg("note.cut", n=1),)
    assert now.menu is not None
    assert now.menu.prompt.key == "prompt.tile"
    tiles = [choice.word for field in now.menu.fields if field.key == "tile" for choice in field.choices]
    assert tiles == ["tile:2"]
    assert now.decision == first.decision, "nobody's commit makes the panel stale"
    chosen = await room.services.drafts.choose(click(now), anna, "tile:2")
    receipt = await room.services.actions.confirm(click(chosen), anna, room.request)
    assert receipt.words == (*PROGRAM.split(), "tile:2")
