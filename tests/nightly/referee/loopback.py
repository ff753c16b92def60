"""The world as our sandbox sees it: a Discord on loopback, over real HTTP and a real WebSocket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import discord.gateway
import discord.http

from bot.gateway.discord_patches import point_discord_at
from sandbox import permissions
from sandbox.interactions import NO_RESPONSE
from tests.e2e.stage import Stage
from tests.kit.person import Outcome, Person, PersonError
from tests.kit.waiting import PATIENCE, PAUSE, eventually
from tests.nightly.referee.house import House
from tests.nightly.referee.world import DM, PEOPLE, Answer, Json, World


class InProcess(Stage):
    """The stage of the end-to-end tests, with the bot in this process."""

    def __init__(self, folder: Path, house: House) -> None:
        super().__init__(folder)
        self._house = house
        self._serving: asyncio.Task[None] | None = None
        self._addresses = (discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY)

    async def start_bot(self, patience: float = PATIENCE) -> None:
        self.log.touch()
        point_discord_at(self.sandbox.api, self.sandbox.gateway)
        self._serving = asyncio.create_task(self._house.client.start(self.sandbox.token))
        await eventually(lambda: self.alba.window.bot.get("online") and self.alba.window.commands, patience)

    async def end_bot(self) -> None:
        """Disconnect the bot, and let discord.py find the real Discord again."""
        try:
            await self._house.client.close()
            if self._serving is not None:
                await self._serving
        finally:
            discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = self._addresses


class Loopback(World):
    """The sandbox's guild."""

    name = "sandbox"

    def __init__(self, house: House, stage: InProcess) -> None:
        self.house = house
        self.stage = stage

    async def command(self, who: str, place: str, name: str, **options: Any) -> Answer:
        return await self._answer(self._window(who).command(await self._channel(who, place), name, **options))

    async def complete(
        self, who: str, place: str, name: str, option: str, typed: str, **filled: Any
    ) -> list[Json]:
        channel, given = await self._channel(who, place), {**filled, option: typed}
        return await self._window(who).autocomplete(channel, name, focused=option, **given)

    async def press(self, who: str, message: str, custom_id: str) -> Answer:
        return await self._answer(self._window(who).press(message, custom_id))

    async def select(self, who: str, message: str, custom_id: str, values: Sequence[str]) -> Answer:
        return await self._answer(self._window(who).select(message, custom_id, list(values)))

    async def submit(self, who: str, opened: Answer, values: Json) -> Answer:
        return await self._answer(self._window(who).modal(opened.opened, values))

    async def _answer(self, act: Any) -> Answer:
        # The sandbox refuses what no client would let its person do.
        try:
            outcome: Outcome = await act
        except PersonError as error:
            if NO_RESPONSE in str(error):
                raise
            return Answer(refused=True)
        await self.settle()
        made = outcome.message["id"] if outcome.message is not None else None
        return Answer(made, outcome.modal, opened=outcome if outcome.modal is not None else None)

    async def _channel(self, who: str, place: str) -> str:
        return str((await self._window(who).dm())["id"]) if place == DM else place

    def _window(self, who: str) -> Person:
        return self.stage.people[who].window

    async def settle(self) -> None:
        quiet = 0
        while quiet < 2:
            await asyncio.sleep(PAUSE)
            quiet = quiet + 1 if await self.house.at_rest() else 0

    async def window(self, who: str) -> list[Json]:
        window = self._window(who)
        found: list[Json] = []
        for channel in await self.channels():
            try:
                found += await window.messages(channel, limit=200)
            except PersonError:
                continue
        return found

    async def file(self, who: str, attachment: Json) -> bytes:
        return await self._window(who).fetch(attachment)

    def person_id(self, who: str) -> str:
        return str(self.stage.sandbox.records.bot.id) if who == "bot" else self._window(who).id

    async def channels(self) -> dict[str, str]:
        return {str(c.id): c.name or DM for c in self.stage.sandbox.records.channels.values()}

    async def permit(self, bits: int) -> None:
        self.stage.sandbox.set_permissions(bits)
        guild = self.house.client.guilds[0]

        def told() -> bool:
            held = (channel.permissions_for(guild.me).value for channel in guild.text_channels)
            return all(one & permissions.BOT == bits & permissions.BOT for one in held)

        await eventually(told)
        await self.settle()

    async def close_dms(self, who: str) -> None:
        await self._window(who).set_dms(is_open=False)

    async def archived_after(self, thread: str) -> int:
        metadata = self.stage.sandbox.records.channels[int(thread)].thread
        assert metadata is not None
        return metadata.archive_minutes

    async def user(self, who: str) -> str:
        return self._window(who).id


@asynccontextmanager
async def loopback(house: House, folder: Path) -> AsyncIterator[Loopback]:
    """Connect the bot to a fresh sandbox; whatever Discord's description does not allow fails the test."""
    stage = InProcess(folder, house)
    async with stage:
        for name in PEOPLE:
            await stage.player(name)
        try:
            yield Loopback(house, stage)
        finally:
            await stage.end_bot()
        assert stage.sandbox.violations == []
