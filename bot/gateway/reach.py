"""Which servers can be reached, by gateway and REST API; and bans that processes share."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Protocol

import discord
import discord.http

from bot.gateway.discord_errors import UNREACHED
from bot.gateway.rest_health import RestHealth
from bot.store import Store, StoreError

log = logging.getLogger(__name__)

PROBE_INTERVAL_S = 5.0
"""Seconds between two probes while Discord's API fails and no other request is sent."""

PROBE_TIMEOUT_S = 15.0
"""Seconds after which a probe is given up: longer than a request may stall."""

RECENT_S = 10.0
"""Seconds for which a response proves that Discord responds."""

PAUSED_UNTIL = "rest.paused_until"
"""Key of the stored Unix time until which no process sends requests."""

POLL_INTERVAL_S = 2.0
"""Seconds between two checks whether another process has stored a ban."""


class ShardedClient(Protocol):
    """What is needed of a client."""

    @property
    def shard_numbers(self) -> tuple[range, int]:
        """Return the client's shards, and the number of all shards."""
        ...

    @property
    def http(self) -> discord.http.HTTPClient:
        """Return the client that sends its requests."""
        ...

    def disconnected_for(self) -> Mapping[int, float]:
        """Return the shards that are not connected, and for how many seconds."""
        ...


class DiscordReach:
    """Discord's availability to one client, for the clocks."""

    def __init__(self, client: ShardedClient, rest: RestHealth) -> None:
        self._client = client
        self._rest = rest

    def shards(self) -> tuple[Iterable[int], int]:
        """Return the shards that this process serves, and the number of all shards."""
        return self._client.shard_numbers

    def unserved(self) -> Mapping[int, float]:
        """Return the shards whose players cannot act, and for how many seconds."""
        found = dict(self._client.disconnected_for())
        failing = self._rest.failing_for()
        if failing is not None:
            for shard in self._client.shard_numbers[0]:
                found[shard] = max(failing, found.get(shard, 0.0))
        return found

    async def answers(self) -> bool:
        """Return whether Discord responds now; probe it if there was no recent response."""
        if self._rest.doubtful.is_set() or self._rest.heard_for() > RECENT_S:
            await self._probe()
        return not self._rest.doubtful.is_set() and self._rest.failing_for() is None

    async def keep_probing(self) -> None:
        """Probe Discord while it fails and no other request is sent, until cancelled."""
        while True:
            await self._rest.doubtful.wait()
            is_known = self._rest.failing_for() is not None and self._rest.asked_for() < PROBE_INTERVAL_S
            if not is_known and self._rest.paused_for() == 0:
                await self._probe()
            await asyncio.sleep(PROBE_INTERVAL_S)

    async def _probe(self) -> None:
        # The trace of all requests sees the result.
        with suppress(*UNREACHED, TimeoutError):
            async with asyncio.timeout(PROBE_TIMEOUT_S):
                await self._client.http.request(discord.http.Route("GET", "/users/@me"))


class SharedPause:
    """Stores a ban in the database, for the time after a restart and for processes that share the address."""

    def __init__(self, store: Store, rest: RestHealth, clock: Callable[[], float]) -> None:
        self._store = store
        self._rest = rest
        self._clock = clock

    async def read(self) -> None:
        """Obey a stored ban; raises :class:`StoreError`."""
        async with self._store.read() as reader:
            noted = await reader.value(PAUSED_UNTIL)
        if noted is not None and (left := float(noted) - self._clock()) > 0:
            self._rest.pause(left)

    async def keep(self) -> None:
        """Store this process's bans, and obey those that others have stored, until cancelled."""
        while True:
            with suppress(TimeoutError):
                # A single process has no others to check.
                async with asyncio.timeout(None if self._store.sharing is None else POLL_INTERVAL_S):
                    await self._rest.tripped.wait()
            try:
                if self._rest.tripped.is_set():
                    await self._note()
                    self._rest.tripped.clear()
                else:
                    await self.read()
            except StoreError as error:
                log.warning("Discord's API: sharing a ban failed: %s", error)
                await asyncio.sleep(POLL_INTERVAL_S)

    async def _note(self) -> None:
        until = self._clock() + self._rest.paused_for()
        async with self._store.transaction() as transaction:
            noted = await transaction.value(PAUSED_UNTIL)
            if noted is None or float(noted) < until:
                await transaction.set_value(PAUSED_UNTIL, str(until))
