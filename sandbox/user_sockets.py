"""The sockets of people's windows, and an audit of what each person received.

Tests search the audit for secrets that the person must not learn.
"""

import asyncio
import contextlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from sandbox.model import Json

Queue = asyncio.Queue[str | None]


@dataclass(frozen=True, slots=True)
class Received:
    """One item that a window received.

    `kind`: "push" (over the socket), "reply" (to a request) or "attachment" (a file).
    """

    at: float
    kind: str
    t: str
    d: Any = field(repr=False)

    def json(self) -> Json:
        """Return the entry as JSON."""
        return {"at": self.at, "kind": self.kind, "t": self.t, "d": self.d}


class Audit:
    """Records what each person's windows receive, in order."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._lists: dict[int, list[Received]] = {}

    def note(self, person: int, kind: str, t: str, d: Any) -> None:
        """Append a copy of what a person's window received."""
        # Deep, because it may share parts with records that change later.
        frozen = json.loads(json.dumps(d))
        self._lists.setdefault(person, []).append(Received(self._now(), kind, t, frozen))

    def received_by(self, person: int) -> list[Received]:
        """Return everything that a person's windows have received so far."""
        return list(self._lists.get(person, ()))


class UserSockets:
    """Pushes events to people's sockets; a push to several windows of a person is audited once."""

    def __init__(self, audit: Audit) -> None:
        self._audit = audit
        self._queues: dict[int, list[Queue]] = {}
        self._sockets: set[web.WebSocketResponse] = set()

    def people_with_windows(self) -> list[int]:
        """Return the people with open windows, the only ones that need events."""
        return [person for person, queues in self._queues.items() if queues]

    def push(self, person: int, t: str, d: Any) -> None:
        """Send an event to all open windows of a person."""
        queues = self._queues.get(person)
        if not queues:
            return
        self._audit.note(person, "push", t, d)
        text = json.dumps({"t": t, "d": d})
        for queue in queues:
            queue.put_nowait(text)

    def push_all(self, people: list[int], t: str, d: Any) -> None:
        """Send the same event to several people."""
        for person in people:
            self.push(person, t, d)

    async def serve(self, request: web.Request, person: int, hello: Json) -> web.WebSocketResponse:
        """Serve one window's socket until it closes."""
        socket = web.WebSocketResponse(heartbeat=30.0)
        await socket.prepare(request)
        # A queue per window: a slow window does not delay others, and events stay in order.
        queue: Queue = asyncio.Queue()
        self._queues.setdefault(person, []).append(queue)
        self._sockets.add(socket)
        self._audit.note(person, "push", "HELLO", hello)
        queue.put_nowait(json.dumps({"t": "HELLO", "d": hello}))

        async def write() -> None:
            while (text := await queue.get()) is not None:
                await socket.send_str(text)

        writer = asyncio.create_task(write())
        try:
            async for message in socket:
                if message.type is WSMsgType.ERROR:
                    break
        finally:
            self._queues[person].remove(queue)
            self._sockets.discard(socket)
            # The writer empties the queue before it ends.
            queue.put_nowait(None)
            with contextlib.suppress(ConnectionError):
                await writer
        return socket

    async def close(self) -> None:
        """Close all windows."""
        for socket in list(self._sockets):
            await socket.close()
