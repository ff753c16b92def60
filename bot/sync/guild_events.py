"""Gateway events about the servers, channels and threads of matches."""

from __future__ import annotations

import discord

from bot.gateway.connection import Client
from bot.matches import Services
from bot.runtime.background import BackgroundTasks
from bot.sync.client import MessageClient
from bot.sync.missing_threads import MissingThreads
from bot.sync.welcome import Welcome
from bot.sync.worker import OutboxWorker

ROLL_CALL = "rehearsal"
"""The prefix of the name of a thread of ours that asks whether a process is serving. No match has it."""


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
