"""When a session of the gateway may be begun.

Discord counts them (IDENTIFY): who begins more than 1,000 within a day loses the token. So pauses between
them grow until the bot has served for minutes, Discord is asked how many are left, and the last ones are
kept for the operator.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias

from bot.conditions import Conditions
from bot.discord_errors import UNREACHED
from bot.log_setup import origin_of
from bot.store import StoreError

log = logging.getLogger(__name__)

SERVICE = 300.0
"""Seconds of service after which earlier failures are forgotten."""

SPACING = 5.0
"""Seconds between two sessions of one key that are begun: Discord's limit."""

IDENTIFY_PAUSES = (SPACING, 600.0)
"""Seconds before a session is begun: after the first that did not last, and at most. 150 a day."""

RESUME_PAUSES = (1.0, 60.0)
"""The same before a session is resumed; the first time it is resumed at once."""

KEPT_BACK = 20
"""Sessions of a day that are left alone: they are the operator's, who may restart the bot."""

LEAST_WAIT = 60.0
"""Seconds until Discord is asked again where it says that none is left, and not until when."""

CONDITION = "sessions"


MARGIN = 1.0
"""Seconds that are added to the distance between sessions of several processes: connecting takes a while."""

Reserve: TypeAlias = "Callable[[int, float], Awaitable[float]]"
"""Reserves a moment for a session of a key, so far from that of any other process: seconds from now."""


class Limits(Protocol):
    """What Discord says of the sessions that may be begun."""

    @property
    def max_concurrency(self) -> int:
        """Return how many keys there are; only sessions of the same one have to keep their distance."""
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
    """Remembers the sessions of this process, over all its clients, and lets each wait for its turn.

    ``reserve``: where several processes begin sessions of one bot, what they agree by.
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
        """How many sessions may be begun at the same time, at most."""
        self._conditions = conditions
        self._clock = clock
        self._sleep = sleep
        self._identified = 0
        self._resumed = 0
        self._last: dict[int, float] = {}
        """When a session of each key was begun last."""
        self._lasted = False
        self._since: dict[int, float] = {}
        """Since when each shard has been connected."""

    def take_service(self) -> bool:
        """Return whether the bot has served for minutes since this was last asked."""
        lasted, self._lasted = self._lasted, False
        return lasted

    def connected(self, shard: int) -> None:
        """Note that a shard is connected."""
        self._since.setdefault(shard, self._clock())

    def lost(self, shard: int) -> None:
        """Note that a shard has lost its connection; one that has lasted makes up for those before it."""
        since = self._since.pop(shard, None)
        if since is not None and self._clock() - since >= SERVICE:
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
        """Wait until a session may be begun; ``ask`` says what Discord still allows."""
        pause = _pause(self._identified, IDENTIFY_PAUSES)
        if pause:
            log.info("a session of the gateway is begun in %.0f s", pause)
            await self._sleep(pause)
        self._identified += 1
        while (wait := await self._reset_after(ask)) > 0:
            text = f"too few sessions are left today: none is begun for {wait / 60:.0f} minutes"
            log.warning("%s", text)
            self._conditions.note(CONDITION, text)
            await self._sleep(wait)
        self._conditions.clear(CONDITION)

    async def identify(self, shard: int = 0) -> None:
        """Wait for the distance that Discord asks for between two shards, and begin a session."""
        key = shard % self._keys
        own = max(0.0, self._last.get(key, -SPACING) + SPACING - self._clock())
        await self._sleep(await self._reserved(key, own))
        self._last[key] = self._clock()

    async def _reserved(self, key: int, otherwise: float) -> float:
        if self._reserve is None:
            return otherwise
        try:
            return await self._reserve(key, SPACING + MARGIN)
        except StoreError as error:
            # Discord lets a session that comes too early wait, and begins it then.
            log.warning("no moment for a session could be reserved: %s", error)
            return otherwise

    async def _reset_after(self, ask: Callable[[], Awaitable[Limits]]) -> float:
        try:
            limits = await ask()
            keys, left, reset_after = limits.max_concurrency, limits.remaining, limits.reset_after / 1000
            self._keys = max(1, keys)
            return 0.0 if left > KEPT_BACK else max(LEAST_WAIT, reset_after + 1)
        except (*UNREACHED, LookupError, TypeError, ValueError, AttributeError) as error:
            # The pauses alone keep the number small; whether Discord can be reached is seen in a moment.
            log.info("Discord does not say how many sessions are left (%s)", origin_of(error))
            return 0.0


def _pause(failures: int, bounds: tuple[float, float]) -> float:
    if failures == 0:
        return 0.0
    first, longest = bounds
    # The power is capped too, or it would overflow in the end.
    pause = min(longest, first * 2.0 ** min(failures - 1, 16))
    return max(first, pause * random.uniform(0.75, 1.0))  # noqa: S311 - it only spreads the tries
