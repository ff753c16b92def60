"""The welcome message in a server to which the bot was added."""

from __future__ import annotations

import logging

import discord

from bot.gateway.permissions import held_in
from bot.matches.settings import Settings
from bot.pages.how_to_play import welcome_page
from bot.pages.texts import Texts, language_of
from bot.sync.client import MessageClient

log = logging.getLogger(__name__)

WELCOMED = "welcomed:"
"""The prefix of the keys that mark servers as welcomed; the server's id follows."""


class Welcome:
    """Says once per server what to type there, in the server's system channel."""

    def __init__(self, settings: Settings, messages: MessageClient) -> None:
        self._settings = settings
        self._messages = messages

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
        page = welcome_page(Texts(language_of(server.preferred_locale)))
        try:
            await self._messages.post(channel.id, page, nonce=f"w.{server.id}")
        except discord.HTTPException as error:
            log.info("welcome message could not be posted (code %s)", error.code)

    async def _is_first(self, server: discord.Guild) -> bool:
        return await self._settings.note_once(f"{WELCOMED}{server.id}")
