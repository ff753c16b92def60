"""All sessions of the gateway: which events go to whom, and the faults that are injected."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntFlag

from sandbox import serialize
from sandbox.gateway.session import Connection, Session
from sandbox.gateway.starts import SessionStarts, Sharding
from sandbox.model import Guild, Json
from sandbox.records import Records

# Discord does not say how long it keeps a session; bots see some minutes.
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

    `refuse`: connections to refuse. `delay`: seconds of every payload. `duplicate`: events to send twice,
    those whose name matches `duplicate_events`. `drop_ready`: connections that are cut right after READY
    or RESUMED. `refuse_resume`: RESUMEs that are answered with an invalid session. `shard`: the shard that
    these two are for; None: any. `garbage`: payloads to send as they are, one on each new session before its
    READY.
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
        """Return whether a fault that is for one shard is for this session's."""
        return self.shard in (None, session.shard[0])


class Gateway:
    """Dispatches events to the sessions whose intents and shard ask for them."""

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
        """Writes a line into the journal."""
        self._was_online = False
        self.starts = SessionStarts(records.clock.now, sharding)

    @property
    def online(self) -> bool:
        """Whether a session has a live connection, of whatever shard."""
        return any(session.connection is not None for session in self.sessions.values())

    @property
    def identified(self) -> list[float]:
        """When IDENTIFYs came, by the sandbox clock, within the last day."""
        return self.starts.identify_times

    def shards(self) -> list[Json]:
        """Return each session as JSON: its shard, whether it is connected, and how many guilds it has."""
        return [
            {
                "shard": list(session.shard),
                "connected": session.connection is not None,
                "guilds": len(self.guilds_of(session)),
            }
            for session in self.sessions.values()
        ]

    def guilds_of(self, session: Session) -> list[Guild]:
        """Return the guilds of the bot that are on a session's shard."""
        return [guild for guild in self.records.bot_guilds() if session.serves(guild.id)]

    def dispatch(
        self,
        event: str,
        data: Json,
        *,
        intents: int = 0,
        guild_id: int | None = None,
    ) -> None:
        """Send an event to the sessions with one of `intents` (0: to all) on the guild's shard."""
        self.remove_expired()
        for session in self.sessions.values():
            # Interactions come whatever the intents: "Gateway", List of Intents.
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
        """Cut the connection of a session that has just got READY or RESUMED, if such a fault is injected."""
        if self.faults.drop_ready == 0 or not self.faults.applies_to(session) or session.connection is None:
            return False
        self.faults.drop_ready -= 1
        session.connection.hang_up()
        return True

    def resumable(self, session_id: str) -> Session | None:
        """Return the session to resume; None: it is too old, unknown, or lost by an injected fault."""
        self.remove_expired()
        session = self.sessions.get(session_id)
        if session is not None and self.faults.refuse_resume > 0 and self.faults.applies_to(session):
            self.faults.refuse_resume -= 1
            del self.sessions[session.id]
            return None
        return session

    def attach(self, session: Session, connection: Connection) -> None:
        """Attach a connection to a session, in place of the one it had."""
        # A session has one connection: the older one is dead, and its end was not noticed yet.
        old, session.connection = session.connection, connection
        session.disconnected_at = None
        number, count = session.shard
        self._note("connected", shard=number, shards=count, resumes=session.seq > 0)
        if old is not None and old is not connection:
            old.abort()

    def detach(self, connection: Connection) -> None:
        """Note that a connection is gone; its session can be resumed for a while."""
        self.connections.discard(connection)
        for session in self.sessions.values():
            if session.connection is connection:
                session.connection = None
                session.disconnected_at = self.records.clock.now()
                # Without a code the line was cut: its process has died, or a fault has cut it.
                number, count = session.shard
                self._note("disconnected", shard=number, shards=count, code=connection.close_code)
        self.update_status()

    def remove_expired(self) -> None:
        """Drop sessions that nobody resumed in time."""
        limit = self.records.clock.now() - RESUME_TIMEOUT_S
        for session in list(self.sessions.values()):
            if session.disconnected_at is not None and session.disconnected_at < limit:
                del self.sessions[session.id]

    def update_status(self) -> None:
        """Tell the people's windows when the bot comes or goes."""
        if self.online != self._was_online:
            self._was_online = self.online
            self._on_status(self._was_online)

    def set_delay(self, seconds: float) -> None:
        """Delay every payload, on present and future connections."""
        self.faults.delay = seconds
        for connection in self.connections:
            connection.delay = seconds

    async def drop(self, how: str, shard: int | None = None) -> None:
        """Drop all connections, or those of one shard. ValueError: `how` is none of these four.

        `how`: "resume" (the line is cut), "close" (code 4000), "reconnect" (opcode 7) or "invalid"
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
        """Close all connections: the server stops."""
        for connection in list(self.connections):
            await connection.close(1001, "Going away")
