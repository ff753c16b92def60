"""One interaction and the ways to answer it: acknowledge first, always privately, never with a traceback."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from enum import Enum
from typing import Any

import discord
from discord.app_commands import Choice

from bot.discord_errors import ALREADY_ACKNOWLEDGED, TOO_LATE
from bot.domain.people import Person
from bot.domain.refusals import Refusal
from bot.pages.page import Page, note
from bot.pages.texts import Texts, language_of, shown_name
from bot.store import StoreError
from engines.core.contract import msg

log = logging.getLogger(__name__)

PATIENCE = 60.0
"""Seconds that an answer may take on its way, so that one that is stuck holds up no later one."""

REMEMBERED = 2_048
"""Interactions that are remembered, so that one that is delivered twice is handled once."""


class Held(Enum):
    """How an interaction was acknowledged."""

    NOT = "not"
    OWN = "own"
    """With a private message of its own, which the answer goes into."""
    MESSAGE = "message"
    """With the message that was clicked, which the answer may change."""
    DONE = "done"
    """With the answer itself."""


class Reply:
    """An interaction that somebody waits for an answer to."""

    def __init__(self, interaction: discord.Interaction[Any]) -> None:
        self.interaction = interaction
        self.speech = Texts(language_of(interaction.locale))
        self._held = Held.NOT

    @property
    def id(self) -> int:
        """Return the interaction's id, which makes a use case happen once."""
        return self.interaction.id

    @property
    def person(self) -> Person:
        """Return who asks; raises :class:`Refusal` where that is nobody, or a program."""
        user: Any = self.interaction.user  # what stands there if Discord names nobody is false
        if not user or user.bot:
            raise Refusal(msg("error.nobody"))
        return person_of(user)

    @property
    def place(self) -> int:
        """Return what the answer goes into: the clicked message, or the interaction's own answer."""
        message = self.interaction.message
        return message.id if self._held is Held.MESSAGE and message is not None else self.id

    @property
    def lasts(self) -> bool:
        """Return whether the answer goes into a message that stays, such as a panel in direct messages."""
        message = self.interaction.message
        return self._held is Held.MESSAGE and message is not None and not message.flags.ephemeral

    async def hold(self) -> None:
        """Acknowledge with a private message of its own."""
        await self._acknowledge(Held.OWN)

    async def hold_message(self) -> None:
        """Acknowledge a click on a private message, which stays as it is for now.

        A message that others can read is never answered into, whatever button was pressed on it: the
        answer gets a private message of its own.
        """
        await self._acknowledge(Held.MESSAGE if self._in_private else Held.OWN)

    @property
    def _in_private(self) -> bool:
        """Return whether only who asks can read the message that was clicked."""
        message, channel = self.interaction.message, self.interaction.channel
        if message is None:
            return False
        direct = channel is not None and channel.type is discord.ChannelType.private
        return message.flags.ephemeral or direct

    async def _acknowledge(self, held: Held) -> None:
        own = held is Held.OWN
        await _first(self.interaction.response.defer(ephemeral=own, thinking=own))
        self._held = held

    async def show(self, page: Page) -> None:
        """Put ``page`` into the message that the interaction was acknowledged with."""
        if self._held not in (Held.OWN, Held.MESSAGE):
            raise RuntimeError("acknowledge first")
        async with asyncio.timeout(PATIENCE):
            await self.interaction.edit_original_response(
                view=page.view, attachments=page.files(), allowed_mentions=discord.AllowedMentions.none()
            )

    async def say(self, words: str) -> None:
        """Answer privately in words, whether acknowledged or not; a clicked message stays as it is."""
        page = note(words)
        if self._held is Held.NOT:
            self._held = Held.DONE
            await _first(self.interaction.response.send_message(view=page.view, ephemeral=True))
        elif self._held is Held.OWN:
            await self.show(page)
        else:
            await self.interaction.followup.send(view=page.view, ephemeral=True)

    async def open(self, modal: discord.ui.Modal) -> None:
        """Answer with a modal; raises ``RuntimeError`` where something else was answered."""
        if self._held is not Held.NOT:
            raise RuntimeError("a modal is the first answer")
        self._held = Held.DONE
        await _first(self.interaction.response.send_modal(modal))


def person_of(user: discord.abc.User) -> Person:
    """Return a user as the house knows them: by a name that can be shown."""
    return Person(user.id, shown_name(user.display_name) or shown_name(user.name) or str(user.id))


async def _first(answer: Awaitable[object]) -> None:
    """Give an interaction its first answer; raises discord.py's errors.

    A retry of one whose acknowledgement got lost meets itself: that is as good.
    """
    try:
        await answer
    except discord.HTTPException as error:
        if error.code != ALREADY_ACKNOWLEDGED:
            raise


class Once:
    """Remembers the latest interactions: the gateway may deliver one twice."""

    def __init__(self) -> None:
        self._seen: OrderedDict[int, None] = OrderedDict()

    def first(self, interaction_id: int) -> bool:
        """Return whether the interaction is new."""
        if interaction_id in self._seen:
            return False
        self._seen[interaction_id] = None
        if len(self._seen) > REMEMBERED:
            self._seen.popitem(last=False)
        return True


async def guarded(ask: Reply, handler: Callable[[Reply], Awaitable[None]]) -> None:
    """Let ``handler`` answer, and answer for it where it cannot; nothing gets out of here."""
    try:
        try:
            await handler(ask)
        except Refusal as refusal:
            await ask.say(ask.speech.refusal(refusal))
    except Exception as error:  # the last line of defence: whatever it is, the person gets an answer
        await _apologise(ask, error)


async def complete(interaction: discord.Interaction[Any], choices: list[Choice[str]]) -> None:
    """Answer a completion that nobody has answered; too late is as good as never."""
    if interaction.response.is_done():
        return
    try:
        await interaction.response.autocomplete(choices)
    except discord.HTTPException as error:
        log.warning("a completion was not taken (code %s)", error.code)


async def _apologise(ask: Reply, error: Exception) -> None:
    if isinstance(error, discord.HTTPException) and error.code in TOO_LATE:
        log.warning("an answer came too late (code %s)", error.code)
        return
    incident = secrets.token_hex(3)
    words = ask.speech.house("error.incident", incident=incident)
    if isinstance(error, StoreError):
        log.error("incident %s: %s", incident, error)
        words = ask.speech.house("error.records")
    else:
        log.error("incident %s", incident, exc_info=error)
    try:
        await ask.say(words)
    except Exception as second:  # the connection may be what is broken
        log.warning("incident %s: no answer could be given (%s)", incident, type(second).__name__)
