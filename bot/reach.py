"""Which servers can be played on, by gateway and REST API; and bans that processes share."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Protocol

import discord
import discord.http

from bot.discord_errors import UNREACHED
from bot.rest_health import RestHealth
from bot.store import Store, StoreError

log = logging.getLogger(__name__)

PROBE_INTERVAL_S = 5.0
"""Seconds between two probes while Discord's API fails and nothing else is asked."""

PROBE_TIMEOUT_S = 15.0
"""Seconds after which a probe is given up: longer than a request may stall."""

RECENT_S = 10.0
"""Seconds for which an answer of Discord's is proof enough that it answers."""

PAUSED_UNTIL = "rest.paused_until"
"""The bot's own value that says until when no process sends requests: a Unix time."""

POLL_INTERVAL_S = 2.0
"""Seconds after which it is looked again whether another process has noted a ban."""


class ShardedClient(Protocol):
    """What is asked of a client."""

    @property
    def shard_numbers(self) -> tuple[range, int]:
        """Return the shards that the client has, and how many there are."""
        ...

    @property
    def http(self) -> discord.http.HTTPClient:
        """Return what sends its requests."""
        ...

    def disconnected_for(self) -> Mapping[int, float]:
        """Return the shards that are not connected, and for how many seconds."""
        ...


class DiscordReach:
    """What the clocks are told of Discord, as one client has it."""

    def __init__(self, client: ShardedClient, rest: RestHealth) -> None:
        self._client = client
        self._rest = rest

    def shards(self) -> tuple[Iterable[int], int]:
        """Return the shards that this process serves, and how many there are."""
        return self._client.shard_numbers

    def unserved(self) -> Mapping[int, float]:
        """Return the shards whose people cannot decide, and the seconds for which that has been so."""
        found = dict(self._client.disconnected_for())
        failing = self._rest.failing_for()
        if failing is not None:
            for shard in self._client.shard_numbers[0]:
                found[shard] = max(failing, found.get(shard, 0.0))
        return found

    async def answers(self) -> bool:
        """Return whether Discord answers just now; ask it where it has said nothing lately."""
        if self._rest.doubtful.is_set() or self._rest.heard_for() > RECENT_S:
            await self._probe()
        return not self._rest.doubtful.is_set() and self._rest.failing_for() is None

    async def keep_probing(self) -> None:
        """Ask Discord something while it fails and nothing else is asked, until cancelled."""
        while True:
            await self._rest.doubtful.wait()
            is_known = self._rest.failing_for() is not None and self._rest.asked_for() < PROBE_INTERVAL_S
            if not is_known and self._rest.paused_for() == 0:
                await self._probe()
            await asyncio.sleep(PROBE_INTERVAL_S)

    async def _probe(self) -> None:
        # What becomes of it is seen by those who watch all requests.
        with suppress(*UNREACHED, TimeoutError):
            async with asyncio.timeout(PROBE_TIMEOUT_S):
                await self._client.http.request(discord.http.Route("GET", "/users/@me"))


class SharedPause:
    """Notes a ban in the database: a restart heeds it, and so do other processes, which share the address."""

    def __init__(self, store: Store, rest: RestHealth, clock: Callable[[], float]) -> None:
        self._store = store
        self._rest = rest
        self._clock = clock

    async def read(self) -> None:
        """Heed a ban that is noted; raises :class:`StoreError`."""
        async with self._store.read() as reader:
            noted = await reader.value(PAUSED_UNTIL)
        if noted is not None and (left := float(noted) - self._clock()) > 0:
            self._rest.pause(left)

    async def keep(self) -> None:
        """Note what this process meets, and heed what others have noted, until cancelled."""
        while True:
            with suppress(TimeoutError):
                # One process alone has nobody to hear of.
                async with asyncio.timeout(None if self._store.sharing is None else POLL_INTERVAL_S):
                    await self._rest.tripped.wait()
            try:
                if self._rest.tripped.is_set():
                    await self._note()
                    self._rest.tripped.clear()
                else:
                    await self.read()
            except StoreError as error:
                log.warning("a ban of Discord's cannot be shared: %s", error)
                await asyncio.sleep(POLL_INTERVAL_S)

    async def _note(self) -> None:
        until = self._clock() + self._rest.paused_for()
        async with self._store.transaction() as transaction:
            noted = await transaction.value(PAUSED_UNTIL)
            if noted is None or float(noted) < until:
                await transaction.set_value(PAUSED_UNTIL, str(until))
