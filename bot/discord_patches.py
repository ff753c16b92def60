"""Everything that we change in discord.py 2.7.1 itself, in one place, and why.

Each of these is checked by a test that fails once discord.py behaves otherwise.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import discord
import discord.gateway
import discord.http
import yarl

from bot.config import StartError, is_loopback

log = logging.getLogger(__name__)

LONGEST_LIMIT = 30.0
"""Seconds that a request waits out a rate limit; one that lasts longer is an error, and tried again later."""

# This bot has no voice; without this, discord.py warns at every start that it could not use it.
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False


def point_discord_at(api_url: str, gateway_url: str) -> None:
    """Let discord.py talk to another Discord on this computer; raises :class:`StartError` for any other.

    These are the two names that discord.py builds all addresses from.
    """
    for url in (api_url, gateway_url):
        if not is_loopback(yarl.URL(url).host or ""):
            raise StartError("Another Discord than the real one may only be on this computer (127.0.0.1).")
    discord.http.Route.BASE = api_url.rstrip("/")
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway_url)


def release_waiters(http: discord.http.HTTPClient) -> None:
    """Let a request that is cancelled while it waits out a global rate limit release the others.

    discord.py bars all requests then, and lifts the bar only at the end of that one's wait.
    """
    request = http.request

    async def patient(*arguments: Any, **options: Any) -> Any:
        try:
            return await request(*arguments, **options)
        except asyncio.CancelledError:
            asyncio.get_running_loop().call_later(LONGEST_LIMIT, http._global_over.set)  # noqa: SLF001
            raise

    http.request = patient  # type: ignore[method-assign]


def skip_unreadable(parsers: dict[str, Callable[[Any], None]]) -> None:
    """Let an interaction that discord.py cannot read be lost, and nothing else with it.

    discord.py would end the connection, and with it the program. ``parsers`` are its readers of events.
    """
    read = parsers["INTERACTION_CREATE"]

    def reader(data: Any) -> None:
        try:
            read(data)
        # Its type only: what the error says may quote what somebody typed.
        except Exception as error:
            log.warning("an interaction could not be read (%s)", type(error).__name__)

    parsers["INTERACTION_CREATE"] = reader
