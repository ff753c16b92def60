"""Pages: layouts with their files, ready to send; and our messages as they are read back."""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import discord
from discord.ui import ActionRow, Button, Container, File, LayoutView, MediaGallery, TextDisplay, View

from bot.domain.tables import PersonId
from bot.gateway.discord_patches import UploadedFile, finish
from bot.pages import custom_ids
from bot.pages.mentions import without_mentions
from bot.pages.texts import shorten
from renderers.core.contract import ALT_LIMIT, Picture

TEXT_LIMIT = 4_000
"""Maximum characters of all texts of a page together."""

CONTENT_LIMIT = 2_000
"""Maximum characters of an ordinary message."""

COMPONENT_LIMIT = 40
"""Maximum components of a page, nested ones included."""

ROW = 5
"""Maximum buttons in a row."""

DIGEST_BYTES = 16

_MENTION = re.compile(r"(?<!\\)<@(\d+)>")
"""A real mention: those in names are escaped."""

LABEL = 80
PLACEHOLDER = 150
OPTION = 100

Block: TypeAlias = "TextDisplay[Any] | ActionRow[Any] | MediaGallery[Any] | File[Any]"


@dataclass(frozen=True, slots=True)
class Upload:
    """A file with its constant name in a message; ``alt`` describes a picture."""

    filename: str
    data: bytes = field(repr=False)
    alt: str | None = field(default=None, repr=False)

    @property
    def uri(self) -> str:
        """Return the URI by which the layout refers to the file."""
        return f"attachment://{self.filename}"

    def file(self) -> discord.File:
        """Return a fresh file to upload: a file object is used up by one request."""
        return UploadedFile(io.BytesIO(self.data), self.filename, description=self.alt)


def upload(stem: str, picture: Picture) -> Upload:
    """Return a picture as an upload named ``stem``, with the suffix of its format."""
    return Upload(f"{stem}.{picture.suffix}", picture.data, picture.alt[:ALT_LIMIT])


@dataclass(frozen=True, slots=True)
class Painting:
    """What a page shows of a view: a picture, or words if it could not be painted."""

    picture: Picture | None = None
    words: str = field(default="", repr=False)

    def uploads(self, stem: str) -> list[Upload]:
        """Return the picture as an upload named ``stem``; empty without one."""
        return [] if self.picture is None else [upload(stem, self.picture)]

    def fenced(self, limit: int | None = None) -> str:
        """Return the words as a code block, cut to ``limit`` characters; empty without words."""
        return fenced(self.words[:limit]) if self.words else ""


UNPAINTED = Painting()
"""Neither picture nor words, as for a game without a painter."""


@dataclass(frozen=True, slots=True)
class Push:
    """The first form of a message: plain words, the only part that a notification shows, and buttons."""

    words: str
    buttons: tuple[Button[Any], ...] = ()

    def view(self) -> View | None:
        """Return the buttons as the view of an ordinary message; ``None`` if there are none."""
        if not self.buttons:
            return None
        view = View(timeout=None)
        for item in self.buttons:
            view.add_item(item)
        finish(view)
        return view


@dataclass(frozen=True, slots=True)
class Page:
    """A whole message: its layout and its files."""

    view: LayoutView
    uploads: tuple[Upload, ...] = ()
    push: Push | None = None
    """``None``: the page pings nobody, and is sent laid out at once."""

    @property
    def mentioned(self) -> list[PersonId]:
        """Return the people the texts mention: every edit must name them again, or the mentions are lost."""
        texts = (item.content for item in self.view.walk_children() if isinstance(item, TextDisplay))
        found = (int(person) for words in texts for person in _MENTION.findall(words))
        return list(dict.fromkeys(found))

    @property
    def weight(self) -> int:
        """Return the size of all files together, in bytes."""
        return sum(len(item.data) for item in self.uploads)

    def files(self) -> list[discord.File]:
        """Return fresh files to upload."""
        return [item.file() for item in self.uploads]

    def components(self) -> list[dict[str, Any]]:
        """Return the layout as Discord's API takes it."""
        return self.view.to_components()  # type: ignore[no-untyped-call, no-any-return]

    def digest(self) -> str:
        """Return a hash of the layout and the files, which tells this page from any other."""
        found = hashlib.blake2b(json.dumps(self.components()).encode(), digest_size=DIGEST_BYTES)
        for item in self.uploads:
            found.update(f"{item.filename} {item.alt} {len(item.data)} ".encode("utf-8", "replace"))
            found.update(item.data)
        return found.hexdigest()


