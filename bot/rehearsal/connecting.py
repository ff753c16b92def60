"""How a rehearsal connects to Discord, and detects another process that serves with its token."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

import aiohttp
import discord

from bot.config import StartError
from bot.interactions.play import TABLE_CHANNELS
from bot.rehearsal.client import RehearsalClient
from bot.rehearsal.stage import Stage
from bot.sync.guild_events import ROLL_CALL

READY = 60.0
"""Seconds within which the gateway must report that we are connected."""

TROUBLE = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError)
"""Errors of a request that Discord refuses, or while Discord is unreachable."""

LOOKS, PAUSE = 5, 1.0
"""How often to check whether another process has answered the roll call, and seconds before each check."""

SOMEBODY = "Another process serves with this token. Stop it first: people who click would get two answers."


class Connections:
    """Clients of a rehearsal, one at a time."""

    def __init__(self, token: str, new_client: Callable[[], RehearsalClient]) -> None:
        self._token = token
        self._new_client = new_client
        self._serving: asyncio.Task[None] | None = None

    async def log_in(self) -> RehearsalClient:
        """Return a client that can send requests, but receives no events yet; raises :class:`StartError`."""
        client = self._new_client()
        try:
            await client.login(self._token)
        except discord.LoginFailure:
            await client.close()
            raise StartError("Discord does not know this token.") from None
        except TROUBLE as error:
            await client.close()
            raise _unreachable(error) from None
        return client

    async def connect(self, client: RehearsalClient) -> None:
        """Connect a client to the gateway; raises :class:`StartError` if that fails or takes too long."""
        self._serving = asyncio.create_task(client.connect(), name="the gateway")
        ready = asyncio.create_task(client.wait_until_ready())
        done, _ = await asyncio.wait(
            {self._serving, ready}, timeout=READY, return_when=asyncio.FIRST_COMPLETED
        )
        ready.cancel()
        if ready not in done:
            raise StartError("The gateway does not let the bot in: see what `bauta doctor` says.")

    async def again(self, client: RehearsalClient) -> RehearsalClient:
        """Close a client, and return a new one that is connected."""
        await self.close(client)
        fresh = await self.log_in()
        fresh.play_in(client.guild.id)
        await self.connect(fresh)
        return fresh

    async def close(self, client: RehearsalClient) -> None:
        """Close a client."""
        await client.close()
        if self._serving is not None:
            self._serving.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await self._serving


async def server_of(stage: Stage) -> int:
    """Return the server of the channel; raises :class:`StartError` if the channel is unsuitable."""
    try:
        channel = await stage.client.fetch_channel(stage.channel)
    except discord.HTTPException as error:
        raise StartError(
            f"The bot does not see this channel (code {error.code}).\n"
            "Copy its id (Developer Mode, then Copy Channel ID), and let the bot's role see it."
        ) from None
    except TROUBLE as error:
        raise _unreachable(error) from None
    if not isinstance(channel, discord.TextChannel) or channel.type not in TABLE_CHANNELS:
        raise StartError("This is no text channel of a server.")
    return channel.guild.id


async def roll_call(stage: Stage) -> None:
    """Start the thread of the rehearsal, and check whether another process of ours archives it.

    Raises :class:`StartError` if one does. Call it before this process receives events from the gateway.
    """
    try:
        message = await stage.post("thread", "The thread of this rehearsal.")
        name = f"{ROLL_CALL} {stage.props.run}"
        stage.thread = await stage.messages.start_thread(stage.channel, message, name)
    except discord.HTTPException as error:
        stage.tell(f"no roll call: a thread cannot be begun ({error.status}, code {error.code})")
        return
    except TROUBLE as error:
        raise _unreachable(error) from None
    stage.left.threads.append(stage.thread)
    for _ in range(LOOKS):
        await stage.sleep(PAUSE)
        try:
            thread = await stage.client.fetch_channel(stage.thread)
        except TROUBLE as error:
            raise _unreachable(error) from None
        if isinstance(thread, discord.Thread) and thread.archived:
            raise StartError(SOMEBODY)


def _unreachable(error: Exception) -> StartError:
    return StartError(f"Discord cannot be reached ({type(error).__name__}).")
