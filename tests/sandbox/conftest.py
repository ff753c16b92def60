"""A sandbox for each test, people's windows, and the real client library connected to it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import discord
import pytest
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from sandbox.server import Sandbox
from tests.kit.openapi import openapi
from tests.kit.person import Person
from tests.kit.waiting import PATIENCE, eventually


class Bot(discord.AutoShardedClient):
    """The client library as used by a bot: one shard, no privileged intents, a command tree."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("intents", discord.Intents.default())
        super().__init__(guild_ready_timeout=0.05, allowed_mentions=discord.AllowedMentions.none(), **options)
        self.tree = app_commands.CommandTree(self)
        self.failures: list[Exception] = []
        self.tree.error(self._failed)

    async def _failed(self, _act: discord.Interaction[Any], error: app_commands.AppCommandError) -> None:
        self.failures.append(error)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Skip the wait of five seconds before a new session: the sandbox has no such limit."""

    @property
    def carnival(self) -> discord.Guild:
        return self.guilds[0]

    def text(self, name: str) -> discord.TextChannel:
        found = discord.utils.get(self.carnival.text_channels, name=name)
        assert found is not None
        return found


Start = Callable[..., Awaitable[Bot]]
Connect = Callable[[str], Awaitable[Person]]


def point_at(server: Sandbox, patch: pytest.MonkeyPatch) -> None:
    """Change the two base addresses; the rest of the library is unchanged."""
    patch.setattr(Route, "BASE", server.api)
    patch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(server.gateway))


@pytest.fixture
async def sandbox(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Sandbox]:
    async with Sandbox(page=False, openapi=openapi()) as server:
        point_at(server, monkeypatch)
        yield server
        # Some tests expect refusals; any other violation is a mistake in the tests or in the sandbox.
        assert [
            violation for violation in server.violations if violation.kind not in ("refused", "wordless")
        ] == []


async def run(bot: Bot, token: str) -> asyncio.Task[None]:
    """Start a bot and wait until it is ready."""
    task = asyncio.create_task(bot.start(token))
    ready = asyncio.create_task(bot.wait_until_ready())
    await asyncio.wait([task, ready], timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        ready.cancel()
        await task
    assert ready.done()
    # On a busy machine, the library may be ready before the guilds have arrived.
    await eventually(lambda: not any(guild.unavailable for guild in bot.guilds))
    return task


@pytest.fixture
async def start(sandbox: Sandbox) -> AsyncIterator[Start]:
    """Start a bot, configured by `configure(bot)`, and sync its commands."""
    running: list[tuple[Bot, asyncio.Task[None]]] = []

    async def begin(configure: Callable[[Bot], None] | None = None, **options: Any) -> Bot:
        bot = Bot(**options)
        if configure is not None:
            configure(bot)
        running.append((bot, await run(bot, sandbox.token)))
        if configure is not None and bot.tree.get_commands():
            await bot.tree.sync()
        return bot

    yield begin
    for bot, task in running:
        await bot.close()
        await asyncio.gather(task, return_exceptions=True)
        assert bot.failures == []


@pytest.fixture
async def connect(sandbox: Sandbox) -> AsyncIterator[Connect]:
    """Open windows of people."""
    people: list[Person] = []

    async def opened(name: str) -> Person:
        person = await Person.connect(sandbox.entrance, name)
        people.append(person)
        return person

    yield opened
    for person in people:
        await person.close()