def page(
    blocks: Iterable[Block],
    uploads: Iterable[Upload] = (),
    *,
    marker: int | None = None,
    words: str = "",
    buttons: Sequence[Button[Any]] = (),
) -> Page:
    """Return a page of one container. ``marker`` is its component id, by which it is recognised later.

    With ``words``, the page pings: they are the text of the notification, and the message shows them with
    ``buttons`` until it is laid out. The first button carries the marker too.
    """
    view = LayoutView(timeout=None)
    view.add_item(Container(*blocks, id=marker))
    finish(view)
    if buttons and marker is not None:
        buttons[0].id = marker
    return Page(
        view, tuple(uploads), Push(without_mentions(words)[:CONTENT_LIMIT], tuple(buttons)) if words else None
    )


def text(*parts: str, marker: int | None = None) -> TextDisplay[Any]:
    """Return a block of text; empty parts are left out. ``marker`` is its component id."""
    return TextDisplay("\n".join(part for part in parts if part)[:TEXT_LIMIT], id=marker)


def fenced(words: str) -> str:
    """Return words as a code block, which keeps their columns.

    Names in them can neither end the block nor mention anybody.
    """
    shown = words.replace("`", "'").replace("<@", "<\u200b@")
    return f"```\n{shown}\n```"


def gallery(picture: Upload) -> MediaGallery[Any]:
    """Return the block of one picture: several in one gallery would be shown as small tiles."""
    return MediaGallery(discord.MediaGalleryItem(picture.uri, description=picture.alt))


def button(
    label: str,
    custom_id: custom_ids.AnyId,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    *,
    disabled: bool = False,
) -> Button[Any]:
    """Return a button; its label is cut to Discord's limit."""
    return Button(
        label=shorten(without_mentions(label), LABEL),
        custom_id=custom_ids.pack(custom_id),
        style=style,
        disabled=disabled,
    )


def rows(buttons: Iterable[Button[Any]]) -> list[ActionRow[Any]]:
    """Return ``buttons`` in as few rows as possible."""
    all_buttons = list(buttons)
    return [ActionRow(*all_buttons[i : i + ROW]) for i in range(0, len(all_buttons), ROW)]


def without_controls(shown: Page) -> Page:
    """Return a copy of ``shown`` without buttons and selects."""
    view = LayoutView(timeout=None)
    for container in shown.view.children:
        if isinstance(container, Container):
            kept = [item for item in container.children if not isinstance(item, ActionRow)]
            view.add_item(Container(*kept, id=container.id))
    finish(view)
    return replace(shown, view=view)


def text_page(words: str) -> Page:
    """Return a page of one text."""
    return page([text(words)])


def notice_page(words: str) -> Page:
    """Return a page of one text that pings those it mentions; the notification shows the whole text."""
    return page([text(words)], words=words)


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """One of our messages as found on Discord: the ids of its components."""

    message_id: int
    marker: int | None
    """The component id of its container; ``None``: it has none."""
    texts: tuple[int, ...]
    """The component ids of the texts in the container."""
    custom_ids: tuple[str, ...]
    """The custom ids of the buttons and selects in the container."""

    @classmethod
    def read(cls, message: discord.Message) -> FoundMessage:
        """Read what identifies a message: the ids in its first container or, without one, in its rows."""
        container = next((item for item in message.components if isinstance(item, discord.Container)), None)
        if container is None:
            return cls._read_words(message)
        texts = (item for item in container.children if isinstance(item, discord.TextDisplay))
        rows = [item for item in container.children if isinstance(item, discord.ActionRow)]
        # A link button has a URL instead of an id.
        custom_ids = tuple(getattr(item, "custom_id", None) or "" for row in rows for item in row.children)
        return cls(
            message.id, container.id, tuple(item.id for item in texts if item.id is not None), custom_ids
        )

    @classmethod
    def _read_words(cls, message: discord.Message) -> FoundMessage:
        """Read a message that is not laid out yet: see :class:`Push`."""
        rows = [item for item in message.components if isinstance(item, discord.ActionRow)]
        items = [item for row in rows for item in row.children]
        custom_ids = tuple(getattr(item, "custom_id", None) or "" for item in items)
        return cls(message.id, items[0].id if items else None, (), custom_ids)

    def carries(self, part: str) -> bool:
        """Return whether ``part`` occurs in one of the custom ids."""
        return any(part in custom_id for custom_id in self.custom_ids)
