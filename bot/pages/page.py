"""Pages: a layout and the pictures that it shows, ready to be sent; and messages as they are read back."""

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

from bot.discord_patches import UploadedFile, finish
from bot.domain.tables import PersonId
from bot.pages import custom_ids
from bot.pages.texts import shorten
from renderers.core.contract import ALT_LIMIT, Picture

TEXT_LIMIT = 4_000
"""Characters that all texts of a page have together."""

CONTENT_LIMIT = 2_000
"""Characters of an ordinary message."""

COMPONENT_LIMIT = 40
"""Components of a page, nested ones included."""

ROW = 5
"""Buttons in a row."""

DIGEST_BYTES = 16

_MENTION = re.compile(r"(?<!\\)<@(\d+)>")
"""A mention that is none of a name: those are escaped."""

LABEL = 80
PLACEHOLDER = 150
OPTION = 100

Block: TypeAlias = "TextDisplay[Any] | ActionRow[Any] | MediaGallery[Any] | File[Any]"


@dataclass(frozen=True, slots=True)
class Upload:
    """A file under the constant name that it has in a message; ``alt`` says what a picture shows."""

    filename: str
    data: bytes = field(repr=False)
    alt: str | None = field(default=None, repr=False)

    @property
    def uri(self) -> str:
        """Return how the layout refers to the file."""
        return f"attachment://{self.filename}"

    def file(self) -> discord.File:
        """Return a fresh file to upload: a file object is used up by one request."""
        return UploadedFile(io.BytesIO(self.data), self.filename, description=self.alt)


def upload(stem: str, picture: Picture) -> Upload:
    """Return a picture to upload as ``stem`` with the suffix of its kind."""
    return Upload(f"{stem}.{picture.suffix}", picture.data, picture.alt[:ALT_LIMIT])


@dataclass(frozen=True, slots=True)
class Push:
    """How a message arrives: in words, which are all that a notification shows of it, and buttons."""

    words: str
    buttons: tuple[Button[Any], ...] = ()

    def view(self) -> View | None:
        """Return the buttons as an ordinary message has them."""
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
    """``None``: it pings nobody, and is sent as it is."""

    @property
    def mentioned(self) -> list[PersonId]:
        """Return whom the texts mention: every edit has to name them again, or they are mentioned no more."""
        texts = (item.content for item in self.view.walk_children() if isinstance(item, TextDisplay))
        found = (int(person) for words in texts for person in _MENTION.findall(words))
        return list(dict.fromkeys(found))

    @property
    def weight(self) -> int:
        """Return the bytes of all files."""
        return sum(len(item.data) for item in self.uploads)

    def files(self) -> list[discord.File]:
        """Return fresh files."""
        return [item.file() for item in self.uploads]

    def components(self) -> list[dict[str, Any]]:
        """Return the layout as it is sent."""
        return self.view.to_components()  # type: ignore[no-untyped-call, no-any-return]

    def digest(self) -> str:
        """Return what tells this page from any other: of its layout and its files."""
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
    """Return a page of one container. ``marker`` is its component id, which a reader finds again.

    ``words`` are what a notification says, with ``buttons`` of their own until the page is laid out: the page
    pings. The first of them carries the marker too.
    """
    view = LayoutView(timeout=None)
    view.add_item(Container(*blocks, id=marker))
    finish(view)
    if buttons and marker is not None:
        buttons[0].id = marker
    return Page(view, tuple(uploads), Push(words[:CONTENT_LIMIT], tuple(buttons)) if words else None)


def text(*parts: str, marker: int | None = None) -> TextDisplay[Any]:
    """Return a block of text; empty parts are left out. ``marker`` is its component id."""
    return TextDisplay("\n".join(part for part in parts if part)[:TEXT_LIMIT], id=marker)


def fenced(words: str) -> str:
    """Return words as a block that shows them as they are, columns and all.

    Names in them can neither end it nor mention anybody.
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
    """Return a button; its label is cut to what Discord takes."""
    return Button(
        label=shorten(label, LABEL), custom_id=custom_ids.pack(custom_id), style=style, disabled=disabled
    )


def rows(buttons: Iterable[Button[Any]]) -> list[ActionRow[Any]]:
    """Return ``buttons`` in as few rows as possible."""
    all_buttons = list(buttons)
    return [ActionRow(*all_buttons[i : i + ROW]) for i in range(0, len(all_buttons), ROW)]


def without_controls(shown: Page) -> Page:
    """Return a page like ``shown``, which keeps its own, but without buttons and selects."""
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
    """Return a page of one text that pings whom it mentions: the notification says all of it."""
    return page([text(words)], words=words)


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """One of our messages, by the ids of its components."""

    message_id: int
    marker: int | None
    """The component id of its container; ``None``: it has none."""
    texts: tuple[int, ...]
    """The component ids of the texts in the container."""
    custom_ids: tuple[str, ...]
    """The custom ids of the buttons and selects in the container."""

    @classmethod
    def read(cls, message: discord.Message) -> FoundMessage:
        """Return what identifies a message. Only its first container counts, or its first row without one."""
        container = next((item for item in message.components if isinstance(item, discord.Container)), None)
        if container is None:
            return cls._read_words(message)
        texts = (item for item in container.children if isinstance(item, discord.TextDisplay))
        rows = [item for item in container.children if isinstance(item, discord.ActionRow)]
        # A link has an address instead of an id.
        custom_ids = tuple(getattr(item, "custom_id", None) or "" for row in rows for item in row.children)
        return cls(
            message.id, container.id, tuple(item.id for item in texts if item.id is not None), custom_ids
        )

    @classmethod
    def _read_words(cls, message: discord.Message) -> FoundMessage:
        """Read a message that has only arrived so far: see :class:`Push`."""
        rows = [item for item in message.components if isinstance(item, discord.ActionRow)]
        items = [item for row in rows for item in row.children]
        custom_ids = tuple(getattr(item, "custom_id", None) or "" for item in items)
        return cls(message.id, items[0].id if items else None, (), custom_ids)

    def carries(self, part: str) -> bool:
        """Return whether ``part`` occurs in one of the custom ids."""
        return any(part in custom_id for custom_id in self.custom_ids)
