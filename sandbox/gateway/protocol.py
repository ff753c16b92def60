"""The gateway's protocol on one connection: hello, identify, heartbeat, resume, requests.

Opcodes and close codes: Discord's documentation, "Opcodes and Status Codes".
"""

import asyncio
import hmac
import json
from collections import deque
from collections.abc import Mapping
from typing import Any

from aiohttp import WSMsgType, web

from sandbox import serialize
from sandbox.gateway.hub import PRIVILEGED, Gateway, Intent
from sandbox.gateway.session import Connection, Session
from sandbox.model import Json
from sandbox.snowflake import parse

HEARTBEAT, IDENTIFY, PRESENCE, VOICE_STATE, RESUME, MEMBERS = 1, 2, 3, 4, 6, 8
INVALID_SESSION, HELLO, HEARTBEAT_ACK = 9, 10, 11
# "Gateway", Rate Limiting and Sending Events.
MAX_SENDS, SENDS_WINDOW_S = 120, 60.0
MAX_PAYLOAD_BYTES = 4096
INTENTS_END = 1 << 26
ROUND_TRIP_S = 0.05
"""Delay of a heartbeat's acknowledgement. discord.py records the time of a heartbeat only after the send
returns, so an acknowledgement faster than any network's would look a whole interval late."""


