"""What the rehearsal shows: plain pictures, and pages whose texts all name their rehearsal."""

from __future__ import annotations

import io
from collections.abc import Iterable

import discord
from PIL import Image

from bot.pages.custom_ids import Action, PanelId
from bot.pages.page import Block, Page, Upload, button, page, rows, text

MARKER = 970
"""The component id of the container of every message of a rehearsal."""

WORDS = 971
"""The component id of its text."""

SKIP, VAIN = "skip", "vain"
"""The words of the buttons that skip a line, and that report that nothing happened."""


def picture(stem: str, width: int = 60, height: int = 40, color: str = "#8a2b2b") -> Upload:
    """Return a plain picture."""
    file = io.BytesIO()
    Image.new("RGB", (width, height), color).save(file, "PNG")
    return Upload(f"{stem}.png", file.getvalue(), f"A plain rectangle, {width} by {height} pixels.")


class Props:
    """The pages of one rehearsal; ``run`` names it."""

    def __init__(self, run: str) -> None:
        self.run = run
        self.match = f"rehearsal-{run}"
        """Takes the place of a match in custom ids."""
        self.mark = f"Rehearsal {run}"
        """Part of every text, so that leftovers can be found."""

    def place(self, line: str, action: Action = Action.WORD, word: str = "", revision: int = 0) -> PanelId:
        """Return a component's id, as in a panel."""
        return PanelId(self.match, line.replace(" ", "-"), revision, action, word)

    def page(
        self,
        line: str,
        words: str = "",
        blocks: Iterable[Block] = (),
        uploads: Iterable[Upload] = (),
        *,
        push: str = "",
    ) -> Page:
        """Return a page about a line. ``push`` is what its notification says; empty: it notifies nobody."""
        body = text(f"### {self.mark} · {line}", words, marker=WORDS)
        said = f"{self.mark} · {line}\n{push}" if push else ""
        arriving = [button("Not yet", self.place(line))] if push else []
        return page([body, *blocks], uploads, marker=MARKER, words=said, buttons=arriving)

    def skipping(self, line: str) -> PanelId:
        """Return the id of the button that skips a line."""
        return self.place(line, Action.NONE, SKIP)

    def failing(self, line: str) -> PanelId:
        """Return the id of the button that reports that nothing happened."""
        return self.place(line, Action.NONE, VAIN)

    def skip(self, line: str) -> list[Block]:
        """Return a row with these two buttons."""
        skip = button("Skip this", self.skipping(line))
        return [*rows([skip, button("I did it, nothing happens", self.failing(line))])]

    def press(self, line: str, label: str = "Press me", revision: int = 0) -> list[Block]:
        """Return a row with the button that a line is about."""
        style = discord.ButtonStyle.primary
        return [*rows([button(label, self.place(line, revision=revision), style)])]


def galleries(message: discord.Message) -> list[discord.MediaGalleryComponent]:
    """Return the galleries of a message as Discord returned it."""
    return [item for item in inside(message) if isinstance(item, discord.MediaGalleryComponent)]


def pictures(message: discord.Message) -> list[discord.MediaGalleryItem]:
    """Return all pictures of a message's galleries, in their order."""
    return [item for gallery in galleries(message) for item in gallery.items]


def names(message: discord.Message) -> list[str]:
    """Return the file names of all pictures of a message's galleries, in their order."""
    return [item.media.url.partition("?")[0].rpartition("/")[2] for item in pictures(message)]


def inside(message: discord.Message) -> list[discord.Component]:
    """Return the components in a message's containers."""
    containers = [item for item in message.components if isinstance(item, discord.Container)]
    return [child for container in containers for child in container.children]


def words_of(message: discord.Message) -> str:
    """Return all texts of a message, its plain content first."""
    texts = [item.content for item in inside(message) if isinstance(item, discord.TextDisplay)]
    return "\n".join([message.content, *texts])


def has_controls(message: discord.Message) -> bool:
    """Return whether a message has buttons or selects."""
    return any(isinstance(item, discord.ActionRow) for item in inside(message))
