"""A raw connection to the gateway, without a library."""

import json
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType

from sandbox.gateway.session import Connection
from sandbox.server import Sandbox
from tests.kit.waiting import PATIENCE

Json = dict[str, Any]
IDENTIFY, RESUME = 2, 6
INTENTS = 1 | 1 << 9
"""Guilds and their messages."""


class Line:
    """A raw connection."""

    def __init__(self, socket: ClientWebSocketResponse, *, compressed: bool) -> None:
        self.socket = socket
        self.seq = 0
        """The sequence number of the last event."""
        self._inflate = zlib.decompressobj() if compressed else None

    async def get(self) -> Json:
        found = await self._payload()
        self.seq = found.get("s") or self.seq
        return found

    async def _payload(self) -> Json:
        message = await self.socket.receive(timeout=PATIENCE)
        if self._inflate is not None:
            assert message.type is WSMsgType.BINARY
            assert message.data.endswith(b"\x00\x00\xff\xff")
            return dict(json.loads(self._inflate.decompress(message.data)))
        assert message.type is WSMsgType.TEXT, message
        return dict(json.loads(message.data))

    async def event(self, name: str) -> Json:
        while True:
            found = await self.get()
            if found.get("t") == name:
                return found

    async def closed(self) -> int | None:
        while True:
            message = await self.socket.receive(timeout=PATIENCE)
            if message.type is WSMsgType.CLOSE:
                # `close_code` has changed by now if the connection ended before our reply was sent.
                return int(message.data)
            if message.type is WSMsgType.CLOSED:
                return self.socket.close_code

    async def send(self, op: int, data: Any) -> None:
        await self.socket.send_json({"op": op, "d": data})

    async def identify(self, token: str, **changes: Any) -> None:
        body = {"token": token, "intents": INTENTS, "properties": {}, "shard": [0, 1]}
        await self.send(IDENTIFY, body | changes)

    async def resume(self, token: str, session_id: str, seq: int) -> None:
        await self.send(RESUME, {"token": token, "session_id": session_id, "seq": seq})


async def opened(http: ClientSession, sandbox: Sandbox, query: str = "?v=10&encoding=json") -> Line:
    line = Line(await http.ws_connect(sandbox.gateway + query), compressed="zlib" in query)
    found = await line.get()
    assert found["op"] == 10
    assert found["d"]["heartbeat_interval"] == 41250
    return line


@contextmanager
def changing(event: str, change: Callable[[Json], object]) -> Iterator[None]:
    """Let ``change`` modify the payloads of an event before the sandbox's gateway sends them."""
    whole = Connection.send_text

    def send_text(connection: Connection, text: str) -> None:
        payload = json.loads(text)
        if payload.get("t") == event:
            change(payload["d"])
        whole(connection, json.dumps(payload))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Connection, "send_text", send_text)
        yield
