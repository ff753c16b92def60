"""One interaction and the ways to answer it: acknowledged first, always privately, never with a traceback."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from enum import Enum
from functools import cached_property
from typing import Any

import discord
from discord.app_commands import Choice

from bot.domain.refusals import Refusal
from bot.domain.tables import TOKEN_LIFE_S, Person, snowflake_time
from bot.gateway.discord_errors import ALREADY_ACKNOWLEDGED, OUTAGE, TOO_LATE, UNREACHED, code_of, failure_of
from bot.gateway.rest_health import ApiPaused
from bot.pages.page import Page, text_page
from bot.pages.texts import Texts, shown_name, texts_in
from bot.runtime.log_setup import origin_of
from bot.store import StoreError
from engines.core.contract import msg
from engines.core.languages import language_of

log = logging.getLogger(__name__)

SEND_TIMEOUT_S = 60.0
"""Timeout for sending an answer, in seconds, so that a stuck one does not delay later ones."""

FIRST_RESPONSE_S = 0.1
"""Seconds within which a redrawn panel can be the first response; far below the three that Discord waits."""

MAX_DIRECT_BYTES = 400_000
"""Bytes of files up to which a page can be the first response: an upload takes time too."""

TEXTS = "texts"
"""Key, in an interaction's extras, of the texts for its answer; without them, Discord's language is used."""

REMEMBERED = 2_048
"""Maximum interactions that are remembered, so that one that is delivered twice is handled once."""


class _State(Enum):
    """How the interaction has been answered so far."""

    NEW = "new"
    DEFERRED = "deferred"
    """Acknowledged: the answer will be a private message of its own."""
    DEFERRED_EDIT = "deferred edit"
    """Acknowledged: the answer may change the message that was clicked."""
    ANSWERED = "answered"


class Reply:
    """An interaction that waits for an answer."""

    def __init__(self, interaction: discord.Interaction[Any]) -> None:
        self.interaction = interaction
        self.id = interaction.id
        """The interaction's id, which makes a use case happen only once."""
        self.texts: Texts = interaction.extras.get(TEXTS) or texts_in(language_of(self.locale))
        self._state = _State.NEW
        self._redraws = False
        """Whether the answer changes the clicked message, acknowledged or not."""
        self._first = asyncio.Lock()
        """Held while a first response is sent: Discord accepts only one."""

    @property
    def locale(self) -> str:
        """Return the locale of the person's Discord client."""
        return str(self.interaction.locale)

    def speak(self, chosen: str) -> None:
        """Answer in another language from now on; empty: in Discord's."""
        self.texts = texts_in(chosen or language_of(self.locale), self.texts.mentions)

    @property
    def mark(self) -> str:
        """Return what distinguishes this redrawing of a message from its others; empty for a new message."""
        return f"{self.id % 1_048_573:x}" if self._redraws else ""

    @cached_property
    def person(self) -> Person:
        """Return the person who acts; raises :class:`Refusal` if that is nobody, or a bot."""
        user: Any = self.interaction.user  # it is false if Discord names nobody
        if not user or user.bot:
            raise Refusal(msg("error.nobody"))
        return person_of(user)

    @property
    def target(self) -> int:
        """Return an id for the answer's message: that of the clicked one, or of a private one of its own."""
        message = self.interaction.message
        return message.id if self._redraws and message is not None else self.id

    @property
    def edits_lasting_message(self) -> bool:
        """Return whether the answer goes into a message that stays, such as a panel in direct messages."""
        message = self.interaction.message
        return self._redraws and message is not None and not message.flags.ephemeral

    async def defer(self) -> None:
        """Acknowledge: the answer will be a private message of its own."""
        await _first_response(self.interaction.response.defer(ephemeral=True, thinking=True))
        self._state = _State.DEFERRED

    async def accept(self) -> None:
        """Acknowledge a click whose effect the clicked message will show: only a refusal gets an answer."""
        await _first_response(self.interaction.response.defer())
        self._state = _State.DEFERRED_EDIT

    async def defer_edit(self) -> None:
        """Acknowledge a click on a private message, which stays as it is for now.

        An answer never changes a message that others can read, whatever button was pressed on it: it gets a
        private message of its own.
        """
        if not self._in_private:
            if self._state is _State.NEW:
                await self.defer()
            return
        self._redraws = True
        async with self._first:
            if self._state is _State.NEW:
                await _first_response(self.interaction.response.defer())
                self._state = _State.DEFERRED_EDIT

    @asynccontextmanager
    async def redrawing(self, haste: float = FIRST_RESPONSE_S) -> AsyncIterator[None]:
        """Redraw the clicked private message within the block, in one request if that is quick enough.

        The click is acknowledged after ``haste`` seconds, or at the end of a block that has shown nothing. On
        a message that others can read, it is acknowledged at once.
        """
        if haste <= 0 or not self._in_private:
            await self.defer_edit()
            yield
            return
        self._redraws = True
        later = asyncio.create_task(self._acknowledge_after(haste))
        try:
            yield
        finally:
            # Do not cancel a response while it is being sent.
            async with self._first:
                later.cancel()
        if later.done() and not later.cancelled():
            later.result()
        await self.defer_edit()

    async def _acknowledge_after(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        await self.defer_edit()

    @property
    def _in_private(self) -> bool:
        message, channel = self.interaction.message, self.interaction.channel
        direct = channel is not None and channel.type is discord.ChannelType.private
        return message is not None and (message.flags.ephemeral or direct)

    async def show(self, page: Page) -> None:
        """Put ``page`` into the deferred message; raises ``RuntimeError`` if there is none.

        Within :meth:`redrawing`, a page that is ready in time and small enough is the first response itself.
        """
        if self._redraws and page.weight <= MAX_DIRECT_BYTES and await self._show_at_once(page):
            return
        if self._redraws:
            await self.defer_edit()
        if self._state not in (_State.DEFERRED, _State.DEFERRED_EDIT):
            raise RuntimeError("acknowledge first")
        await _send_after_pause(
            lambda: self.interaction.edit_original_response(
                content=None,
                view=page.view,
                attachments=page.files(),
                allowed_mentions=discord.AllowedMentions.none(),
            )
        )

    async def _show_at_once(self, page: Page) -> bool:
        """Make ``page`` the first response; return ``False`` if there has been one already."""
        async with self._first:
            if self._state is not _State.NEW:
                return False
            await _first_response(
                self.interaction.response.edit_message(
                    content=None,
                    view=page.view,
                    attachments=page.files(),
                    allowed_mentions=discord.AllowedMentions.none(),
                )
            )
            # What follows edits the same message.
            self._state = _State.DEFERRED_EDIT
            return True

    async def say(self, *lines: str) -> None:
        """Answer privately in words, whether acknowledged or not; a clicked message stays as it is.

        Empty lines are left out.
        """
        page = text_page("\n".join(filter(None, lines)))
        async with self._first:
            new = self._state is _State.NEW
            if new:
                # Even if this fails, Discord accepts no second first response.
                self._state = _State.ANSWERED
                await _first_response(self.interaction.response.send_message(view=page.view, ephemeral=True))
        if new:
            return
        if self._state is _State.DEFERRED:
            await self.show(page)
        else:
            await _send_after_pause(lambda: self.interaction.followup.send(view=page.view, ephemeral=True))

    async def open_modal(self, modal: discord.ui.Modal) -> None:
        """Answer with a modal; raises ``RuntimeError`` after any other answer."""
        if self._state is not _State.NEW:
            raise RuntimeError("a modal is the first answer")
        self._state = _State.ANSWERED
        await _first_response(self.interaction.response.send_modal(modal))


def person_of(user: discord.abc.User) -> Person:
    """Return a user as a person, with a name that can be shown."""
    return Person(user.id, shown_name(user.display_name) or shown_name(user.name) or str(user.id))


async def _send_after_pause(send: Callable[[], Awaitable[object]]) -> None:
    """Send what follows an acknowledgement; if all requests are paused for some seconds, after these."""
    async with asyncio.timeout(SEND_TIMEOUT_S):
        while True:
            try:
                await send()
            except ApiPaused as pause:
                if pause.retry_after >= SEND_TIMEOUT_S:
                    raise
                await asyncio.sleep(pause.retry_after)
            else:
                return


async def _first_response(answer: Awaitable[object]) -> None:
    # discord.py retries a request whose response got lost, and is then refused because of its first try.
    try:
        await answer
    except discord.HTTPException as error:
        if error.code != ALREADY_ACKNOWLEDGED:
            raise


class SeenInteractions:
    """Remembers the latest interactions: the gateway may deliver one twice, and late."""

    def __init__(self) -> None:
        self._seen: OrderedDict[int, None] = OrderedDict()
        self._latest = 0

    def is_new(self, interaction_id: int) -> bool:
        """Return whether the interaction is seen for the first time; remember it from now on.

        One whose token had expired when a later one came is never new: it cannot be answered, and the
        database may have forgotten that it was handled.
        """
        self._latest = max(self._latest, interaction_id)
        age_s = snowflake_time(self._latest) - snowflake_time(interaction_id)
        if interaction_id in self._seen or age_s > TOKEN_LIFE_S:
            return False
        self._seen[interaction_id] = None
        if len(self._seen) > REMEMBERED:
            self._seen.popitem(last=False)
        return True


async def guarded(reply: Reply, handler: Callable[[Reply], Awaitable[None]]) -> None:
    """Let ``handler`` answer, and answer for it if it fails; only a cancellation escapes."""
    try:
        try:
            await handler(reply)
        except Refusal as refusal:
            await reply.say(reply.texts.refusal(refusal))
    except asyncio.CancelledError:
        # The bot stops, and has no time left for it.
        await answer_while_stopping(reply, "error.stopped")
        raise
    except Exception as error:  # the last line of defence: whatever it is, the person gets an answer
        await _report_failure(reply, error)


async def answer_while_stopping(reply: Reply, key: str) -> None:
    """Answer with one of the bot's own texts while it stops; the connection may close at any moment."""
    try:
        await reply.say(reply.texts.house(key))
    except Exception as error:
        log.info("final answer not delivered (%s)", failure_of(error))


async def answer_completion(interaction: discord.Interaction[Any], choices: list[Choice[str]]) -> None:
    """Answer a completion that has no answer yet; only log if Discord does not take it."""
    if interaction.response.is_done():
        return
    try:
        await interaction.response.autocomplete(choices)
    except UNREACHED as error:
        note_untaken_completion(error)


def note_untaken_completion(error: Exception) -> None:
    """Log that Discord did not take a completion. A late one is harmless: the user has typed on."""
    is_late = code_of(error) in TOO_LATE | {ALREADY_ACKNOWLEDGED}
    level = logging.INFO if is_late else logging.WARNING
    log.log(level, "completion not delivered: %s", failure_of(error))


async def _report_failure(reply: Reply, error: Exception) -> None:
    if isinstance(error, discord.HTTPException) and error.code in TOO_LATE:
        log.warning("answer too late (%s)", failure_of(error))
        return
    incident = secrets.token_hex(3)
    words = reply.texts.house("error.incident", incident=incident)
    if isinstance(error, StoreError):
        log.error("incident %s: %s", incident, error)
        words = reply.texts.house("error.records")
    elif isinstance(error, OUTAGE):
        log.warning("incident %s: %s; %s", incident, failure_of(error), origin_of(error))
    else:
        log.error("incident %s", incident, exc_info=error)
    try:
        await reply.say(words)
    except Exception as second:  # the connection may be what is broken
        log.warning("incident %s: no answer could be given (%s)", incident, failure_of(second))
