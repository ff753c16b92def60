"""A line of the rehearsal and its stage: one channel, what was posted there, requests to the operator."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeAlias

import discord

from bot.domain.tables import PersonId
from bot.pages.custom_ids import PanelId
from bot.pages.page import Block, Upload
from bot.rehearsal.client import RehearsalClient, Wire
from bot.rehearsal.desk import Desk, Props, Skipped, Touch, pictures
from bot.sync.client import MessageClient


@dataclass
class Left:
    """What a rehearsal has created on Discord, and deletes at its end."""

    messages: dict[int, int] = field(default_factory=dict)
    """Channels by message."""
    channels: set[int] = field(default_factory=set)
    """Where something was sent: messages that were not noted are searched for there."""
    threads: list[int] = field(default_factory=list)
    commands: bool = False
    asking: set[asyncio.Task[Any]] = field(default_factory=set)
    """Requests that may still be pending."""


@dataclass(eq=False)
class Stage:
    """What a line needs to be tried. ``reconnect`` closes a client and returns a new one."""

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
    """The thread that the roll call started; 0: there is none."""
    begun: float = 0.0
    """When the oldest message was sent, by the loop's clock."""
    old: int = 0
    """A message that is kept until it is old."""
    commanded: Touch | None = None
    """The slash command that the operator has sent."""
    dm: int = 0
    """The channel of direct messages with the operator; 0: it is not open."""

    async def connect(self) -> None:
        """Continue with a new client, as after a restart."""
        self.client = await self.reconnect(self.client)

    @property
    def messages(self) -> MessageClient:
        """Return a client for messages such as the bot itself uses."""
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

        ``push`` is the text of the notification to those ``mentioned``; direct messages always notify.
        """
        if self.dm and where == self.dm:
            push = push or words
        page = self.props.page(line, words, blocks, uploads, push=push)
        channel, named = where or self.channel, f"{self.props.run}.{nonce or line}"
        # Noted first: if the message cannot be noted, it is searched for there.
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
        """Post a task for the operator, with its controls, and return what they do.

        ``how`` is passed to :meth:`post`. Raises as :meth:`Desk.wait`, and :class:`Skipped` without operator.
        """
        if self.desk.operator is None and line != OPERATOR:
            raise Skipped("nobody is there to press anything")
        with self.desk.expecting(place) as touch:
            asking = self.post(line, words, [*blocks, *self.props.skip(line)], **how)
            return await self.heard(line, words, touch, asking)

    async def heard(
        self, line: str, words: str, touch: asyncio.Future[Touch], asking: Coroutine[Any, Any, object]
    ) -> Touch:
        """Run ``asking``, which shows the operator what to do, and return what they do.

        People are quick: the request may still be waiting for a rate limit when they have done it.
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
"""The key of the line that finds out who the operator is."""


Act: TypeAlias = Callable[[Stage], Awaitable[str]]
"""Tries it; returns what Discord did. Raises ``Differs`` or ``Skipped``."""


class State(Enum):
    """The result of a line."""

    OK = "ok"
    DIFFERS = "differs"
    SKIPPED = "skipped"


class When(Enum):
    """Which lines are part of a run."""

    ALWAYS = "always"
    PRESSED = "pressed"
    """The operator has to press or type something."""
    LONG = "long"
    """It takes an hour; only on request."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line that can be tried."""

    key: str
    relies: str
    act: Act = field(repr=False)
    when: When = When.ALWAYS
    needs: tuple[str, ...] = ()
    """Lines that must have been tried before: a run of this line alone tries them too."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a line: ``codes`` are the status and error codes of responses, ``ms`` their time."""

    key: str
    relies: str
    state: State
    did: str
    codes: str = ""
    ms: int | None = None


class Lines(list[Line]):
    """The lines of one module, in source order."""

    def add(self, key: str, relies: str, when: When = When.ALWAYS, *needs: str) -> Callable[[Act], Act]:
        """Return a decorator that adds a function as a line."""

        def added(act: Act) -> Act:
            self.append(Line(key, relies, act, when, needs))
            return act

        return added
