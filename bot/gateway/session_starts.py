"""When a session of the gateway may be started.

Discord counts them (IDENTIFY): a bot that starts more than 1,000 within a day loses its token. So pauses
between them grow until the bot has served for minutes, Discord is asked how many are left, and the last
ones are kept for the operator.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, Protocol, TypeAlias

import discord
import discord.gateway
import discord.shard

from bot.gateway.discord_errors import UNREACHED
from bot.runtime.heartbeat import Conditions
from bot.runtime.log_setup import origin_of
from bot.store import StoreError

log = logging.getLogger(__name__)

STABLE_AFTER_S = 300.0
"""Seconds of service after which earlier failures are forgotten."""

START_INTERVAL_S = 5.0
"""Seconds between two starts of sessions of one key: Discord's limit."""

IDENTIFY_PAUSES = (START_INTERVAL_S, 600.0)
"""Seconds before a session is started: after the first that did not last, and at most. 150 per day."""

RESUME_PAUSES = (1.0, 60.0)
"""The same before a session is resumed; the first time it is resumed immediately."""

RESERVED_SESSIONS = 20
"""Sessions per day that are kept for the operator, who may restart the bot."""

HANG_UP_TIMEOUT_S = 0.5
"""Seconds that closing a connection without a session may take."""

MIN_LIMIT_WAIT_S = 60.0
"""Seconds until Discord is asked again if too few are left, at least."""

CONDITION = "sessions"


MARGIN = 1.0
"""Seconds added to the distance between sessions of several processes: connecting takes a while."""

Reserve: TypeAlias = "Callable[[int, float], Awaitable[float]]"
"""Takes a key and a distance in seconds; reserves a start that far from any other process's, and returns
the seconds until then."""


class Limits(Protocol):
    """Discord's limits on starts of sessions."""

    @property
    def max_concurrency(self) -> int:
        """Return the number of keys; only sessions of the same key must keep their distance."""
        ...

    @property
    def remaining(self) -> int:
        """Return how many are left until the limit is reset."""
        ...

    @property
    def reset_after(self) -> int:
        """Return the milliseconds until then."""
        ...


class SessionStarts:
    """Remembers the sessions of this process, over all its clients, and makes each wait for its turn.

    ``reserve`` coordinates several processes that start sessions of one bot.
    """

    def __init__(
        self,
        conditions: Conditions,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        reserve: Reserve | None = None,
    ) -> None:
        self._reserve = reserve
        self._keys = 1
        """How many sessions may be started at the same time, at most."""
        self._conditions = conditions
        self._clock = clock
        self._sleep = sleep
        self._identified = 0
        self._resumed = 0
        self._last: dict[int, float] = {}
        """When a session of each key was last started."""
        self._lasted = False
        self._since: dict[int, float] = {}
        """Since when each shard has been connected."""

    def take_service(self) -> bool:
        """Return whether the bot has served for minutes since the last call."""
        lasted, self._lasted = self._lasted, False
        return lasted

    def connected(self, shard: int) -> None:
        """Note that a shard is connected."""
        self._since.setdefault(shard, self._clock())

    def lost(self, shard: int) -> None:
        """Note that a shard has lost its connection; one that has lasted resets the pauses."""
        since = self._since.pop(shard, None)
        if since is not None and self._clock() - since >= STABLE_AFTER_S:
            self._identified = self._resumed = 0
            self._lasted = True

    def all_lost(self) -> None:
        """Note that the client is gone, with all of its shards."""
        for shard in list(self._since):
            self.lost(shard)

    async def before_resume(self) -> None:
        """Wait until a session may be resumed."""
        await self._sleep(_pause(self._resumed, RESUME_PAUSES))
        self._resumed += 1

    async def before_identify(self, ask: Callable[[], Awaitable[Limits]]) -> None:
        """Wait until a session may be started; ``ask`` returns Discord's current limits."""
        pause = _pause(self._identified, IDENTIFY_PAUSES)
        if pause:
            log.info("gateway session: starting in %.0f s", pause)
            await self._sleep(pause)
        self._identified += 1
        while (wait := await self._reset_after(ask)) > 0:
            text = f"too few sessions are left today: none is begun for {wait / 60:.0f} minutes"
            log.warning("%s", text)
            self._conditions.note(CONDITION, text)
            await self._sleep(wait)
        self._conditions.clear(CONDITION)

    async def identify(self, shard: int = 0) -> None:
        """Wait out the distance that Discord requires between sessions of one key, and note the start."""
        key = shard % self._keys
        own = max(0.0, self._last.get(key, -START_INTERVAL_S) + START_INTERVAL_S - self._clock())
        await self._sleep(await self._reserved(key, own))
        self._last[key] = self._clock()

    async def _reserved(self, key: int, otherwise: float) -> float:
        if self._reserve is None:
            return otherwise
        try:
            return await self._reserve(key, START_INTERVAL_S + MARGIN)
        except StoreError as error:
            # Discord makes a session that comes too early wait, and then starts it.
            log.warning("gateway session: reserving a start failed: %s", error)
            return otherwise

    async def _reset_after(self, ask: Callable[[], Awaitable[Limits]]) -> float:
        try:
            limits = await ask()
            keys, left, reset_after = limits.max_concurrency, limits.remaining, limits.reset_after / 1000
            self._keys = max(1, keys)
            return 0.0 if left > RESERVED_SESSIONS else max(MIN_LIMIT_WAIT_S, reset_after + 1)
        except (*UNREACHED, LookupError, TypeError, ValueError, AttributeError) as error:
            # The pauses alone keep the number small; connecting will show whether Discord is reachable.
            log.info("gateway session: limits unknown (%s)", origin_of(error))
            return 0.0


