"""What is shown where: our messages, recorded in the database by match and surface after they were sent.

A message may have been sent without being recorded, such as before a crash. So a surface counts as certain
only once this process has recorded its message, or searched for it.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import discord

from bot.domain.jobs import RecordBefore, Shown
from bot.domain.tables import PersonId, Preferences, TableInfo
from bot.gateway.discord_errors import GONE, UNKNOWN_CHANNEL, ThreadLocked, failure_of
from bot.matches import Services
from bot.pages.mentions import NO_MENTIONS, CommandMentions
from bot.pages.page import FoundMessage, Page
from bot.pages.texts import Texts, texts_in
from bot.sync.client import MessageClient

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Conversation:
    """The channel of direct messages with a person."""

    channel_id: int
    is_known: bool
    """Whether it is recorded that we have written there before."""


class ChannelGone(Exception):  # noqa: N818 - a finding, not a fault
    """The channel of a table is gone for good: there is nowhere left to show it."""


class ShownMessages:
    """Posts, records and finds the messages of all matches."""

    def __init__(
        self,
        services: Services,
        messages: MessageClient,
        client: discord.Client,
        mentions: CommandMentions = NO_MENTIONS,
    ) -> None:
        self.mentions = mentions
        """How texts mention commands."""
        self._outbox = services.outbox
        self._languages = services.languages
        self._messages = messages
        self._client = client
        self._certain: set[tuple[str, str]] = set()
        self._sent: set[tuple[str, str]] = set()
        """Surfaces to which this process has sent something that it has not recorded."""

    def __len__(self) -> int:
        return len(self._certain)

    def certain(self, match: str, surface: str) -> bool:
        """Return whether no message can be on a surface without being recorded."""
        return (match, surface) in self._certain

    def mark_certain(self, match: str, surface: str) -> None:
        """Mark a surface as checked: what is recorded is what it shows."""
        self._certain.add((match, surface))
        self._sent.discard((match, surface))

    def mark_uncertain(self, match: str, surface: str) -> None:
        """Mark a surface before something is sent to it: that is not recorded yet."""
        self._certain.discard((match, surface))
        self._sent.add((match, surface))

    def may_differ(self, match: str, surface: str) -> bool:
        """Return whether a surface may show something unrecorded, as Discord's response may have got lost."""
        return (match, surface) in self._sent

    def forget(self, match: str) -> None:
        """Drop a match from memory."""
        self._certain = {pair for pair in self._certain if pair[0] != match}
        self._sent = {pair for pair in self._sent if pair[0] != match}

    async def post(
        self,
        match: str,
        surface: str,
        channel: int,
        page: Page,
        nonce: str,
        mentioned: Sequence[PersonId] = (),
    ) -> int:
        """Post a page and return its message's id, which the caller must record."""
        self.mark_uncertain(match, surface)
        return await self._messages.post(channel, page, nonce=nonce, mentioned=mentioned)

    async def dm_channel(self, person: PersonId) -> int:
        """Return the channel of direct messages with a person; raises :class:`DirectMessagesPaused`."""
        known = await self._outbox.dm_channel(person, self._messages.account)
        return await self._messages.dm_channel(person) if known is None else known

    @asynccontextmanager
    async def writing_to(self, person: PersonId) -> AsyncIterator[Conversation]:
        """Post a direct message within the block; its channel is recorded once that has succeeded.

        A channel is opened only once: Discord counts that, and discord.py remembers only the last 128. Raises
        :class:`DirectMessagesPaused`.
        """
        account = self._messages.account
        known = await self._outbox.dm_channel(person, account)
        channel = await self._messages.dm_channel(person) if known is None else known
        try:
            yield Conversation(channel, is_known=known is not None)
        except discord.NotFound as error:
            if error.code == UNKNOWN_CHANNEL:
                await self._outbox.note_dm_channel(person, account, None)
            raise
        if known is None:
            await self._outbox.note_dm_channel(person, account, channel)

    async def note(
        self, match: str, surface: str, shown: Shown, page: Page, begun: RecordBefore | None = None
    ) -> None:
        """Record that a surface shows ``page`` now; ``begun``: what was recorded before, if that matters."""
        noted = replace(shown, digest=page.digest())
        if begun is None:
            await self._outbox.set_shown(match, surface, noted)
        else:
            noted = replace(noted, table_version=begun.version)
            await self._outbox.set_shown(match, surface, noted, begun.digest)
        self.mark_certain(match, surface)

    async def drop(self, match: str, surfaces: Iterable[str]) -> None:
        """Record that several surfaces show nothing any more."""
        for surface in surfaces:
            if await self._outbox.shown(match, surface) is not None:
                await self._outbox.drop_shown(match, surface)

    async def delete(self, match: str, prefix: str, *, but_newest: bool = False) -> None:
        """Delete the messages on all surfaces that begin with ``prefix``, or on all but the newest."""
        standing = await self._outbox.standing(match, prefix)
        for surface, shown in standing[: -1 if but_newest else None]:
            await self._messages.delete(shown.channel_id, shown.message_id)
            await self._outbox.drop_shown(match, surface)

    async def strip(self, shown: Shown, words: str = "") -> None:
        """Remove buttons and selects from a message; ``words`` take their place."""
        await self._messages.strip(shown.channel_id, shown.message_id, words)

    async def leave(self, shown: Shown, words: str) -> None:
        """Put ``words`` in place of a message's buttons, in a channel that a match has left.

        The bot may have no access to that channel any more: the match continues all the same.
        """
        try:
            await self.strip(shown, words)
        except (discord.Forbidden, ThreadLocked) as error:
            log.info("message %d keeps its buttons: %s", shown.message_id, failure_of(error))

    async def find(self, match: str, channel: int) -> list[FoundMessage]:
        """Return the messages of a match with buttons or selects at a channel's end, newest first.

        The list is empty if the channel is gone.
        """
        try:
            return await self._messages.find(channel, f":{match}:")
        except discord.NotFound as error:
            if error.code not in GONE:
                raise
            return []

    async def texts(self, table: TableInfo) -> Texts:
        """Return texts in the language of a table's server."""
        return await self.server_texts(table.place.guild_id)

    async def server_texts(self, guild_id: int) -> Texts:
        """Return texts in the language of a server."""
        guild = self._client.get_guild(guild_id)
        locale = "" if guild is None else str(guild.preferred_locale)
        return texts_in(await self._languages.of_server(guild_id, locale), self.mentions)

    def texts_for(self, preferences: Preferences) -> Texts:
        """Return texts in a person's language."""
        return texts_in(preferences.spoken, self.mentions)