class ProtocolError(Exception):
    """The client broke the protocol: close the connection with a code."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Protocol:
    """Handles the payloads of one connection."""

    def __init__(self, gateway: Gateway, connection: Connection) -> None:
        self.gateway = gateway
        self.connection = connection
        self.session: Session | None = None
        self._sends: deque[float] = deque()

    def receive(self, frame: bytes) -> None:
        """Handle one payload of the client. ProtocolError: the payload is invalid, or not allowed now."""
        self._check_send_rate()
        try:
            payload = _decode(frame)
            op, data = payload["op"], payload.get("d")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise ProtocolError(4002, "Error while decoding payload.") from None
        if op == HEARTBEAT:
            asyncio.get_running_loop().call_later(ROUND_TRIP_S, self.connection.send, {"op": HEARTBEAT_ACK})
        elif op in (IDENTIFY, RESUME):
            if self.session is not None:
                raise ProtocolError(4005, "Already authenticated.")
            if not isinstance(data, dict):
                raise ProtocolError(4002, "Error while decoding payload.")
            (self._identify if op == IDENTIFY else self._resume)(data)
        elif self.session is None:
            raise ProtocolError(4003, "Not authenticated.")
        elif op == MEMBERS:
            self._send_members(self.session, data if isinstance(data, dict) else {})
        elif op not in (PRESENCE, VOICE_STATE):
            raise ProtocolError(4001, "Unknown opcode.")

    def _check_send_rate(self) -> None:
        now = asyncio.get_running_loop().time()
        self._sends.append(now)
        while self._sends[0] < now - SENDS_WINDOW_S:
            self._sends.popleft()
        if len(self._sends) > MAX_SENDS:
            raise ProtocolError(4008, "Rate limited.")

    def _check_token(self, data: Json) -> None:
        given = str(data.get("token", "")).removeprefix("Bot ")
        if not hmac.compare_digest(given.encode(), self.gateway.token.encode()):
            raise ProtocolError(4004, "Authentication failed.")

    def _identify(self, data: Json) -> None:
        self._check_token(data)
        intents = data.get("intents")
        if not isinstance(intents, int) or not 0 <= intents < INTENTS_END:
            raise ProtocolError(4013, "Invalid intent(s).")
        if intents & PRIVILEGED & ~self.gateway.privileged:
            raise ProtocolError(4014, "Disallowed intent(s).")
        match data.get("shard", [0, 1]):
            case [int(number), int(count)] if 0 <= number < count:
                session = Session(intents, (number, count))
            case _:
                raise ProtocolError(4010, "Invalid shard.")
        limit = self.gateway.starts.sharding.guilds_a_shard
        if limit is not None and len(self.gateway.guilds_of(session)) > limit:
            raise ProtocolError(4011, "Sharding required.")
        if not self.gateway.starts.try_start(session.shard[0]):
            self.connection.send({"op": INVALID_SESSION, "d": False})
            return
        self.session = session
        self.gateway.attach(session, self.connection)
        self.gateway.start_session(session)

    def _resume(self, data: Json) -> None:
        self._check_token(data)
        session = self.gateway.resumable(str(data.get("session_id")))
        seq = data.get("seq")
        if session is not None and isinstance(seq, int) and seq > session.seq:
            raise ProtocolError(4007, "Invalid seq.")
        # Unknown or too far behind: the client must identify again, as after any long outage.
        if session is None or not isinstance(seq, int) or not session.can_resume(seq):
            self.connection.send({"op": INVALID_SESSION, "d": False})
            return
        self.session = session
        self.gateway.attach(session, self.connection)
        session.replay(seq)
        session.dispatch("RESUMED", {})
        self.gateway.apply_drop_ready(session)
        self.gateway.update_status()

    def _send_members(self, session: Session, data: Json) -> None:
        records = self.gateway.records
        guild = records.guilds.get(parse(data.get("guild_id")) or 0)
        if guild is None or guild not in self.gateway.guilds_of(session):
            return
        wanted, limit = data.get("user_ids"), data.get("limit") or 0
        query = str(data.get("query") or "")
        # Only the list of all members requires the intent: "Gateway Events", Request Guild Members.
        everyone = wanted is None and not query and not limit
        if everyone and not session.intents & Intent.GUILD_MEMBERS:
            return
        members = guild.members_named(query)
        missing: list[str] = []
        if wanted is not None:
            ids = [parse(u) for u in (wanted if isinstance(wanted, list) else [wanted])]
            missing = [str(u) for u in ids if u not in guild.members]
            members = [m for m in guild.members.values() if m.user.id in ids]
        chunk: Json = {
            "guild_id": str(guild.id),
            "members": [serialize.member(m) for m in members[: limit or None]],
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": missing,
        }
        if data.get("nonce") is not None:
            chunk["nonce"] = data["nonce"]
        session.dispatch("GUILD_MEMBERS_CHUNK", chunk)


def _decode(frame: bytes) -> Any:
    if len(frame) > MAX_PAYLOAD_BYTES:
        raise ValueError("the payload is too long")
    return json.loads(frame)


async def serve(gateway: Gateway, request: web.Request) -> web.StreamResponse:
    """Serve one connection until either side closes it; refuse it if a fault says so."""
    if gateway.faults.refuse > 0:
        gateway.faults.refuse -= 1
        return web.Response(status=503, text="no healthy upstream")
    socket = web.WebSocketResponse(compress=False, timeout=2.0, max_msg_size=16 * 1024)
    await socket.prepare(request)
    # Clients that ask for another compression get plain text, which every client understands.
    zlib_stream = request.query.get("compress") == "zlib-stream"
    connection = Connection(socket, request.transport, gateway.records.clock.sleep, zlib_stream=zlib_stream)
    connection.delay = gateway.faults.delay
    gateway.connections.add(connection)
    writer = asyncio.create_task(connection.write())
    try:
        await _listen(gateway, connection, request.query)
    except ProtocolError as closing:
        await connection.close(closing.code, closing.reason)
    finally:
        gateway.detach(connection)
        writer.cancel()
        await asyncio.wait([writer])
    return socket


async def _listen(gateway: Gateway, connection: Connection, query: Mapping[str, str]) -> None:
    if query.get("v") not in (None, "9", "10"):
        raise ProtocolError(4012, "Invalid API version.")
    if query.get("encoding", "json") != "json":
        raise ProtocolError(4002, "Only JSON is spoken here.")
    connection.send({"op": HELLO, "d": {"heartbeat_interval": int(gateway.heartbeat * 1000)}})
    protocol = Protocol(gateway, connection)
    while True:
        try:
            # A client that misses a heartbeat is gone; half an interval and 5 s are added for slow machines.
            message = await connection.socket.receive(timeout=gateway.heartbeat * 1.5 + 5)
        except TimeoutError:
            raise ProtocolError(4009, "Session timed out.") from None
        # Discord accepts JSON in both kinds of frames.
        if message.type is WSMsgType.TEXT:
            protocol.receive(message.data.encode())
        elif message.type is WSMsgType.BINARY:
            protocol.receive(message.data)
        else:
            return
