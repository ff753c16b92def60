"""Keeps a client connected to Discord, and says whether it is."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import discord

from bot.config import StartError
from bot.domain.shards import Shards
from bot.gateway.discord_errors import failure_of
from bot.gateway.permissions import intents
from bot.gateway.rate_limits import MAX_RATELIMIT_WAIT_S
from bot.gateway.rest_health import RestHealth
from bot.gateway.session_starts import SessionStarts
from bot.runtime.heartbeat import Conditions
from bot.runtime.log_setup import kind_of, origin_of
from bot.store import DatabaseReplaced, StoreError

log = logging.getLogger(__name__)

WRONG_TOKEN = 4004
"""The gateway's close code for a token that it does not know."""

TRANSIENT = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError, AttributeError)
"""Errors of a connection that may succeed later. ``AttributeError`` is a bug of discord.py 2.7.1: it looks
for the sequence number of a connection that never existed."""

UNREADABLE = (LookupError, TypeError, ValueError, AttributeError)
"""What discord.py raises for a response that lacks what it expects."""

UNAUTHORIZED = 401

GUILDS_TIMEOUT_S = 0.5
"""Seconds without another server after which discord.py considers the list complete, and we start."""

MIN_RECONNECT_DELAY_S, MAX_RECONNECT_DELAY_S = 1.0, 60.0
"""Seconds before a failed connection is retried: the first time, and at most."""


class Client(discord.AutoShardedClient):
    """discord.py's client with our settings. It knows whether all of its shards are connected."""

    def __init__(
        self,
        session_starts: SessionStarts | None = None,
        shards: Shards | None = None,
        rest: RestHealth | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        # Without them discord.py serves all shards that Discord recommends; it accepts no None instead.
        own: Any = {} if shards is None else {"shard_ids": list(shards.ids), "shard_count": shards.count}
        if rest is not None:
            own["http_trace"] = rest.trace()
        super().__init__(
            **own,
            intents=intents(),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            # Nothing about people is kept: no members, no messages.
            chunk_guilds_at_startup=False,
            guild_ready_timeout=GUILDS_TIMEOUT_S,
            max_messages=None,
            max_ratelimit_timeout=MAX_RATELIMIT_WAIT_S,
        )
        self._shards = shards
        self.session_starts = session_starts or SessionStarts(Conditions())
        self.served = False
        """Whether it has ever been connected."""
        self._clock = clock
        self._down: dict[int, float] = {}
        """The shards that have lost their connection, and since when."""

    def receives_events_of(self, guild_id: int) -> bool:
        """Return whether a server's events reach this process; it knows nothing about other servers."""
        return self._shards is None or self._shards.has(guild_id)

    @property
    def shard_numbers(self) -> tuple[range, int]:
        """Return this client's shards, and the number of all shards."""
        if self._shards is not None:
            return self._shards.ids, self._shards.count
        count = self.shard_count or 1
        return range(count), count

    def disconnected_for(self) -> dict[int, float]:
        """Return the shards that are not connected, and for how many seconds."""
        now = self._clock()
        return {shard: now - since for shard, since in self._down.items()}

    @property
    def online(self) -> bool:
        """Return whether every shard is connected."""
        return self.served and not self._down and not self.is_closed()

    async def application_info(self) -> discord.AppInfo:
        """Return Discord's description of the application; if it is unavailable, READY names the id."""
        try:
            return await super().application_info()
        except discord.HTTPException as error:
            if error.status == UNAUTHORIZED:
                raise
            log.warning("application info: request failed (%s)", kind_of(error))
        except UNREADABLE as error:
            log.warning("application info: unreadable response (%s)", origin_of(error))
        nothing: Any = SimpleNamespace(
            id=None, flags=discord.ApplicationFlags(), interactions_endpoint_url=None
        )
        return cast("discord.AppInfo", nothing)

    async def launch_shards(self) -> None:
        """Start the sessions of all shards, once that is allowed."""
        await self.session_starts.before_identify(self.fetch_session_start_limits)
        try:
            await super().launch_shards()
        except UNREADABLE as error:
            known: Any = self.shard_count
            if known is not None:
                raise  # it failed later
            # One shard at the usual address: Discord closes it with 4011 if that is too few.
            log.warning("gateway address: unreadable response (%s)", origin_of(error))
            self.shard_count = 1
            await super().launch_shards()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until one more session may be started."""
        del initial
        await self.session_starts.identify(shard_id or 0)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Note that a shard has lost its connection."""
        self._down.setdefault(shard_id, self._clock())
        self.session_starts.lost(shard_id)

    async def on_shard_connect(self, shard_id: int) -> None:
        """Note that a shard is connected."""
        self._down.pop(shard_id, None)
        self.session_starts.connected(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Note that a shard has resumed its session."""
        self._down.pop(shard_id, None)
        self.session_starts.connected(shard_id)

    async def on_error(self, event_method: str, /, *_: Any, **__: Any) -> None:
        """Log an event handler's error, without the event's content."""
        log.error("event handler %s failed", event_method, exc_info=True)  # noqa: LOG014 - called within it


class Connection:
    """Keeps a client connected; replaces one that failed with a new one after a pause.

    discord.py itself reconnects once it has been connected; before that, some failures end it.
    """

    def __init__(
        self,
        new_client: Callable[[], Client],
        token: str,
        session_starts: SessionStarts,
        paused_for: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._paused_for = paused_for
        self._new_client = new_client
        self._token = token
        self._session_starts = session_starts
        self._client: Client | None = None

    def online(self) -> bool:
        """Return whether the current client is connected."""
        return self._client is not None and self._client.online

    async def keep(self) -> None:
        """Stay connected until cancelled.

        Raises :class:`StartError` if Discord refuses the token or the intents, and :class:`StoreError`.
        """
        pause = MIN_RECONNECT_DELAY_S
        while True:
            self._client = self._new_client()
            await self._serve(self._client)
            self._session_starts.all_lost()
            if self._session_starts.take_service():
                pause = MIN_RECONNECT_DELAY_S
            wait = pause * random.uniform(0.5, 1.0)  # noqa: S311 - it only spreads the retries
            wait = max(wait, self._paused_for())
            log.info("reconnecting in %.1f s", wait)
            await asyncio.sleep(wait)
            pause = min(MAX_RECONNECT_DELAY_S, pause * 2)

    async def _serve(self, client: Client) -> None:
        try:
            async with client:
                await client.start(self._token)
        except (discord.LoginFailure, discord.PrivilegedIntentsRequired) as error:
            raise _refused(error) from None
        except discord.ConnectionClosed as error:
            if error.code == WRONG_TOKEN:
                raise _refused(error) from None
            log.warning("gateway connection closed (%s)", error.code)
        except TRANSIENT as error:
            log.warning("Discord cannot be reached (%s; %s)", failure_of(error), origin_of(error))
        except DatabaseReplaced:
            # The process stays: a deleted file exists only as long as it is open.
            log.warning("not serving: the database was deleted or replaced")
        except StoreError:
            raise
        except Exception:
            log.exception("client failed: replacing it")


def _refused(error: Exception) -> StartError:
    if isinstance(error, discord.PrivilegedIntentsRequired):
        return StartError("Discord asks for a privileged intent, though this bot needs none: update it.")
    return StartError(
        "Discord does not know this token.\n"
        "Copy it again from the developer portal (your application, Bot, Reset Token) into DISCORD_TOKEN, "
        "or into the file that DISCORD_TOKEN_FILE names."
    )
