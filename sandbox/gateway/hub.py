"""All sessions of the gateway, the dispatch of events to them, and injected faults."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntFlag

from sandbox import serialize
from sandbox.gateway.session import Connection, Session
from sandbox.gateway.starts import SessionStarts, Sharding
from sandbox.model import Guild, Json
from sandbox.records import Records

# Discord does not document this; bots see some minutes.
RESUME_TIMEOUT_S = 300.0


class Intent(IntFlag):
    """The gateway intents that the sandbox has events for."""

    NONE = 0
    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    GUILD_PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    GUILD_MESSAGE_TYPING = 1 << 11
    DIRECT_MESSAGES = 1 << 12
    DIRECT_MESSAGE_TYPING = 1 << 14
    MESSAGE_CONTENT = 1 << 15


PRIVILEGED = Intent.GUILD_MEMBERS | Intent.GUILD_PRESENCES | Intent.MESSAGE_CONTENT


@dataclass(slots=True)
class GatewayFaults:
    """Injected faults.

    `refuse`: number of connections to refuse. `delay`: seconds to delay every payload.
    `duplicate`: number of events to send twice, if their name matches `duplicate_events`.
    `drop_ready`: number of connections to abort right after READY or RESUMED.
    `refuse_resume`: number of RESUMEs to answer with INVALID SESSION.
    `shard`: the only shard for these two; None: all shards.
    `garbage`: texts to send as payloads, one before the READY of each new session.
    """

    refuse: int = 0
    delay: float = 0.0
    duplicate: int = 0
    duplicate_events: str = ".*"
    drop_ready: int = 0
    refuse_resume: int = 0
    shard: int | None = None
    garbage: list[str] = field(default_factory=list)

    def applies_to(self, session: Session) -> bool:
        """Return whether faults for one shard apply to a session."""
        return self.shard in (None, session.shard[0])


class Gateway:
    """Dispatches events to sessions by their intents and shards."""

    def __init__(
        self,
        records: Records,
        *,
        token: str,
        heartbeat: float,
        privileged: int,
        sharding: Sharding,
        on_status: Callable[[bool], None],
        note: Callable[..., None] = lambda _, **__: None,
    ) -> None:
        self.records = records
        self.token = token
        self.heartbeat = heartbeat
        self.privileged = privileged
        self.faults = GatewayFaults()
        self.sessions: dict[str, Session] = {}
        self.connections: set[Connection] = set()
        self._on_status = on_status
        self._note = note
        """Writes a line to the journal."""
        self._was_online = False
        self.starts = SessionStarts(records.clock.now, sharding)

    @property
    def online(self) -> bool:
        """Whether any session has a connection."""
        return any(session.connection is not None for session in self.sessions.values())

    def shards(self) -> list[Json]:
        """Return each session as JSON: its shard, whether it is connected, and its number of guilds."""
        return [
            {
                "shard": list(session.shard),
                "connected": session.connection is not None,
                "guilds": len(self.guilds_of(session)),
            }
            for session in self.sessions.values()
        ]

    def guilds_of(self, session: Session) -> list[Guild]:
        """Return the bot's guilds on a session's shard."""
        return [guild for guild in self.records.bot_guilds() if session.serves(guild.id)]

    def dispatch(
        self,
        event: str,
        data: Json,
        *,
        intents: int = 0,
        guild_id: int | None = None,
    ) -> None:
        """Send an event to the sessions on the guild's shard that have one of `intents` (0: to all)."""
        self.remove_expired()
        for session in self.sessions.values():
            # Interactions need no intent: "Gateway", List of Intents.
            wanted = not intents or session.intents & intents
            if wanted and session.serves(guild_id):
                session.dispatch(event, data)
                if self.faults.duplicate > 0 and re.fullmatch(self.faults.duplicate_events, event):
                    self.faults.duplicate -= 1
                    session.dispatch(event, data)

    def start_session(self, session: Session) -> None:
        """Send READY and the guilds to a new session."""
        self.sessions[session.id] = session
        connection = session.connection
        if connection is not None and self.faults.garbage:
            connection.send_text(self.faults.garbage.pop(0))
        records = self.records
        guilds = self.guilds_of(session)
        # A guild is unavailable until its GUILD_CREATE: "Gateway Events", Ready.
        ready: Json = {
            "v": 10,
            "user": serialize.me(records.bot),
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "private_channels": [],
            "session_id": session.id,
            "session_type": "normal",
            "resume_gateway_url": records.base_url.replace("http", "ws", 1) + "/gateway",
            "shard": list(session.shard),
            "application": {"id": str(records.bot.id)} | serialize.application_flags(records),
        }
        session.dispatch("READY", ready)
        if self.apply_drop_ready(session):
            return
        if session.intents & Intent.GUILDS:
            everyone = bool(session.intents & Intent.GUILD_MEMBERS)
            for guild in guilds:
                body = serialize.guild_create(records, guild, all_members=everyone)
                session.dispatch("GUILD_CREATE", body)
        self.update_status()

    def apply_drop_ready(self, session: Session) -> bool:
        """Abort a connection right after READY or RESUMED if a fault says so; return whether it did."""
        if self.faults.drop_ready == 0 or not self.faults.applies_to(session) or session.connection is None:
            return False
        self.faults.drop_ready -= 1
        session.connection.hang_up()
        return True

    def resumable(self, session_id: str) -> Session | None:
        """Return the session to resume; None: it is unknown, expired, or lost by an injected fault."""
        self.remove_expired()
        session = self.sessions.get(session_id)
        if session is not None and self.faults.refuse_resume > 0 and self.faults.applies_to(session):
            self.faults.refuse_resume -= 1
            del self.sessions[session.id]
            return None
        return session

    def attach(self, session: Session, connection: Connection) -> None:
        """Attach a connection to a session, replacing its earlier one."""
        # A session has one connection: the older one is dead, which was not noticed yet.
        old, session.connection = session.connection, connection
        session.disconnected_at = None
        number, count = session.shard
        self._note("connected", shard=number, shards=count, resumes=session.seq > 0)
        if old is not None and old is not connection:
            old.abort()

    def detach(self, connection: Connection) -> None:
        """Detach a closed connection; its session can be resumed until it expires."""
        self.connections.discard(connection)
        for session in self.sessions.values():
            if session.connection is connection:
                session.connection = None
                session.disconnected_at = self.records.clock.now()
                # No code: the connection was aborted, by the end of the client's process or by a fault.
                number, count = session.shard
                self._note("disconnected", shard=number, shards=count, code=connection.close_code)
        self.update_status()

    def remove_expired(self) -> None:
        """Remove sessions that were not resumed in time."""
        limit = self.records.clock.now() - RESUME_TIMEOUT_S
        for session in list(self.sessions.values()):
            if session.disconnected_at is not None and session.disconnected_at < limit:
                del self.sessions[session.id]

    def update_status(self) -> None:
        """Tell people's windows if the bot has come online or gone offline."""
        if self.online != self._was_online:
            self._was_online = self.online
            self._on_status(self._was_online)

    def set_delay(self, seconds: float) -> None:
        """Delay every payload, on present and future connections."""
        self.faults.delay = seconds
        for connection in self.connections:
            connection.delay = seconds

    async def drop(self, how: str, shard: int | None = None) -> None:
        """Drop all connections, or those of one shard. ValueError: unknown `how`.

        `how`: "resume" (abort the connection), "close" (code 4000), "reconnect" (opcode 7) or "invalid"
        (opcode 9: the session cannot be resumed).
        """
        if how not in ("resume", "close", "reconnect", "invalid"):
            msg = "a gateway is dropped by resume, close, reconnect or invalid"
            raise ValueError(msg)
        for connection in self._connections(shard):
            if how == "resume":
                connection.abort()
            elif how == "close":
                await connection.close(4000, "Unknown error")
            elif how == "reconnect":
                connection.send({"op": 7, "d": None})
            else:
                for session in list(self.sessions.values()):
                    if session.connection is connection:
                        del self.sessions[session.id]
                self.update_status()
                connection.send({"op": 9, "d": False})

    def _connections(self, shard: int | None) -> list[Connection]:
        if shard is None:
            return list(self.connections)
        own = [session.connection for session in self.sessions.values() if session.shard[0] == shard]
        return [connection for connection in own if connection is not None]

    async def close(self) -> None:
        """Close all connections when the server stops."""
        for connection in list(self.connections):
            await connection.close(1001, "Going away")
