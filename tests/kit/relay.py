"""A network between the bot and PostgreSQL with a delay, a counter of round trips, and cuts."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

from bot.domain.address import PostgresqlAddress

SOCKET = ".s.PGSQL.5432"

CHUNK = 1 << 16


class Relay:
    """Forwards data between a bot and a server, as an asynchronous context manager.

    ``delay``: seconds each way. ``journeys``: the number of round trips that the bot has started.
    ``cut_at``: the request after which the connection is cut, before the response.
    """

    def __init__(self, server: Path, delay: float = 0.0) -> None:
        self.delay = delay
        self.journeys = 0
        self.cut_at: bytes | None = None
        self.cuts = 0
        self._server = server
        self._folder = tempfile.TemporaryDirectory(prefix="bauta-relay-")
        self._lines: set[asyncio.Task[None]] = set()

    def through(self, address: PostgresqlAddress) -> PostgresqlAddress:
        """Return the address of a server through this relay."""
        return PostgresqlAddress(address.url.replace(str(self._server), self._folder.name))

    async def __aenter__(self) -> Self:
        path = Path(self._folder.name) / SOCKET
        self._listening = await asyncio.start_unix_server(self._accepted, path)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listening.close()
        for line in self._lines:
            line.cancel()
        await asyncio.gather(*self._lines, return_exceptions=True)
        self._folder.cleanup()

    def _accepted(self, house: asyncio.StreamReader, answers: asyncio.StreamWriter) -> None:
        line = asyncio.create_task(self._carry(house, answers))
        self._lines.add(line)
        line.add_done_callback(self._lines.discard)

    async def _carry(self, house: asyncio.StreamReader, answers: asyncio.StreamWriter) -> None:
        server, questions = await asyncio.open_unix_connection(self._server / SOCKET)
        wire = _Wire(self)
        ways = [
            asyncio.create_task(wire.questions(house, questions)),
            asyncio.create_task(wire.answers(server, answers)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            for writer in (questions, answers):
                writer.close()


class _Wire:
    """One forwarded connection."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay
        self._is_answered = True
        self._is_cut = False

    async def questions(self, house: asyncio.StreamReader, server: asyncio.StreamWriter) -> None:
        """Forward the bot's data until it disconnects."""
        relay = self._relay
        while chunk := await house.read(CHUNK):
            relay.journeys += self._is_answered
            self._is_answered = False
            if relay.cut_at is not None and relay.cut_at in chunk:
                relay.cut_at, self._is_cut = None, True
            await _arrived(relay.delay, server, chunk)

    async def answers(self, server: asyncio.StreamReader, house: asyncio.StreamWriter) -> None:
        """Forward the server's data until it disconnects, or the connection must be cut."""
        while chunk := await server.read(CHUNK):
            if self._is_cut:
                self._relay.cuts += 1
                return
            self._is_answered = True
            await _arrived(self._relay.delay, house, chunk)


async def _arrived(delay: float, end: asyncio.StreamWriter, chunk: bytes) -> None:
    if delay:
        await asyncio.sleep(delay)
    end.write(chunk)
    await end.drain()
