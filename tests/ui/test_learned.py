"""What a seat alone learned by its own act is the first thing in its panel, in a thread and in messages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import discord
import pytest

from bot.clocks import build_clocks
from bot.domain.match import Panel
from bot.domain.tables import Person, Place
from bot.interactions.context import Context
from bot.interactions.panel import Panels
from bot.interactions.reply import Reply, guarded
from bot.matches import Services
from bot.pages.custom_ids import Action, PanelId
from bot.pages.texts import TableTexts, Texts
from bot.runtime.background import BackgroundTasks
from bot.sync.pictures import Pictures
from engines.core.player import walk
from engines.core.registry import game
from engines.core.rng import Rng
from tests.kit.painting import Inline
from tests.kit.services import services_on
from tests.kit.tables import sit_down
from tests.ui import limits
from tests.ui.fakes import USER, FakeAdapter, pressed
from tests.ui.surfaces.room import plain

ANNA, BEN = Person(int(str(USER["id"])), "Anna"), Person(8, "Ben")
EPHEMERAL = 1 << 6
BUTTON = 2
ENGLISH = Texts()
NUMBERS = count()
TURNS = 60
"""Turns within which somebody learns something by an act of theirs."""


@dataclass(frozen=True, slots=True)
class House:
    services: Services
    panels: Panels


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with (
        services_on(tmp_path / "bauta.db", entropy=Random(1).randbytes) as services,
        Inline(paint_with=plain) as painter,
    ):
        clocks, pictures = build_clocks(services), Pictures(painter)
        context = Context(services, clocks, pictures, BackgroundTasks(), {}, lambda _: None)
        yield House(services, Panels(context))


async def asked(house: House, match: str, person: Person) -> Panel | None:
    panel = await house.services.drafts.panel(match, person)
    return panel if panel.asked else None


async def drafted(house: House, panel: Panel, person: Person, number: int) -> PanelId:
    """Let a person draft a whole sentence; return the button that confirms it."""
    assert panel.menu is not None
    match, own = panel.table.id, game(panel.table.game)
    words = walk(own, panel.view, panel.menu, Rng(bytes(32)).child(number))
    panel = await house.services.drafts.type_in(match, person, own.write(words), None)
    return PanelId(match, panel.decision, panel.revision, Action.CONFIRM)


async def act(
    house: House, client: discord.Client, place: PanelId, person: Person, *, ephemeral: bool
) -> None:
    """Let a person press Confirm in a private message: in a thread, or in direct messages."""
    interaction = pressed(client, next(NUMBERS), person)
    assert interaction.message is not None
    interaction.message.flags.value = EPHEMERAL if ephemeral else 0
    await guarded(Reply(interaction), lambda reply: house.panels.click(reply, place, []))


async def play_until_learned(
    house: House, client: discord.Client, adapter: FakeAdapter, key: str, *, completing: bool, ephemeral: bool
) -> Panel:
    """Play until an act has taught its seat something alone; return the panel of that seat.

    ``completing``: it is one that completes what both had to decide at once. What the clicked message
    shows is left in ``adapter``.
    """
    table = await house.services.lobby.open(key, {}, 2, ANNA, Place(1, 2), 1)
    await sit_down(house.services, table.id, BEN, 2)
    for number in range(TURNS):
        panels = [(who, panel) for who in (ANNA, BEN) if (panel := await asked(house, table.id, who))]
        for turn, (person, panel) in enumerate(panels, 1):
            place = await drafted(house, panel, person, number)
            adapter.bodies.clear()
            await act(house, client, place, person, ephemeral=ephemeral)
            after = await house.services.drafts.panel(table.id, person)
            if after.learned and turn == len(panels) == 1 + completing:
                return after
    raise AssertionError(f"nobody learned anything in {key}")


@pytest.mark.parametrize("ephemeral", [True, False], ids=["thread", "message"])
@pytest.mark.parametrize(
    ("key", "completing"), [("corto", False), ("corto", True), ("volto", True), ("volt", True)]
)
async def test_what_an_act_tells_its_seat_alone_comes_first(
    house: House, client: discord.Client, adapter: FakeAdapter, key: str, *, completing: bool, ephemeral: bool
) -> None:
    panel = await play_until_learned(house, client, adapter, key, completing=completing, ephemeral=ephemeral)
    lines = [line for line in adapter.said().splitlines() if line]
    learned = TableTexts(ENGLISH, panel.table).retold(told.fact for told in panel.learned)
    assert learned
    assert lines[0].startswith("### ")
    assert lines[1 : 1 + len(learned)] == [f"🔎 {line}" for line in learned]
    assert any("✅" in line for line in lines), "the message says what was confirmed"
    buttons = [item for body in adapter.bodies for item in items(body) if item["type"] == BUTTON]
    assert bool(buttons) is (ephemeral or panel.asked), "who is done in direct messages has no buttons left"


def items(body: dict[str, Any]) -> list[dict[str, Any]]:
    return list(limits.walk(body.get("components", [])))
