"""How long the bot waits when Discord says that it asks too much."""

from __future__ import annotations

import asyncio
from typing import Any

import discord.http

LONGEST_LIMIT = 30.0
"""Seconds that a request waits out a rate limit; one that lasts longer is an error, and tried again later."""


def free_waiters(http: discord.http.HTTPClient) -> None:
    """Let no request that is given up while it waits out a limit for all hold up every other for good.

    discord.py 2.7.1 bars all requests then, and lifts the bar only at the end of that one's wait.
    """
    request = http.request

    async def patient(*arguments: Any, **options: Any) -> Any:
        try:
            return await request(*arguments, **options)
        except asyncio.CancelledError:
            asyncio.get_running_loop().call_later(LONGEST_LIMIT, http._global_over.set)  # noqa: SLF001
            raise

    http.request = patient  # type: ignore[method-assign]
