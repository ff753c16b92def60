"""Messages, threads and direct messages on Discord: sent, found again, edited, stripped of their buttons."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast
from urllib.parse import unquote

import discord
from discord.ui import ActionRow, Container, LayoutView, MediaGallery, TextDisplay

from bot.domain.tables import PersonId
from bot.gateway.discord_errors import (
    ARCHIVED,
    FORBIDDEN,
    GONE,
    INVALID_FORM,
    NOBODY,
    THREAD_EXISTS,
    THREAD_LOCKED,
    ThreadLocked,
)
from bot.gateway.discord_patches import finish
from bot.gateway.edit_order import EditOrder
from bot.pages.page import FoundMessage, Page
from bot.runtime.heartbeat import Conditions
from bot.sync.dm_breaker import DirectMessageBreaker

OPEN_ARCHIVE_MIN: Literal[10080] = 10_080
"""Minutes without a message after which Discord may archive the thread of a match: the longest there is."""

OVER_ARCHIVE_MIN: Literal[60] = 60
"""The same once the match is over or has moved: the shortest, as a server can have 1000 active threads."""

SEARCH_LIMIT = 50
"""How many of a channel's latest messages are searched for one of ours."""

DEEP_SEARCH_LIMIT = 500
"""The same for a one-time search in a channel where people may have talked meanwhile."""

NONCE = 25
"""Maximum characters of a nonce."""


