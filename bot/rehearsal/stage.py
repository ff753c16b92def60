"""Where a rehearsal takes place: one channel, what was put there, and who is asked to press something."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import discord

from bot.domain.tables import PersonId
from bot.pages.custom_ids import PanelId
from bot.pages.page import Block, Upload
from bot.rehearsal.client import RehearsalClient
from bot.rehearsal.desk import Desk, Touch
from bot.rehearsal.findings import Skipped
from bot.rehearsal.props import Props, pictures
from bot.rehearsal.wire import Wire
from bot.sync.client import MessageClient


@dataclass
class Left:
    """What a rehearsal has made on Discord, and takes away at its end."""

    messages: dict[int, int] = field(default_factory=dict)
    """Channels by message."""
    channels: set[int] = field(default_factory=set)
    """Where something was sent: what was sent and not noted is looked for there."""
    threads: list[int] = field(default_factory=list)
    commands: bool = False
    asking: set[asyncio.Task[Any]] = field(default_factory=set)
    """Requests that may not have come back yet."""


@dataclass(eq=False)
class Stage:
    """What a line needs to be tried. ``reconnect`` closes a client and gives a fresh one."""

    client: RehearsalClient
    channel: int
    props: Props
    desk: Desk
    wire: Wire
    tell: Callable[[str], None]
    reconnect: Callable[[RehearsalClient], Awaitable[RehearsalClient]]
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    left: Left = field(default_factory=Left)
    thread: int = 0
    """The thread that the roll call began; 0: there is none."""
    begun: float = 0.0
    """When the oldest message was sent, by the loop's clock."""
    old: int = 0
    """A message that is kept until it is old."""
    commanded: Touch | None = None
    """The slash command that somebody has sent."""
    dm: int = 0
    """The channel of direct messages with the operator; 0: it is not open."""

    async def connect(self) -> None:
        """Go on with a fresh client, as after a restart."""
        self.client = await self.reconnect(self.client)

    @property
    def messages(self) -> MessageClient:
        """Return what the bot itself sends with."""
        return MessageClient(self.client)

    async def post(
        self,
        line: str,
        words: str = "",
        blocks: Iterable[Block] = (),
        uploads: Iterable[Upload] = (),
        *,
        where: int = 0,
        nonce: str = "",
        mentioned: Sequence[PersonId] = (),
        push: str = "",
    ) -> int:
        """Send a page about a line, as the bot does, and return its message's id.

        ``push`` is what the notification of those who are ``mentioned`` says; direct messages always notify.
        """
        if self.dm and where == self.dm:
            push = push or words
        page = self.props.page(line, words, blocks, uploads, push=push)
        channel, named = where or self.channel, f"{self.props.run}.{nonce or line}"
        # Noted first: what is sent and not noted is looked for there.
        self.left.channels.add(channel)
        message = await self.messages.post(channel, page, nonce=named, mentioned=mentioned)
        self.left.messages[message] = channel
        return message

    async def fetch(self, message: int, *, where: int = 0) -> discord.Message:
        """Return a message as Discord has it now."""
        channel = self.client.get_partial_messageable(where or self.channel)
        return await channel.fetch_message(message)

    async def download(self, message: discord.Message) -> bytes:
        """Return the file of a message's first picture."""
        return await self.client.http.get_from_cdn(pictures(message)[0].media.url)

    async def ask(self, line: str, words: str, *blocks: Block, place: PanelId, **how: Any) -> Touch:
        """Post what somebody is asked to do, with its controls, and return what they do.

        ``how`` is what :meth:`post` takes. Raises :class:`Skipped` where they do not, or skip the line.
        """
        if self.desk.operator is None and line != OPERATOR:
            raise Skipped("nobody is there to press anything")
        with self.desk.expecting(place) as touch:
            asking = self.post(line, words, [*blocks, *self.props.skip(line)], **how)
            return await self.heard(line, words, touch, asking)

    async def heard(
        self, line: str, words: str, touch: asyncio.Future[Touch], asking: Coroutine[Any, Any, object]
    ) -> Touch:
        """Carry out ``asking``, which shows somebody what to do, and return what they do.

        People are quick: a request may still rest on a rate limit when what it asked for is done.
        """
        task = asyncio.create_task(asking, name=f"asking for {line}")
        self.left.asking.add(task)
        either: set[asyncio.Future[Any]] = {task, touch}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not touch.done():
            task.result()
        self.tell(f"{line}: {words}")
        return await self.desk.wait(touch, line)


OPERATOR = "operator"
"""The key of the line in which somebody says that they are there."""
