"""What the rehearsal shows the operator, and receives from them, with a timeout."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import discord
from PIL import Image

from bot.domain.tables import PersonId
from bot.interactions.reply import Reply, SeenInteractions, guarded
from bot.pages.custom_ids import Action, AnyId, PanelId, parse
from bot.pages.page import Block, Page, Upload, button, page, rows, text


class Differs(Exception):  # noqa: N818 - a finding, not a fault
    """Discord did something other than what we rely on. The text says what."""


class Skipped(Exception):  # noqa: N818 - a finding, not a fault
    """A line was not tried. The text says why."""


def expect(holds: object, otherwise: str) -> None:
    """Raise :class:`Differs` with the text ``otherwise`` unless ``holds`` is true."""
    if not holds:
        raise Differs(otherwise)


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


PATIENCE = 180.0
"""Seconds that the operator has for each thing that they are asked to do."""

NOTHING_ARRIVED = "it was done, and nothing arrived here"


@dataclass(frozen=True, slots=True)
class Touch:
    """What the operator did."""

    reply: Reply
    place: AnyId | None
    values: tuple[str, ...]


class Desk:
    """Takes the interactions of one rehearsal, and ignores all others."""

    def __init__(self, props: Props, patience: float = PATIENCE) -> None:
        self._props = props
        self.patience = patience
        self._seen = SeenInteractions()
        self._waiting: dict[AnyId | str, asyncio.Future[Touch]] = {}
        self.operator: PersonId | None = None
        """The person who pressed first; others are refused from then on."""

    async def take(self, interaction: discord.Interaction[Any]) -> None:
        """Deliver a click or a submitted modal to the line that waits for it."""
        data: Any = interaction.data or {}
        place = parse(data.get("custom_id"))
        if not isinstance(place, PanelId) or place.match != self._props.match:
            return  # it belongs to a match: nothing is answered, as while the bot is off
        if not self._seen.is_new(interaction.id):
            return
        await self._give(place, Reply(interaction), tuple(data.get("values", ())))

    async def take_command(self, name: str, reply: Reply, values: tuple[str, ...]) -> None:
        """Deliver a command to the line that waits for it."""
        await self._give(name, reply, values)

    async def _give(self, key: AnyId | str, reply: Reply, values: tuple[str, ...]) -> None:
        if self.operator not in (None, reply.person.id):
            await guarded(reply, lambda r: r.say("Somebody else rehearses here: please leave this to them."))
            return
        future = self._waiting.get(key)
        if future is None or future.done():
            await guarded(reply, lambda r: r.say("The rehearsal does not wait for this now."))
            return
        place = key if not isinstance(key, str) else None
        future.set_result(Touch(reply, place, values))

    @contextmanager
    def expecting(self, key: AnyId | str) -> Iterator[asyncio.Future[Touch]]:
        """Accept a component or a command within the block; earlier ones are refused."""
        future: asyncio.Future[Touch] = asyncio.get_running_loop().create_future()
        self._waiting[key] = future
        try:
            yield future
        finally:
            del self._waiting[key]
            future.cancel()

    async def wait(self, future: asyncio.Future[Touch], line: str) -> Touch:
        """Wait for the touch and return it.

        Raises :class:`Skipped` on timeout, or if the operator skips ``line``; :class:`Differs` if they
        report that nothing happened.
        """
        with (
            self.expecting(self._props.skipping(line)) as skip,
            self.expecting(self._props.failing(line)) as vain,
        ):
            await asyncio.wait(
                {future, skip, vain}, timeout=self.patience, return_when=asyncio.FIRST_COMPLETED
            )
            if future.done():
                return future.result()
            for pressed, found in (
                (skip, Skipped("skipped by the operator")),
                (vain, Differs(NOTHING_ARRIVED)),
            ):
                if pressed.done():
                    await guarded(pressed.result().reply, lambda reply: reply.say("Noted."))
                    raise found
            raise Skipped(f"nobody did it within {self.patience:.0f} s")
