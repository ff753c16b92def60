"""The bot in this process, over a temporary database, with the same secrets every time."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import pytest

from bot.app import Bauta
from bot.clocks.loop import ClockLoop
from bot.clocks.outages import Outages, Reach
from bot.matches import Services
from bot.matches.lobby import Lobby
from bot.runtime.timekeeping import SteadyClock
from bot.workers.painting_pool import PaintingPool
from tests.kit.services import services_on

ANSWERING = ("discord.py: ", "CommandTree-", "loading a match")
"""What the tasks are called in which discord.py, and the bot, answer somebody."""


@dataclass(slots=True)
class Clock:
    """The time of the use cases; it can be moved on."""

    ahead: float = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead


@dataclass(slots=True)
class Entropy:
    """Bytes that nobody chose, the same in every run: ids of tables, seeds of matches."""

    drawn: int = 0

    def __call__(self, size: int) -> bytes:
        self.drawn += 1
        return hashlib.shake_256(f"referee {self.drawn}".encode()).digest(size)


class Wake(asyncio.Event):
    """What a part of the bot rests on. A referee may wrap the wait, to know that the bot rests."""

    around: Callable[[Awaitable[bool]], Awaitable[bool]] | None = None

    async def wait(self) -> Literal[True]:
        await (super().wait() if self.around is None else self.around(super().wait()))
        return True


class Complaints(logging.Handler):
    """What the bot logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(self.format(record))


class _NoOutages(Outages):
    """Keeps no account."""

    def watch(self, reach: Reach) -> None:
        del reach

    async def keep_running(self) -> None:
        return


class _Still(ClockLoop):
    """Looks at no clock."""

    async def keep_running(self) -> None:
        return


@dataclass(frozen=True, slots=True)
class House:
    """The bot's parts that a referee needs. ``client`` is not connected yet.

    The outbox worker rests on ``wake``, what asks whether Discord answers again on ``doubtful``.
    """

    client: Bauta
    services: Services
    clock: Clock
    wake: Wake
    doubtful: Wake
    complaints: Complaints = field(default_factory=Complaints)

    async def at_rest(self) -> bool:
        """Return whether the bot has answered all, and shown all that is due, films included."""
        worker = self.client.worker
        if any(task.get_name().startswith(ANSWERING) for task in asyncio.all_tasks()):
            return False
        return worker.idle and not self.wake.is_set() and not await self.services.outbox.next_jobs(1)


@contextmanager
def _numbered_interactions() -> Iterator[None]:
    """Have tables number interactions: seeds are mixed from the ids, which are each world's own."""
    numbers: dict[str, str] = {}

    def numbered(act: Callable[..., Awaitable[Any]], place: int) -> Callable[..., Awaitable[Any]]:
        def call(lobby: Lobby, *given: Any, **named: Any) -> Awaitable[Any]:
            before, request, after = given[:place], str(given[place]), given[place + 1 :]
            return act(lobby, *before, numbers.setdefault(request, f"{len(numbers) + 1}"), *after, **named)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name, place in (("open", 5), ("join", 2), ("start", 2), ("rematch", 2)):
            patch.setattr(Lobby, name, numbered(getattr(Lobby, name), place))
        yield


@asynccontextmanager
async def opened(database: Path, painter: PaintingPool) -> AsyncIterator[House]:
    """Open a house; whatever its bot logs as an error fails the test."""
    wake, doubtful, clock = Wake(), Wake(), Clock()
    complaints = Complaints()
    logger = logging.getLogger("bot")
    logger.addHandler(complaints)
    try:
        async with AsyncExitStack() as stack:
            stack.enter_context(_numbered_interactions())
            opening = services_on(database, wake=wake.set, clock=clock, entropy=Entropy())
            services = await stack.enter_async_context(opening)
            client = Bauta(services, painter, wake, "")
            clocks = client.clocks
            outages = _NoOutages(services.cache, SteadyClock(clock, clock))
            still = _Still(clocks.deadlines, clocks.reminders, clocks.holidays, clocks.idle, outages)
            # No match here has a pace, and simcord waits for whoever only sleeps until the next look.
            client.clocks = replace(clocks, outages=outages, loop=still)
            client.rest_health.doubtful = doubtful
            yield House(client, services, clock, wake, doubtful, complaints)
    finally:
        logger.removeHandler(complaints)
    assert complaints.said == []
