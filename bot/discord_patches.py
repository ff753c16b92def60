"""Everything that we change in discord.py 2.7.1 itself, in one place, and why.

Each of these is checked by a test that fails once discord.py behaves otherwise.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
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


_patience: ContextVar[float] = ContextVar("patience with rate limits", default=LONGEST_LIMIT)


@contextmanager
def impatient(seconds: float) -> Iterator[None]:
    """Let requests within the block raise ``RateLimited`` instead of waiting longer than ``seconds``.

    discord.py has one patience for all requests, and waits within them: whoever has other work to do would
    not get to it.
    """
    token = _patience.set(seconds)
    try:
        yield
    finally:
        _patience.reset(token)


class PromptRatelimit(discord.http.Ratelimit):
    """A rate limit that is waited for only as long as its request has patience."""

    def __init__(self, max_ratelimit_timeout: float | None) -> None:
        # Not the patience of whichever request happens to be the first.
        super().__init__(None if max_ratelimit_timeout is None else LONGEST_LIMIT)

    async def acquire(self) -> None:
        """Wait for the request's turn; raises ``RateLimited``."""
        patience = _patience.get()
        until = self.expires
        wait = 0.0 if until is None or self.remaining > 0 else until - asyncio.get_running_loop().time()
        if wait > patience:
            raise discord.RateLimited(wait)
        if patience >= LONGEST_LIMIT:
            await super().acquire()
            return
        try:
            # Others may be before it, and each window lets a few of them through.
            async with asyncio.timeout(max(patience, wait)):
                await super().acquire()
        except TimeoutError:
            raise discord.RateLimited(max(patience, self.reset_after)) from None


def _set_longest(http: discord.http.HTTPClient, seconds: float | None) -> None:
    vars(http)["longest_limit"] = seconds


def _longest(http: discord.http.HTTPClient) -> float | None:
    longest: float | None = vars(http)["longest_limit"]
    return None if longest is None else min(longest, _patience.get())


# Where a 429 is met, discord.py compares it with this attribute, and sleeps within the request otherwise.
discord.http.HTTPClient.max_ratelimit_timeout = property(_longest, _set_longest)  # type: ignore[assignment]
discord.http.Ratelimit = PromptRatelimit  # type: ignore[misc]
