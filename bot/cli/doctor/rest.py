"""The doctor's client for Discord's REST API: a few GET requests, failures as text, no library state."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import Any, Self

import aiohttp
import discord

AGENT = f"DiscordBot (https://discordpy.readthedocs.io, {discord.__version__})"
PATIENCE = 15.0
"""Seconds to wait for one response."""

TRIES = 4
LONGEST_WAIT = 20.0
"""Seconds to wait after one 429, at most."""


class Unreachable(Exception):  # noqa: N818 - a finding, not a fault
    """There is no readable response. The text says why, without the token."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response from Discord."""

    status: int
    data: Any = field(repr=False)
    skew: float | None
    """Seconds that this computer's clock is ahead of Discord's; ``None``: the response has no time."""

    @property
    def fine(self) -> bool:
        """Return whether the request succeeded."""
        return self.status == 200


class Rest:
    """A connection to Discord, as an asynchronous context manager."""

    def __init__(self, base: str, token: str, *, clock: Callable[[], float] = time.time) -> None:
        self._base = base.rstrip("/")
        self._headers = {"Authorization": f"Bot {token}", "User-Agent": AGENT}
        self._clock = clock
        self._session: aiohttp.ClientSession

    async def __aenter__(self) -> Self:
        timeout = aiohttp.ClientTimeout(total=PATIENCE)
        self._session = aiohttp.ClientSession(headers=self._headers, timeout=timeout)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._session.close()

    async def get(self, path: str) -> Answer:
        """Request ``path``, waiting and retrying after a 429; raises :class:`Unreachable`."""
        try:
            for _ in range(TRIES):
                answer = await self._once(path)
                if answer.status != 429:
                    return answer
                if not isinstance(answer.data, dict):
                    raise Unreachable("it refuses all requests of this address for now (429)")
                seconds = answer.data.get("retry_after")
                await asyncio.sleep(min(LONGEST_WAIT, max(0.0, float(seconds or 1.0))))
        except TimeoutError:
            raise Unreachable(f"no answer within {PATIENCE:.0f} s") from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise Unreachable(type(error).__name__) from None
        raise Unreachable("asked too often (429)")

    async def _once(self, path: str) -> Answer:
        sent = self._clock()
        # No redirect is followed: the token is for Discord alone.
        async with self._session.get(self._base + path, allow_redirects=False) as response:
            middle = (sent + self._clock()) / 2
            is_json = response.content_type == "application/json"
            data = await response.json() if is_json else None
            if response.status >= 500 or (response.status == 200 and data is None):
                raise Unreachable(f"Discord is in trouble (HTTP {response.status})")
            try:
                # The header is truncated to whole seconds: on average half a second is missing.
                skew = middle - (parsedate_to_datetime(response.headers["Date"]).timestamp() + 0.5)
            except (KeyError, ValueError):
                skew = None
            return Answer(response.status, data, skew)
