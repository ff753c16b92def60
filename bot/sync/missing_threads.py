"""Finds the threads and channels of matches that were deleted while the bot was away.

A fresh session lists the active threads of every server, but not what was deleted before. A thread that is
not among them was archived or deleted: the channel's list of archived ones says which, a hundred threads per
request.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable

import discord

from bot.gateway.discord_errors import GONE, UNREACHED, failure_of
from bot.matches.outbox import Outbox

log = logging.getLogger(__name__)

MOST_ARCHIVED = 1_000
"""Maximum archived threads of a channel that are checked. Older ones are noticed when somebody plays on."""


class MissingThreads:
    """Looks after matches whose thread or channel is gone."""

    def __init__(self, outbox: Outbox, client: discord.Client, look_after: Callable[[str], None]) -> None:
        self._outbox = outbox
        self._client = client
        self._look_after = look_after

    async def look_after(self, guild: discord.Guild) -> None:
        """Look after the matches of a server whose thread or channel is gone."""
        active = {thread.id for thread in guild.threads}
        missing: defaultdict[int, dict[int, str]] = defaultdict(dict)
        for match, channel, thread in await self._outbox.running_threads(guild.id):
            if thread not in active:
                missing[channel][thread] = match
        for channel, matches in missing.items():
            try:
                deleted = await self._deleted(guild, channel, set(matches))
            except discord.Forbidden:
                continue  # without access we cannot tell, and could not post either
            except UNREACHED as error:
                log.warning("channel %d: listing archived threads failed: %s", channel, failure_of(error))
                # Check each one on its own instead, with retries until Discord responds.
                deleted = set(matches)
            for thread in deleted:
                self._look_after(matches[thread])

    async def _deleted(self, guild: discord.Guild, channel_id: int, threads: set[int]) -> set[int]:
        """Return which of a channel's inactive threads do not exist any more."""
        channel = guild.get_channel(channel_id)
        if not isinstance(channel, discord.TextChannel):
            try:
                await self._client.fetch_channel(channel_id)
            except discord.NotFound as error:
                if error.code not in GONE:
                    raise
                await self._outbox.ask_for_place(channel_id)
            return set()
        left, looked_at = set(threads), 0
        async for thread in channel.archived_threads(limit=MOST_ARCHIVED):
            looked_at += 1
            left.discard(thread.id)
            if not left:
                break
        return left if looked_at < MOST_ARCHIVED else set()
