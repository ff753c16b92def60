"""The server: all parts of the sandbox on one loopback port."""

import errno
import secrets
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from sandbox import attachments, commands, control_api, events, permissions
from sandbox.clock import Clock
from sandbox.control_api import ControlApi
from sandbox.errors import InputError
from sandbox.faults import Fault, Faults, HeldRequest
from sandbox.gateway import Gateway, Sharding
from sandbox.gateway.protocol import serve as serve_gateway
from sandbox.guard import SERVER_LOG, Guard, is_loopback
from sandbox.journal import VERSION, Journal
from sandbox.model import Channel, Guild
from sandbox.notifications import Notification
from sandbox.ratelimits import GLOBAL_LIMIT, RateLimits
from sandbox.records import Records
from sandbox.rest.api import Api
from sandbox.rest.call import MAX_REQUEST_BYTES
from sandbox.state import BodyChecker, Request, State, Violation
from sandbox.user_api import UserApi, errors_as_json, find_person
from sandbox.user_sockets import Audit, Received, UserSockets

HEARTBEAT_INTERVAL_S = 41.25
WEB = Path(__file__).with_name("web")


class PortInUseError(OSError):
    """Another program listens on the port."""


class NotLoopbackError(OSError):
    """Other machines could reach the address to listen on."""