def _pause(failures: int, bounds: tuple[float, float]) -> float:
    if failures == 0:
        return 0.0
    first, longest = bounds
    # The exponent is capped too, or the power would overflow eventually.
    pause = min(longest, first * 2.0 ** min(failures - 1, 16))
    return max(first, pause * random.uniform(0.75, 1.0))  # noqa: S311 - it only spreads the retries


def pause_before_sessions() -> None:
    """Make discord.py pause before it starts or resumes a session, and heed cancellation meanwhile.

    It does neither: a gateway that hangs up at once would use up a day's sessions (1,000) within minutes. A
    client that should pause has ``session_starts``, a :class:`SessionStarts`.
    """
    shard = discord.shard.Shard
    reidentify, reconnect = shard.reidentify, shard.reconnect

    async def patient_reidentify(self: discord.shard.Shard, exc: discord.gateway.ReconnectWebSocket) -> None:
        client: Any = self._client
        starts: SessionStarts | None = getattr(client, "session_starts", None)
        if starts is not None and exc.resume:
            await starts.before_resume()
        elif starts is not None:
            await starts.before_identify(client.fetch_session_start_limits)
        await reidentify(self, exc)
        _heed_cancellation()

    async def patient_reconnect(self: discord.shard.Shard) -> None:
        client: Any = self._client
        starts: SessionStarts | None = getattr(client, "session_starts", None)
        if starts is not None:
            await starts.before_identify(client.fetch_session_start_limits)
        await reconnect(self)
        _heed_cancellation()

    shard.reidentify = patient_reidentify  # type: ignore[method-assign]
    shard.reconnect = patient_reconnect  # type: ignore[method-assign]


def _heed_cancellation() -> None:
    """Raise a cancellation that discord.py has swallowed while a shard reconnected.

    It would wait for the next event then, which never comes, and block whatever cancelled it.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


def close_failed_sessions() -> None:
    """Close a connection, heartbeat and all, if its session cannot start: nothing else knows it by then."""
    socket: Any = discord.gateway.DiscordWebSocket
    socket.identify, socket.resume = _closed_on_failure(socket.identify), _closed_on_failure(socket.resume)


_Begin: TypeAlias = "Callable[[discord.gateway.DiscordWebSocket], Coroutine[Any, Any, None]]"


def _closed_on_failure(begin: _Begin) -> _Begin:
    async def guarded(self: discord.gateway.DiscordWebSocket) -> None:
        try:
            await begin(self)
        except BaseException:
            with suppress(Exception):
                async with asyncio.timeout(HANG_UP_TIMEOUT_S):
                    await self.close()
            raise

    return guarded
