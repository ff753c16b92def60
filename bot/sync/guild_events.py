"""Gateway events about the servers, channels and threads of matches; what a new server is told."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

import discord

from bot.domain.surfaces import Nonce
from bot.gateway.connection import Client
from bot.gateway.permissions import held_in
from bot.matches import Services
from bot.matches.settings import Settings
from bot.pages.how_to_play import welcome_page
from bot.pages.texts import Texts
from bot.runtime.background import BackgroundTasks
from bot.sync.client import MessageClient
from bot.sync.missing_threads import MissingThreads
from bot.sync.worker import OutboxWorker

log = logging.getLogger(__name__)

ROLL_CALL = "rehearsal"
"""The prefix of the name of a thread of ours that asks whether a process is serving. No match has it."""

WELCOMED = "welcomed:"
"""The prefix of the keys that mark servers as welcomed; the server's id follows."""


class Welcome:
    """Says once per server what to type there, in the server's system channel."""

    def __init__(
        self, settings: Settings, messages: MessageClient, texts: Callable[[int], Awaitable[Texts]]
    ) -> None:
        self._settings = settings
        self._messages = messages
        self._texts = texts
        """Returns texts in the language of a server."""

    async def greet(self, server: discord.Guild) -> None:
        """Post in a server's system channel, if there is one and we may; never twice per server."""
        channel = server.system_channel
        if channel is None:
            return
        held = held_in(channel)
        if held is not None and not (held.view_channel and held.send_messages):
            return
        # Recorded before posting: a missing post does little harm, as there is /help; a second one disturbs.
        if not await self._is_first(server):
            return
        page = welcome_page(await self._texts(server.id))
        try:
            await self._messages.post(channel.id, page, nonce=Nonce.WELCOME.of(server=server.id))
        except discord.HTTPException as error:
            log.info("welcome message could not be posted (code %s)", error.code)

    async def _is_first(self, server: discord.Guild) -> bool:
        return await self._settings.note_once(f"{WELCOMED}{server.id}")


class GuildEvents(Client):
    """A client that looks after matches when something changes in the place where they are shown."""

    services: Services
    background: BackgroundTasks
    worker: OutboxWorker
    missing_threads: MissingThreads
    welcome: Welcome

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Post the welcome, and update matches that continued while the bot was not on the server."""
        self.background.spawn(self.welcome.greet(guild), "welcoming a server")
        self.worker.look_after_server(guild.id)

    async def on_guild_role_update(self, _: discord.Role, role: discord.Role) -> None:
        """Retry jobs that lacked a permission."""
        self.worker.look_after_server(role.guild.id)

    async def on_guild_channel_update(self, _: object, channel: discord.abc.GuildChannel) -> None:
        """Retry jobs that lacked a permission."""
        self.worker.look_after_server(channel.guild.id)

    async def on_member_update(self, _: discord.Member, member: discord.Member) -> None:
        """Retry jobs that lacked a permission: the only member known here is the bot."""
        self.worker.look_after_server(member.guild.id)

    async def on_thread_create(self, thread: discord.Thread) -> None:
        """Answer a rehearsal that asks whether a process serves with this token, by archiving its thread."""
        if self.user is not None and thread.owner_id == self.user.id and thread.name.startswith(ROLL_CALL):
            await MessageClient(self).archive(thread.id)

    async def on_raw_thread_update(self, event: discord.RawThreadUpdateEvent) -> None:
        """Retry jobs that a locked thread rejected."""
        self.worker.look_after_server(event.guild_id)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Look for threads deleted while the bot was away: only a resumed session reports them."""
        self.background.spawn(self.missing_threads.look_after(guild), "looking for deleted threads")

    async def on_raw_thread_delete(self, event: discord.RawThreadDeleteEvent) -> None:
        """Start a new thread for a match whose own was deleted."""
        table = await self.services.queries.table_of_thread(event.thread_id)
        if table is not None:
            self.worker.look_after(table.id)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Check the tables of a deleted channel."""
        await self.services.outbox.ask_for_place(channel.id)