class Sandbox:
    """A Discord on loopback, as an async context manager.

    `port` 0 chooses a free port. `token` is the bot's; the default is random. `privileged` are the
    privileged intents of the application. `global_limit` is the number of requests per second that the bot
    may make over all routes; `limit_windows` is a factor for the windows of the routes' own limits.
    `heartbeat` is the interval that the gateway asks for, in seconds. `sharding` are the rules for shards
    (see sandbox.gateway.Sharding). `openapi` checks requests and responses (see sandbox.state.BodyChecker).
    `time_file` tells a bot in another process how far the clock is ahead. `transcript` is the file of the
    journal, which contains all secrets (see sandbox.journal).
    Entering raises NotLoopbackError, PortInUseError and other OSErrors.
    """

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        token: str | None = None,
        page: bool = True,
        bot_name: str = "Bauta",
        bot_permissions: int = permissions.BOT,
        privileged: int = 0,
        rate_limits: bool = True,
        global_limit: int = GLOBAL_LIMIT,
        limit_windows: float = 1.0,
        sharding: Sharding | None = None,
        heartbeat: float = HEARTBEAT_INTERVAL_S,
        openapi: BodyChecker | None = None,
        time_file: Path | None = None,
        transcript: Path | None = None,
    ) -> None:
        self.host = host
        self._address = f"[{host}]" if ":" in host else host
        self.port = port
        self.token = token = token or f"sandbox.{secrets.token_urlsafe(24)}"
        self.guard = Guard()
        self._page = page
        self._runner: web.AppRunner | None = None
        clock = Clock(time_file)
        records = Records(clock, bot_name=bot_name, bot_permissions=bot_permissions)
        records.message_content = bool(privileged & 1 << 15)
        audit = Audit(clock.now)
        journal = Journal(transcript, clock.now)
        gateway = Gateway(
            records,
            token=token,
            heartbeat=heartbeat,
            privileged=privileged,
            sharding=sharding or Sharding(),
            on_status=lambda online: events.bot_status(self.state, online=online),
            note=journal.note,
        )
        limits = RateLimits(clock.now, global_limit, limit_windows)
        limits.enabled = rate_limits
        self.state = State(
            token, clock, records, audit, UserSockets(audit), gateway, Faults(), limits, journal, openapi
        )

    # Addresses and parts

    @property
    def url(self) -> str:
        """The address of the page, the people API and the control API, all of which need the key."""
        return f"http://{self._address}:{self.port}"

    @property
    def entrance(self) -> str:
        """The address that opens the page, with the key: for the terminal only, never for a command line."""
        return f"{self.url}/?key={self.guard.access.key}"

    @property
    def opened(self) -> str:
        """The address to start a browser with. Other users can read it, but not use it."""
        ticket = self.guard.access.own_user_ticket()
        return f"{self.url}/" if ticket is None else f"{self.url}/?ticket={ticket}"

    @property
    def credentials(self) -> dict[str, str]:
        """The headers with the key, for programs."""
        return {"Authorization": f"Bearer {self.guard.access.key}"}

    @property
    def api(self) -> str:
        """The address of the REST API."""
        return f"{self.url}/api/v10"

    @property
    def gateway(self) -> str:
        """The address of the gateway."""
        return f"ws://{self._address}:{self.port}/gateway"

    @property
    def records(self) -> Records:
        """Users, guilds, channels, messages and all other records."""
        return self.state.records

    @property
    def violations(self) -> list[Violation]:
        """The violations of the API's description or rules so far."""
        return self.state.violations

    @property
    def requests(self) -> list[Request]:
        """The bot's requests so far."""
        return list(self.state.requests)

    # Running

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def start(self) -> None:
        """Start to listen and serve. NotLoopbackError, PortInUseError, OSError."""
        if not is_loopback(self.host):
            msg = f"the sandbox listens on loopback only, not on {self.host!r}: use 127.0.0.1"
            raise NotLoopbackError(errno.EADDRNOTAVAIL, msg)
        # The files of a request, with the JSON and headers around them.
        app = web.Application(
            client_max_size=MAX_REQUEST_BYTES + (1 << 16), middlewares=[self.guard.check, errors_as_json]
        )
        app.on_response_prepare.append(self.guard.prepare)
        app.add_routes(self._routes())
        # Browsers keep connections open; by default, a stop would wait a minute for them.
        self._runner = web.AppRunner(app, logger=SERVER_LOG, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, self.host, self.port)
        try:
            await site.start()
        except OSError as error:
            await self._runner.cleanup()
            self._runner = None
            if error.errno == errno.EADDRINUSE:
                msg = f"port {self.port} is in use: stop what listens there, or choose another with --port"
                raise PortInUseError(errno.EADDRINUSE, msg) from error
            raise
        # Port 0 is resolved only now, and addresses of attachments contain it.
        self.port = self._runner.addresses[0][1]
        self.guard.access.port = self.port
        self.state.records.base_url = self.guard.url = self.url
        self.state.journal.note("begun", version=VERSION, bot=self.records.bot.id)

    async def stop(self) -> None:
        """Close all connections and stop serving."""
        # Timers first: they would use closed sockets.
        self.state.clock.close()
        await self.state.sockets.close()
        await self.state.gateway.close()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None
        self.state.journal.close()

    def _routes(self) -> Iterable[web.AbstractRouteDef]:
        api = Api(self.state)

        async def attachment(request: web.Request) -> web.Response:
            return await attachments.serve(self.state, request, self.guard.access)

        async def gateway(request: web.Request) -> web.StreamResponse:
            return await serve_gateway(self.state.gateway, request)

        async def index(_request: web.Request) -> web.StreamResponse:
            page = WEB / "index.html"
            if not page.is_file():
                return web.Response(status=404, text="The page is not installed.")
            # After an update, the browser must not show the old page.
            return web.FileResponse(page, headers={"Cache-Control": "no-cache"})

        routes: list[web.AbstractRouteDef] = [
            web.route("*", "/api/{tail:.*}", api.handle),
            web.get("/gateway", gateway),
            web.get("/gateway/", gateway),
            web.get("/attachments/{token}/{filename}", attachment),
            *UserApi(self.state).routes(),
            *ControlApi(self.state).routes(),
        ]
        if self._page and WEB.is_dir():
            routes += [web.get("/", index), web.static("/static", WEB)]
        return routes

    # Control, also available over HTTP (ControlApi)

    def mark(self, name: str) -> None:
        """Write a named mark into the journal, for example when the bot is idle."""
        self.state.journal.note("mark", name=name)

    def advance(self, seconds: float) -> None:
        """Move the clock forward."""
        control_api.advance(self.state, seconds)

    def fault(
        self,
        route: str,
        times: int = 1,
        *,
        status: int | None = None,
        retry_after: float | None = 0.2,
        slow: float = 0.0,
        drop: bool = False,
        after: bool = False,
        late: float = 0.0,
        for_all: bool = False,
        hold: bool = False,
        answer: str | None = None,
        ban: int | None = None,
    ) -> None:
        """Make the next requests of a route fail; see sandbox.faults.Fault."""
        fault = Fault(route, times, status, retry_after, slow, drop, after, late, for_all, hold, answer, ban)
        self.state.faults.add(fault)

    def enable_activities(self) -> None:
        """Enable Activities for the application, and add the command that launches one, as Discord does."""
        commands.enable_activities(self.state)

    @property
    def held(self) -> list[HeldRequest]:
        """The requests that faults hold."""
        return list(self.state.faults.held)

    async def release(self) -> int:
        """Execute all held requests, even if their client has gone, and return their number."""
        return await self.state.faults.release()

    async def drop_gateway(self, how: str = "resume", shard: int | None = None) -> None:
        """Drop all gateway connections, or those of one shard; `how`: see sandbox.gateway.Gateway.drop."""
        await self.state.gateway.drop(how, shard)

    def refuse_resumes(self, times: int, shard: int | None = None) -> None:
        """Answer the next RESUMEs of one shard, or of all, with INVALID SESSION."""
        faults = self.state.gateway.faults
        faults.refuse_resume, faults.shard = times, shard

    def set_sharding(self, **changes: Any) -> None:
        """Change fields of `sharding`; see sandbox.gateway.Sharding."""
        self.state.gateway.starts.change(**changes)

    def refuse_gateway(self, times: int) -> None:
        """Refuse the next gateway connections."""
        self.state.gateway.faults.refuse = times

    def delay_gateway(self, seconds: float) -> None:
        """Delay every gateway payload."""
        self.state.gateway.set_delay(seconds)

    def duplicate_events(self, times: int, events: str = ".*") -> None:
        """Send the next events whose name matches `events` twice."""
        self.state.gateway.faults.duplicate = times
        self.state.gateway.faults.duplicate_events = events

    def delete_message(self, message_id: int | str) -> None:
        """Delete any message, as a moderator."""
        control_api.delete_message(self.state, int(message_id))

    def delete_channel(self, channel_id: int | str) -> None:
        """Delete a channel or thread, as a moderator."""
        control_api.delete_channel(self.state, int(channel_id))

    def set_thread(
        self, channel_id: int | str, *, archived: bool | None = None, locked: bool | None = None
    ) -> None:
        """Archive or lock a thread, as a moderator; None: no change."""
        control_api.set_thread(self.state, int(channel_id), archived=archived, locked=locked)

    def set_dms(self, person: str, *, is_open: bool) -> None:
        """Open or close a person's direct messages."""
        control_api.set_dms(self.state, find_person(self.state, person), is_open=is_open)

    def leave(self, person: str) -> None:
        """Remove a person from the first guild, which they can no longer see."""
        control_api.leave(self.state, find_person(self.state, person), self.records.guild)

    def time_out(self, person: str, until: float | None) -> None:
        """Time a person out until a Unix time, as a moderator; ``None``: end the timeout."""
        control_api.time_out(self.state, find_person(self.state, person), self.records.guild, until)

    def add_guild(
        self,
        name: str | None = None,
        *,
        people: Iterable[str] | None = None,
        shard: tuple[int, int] = (0, 1),
    ) -> Guild:
        """Create a guild with the bot and some people, by default all.

        Guilds are spread evenly over shards; `shard`, a number and a count, chooses the shard.
        """
        members = None if people is None else [find_person(self.state, person) for person in people]
        return control_api.add_guild(self.state, name, members, shard)

    def join(self, person: str, guild: Guild) -> None:
        """Make a person a member of a guild."""
        control_api.join(self.state, find_person(self.state, person), guild)

    def kick(self, guild: Guild | None = None) -> None:
        """Remove the bot from a guild, by default the first."""
        control_api.kick(self.state, guild or self.records.guild)

    def invite(self, guild: Guild | None = None) -> None:
        """Add the bot to a guild again, by default the first."""
        control_api.invite(self.state, guild or self.records.guild)

    def set_permissions(self, bits: int, channel: Channel | None = None) -> None:
        """Set the bot's exact permissions in a channel, or in the first guild."""
        guild = self.records.guild if channel is None else self.records.guild_of(channel)
        control_api.set_permissions(self.state, bits, guild, channel)

    def audit(self, person: str) -> list[Received]:
        """Return what a person's windows received. InputError: there is no such person."""
        return self.state.audit.received_by(find_person(self.state, person).id)

    def notifications(self, person: str) -> list[Notification]:
        """Return what a person's phone has shown. InputError: there is no such person."""
        return list(self.state.notifications.get(find_person(self.state, person).id, []))

    def channel(self, name: str, guild: Guild | None = None) -> Channel:
        """Return a channel by name, by default in the first guild. InputError: there is none."""
        for channel in (guild or self.records.guild).channels.values():
            if channel.name == name:
                return channel
        msg = f"there is no channel {name}"
        raise InputError(msg, 404)
