"""The sockets of people's open windows, and what is pushed to them."""

import asyncio
import contextlib
import json
from typing import Any

from aiohttp import WSMsgType, web

from sandbox.audit import Audit
from sandbox.model import Json

Queue = asyncio.Queue[str | None]


class UserSockets:
    """Pushes events to people's sockets; a push is audited once, however many windows a person has."""

    def __init__(self, audit: Audit) -> None:
        self._audit = audit
        self._queues: dict[int, list[Queue]] = {}
        self._sockets: set[web.WebSocketResponse] = set()

    def watching(self) -> list[int]:
        """Return the people who have a window open: what is made for each person is made for these alone."""
        return [person for person, queues in self._queues.items() if queues]

    def push(self, person: int, t: str, d: Any) -> None:
        """Send an event to all windows of a person; nothing if none is open."""
        queues = self._queues.get(person)
        if not queues:
            return
        self._audit.note(person, "push", t, d)
        text = json.dumps({"t": t, "d": d})
        for queue in queues:
            queue.put_nowait(text)

    def push_all(self, people: list[int], t: str, d: Any) -> None:
        """Send the same event to several persons."""
        for person in people:
            self.push(person, t, d)

    async def serve(self, request: web.Request, person: int, hello: Json) -> web.WebSocketResponse:
        """Run one window's socket until it closes."""
        socket = web.WebSocketResponse(heartbeat=30.0)
        await socket.prepare(request)
        # A queue for each window: a slow one holds no other up, and events stay in order.
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
            # The writer sends what is queued before it ends.
            queue.put_nowait(None)
            with contextlib.suppress(ConnectionError):
                await writer
        return socket

    async def close(self) -> None:
        """Close all windows."""
        for socket in list(self._sockets):
            await socket.close()