class MessageClient:
    """Sends pages to Discord. Failures raise discord.py's errors."""

    def __init__(
        self, client: discord.Client, restore_id: str = "", dm_breaker: DirectMessageBreaker | None = None
    ) -> None:
        self._client = client
        self._dm_breaker = dm_breaker or DirectMessageBreaker(Conditions())
        # It changes when a backup is restored: Discord must not mistake a new nonce for an old one.
        self._restore_id = restore_id
        self.edits = EditOrder()
        """The queue for edits of our messages, which edits made elsewhere must use too."""

    async def post(
        self, channel_id: int, page: Page, *, nonce: str, mentioned: Sequence[PersonId] = ()
    ) -> int:
        """Send ``page`` and return its message's id; ``mentioned`` are notified, nobody else.

        A page that pings is sent in words, for the notifications, and is laid out by an edit.

        The same nonce within a few minutes returns the same message instead of sending a second one. If that
        one shows something else, it is edited; if it is gone by then, the page is sent with a new nonce.
        """
        message = await self._send(channel_id, page, nonce, mentioned)
        if _shows(message, page) or await self.edit(channel_id, message.id, page):
            return int(message.id)
        message = await self._send(channel_id, page, f"{message.id % 10**6}.{nonce}", mentioned)
        if not _shows(message, page):
            # If it is deleted once more, the next check notices.
            await self.edit(channel_id, message.id, page)
        return int(message.id)

    async def _send(
        self, channel_id: int, page: Page, nonce: str, mentioned: Sequence[PersonId]
    ) -> discord.Message:
        if self._restore_id:
            nonce = hashlib.sha256(f"{self._restore_id} {nonce}".encode()).hexdigest()
        mentions = _mentions(mentioned)
        channel = self._client.get_partial_messageable(channel_id)
        push = page.push

        def send() -> Any:
            sent: dict[str, Any] = {"nonce": nonce[:NONCE], "allowed_mentions": mentions}
            if push is None:
                sent |= {"view": page.view, "files": page.files()}
            else:
                sent |= {"content": push.words, "view": push.view()}
            return channel.send(**sent)

        message: discord.Message = await self._unarchived(channel_id, send)
        return message

    async def edit(self, channel_id: int, message_id: int, page: Page) -> bool:
        """Put ``page`` into a message; return whether the message exists.

        Nobody is notified, but people whom the page mentions stay mentioned. Discord allows few edits of a
        message older than an hour: an edit that comes too soon waits within discord.py, then raises.
        """
        message = self._client.get_partial_messageable(channel_id).get_partial_message(message_id)
        try:
            async with self.edits.alone(message_id):
                await self._unarchived(
                    channel_id,
                    lambda: message.edit(
                        content=None,
                        view=page.view,
                        attachments=page.files(),
                        allowed_mentions=_mentions(page.mentioned),
                    ),
                )
        except discord.HTTPException as error:
            if error.code not in GONE:
                raise
            return False
        return True

    async def strip(self, channel_id: int, message_id: int, words: str = "") -> None:
        """Remove the buttons and selects from a message and leave the rest; it may be gone.

        ``words`` take their place.
        """
        for last in (False, True):
            try:
                async with self.edits.alone(message_id):
                    await self._strip(channel_id, message_id, words)
                break
            except discord.HTTPException as error:
                if error.code in GONE:
                    break
                # Another process has edited it meanwhile: the picture that was fetched is no longer there.
                if last or error.code != INVALID_FORM:
                    raise

    async def _strip(self, channel_id: int, message_id: int, words: str) -> None:
        channel = self._client.get_partial_messageable(channel_id)
        # Fetched first: an edit replaces the whole layout, which is stored nowhere else.
        message = await channel.fetch_message(message_id)
        bare = _without_controls(message, words)
        if bare is not None:
            changes: dict[str, Any] = {"view": bare.view, "attachments": bare.files}
            if bare.view is None and words:
                changes["content"] = words
            mentions = _mentions(person.id for person in message.mentions)
            await self._unarchived(channel_id, lambda: message.edit(**changes, allowed_mentions=mentions))

    async def shows(self, channel_id: int, message_id: int, page: Page) -> bool:
        """Return whether a message shows ``page``; also true if it is gone."""
        try:
            message = await self._client.get_partial_messageable(channel_id).fetch_message(message_id)
        except discord.NotFound as error:
            if error.code not in GONE:
                raise
            return True
        return _shows(message, page)

    async def delete(self, channel_id: int, message_id: int) -> None:
        """Delete a message of ours; it may be gone already."""
        try:
            await self._client.http.delete_message(channel_id, message_id)
        except discord.NotFound as error:
            if error.code not in GONE:
                raise

    async def delete_about(self, channel_id: int, id_part: str, text_part: str) -> None:
        """Delete our recent messages with ``id_part`` in a custom id or ``text_part`` in a text."""
        channel = self._client.get_partial_messageable(channel_id)
        ours = [m async for m in channel.history(limit=DEEP_SEARCH_LIMIT) if m.author == self._client.user]
        for message in ours:
            words = [message.content, *_texts(item.to_dict() for item in message.components)]
            if FoundMessage.read(message).carries(id_part) or any(text_part in text for text in words):
                await self.delete(channel_id, message.id)

    async def is_member(self, guild_id: int, person: PersonId) -> bool:
        """Return whether a person is on a server and not timed out there."""
        try:
            found = await self._client.http.get_member(guild_id, person)
        except discord.NotFound as error:
            if error.code not in NOBODY:
                raise
            return False
        until = discord.utils.parse_time(found.get("communication_disabled_until"))
        return until is None or until <= discord.utils.utcnow()

    async def exists(self, channel_id: int, message_id: int) -> bool:
        """Return whether a message still exists."""
        try:
            await self._client.get_partial_messageable(channel_id).fetch_message(message_id)
        except discord.NotFound as error:
            if error.code not in GONE:
                raise
            return False
        return True

    async def find(self, channel_id: int, part: str, *, among: int = SEARCH_LIMIT) -> list[FoundMessage]:
        """Return our messages with ``part`` in a custom id, newest first, among the last of a channel."""
        channel = self._client.get_partial_messageable(channel_id)
        ours = [m async for m in channel.history(limit=among) if m.author == self._client.user]
        return [found for found in map(FoundMessage.read, ours) if found.carries(part)]

    async def find_text(self, channel_id: int, marker: int, part: str) -> int | None:
        """Return the id of our message with a marker and ``part`` in a text, among the last of a channel."""
        channel = self._client.get_partial_messageable(channel_id)
        async for message in channel.history(limit=SEARCH_LIMIT):
            texts = _texts(item.to_dict() for item in message.components)
            if (
                message.author == self._client.user
                and FoundMessage.read(message).marker == marker
                and any(part in words for words in texts)
            ):
                return message.id
        return None

    async def has_written(self, channel_id: int) -> bool:
        """Return whether one of the last messages of a channel is ours."""
        channel = self._client.get_partial_messageable(channel_id)
        async for message in channel.history(limit=SEARCH_LIMIT):
            if message.author == self._client.user:
                return True
        return False

    async def start_thread(self, channel_id: int, message_id: int, name: str) -> int:
        """Start a message's thread and return its id; it may exist already."""
        try:
            await self._client.http.start_thread_with_message(
                channel_id, message_id, name=name, auto_archive_duration=OPEN_ARCHIVE_MIN
            )
        except discord.HTTPException as error:
            if error.code != THREAD_EXISTS:
                raise
        return message_id

    async def set_archive_after(self, thread_id: int, minutes: Literal[60, 10080]) -> None:
        """Set permanently after how many minutes without a message Discord archives a thread.

        An archived thread is unarchived for that, or a later edit would wake it with its former setting. It
        may be deleted, locked or beyond our permissions.
        """
        try:
            try:
                await self._client.http.edit_channel(thread_id, auto_archive_duration=minutes)
            except discord.HTTPException as error:
                if error.code != ARCHIVED:
                    raise
                await self._client.http.edit_channel(thread_id, archived=False, auto_archive_duration=minutes)
        except discord.HTTPException as error:
            if error.code not in GONE | FORBIDDEN | {ARCHIVED, THREAD_LOCKED}:
                raise

    async def archive(self, thread_id: int) -> None:
        """Archive a thread; it may be archived already, deleted or beyond our permissions."""
        try:
            await self._client.http.edit_channel(thread_id, archived=True)
        except discord.HTTPException as error:
            if error.code not in GONE | FORBIDDEN | {ARCHIVED}:
                raise

    @property
    def account(self) -> int:
        """Return the id of the bot's own account; 0 until it is known."""
        return self._client.user.id if self._client.user is not None else 0

    async def dm_channel(self, person: PersonId) -> int:
        """Return the channel of direct messages with a person; open it if this process does not know it.

        Raises :class:`DirectMessagesPaused` if it would have to be opened while that is paused.
        """
        for known in self._client.private_channels:
            if isinstance(known, discord.DMChannel) and known.recipient and known.recipient.id == person:
                return known.id
        with self._dm_breaker.opening(person):
            channel = await self._client.create_dm(discord.Object(person))
        return channel.id

    async def _unarchived(self, channel_id: int, act: Any) -> Any:
        """Do ``act`` in a channel; if it is an archived thread, unarchive it and retry.

        Raises :class:`ThreadLocked` if that is not allowed.
        """
        try:
            return await act()
        except discord.HTTPException as error:
            if error.code == THREAD_LOCKED:
                raise ThreadLocked from error
            if error.code != ARCHIVED:
                raise
        # It was archived. If two tasks get here at once, the retry may fail the same way.
        try:
            await self._client.http.edit_channel(channel_id, archived=False)
            return await act()
        except discord.HTTPException as error:
            if error.code in FORBIDDEN | {ARCHIVED, THREAD_LOCKED}:
                raise ThreadLocked from error
            raise


