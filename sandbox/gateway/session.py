"""Sessions and connections of the gateway."""

import asyncio
import contextlib
import json
import secrets
import zlib
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from aiohttp import WSCloseCode, web

from sandbox.model import Json
from sandbox.snowflake import shard_of

# A client that missed more events must start a new session.
MAX_KEPT_EVENTS = 2000
DISPATCH = 0


class Connection:
    """One WebSocket with an ordered queue of payloads, compressed as the client requested."""

    def __init__(
        self,
        socket: web.WebSocketResponse,
        transport: asyncio.Transport | None,
        sleep: Callable[[float], Awaitable[None]],
        *,
        zlib_stream: bool,
    ) -> None:
        self.socket = socket
        self.delay = 0.0
        self._transport = transport
        self._sleep = sleep
        self._deflate = zlib.compressobj() if zlib_stream else None
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()

    def send(self, payload: Json) -> None:
        """Queue a payload."""
        self.send_text(json.dumps(payload))

    def send_text(self, text: str) -> None:
        """Queue a text as a payload, even if it is not valid JSON."""
        self._queue.put_nowait(text)

    def hang_up(self) -> None:
        """Abort the connection after everything in the queue has been sent."""
        self._queue.put_nowait(None)

    async def write(self) -> None:
        """Send queued payloads in order, each `delay` seconds late, until cancelled."""
        with contextlib.suppress(ConnectionError, RuntimeError):
            while True:
                text = await self._queue.get()
                if text is None:
                    self.abort()
                    return
                await self._sleep(self.delay)
                if self._deflate is None:
                    await self.socket.send_str(text)
                    continue
                # One compression context per connection; a flush marks the end of each payload: "Gateway",
                # Transport Compression.
                data = self._deflate.compress(text.encode()) + self._deflate.flush(zlib.Z_SYNC_FLUSH)
                await self.socket.send_bytes(data)

    @property
    def close_code(self) -> int | None:
        """The close code that either side sent; None: none was sent."""
        code = self.socket.close_code
        return None if code == WSCloseCode.ABNORMAL_CLOSURE else code

    def abort(self) -> None:
        """Abort the connection without a close frame."""
        if self._transport is not None:
            self._transport.abort()

    async def close(self, code: int, reason: str = "") -> None:
        """Close with one of Discord's close codes."""
        await self.socket.close(code=code, message=reason.encode())


@dataclass(slots=True, eq=False)
class Session:
    """A session of an identified client, with its latest events for a resume."""

    intents: int
    shard: tuple[int, int]
    id: str = field(default_factory=lambda: secrets.token_hex(16), repr=False)
    seq: int = 0
    connection: Connection | None = None
    disconnected_at: float | None = None
    events: deque[Json] = field(default_factory=lambda: deque(maxlen=MAX_KEPT_EVENTS), repr=False)

    def dispatch(self, event: str, data: Json) -> None:
        """Send an event if connected, and keep it for a resume."""
        self.seq += 1
        payload: Json = {"op": DISPATCH, "t": event, "s": self.seq, "d": data}
        self.events.append(payload)
        if self.connection is not None:
            self.connection.send(payload)

    def can_resume(self, seq: int) -> bool:
        """Return whether all events after `seq` are still kept."""
        first = self.events[0]["s"] if self.events else self.seq + 1
        return first - 1 <= seq <= self.seq

    def replay(self, seq: int) -> None:
        """Send all events after `seq` again."""
        if self.connection is not None:
            for payload in list(self.events):
                if payload["s"] > seq:
                    self.connection.send(payload)

    def serves(self, guild_id: int | None) -> bool:
        """Return whether a guild (None: DMs) is on this session's shard."""
        # "Gateway", Sharding: events without a guild go to shard 0.
        number, count = self.shard
        return number == (0 if guild_id is None else shard_of(guild_id, count))
