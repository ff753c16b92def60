"""What is shown where: our messages, noted in the database by match and surface after they were sent.

A message may have been sent and not noted, such as before a crash. So a surface counts as certain only once
its message was noted, or looked for, by this process.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import discord

from bot.discord_errors import GONE, UNKNOWN_CHANNEL, ThreadLocked, failure_of
from bot.domain.jobs import Begun, Shown
from bot.domain.tables import PersonId, TableInfo
from bot.matches import Services
from bot.matches.lobby import HASH_SURFACE
from bot.pages.page import FoundMessage, Page
from bot.pages.texts import Texts
from bot.sync.client import MessageClient

log = logging.getLogger(__name__)

LOBBY = "lobby"
BOARD = "board"
REMINDER = "reminder:"
"""What the surfaces of calls in a thread begin with; the number of the call follows. Each has its own: a call
that was posted, and others since, is not posted again."""
DM_REMINDER = "dm_reminder:"
"""The same for those by direct message; seat and number follow."""
HASH = HASH_SURFACE
"""The message with the hash of a table's shuffle: posted once, never edited."""
HOST_CALL = "full"
"""The message that tells the host that the match can start. Earlier versions called at full tables alone."""
HOST_CALLED = "host_called:"
"""What the notes of when the host was told so begin with, as Unix times; what they were told follows."""
INVITATION = "invitation:"
"""What the surfaces of a table's messages begin with that ping at the end of quiet hours."""
FROZEN = "frozen"
FILM = "film"
"""Which message brings the film of a match."""
ELSEWHERE = "elsewhere"
"""The surface of a match whose server has no thread left: it is played in its channel."""
DM = "dm:"
"""What the surfaces of direct messages begin with; the seat follows."""
GOODBYE = "goodbye:"
"""The same for the direct messages that say how a match ended."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """The channel of direct messages with a person."""

    channel_id: int
    is_known: bool
    """Whether it is noted that we have written there before."""


class ChannelGone(Exception):  # noqa: N818 - a finding, not a fault
    """The channel of a table is gone for good: there is nowhere left to show it."""


class ShownMessages:
    """Posts, notes and finds again the messages of all matches."""

    def __init__(self, services: Services, messages: MessageClient, client: discord.Client) -> None:
        self._outbox = services.outbox
        self._messages = messages
        self._client = client
        self._certain: set[tuple[str, str]] = set()
        self._sent: set[tuple[str, str]] = set()
        """Surfaces to which this process has sent something that it has not noted."""

    def __len__(self) -> int:
        return len(self._certain)

    def certain(self, match: str, surface: str) -> bool:
        """Return whether no message can stand on a surface without being noted."""
        return (match, surface) in self._certain

    def mark_certain(self, match: str, surface: str) -> None:
        """Note that a surface was looked at: what is noted is what stands there."""
        self._certain.add((match, surface))
        self._sent.discard((match, surface))

    def mark_uncertain(self, match: str, surface: str) -> None:
        """Note that something may be sent to a surface before it is noted."""
        self._certain.discard((match, surface))
        self._sent.add((match, surface))

    def may_differ(self, match: str, surface: str) -> bool:
        """Return whether a surface may show what was sent and not noted: its answer may have got lost."""
        return (match, surface) in self._sent

    def forget(self, match: str) -> None:
        """Keep nothing of a match in memory."""
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
        """Post a page and return its message's id. It is to be noted afterwards."""
        self.mark_uncertain(match, surface)
        return await self._messages.post(channel, page, nonce=nonce, mentioned=mentioned)

    async def dm_channel(self, person: PersonId) -> int:
        """Return the channel of direct messages with a person; raises :class:`DirectMessagesPaused`."""
        known = await self._outbox.dm_channel(person, self._messages.account)
        return await self._messages.dm_channel(person) if known is None else known

    @asynccontextmanager
    async def writing_to(self, person: PersonId) -> AsyncIterator[Conversation]:
        """Post a direct message within the block, and note where, once it has arrived.

        It is opened once for all: Discord counts what is opened, and discord.py knows the last 128 alone.
        Raises :class:`DirectMessagesPaused`.
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
        self, match: str, surface: str, shown: Shown, page: Page, begun: Begun | None = None
    ) -> None:
        """Note that a surface shows ``page`` now; ``begun``: what was noted before, where that matters."""
        noted = replace(shown, digest=page.digest())
        if begun is None:
            await self._outbox.set_shown(match, surface, noted)
        else:
            noted = replace(noted, table_version=begun.version)
            await self._outbox.set_shown(match, surface, noted, begun.digest)
        self.mark_certain(match, surface)

    async def drop(self, match: str, surfaces: Iterable[str]) -> None:
        """Note of several surfaces that nothing is shown there any more."""
        for surface in surfaces:
            if await self._outbox.shown(match, surface) is not None:
                await self._outbox.drop_shown(match, surface)

    async def delete(self, match: str, prefix: str, *, but_newest: bool = False) -> None:
        """Delete what stands on the surfaces that begin with ``prefix``."""
        standing = await self._outbox.standing(match, prefix)
        for surface, shown in standing[: -1 if but_newest else None]:
            await self._messages.delete(shown.channel_id, shown.message_id)
            await self._outbox.drop_shown(match, surface)

    async def strip(self, shown: Shown, words: str = "") -> None:
        """Take buttons and selects from a message; ``words`` are said in their place."""
        await self._messages.strip(shown.channel_id, shown.message_id, words)

    async def leave(self, shown: Shown, words: str) -> None:
        """Take the buttons from a message in a channel that a match has left, and say ``words`` there.

        It may be a channel that has shut the bot out: the match goes on all the same.
        """
        try:
            await self.strip(shown, words)
        except (discord.Forbidden, ThreadLocked) as error:
            log.info("message %d stays as it is: %s", shown.message_id, failure_of(error))

    async def find(self, match: str, channel: int) -> list[FoundMessage]:
        """Return the messages of a match with buttons or selects at a channel's end, newest first.

        There are none where the channel is gone.
        """
        try:
            return await self._messages.find(channel, f":{match}:")
        except discord.NotFound as error:
            if error.code not in GONE:
                raise
            return []

    def texts(self, table: TableInfo) -> Texts:
        """Return texts in the language of a table's server."""
        guild = self._client.get_guild(table.place.guild_id)
        return Texts(str(guild.preferred_locale).partition("-")[0] if guild is not None else "en")