def _shows(message: discord.Message, page: Page) -> bool:
    """Return whether a message shows the same as ``page``, judging by :func:`_words`."""
    return _words([item.to_dict() for item in message.components]) == _words(page.components())


def _words(components: Iterable[Any]) -> list[tuple[str, ...]]:
    """Return what distinguishes one layout from another: texts, custom ids, picture descriptions."""
    found: list[tuple[str, ...]] = []
    for item in components:
        # Discord adds ids and URLs, and strips whitespace from the ends of texts.
        known = (item.get(key) for key in ("content", "custom_id", "label", "value", "description"))
        found.append(tuple(str(text or "").strip() for text in known))
        for key in ("components", "items", "options"):
            found += _words(item.get(key) or ())
    return found


def _texts(components: Iterable[Any]) -> Iterator[str]:
    """Yield the texts of components, nested ones too."""
    for item in components:
        yield str(item.get("content") or "")
        yield from _texts(item.get("components") or ())


@dataclass(frozen=True, slots=True)
class _KeptFile:
    """A file that an edit leaves in its message."""

    id: int
    filename: str

    def to_dict(self) -> dict[str, Any]:
        """Return what discord.py sends for it."""
        return {"id": self.id, "filename": self.filename}


def _mentions(people: Iterable[PersonId]) -> discord.AllowedMentions:
    users = [discord.Object(person) for person in people]
    return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


@dataclass(frozen=True, slots=True)
class _Bare:
    """A message without its controls; ``view`` is ``None`` if nothing else was laid out."""

    view: LayoutView | None
    files: list[discord.Attachment]


def _without_controls(message: discord.Message, words: str = "") -> _Bare | None:
    """Return a message with ``words`` instead of buttons and selects; ``None`` if it has none."""
    if not message.flags.components_v2:
        return _Bare(None, message.attachments) if message.components else None
    view = LayoutView.from_message(message, timeout=None)
    # Done before any item is removed, or that item would still refer to the view.
    finish(view)
    kept: list[object] = [*message.attachments]
    found = False
    for container in view.children:
        if not isinstance(container, Container):
            continue
        for item in container.children:
            if isinstance(item, ActionRow):
                container.remove_item(item)
                found = True
            elif isinstance(item, MediaGallery):
                # Discord may or may not list them among the attachments too: name none twice.
                listed = {attachment.id for attachment in message.attachments}
                kept += [file for file in _referred_by_name(item) if file.id not in listed]
    if words:
        _say_at_end(view, words)
    return _Bare(view, cast("list[discord.Attachment]", kept)) if found else None


def _say_at_end(view: LayoutView, words: str) -> None:
    container = next((item for item in view.children if isinstance(item, Container)), None)
    if container is not None:
        container.add_item(TextDisplay(words))


def _referred_by_name(gallery: MediaGallery[Any]) -> Iterator[_KeptFile]:
    """Make a gallery refer to its files by name, since their URLs expire, and yield them.

    An edit drops files that it does not name, and these are reportedly not among a message's attachments.
    """
    for picture in gallery.items:
        number = picture.media.attachment_id
        if number is not None:
            name = unquote(picture.media.url.partition("?")[0].rpartition("/")[2])
            picture.media = discord.UnfurledMediaItem(f"attachment://{name}")
            yield _KeptFile(number, name)
