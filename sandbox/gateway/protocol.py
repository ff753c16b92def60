"""The gateway's protocol on one connection: hello, identify, heartbeat, resume, requests.

Opcodes and close codes: Discord's documentation, "Opcodes and Status Codes".
"""

import asyncio
import json
from collections import deque
from typing import Any

from aiohttp import WSMsgType, web

from sandbox import serialize
from sandbox.gateway.hub import PRIVILEGED, Gateway, Intent
from sandbox.gateway.session import Connection, Session
from sandbox.model import Json
from sandbox.snowflake import parse

HEARTBEAT, IDENTIFY, PRESENCE, VOICE_STATE, RESUME, MEMBERS = 1, 2, 3, 4, 6, 8
INVALID_SESSION, HELLO, HEARTBEAT_ACK = 9, 10, 11
SENDS, SENDS_SECONDS = 120, 60.0
INTENTS = 1 << 26
ROUND_TRIP = 0.05
"""Seconds until a heartbeat is acknowledged. discord.py notes when it sent one only after the sending
has returned; an answer quicker than any network's overtakes that, and looks a whole interval late."""


class ClosingError(Exception):
    """The connection must be closed with a code."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Protocol:
    """What one connection has said so far."""

    def __init__(self, gateway: Gateway, connection: Connection) -> None:
        self.gateway = gateway
        self.connection = connection
        self.session: Session | None = None
        self._sends: deque[float] = deque()

    def receive(self, text: str) -> None:
        """Act on one payload of the client. ClosingError: it broke the protocol."""
        self._count()
        try:
            payload = json.loads(text)
            op, data = payload["op"], payload.get("d")
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ClosingError(4002, "Error while decoding payload.") from None
        if op == HEARTBEAT:
            asyncio.get_running_loop().call_later(ROUND_TRIP, self.connection.send, {"op": HEARTBEAT_ACK})
        elif op in (IDENTIFY, RESUME):
            if self.session is not None:
                raise ClosingError(4005, "Already authenticated.")
            if not isinstance(data, dict):
                raise ClosingError(4002, "Error while decoding payload.")
            (self._identify if op == IDENTIFY else self._resume)(data)
        elif self.session is None:
            raise ClosingError(4003, "Not authenticated.")
        elif op == MEMBERS:
            self._members(self.session, data if isinstance(data, dict) else {})
        elif op not in (PRESENCE, VOICE_STATE):
            raise ClosingError(4001, "Unknown opcode.")

    def _count(self) -> None:
        now = asyncio.get_running_loop().time()
        self._sends.append(now)
        while self._sends[0] < now - SENDS_SECONDS:
            self._sends.popleft()
        if len(self._sends) > SENDS:
            raise ClosingError(4008, "Rate limited.")

    def _token(self, data: Json) -> None:
        if str(data.get("token", "")).removeprefix("Bot ") != self.gateway.token:
            raise ClosingError(4004, "Authentication failed.")

    def _identify(self, data: Json) -> None:
        self._token(data)
        intents = data.get("intents")
        if not isinstance(intents, int) or not 0 <= intents < INTENTS:
            raise ClosingError(4013, "Invalid intent(s).")
        if intents & PRIVILEGED & ~self.gateway.privileged:
            raise ClosingError(4014, "Disallowed intent(s).")
        session = Session(intents, _shard(data.get("shard", [0, 1])))
        self.session = session
        self.gateway.attach(session, self.connection)
        self.gateway.begin(session)

    def _resume(self, data: Json) -> None:
        self._token(data)
        self.gateway.forget_old()
        session = self.gateway.sessions.get(str(data.get("session_id")))
        seq = data.get("seq")
        if session is None or not isinstance(seq, int):
            self.connection.send({"op": INVALID_SESSION, "d": False})
            return
        if seq > session.seq:
            raise ClosingError(4007, "Invalid seq.")
        if not session.can_resume(seq):
            self.connection.send({"op": INVALID_SESSION, "d": False})
            return
        self.session = session
        self.gateway.attach(session, self.connection)
        session.replay(seq)
        session.dispatch("RESUMED", {})
        self.gateway.status()

    def _members(self, session: Session, data: Json) -> None:
        records = self.gateway.records
        if parse(data.get("guild_id")) != records.guild.id or not records.bot_is_member:
            return
        wanted = data.get("user_ids")
        query = str(data.get("query") or "").lower()
        limit = data.get("limit") or 0
        everyone = wanted is None and not query and not limit
        if everyone and not session.intents & Intent.GUILD_MEMBERS:
            return
        members = list(records.guild.members.values())
        missing: list[str] = []
        if wanted is not None:
            ids = [parse(u) for u in (wanted if isinstance(wanted, list) else [wanted])]
            missing = [str(u) for u in ids if u not in records.guild.members]
            members = [m for m in members if m.user.id in ids]
        elif query:
            members = [m for m in members if m.user.name.lower().startswith(query)]
        chunk: Json = {
            "guild_id": str(records.guild.id),
            "members": [serialize.member(m) for m in members[: limit or None]],
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": missing,
        }
        if data.get("nonce") is not None:
            chunk["nonce"] = data["nonce"]
        session.dispatch("GUILD_MEMBERS_CHUNK", chunk)


def _shard(value: Any) -> tuple[int, int]:
    if (
        not isinstance(value, list)
        or len(value) != 2
        or not all(isinstance(part, int) for part in value)
        or not 0 <= value[0] < value[1]
    ):
        raise ClosingError(4010, "Invalid shard.")
    return value[0], value[1]


def _check_query(request: web.Request) -> None:
    if request.query.get("v") not in (None, "9", "10"):
        raise ClosingError(4012, "Invalid API version.")
    if request.query.get("encoding", "json") != "json":
        raise ClosingError(4002, "Only JSON is spoken here.")


async def serve(gateway: Gateway, request: web.Request) -> web.StreamResponse:
    """Speak the protocol until either side closes; or refuse, if the gateway was told to."""
    if gateway.faults.refuse > 0:
        gateway.faults.refuse -= 1
        return web.Response(status=503, text="no healthy upstream")
    socket = web.WebSocketResponse(compress=False, timeout=2.0, max_msg_size=16 * 1024)
    await socket.prepare(request)
    # Who asks for another compression gets plain text, which every client understands.
    zlib_stream = request.query.get("compress") == "zlib-stream"
    connection = Connection(socket, request.transport, zlib_stream=zlib_stream)
    connection.delay = gateway.faults.delay
    gateway.connections.add(connection)
    writer = asyncio.create_task(connection.write())
    try:
        _check_query(request)
        connection.send({"op": HELLO, "d": {"heartbeat_interval": int(gateway.heartbeat * 1000)}})
        await _listen(Protocol(gateway, connection), gateway.heartbeat)
    except ClosingError as closing:
        await connection.close(closing.code, closing.reason)
    finally:
        gateway.detach(connection)
        writer.cancel()
        await asyncio.wait([writer])
    return socket


async def _listen(protocol: Protocol, heartbeat: float) -> None:
    socket = protocol.connection.socket
    while True:
        try:
            message = await socket.receive(timeout=heartbeat * 1.5 + 5)
        except TimeoutError:
            raise ClosingError(4009, "Session timed out.") from None
        if message.type is WSMsgType.TEXT:
            protocol.receive(message.data)
        elif message.type is WSMsgType.BINARY:
            raise ClosingError(4002, "Error while decoding payload.")
        else:
            return
