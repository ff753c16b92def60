"""What Discord counts of a bot's requests, where the matches are, how late boards and the bench are."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from bot.domain.tables import Place
from sandbox.model import TEXT, User
from sandbox.server import Sandbox
from sandbox.state import Request

SERVERS, CHANNELS = 20, 3
"""Where the matches are: Discord limits each channel, and one alone would be the limit of them all."""

LOOK_INTERVAL_S = 0.1
"""How often the outbox is looked at: how finely a board's wait is measured."""

TICK_S = 0.01
"""How often it is looked at how late the bench is."""

KEPT = 1_000_000
"""Requests that a bench remembers."""

UNCOUNTED = ("/interactions/", "/webhooks/")
"""What answers a click: Discord's limit of the whole bot does not count it."""


def spread(sandbox: Sandbox, people: Sequence[User]) -> list[tuple[Place, Sequence[User]]]:
    """Found the servers; return their channels, each with all people, from another one on."""
    guilds = [sandbox.add_guild(f"Server {number}") for number in range(SERVERS)]
    for guild in guilds:
        text = [channel for channel in guild.channels.values() if channel.kind == TEXT]
        for number in range(CHANNELS - len(text)):
            sandbox.records.add_channel(f"games-{number}", guild=guild)
    found: list[tuple[Place, Sequence[User]]] = []
    for number in range(SERVERS * CHANNELS):
        guild = guilds[number % SERVERS]
        channels = [channel.id for channel in guild.channels.values() if channel.kind == TEXT]
        first = number * len(people) // (SERVERS * CHANNELS)
        found.append(
            (Place(guild.id, channels[number // SERVERS]), [*people[first:], *people[:first]]),
        )
    return found


def counted(requests: Iterable[Request]) -> list[Request]:
    """Return the requests that count towards the limit of the whole bot."""
    return [request for request in requests if not request.path.startswith(UNCOUNTED)]


@dataclass(slots=True)
class Traffic:
    """The bot's requests, from a moment on."""

    sandbox: Sandbox
    begun: float = 0.0

    def __post_init__(self) -> None:
        self.sandbox.state.requests = deque(maxlen=KEPT)

    def begin(self) -> None:
        """Count from now on."""
        self.begun = self.sandbox.state.clock.now()

    def seen(self) -> list[Request]:
        """Return the requests since then that count towards the limit of the whole bot."""
        return counted(each for each in self.sandbox.state.requests if each.at >= self.begun)

    def done(self) -> int:
        """Return how many of them Discord has carried out, or refused for good."""
        return sum(request.status != 429 for request in self.seen())

    def refused(self) -> int:
        """Return how many requests were one too many, whether they count towards the whole or not."""
        return sum(each.status == 429 for each in self.sandbox.state.requests if each.at >= self.begun)

    def line(self) -> str:
        """Return how many there were, on one line."""
        seen = self.seen()
        seconds = max(1e-9, self.sandbox.state.clock.now() - self.begun)
        most = max(Counter(int(each.at) for each in seen).values(), default=0)
        kinds = Counter(each.method for each in seen)
        each_kind = ", ".join(f"{count} {method}" for method, count in kinds.most_common())
        return f"{len(seen) / seconds:.1f} requests a second that count, {most} in one at most: {each_kind}"


@dataclass(slots=True)
class Waits:
    """How long the boards of some matches wait in the outbox."""

    database: Path
    matches: frozenset[str]
    seconds: list[float] = field(default_factory=list)
    most: int = 0
    """Boards that were due at one look, at most: of ``everybody``'s matches, or of all."""
    everybody: frozenset[str] = frozenset()
    _waiting: dict[int, float] = field(default_factory=dict)

    def look(self) -> None:
        """Note the boards that have been shown since the last look."""
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            rows = connection.execute("SELECT revision, match, due FROM job WHERE kind = 'board'").fetchall()
        now = time.time()
        there = {revision: due for revision, match, due in rows if match in self.matches and due > 0}
        gone = [due for revision, due in self._waiting.items() if revision not in there]
        self.seconds += [max(0.0, now - due) for due in gone]
        counted = [due for _, match, due in rows if not self.everybody or match in self.everybody]
        self.most = max(self.most, sum(due <= now for due in counted))
        self._waiting = there

    def begin(self) -> None:
        """Begin to count."""
        self.seconds.clear()
        self.most = 0

    async def watch(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            self.look()
            await asyncio.sleep(LOOK_INTERVAL_S)

    def late(self) -> float:
        """Return the seconds after which 99 of 100 boards were shown."""
        return sorted(self.seconds)[len(self.seconds) * 99 // 100] if self.seconds else 0.0


@dataclass(slots=True)
class Lag:
    """How late the bench itself is: what people wait for it is not the bot's."""

    seconds: list[float] = field(default_factory=list)

    async def watch(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            before = time.perf_counter()
            await asyncio.sleep(TICK_S)
            self.seconds.append(time.perf_counter() - before - TICK_S)

    def begin(self) -> None:
        """Begin to count."""
        self.seconds.clear()

    def line(self) -> str:
        """Return it on one line."""
        found = sorted(self.seconds) or [0.0]
        middle, late = found[len(found) // 2], found[len(found) * 99 // 100]
        return f"median {1e3 * middle:.0f} ms, 99% {1e3 * late:.0f} ms, longest {1e3 * found[-1]:.0f} ms"
