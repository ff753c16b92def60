"""The one post in a server that the bot was added to."""

from __future__ import annotations

import logging

import discord

from bot.matches.settings import Settings
from bot.pages.how_to_play import welcome_page
from bot.pages.texts import Texts, language_of
from bot.permissions import held_in
from bot.sync.client import MessageClient

log = logging.getLogger(__name__)

WELCOMED = "welcomed:"
"""What the keys of the notes of servers begin with; the server's id follows."""


class Welcome:
    """Says once in every server what to type there, in the channel that the server has for such news."""

    def __init__(self, settings: Settings, messages: MessageClient) -> None:
        self._settings = settings
        self._messages = messages

    async def greet(self, server: discord.Guild) -> None:
        """Post in a server's system channel, where there is one that lets us; never twice in a server."""
        channel = server.system_channel
        if channel is None:
            return
        held = held_in(channel)
        # Noted first: who has been told nothing can type /help, who is told twice has been disturbed.
        if held is not None and not (held.view_channel and held.send_messages):
            return
        if not await self._is_first(server):
            return
        page = welcome_page(Texts(language_of(server.preferred_locale)))
        try:
            await self._messages.post(channel.id, page, nonce=f"w.{server.id}")
        except discord.HTTPException as error:
            log.info("a server could not be welcomed (code %s)", error.code)

    async def _is_first(self, server: discord.Guild) -> bool:
        return await self._settings.note_once(f"{WELCOMED}{server.id}")
