"""Four persons at one table, who say what a good player would say, until the match is over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.pages.custom_ids import Action, Button, PanelId
from sandbox.validation.components import walk
from tests.e2e.adviser import Adviser
from tests.e2e.stage import TABLES, Json, Player, Stage, asked, over, places, press_id, resign
from tests.kit.reading import text_of

PEOPLE = ("Alba", "Bruno", "Carla", "Dario")


class Table:
    """A table of one game. Subclasses say in which order and how its people answer."""

    def __init__(self, stage: Stage, people: list[Player], key: str, **options: Any) -> None:
        self.stage, self.people = stage, people
        self.adviser = Adviser(stage.database)
        self.thread = ""
        self._key, self._options = key, options

    async def begin(self) -> None:
        """Open the table as it is published, and let all sit down: seats that are left fall away."""
        host, *guests = self.people
        await host.window.command(TABLES, f"play {self._key}", **self._options)
        self.thread = str((await host.table())["id"])
        for guest in guests:
            table = await guest.table()
            await guest.window.press(table, press_id(table, Button.JOIN))
        await host.start(await host.table())

    async def play(self, enough: Callable[[], bool] = lambda: False) -> None:
        """Answer until the match is over, or is ended for them since that is ``enough``."""
        while (turns := await self.waited_for()) and not enough():
            await self.round(turns)
        if turns:
            await self.leave()
        await self.people[0].board(self.thread, over)

    async def leave(self) -> None:
        """Let as many resign as end the match: who stays alone has won."""
        for player in self.people[1:]:
            await resign(player, self.thread)

    async def round(self, turns: list[Player]) -> None:
        """Let everybody answer who is waited for."""
        for player in turns:
            await self.answer(player)

    async def answer(self, player: Player) -> None:
        """Type what a good player would say, and confirm it."""
        await self.say(player, await self.panel(player), self.adviser.sentence(player.id))

    async def panel(self, player: Player) -> Json:
        """Return the panel in which a person answers."""
        return await player.open(self.thread)

    async def say(self, player: Player, panel: Json, text: str) -> None:
        """Type a whole sentence into a panel, and confirm it."""
        await typed(player, panel, text)
        await confirm(player)

    async def waited_for(self) -> list[Player]:
        """Return who is waited for, once the board says so too."""
        waiting = self.adviser.match().waiting
        turns = [player for player in self.people if self.adviser.seat(player.id) in waiting]
        if turns:
            ids = {player.id for player in turns}
            await self.people[0].board(self.thread, lambda board: set(asked(board)) == ids)
        return turns


async def typed(player: Player, panel: Json, text: str) -> None:
    """Type a line into the panel."""
    if not any(place.action is Action.TYPE for place in places(panel)):
        # It may be another one than was opened last: that of a direct message.
        player.panel = panel
        panel = await player.touch(next(place for place in places(panel) if place.action is Action.REFRESH))
    opener = next(place for place in places(panel) if place.action is Action.TYPE)
    mark = len(player.window.received)
    modal = await player.window.press(panel, _custom_id(panel, opener))
    await player.window.modal(modal, {"text": text})
    player.panel = await player.window.updated(panel, since=mark)
    assert "⚠️" not in text_of(player.panel), text_of(player.panel)


async def confirm(player: Player) -> None:
    """Press Confirm."""
    await player.touch(next(place for place in places(player.panel or {}) if place.action is Action.CONFIRM))


def _custom_id(panel: Json, place: PanelId) -> str:
    ending = f":{place.action.value}"
    found = [item["custom_id"] for item in walk(panel["components"]) if "custom_id" in item]
    return next(str(one) for one in found if one.endswith(ending))
