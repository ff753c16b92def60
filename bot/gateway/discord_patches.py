"""All our patches of discord.py 2.7.1, in one place, with their reasons.

Each has a test that fails once discord.py behaves differently.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, NoReturn, TypeAlias

import aiohttp
import discord
import discord.channel
import discord.gateway
import discord.http
import discord.shard
import discord.user
import yarl
from discord.ui.view import BaseView

from bot.config import StartError, is_loopback
from bot.gateway.session_starts import SessionStarts
from bot.runtime.log_setup import origin_of

log = logging.getLogger(__name__)

MAX_RATELIMIT_WAIT_S = 30.0
"""Seconds of the longest rate limit that a request waits out; a longer one is an error, retried later."""

BURST_S = 0.05
"""Seconds' worth of requests that may be sent together."""

JITTER_S = 0.05
"""Seconds by which requests may arrive closer together than they were sent."""

UNCOUNTED = ("/interactions/", "/webhooks/")
"""Parts of the paths of responses to interactions, which do not count towards Discord's global limit."""

HANG_UP_TIMEOUT_S = 0.5
"""Seconds that closing a connection without a session may take."""

READY, RESUMED = "READY", "RESUMED"
"""Events that begin a session, and resume one."""

# This bot has no voice; without this, discord.py warns at every start that it could not use it.
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False


def break_cycles(interaction: discord.Interaction[Any]) -> None:
    """Break the reference cycle between a finished interaction and its response.

    Both, and the clicked message with all its options, are then freed at once, without garbage collection.
    """
    with suppress(AttributeError):  # it was never answered
        del interaction._cs_response  # type: ignore[attr-defined]  # noqa: SLF001


def finish(view: BaseView) -> None:
    """Stop a view before it is sent, and break the references of its items to it and to each other.

    discord.py does not store stopped views, so its store neither grows nor has anything to free. Clicks
    arrive by custom id alone, and sending reads views downwards: no item needs to refer upwards.
    """
    # Outside an event loop, as in the doctor, there is nothing to stop.
    if _in_loop():
        view.stop()
    for item in view.walk_children():
        item._view = item._parent = None  # noqa: SLF001


def _in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


class UploadedFile(discord.File):
    """A file to upload from memory, which leaves nothing to the garbage collector."""

    def close(self) -> None:
        """Free the buffer: discord.py's own method would make it refer to itself."""
        vars(self.fp).clear()


def point_discord_at(api_url: str, gateway_url: str | None) -> None:
    """Make discord.py use another Discord on this computer, or a proxy for the real one.

    discord.py builds all addresses from these two; with a proxy, the gateway's is left unchanged.
    Raises :class:`StartError` for another Discord elsewhere.
    """
    if gateway_url is not None:
        for url in (api_url, gateway_url):
            if not is_loopback(yarl.URL(url).host or ""):
                raise StartError(
                    "Another Discord than the real one may only be on this computer (127.0.0.1)."
                )
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway_url)
    discord.http.Route.BASE = api_url.rstrip("/")


def release_waiters(http: discord.http.HTTPClient) -> None:
    """Unblock other requests if one is cancelled while it waits out a global rate limit.

    discord.py blocks all requests then, and unblocks them only at the end of that one's wait. Here they are
    unblocked after :data:`MAX_RATELIMIT_WAIT_S` at the latest.
    """
    request = http.request

    async def patient(*arguments: Any, **options: Any) -> Any:
        try:
            return await request(*arguments, **options)
        except asyncio.CancelledError:
            asyncio.get_running_loop().call_later(MAX_RATELIMIT_WAIT_S, http._global_over.set)  # noqa: SLF001
            raise

    http.request = patient  # type: ignore[method-assign]


class Pace:
    """Spaces requests out: no second has more than ``a_second`` of those that went through :meth:`turn`."""

    def __init__(self, a_second: float) -> None:
        self._interval = (1.0 + BURST_S + JITTER_S) / a_second
        self._next = 0.0
        """When the next request is due, on the loop's clock; it may go ``BURST_S`` earlier."""
        self._waiting = asyncio.Lock()

    async def turn(self) -> None:
        """Wait for a turn, first come, first served."""
        clock = asyncio.get_running_loop().time
        # One at a time, and timed only now: requests that a busy loop has delayed must not go out together.
        async with self._waiting:
            await asyncio.sleep(max(0.0, self._next - BURST_S - clock()))
            self._next = max(self._next, clock()) + self._interval


def share_requests(http: discord.http.HTTPClient, a_second: float) -> None:
    """Pace a client at Discord's global limit, or a process's share of it; call this before it logs in.

    discord.py itself knows that limit only once it is exceeded, and each request too many counts towards a
    ban. Here every attempt waits for its turn just before it is sent, after its route's limits.
    """
    pace = Pace(a_second)

    async def wait_for_turn(
        _session: object, _context: object, sent: aiohttp.TraceRequestStartParams
    ) -> None:
        path = str(sent.url)
        if path.startswith(discord.http.Route.BASE) and not any(part in path for part in UNCOUNTED):
            await pace.turn()

    http.http_trace = http.http_trace or aiohttp.TraceConfig()
    # Before the hooks that measure how long Discord takes to respond.
    http.http_trace.on_request_start.insert(0, wait_for_turn)


def guard_parsers(parsers: dict[str, Callable[[Any], None]]) -> None:
    """Skip an event that discord.py cannot read, without losing anything else.

    discord.py would end the connection, and with it the program. ``parsers`` are its event parsers.
    A READY that cannot be read raises :class:`UnreadableReady`: without it there is no session.
    """
    for event, read in parsers.items():
        parsers[event] = _guarded(event, read)


def _guarded(event: str, read: Callable[[Any], None]) -> Callable[[Any], None]:
    def reader(data: Any) -> None:
        try:
            read(data)
        except Exception as error:
            if event == READY:
                raise UnreadableReady from error
            _skipped(event, error)

    return reader


_DEFAULTS: tuple[tuple[Any, str, Mapping[str, Any]], ...] = (
    (discord.user.BaseUser, "_update", {"username": "", "discriminator": "0", "avatar": None}),
    (discord.Member, "__init__", {"roles": (), "flags": 0}),
    (discord.Role, "_update", {"name": ""}),
    (discord.Message, "__init__", {"type": 0, "content": ""}),
    (discord.Interaction, "_from_data", {"version": 1, "attachment_size_limit": 10 << 20}),
    (discord.Thread, "_from_data", {
        "parent_id": 0, "owner_id": 0, "name": "", "message_count": 0, "member_count": 0,
        "thread_metadata": {
            "archived": False, "auto_archive_duration": 1440, "archive_timestamp": None,
        },
    }),
    *((kind, "_update", {"name": "", "position": 0, "bitrate": 64_000, "user_limit": 0}) for kind in (
        discord.TextChannel, discord.CategoryChannel, discord.ForumChannel,
        discord.channel.VocalGuildChannel,
    )),
)  # fmt: skip
"""discord.py's parsers, with defaults for fields that Discord's documentation calls optional, or that
substitutes for Discord omit. Without these, one missing field would cost a server, or a click."""


def fill_missing_fields() -> None:
    """Accept payloads without fields that discord.py expects but we do not need."""
    for kind, name, defaults in _DEFAULTS:
        setattr(kind, name, _with_defaults(getattr(kind, name), defaults))


def _with_defaults(read: Callable[..., None], defaults: Mapping[str, Any]) -> Callable[..., None]:
    def reader(self: Any, *arguments: Any, **options: Any) -> None:
        # The payload is a keyword argument, or the last argument.
        data = options.get("data", arguments[-1] if arguments else None)
        if isinstance(data, dict) and not defaults.keys() <= data.keys():
            data = {**defaults, **data}
            if "data" in options:
                options["data"] = data
            else:
                arguments = (*arguments[:-1], data)
        read(self, *arguments, **options)

    return reader


def keep_channel_ids() -> None:
    """Keep an interaction's channel id if the channel itself is not sent.

    Discord's documentation calls ``channel`` optional; ``channel_id`` names a channel that may be known.
    """
    interaction = discord.Interaction
    read = interaction._from_data  # noqa: SLF001

    def from_data(self: discord.Interaction[Any], data: Any) -> None:
        number, guild = data.get("channel_id"), data.get("guild_id")
        if number is not None and not data.get("channel"):
            data = {**data, "channel": {"id": number} if guild else {"id": number, "type": 1}}
            if isinstance(message := data.get("message"), dict):
                # The message that it replies to would be read as one of that channel.
                data["message"] = {key: message[key] for key in message if key != "referenced_message"}
        read(self, data)
        if self.channel is None and number is not None:
            place: Any = discord.PartialMessageable(
                self._state, int(number), None if guild is None else int(guild)
            )
            self.channel = place

    interaction._from_data = from_data  # type: ignore[method-assign]  # noqa: SLF001


def complete_ready(socket: discord.gateway.DiscordWebSocket, text: str) -> str:
    """Return a session's READY with missing fields filled in from its connection; any other text as it is."""
    if socket.session_id is not None or f'"{READY}"' not in text:
        return text
    try:
        payload = json.loads(text)
        if payload["t"] != READY:
            return text
        data = payload["d"]
        shard = [socket.shard_id or 0, socket.shard_count or 1]
        known = {"shard": shard, "guilds": [], "resume_gateway_url": str(socket.DEFAULT_GATEWAY)}
        payload["d"] = {**known, **{key: value for key, value in data.items() if value is not None}}
        application = payload["d"].get("application")
        if isinstance(application, dict):
            application.setdefault("flags", 0)
        return json.dumps(payload)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return text


class UnreadableReady(Exception):  # noqa: N818 - a finding, not a fault
    """The gateway's READY for a new session cannot be read."""


def _skipped(what: str, error: Exception) -> None:
    # Only the error's origin: its message may quote what somebody typed.
    log.warning("gateway payload unreadable (%s: %s)", what, origin_of(error))


def guard_gateway() -> None:
    """Survive unreadable payloads, pause before new sessions, and heed cancellation while reconnecting.

    discord.py ends on a payload that it cannot read, and starts and resumes sessions without a pause: a
    gateway that sends rubbish or hangs up at once would use up a day's sessions (1,000) within minutes. A
    client that should pause has ``session_starts``, a :class:`bot.gateway.session_starts.SessionStarts`.
    """
    socket, shard = discord.gateway.DiscordWebSocket, discord.shard.Shard
    receive, reidentify, reconnect = socket.received_message, shard.reidentify, shard.reconnect

    async def received_message(self: discord.gateway.DiscordWebSocket, message: Any, /) -> None:
        await _receive(self, message, receive)

    async def patient_reidentify(self: discord.shard.Shard, exc: discord.gateway.ReconnectWebSocket) -> None:
        client: Any = self._client
        starts: SessionStarts | None = getattr(client, "session_starts", None)
        if starts is not None and exc.resume:
            await starts.before_resume()
        elif starts is not None:
            await starts.before_identify(client.fetch_session_start_limits)
        await reidentify(self, exc)
        _heed_cancellation()

    async def patient_reconnect(self: discord.shard.Shard) -> None:
        client: Any = self._client
        starts: SessionStarts | None = getattr(client, "session_starts", None)
        if starts is not None:
            await starts.before_identify(client.fetch_session_start_limits)
        await reconnect(self)
        _heed_cancellation()

    socket.received_message = received_message  # type: ignore[method-assign]
    socket.identify = _closed_on_failure(socket.identify)  # type: ignore[method-assign, assignment]
    socket.resume = _closed_on_failure(socket.resume)  # type: ignore[method-assign, assignment]
    shard.reidentify = patient_reidentify  # type: ignore[method-assign]
    shard.reconnect = patient_reconnect  # type: ignore[method-assign]


_Begin: TypeAlias = Callable[[discord.gateway.DiscordWebSocket], Coroutine[Any, Any, None]]


def _closed_on_failure(begin: _Begin) -> _Begin:
    """Close a connection, heartbeat and all, if its session cannot start: nothing else knows it by then."""

    async def guarded(self: discord.gateway.DiscordWebSocket) -> None:
        try:
            await begin(self)
        except BaseException:
            with suppress(Exception):
                async with asyncio.timeout(HANG_UP_TIMEOUT_S):
                    await self.close()
            raise

    return guarded


def _heed_cancellation() -> None:
    """Raise a cancellation that discord.py has swallowed while a shard reconnected.

    It would wait for the next event then, which never comes, and block whatever cancelled it.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


_Receive: TypeAlias = Callable[[discord.gateway.DiscordWebSocket, Any], Awaitable[None]]


async def _receive(socket: discord.gateway.DiscordWebSocket, message: Any, receive: _Receive) -> None:
    text = message
    try:
        if isinstance(message, bytes):
            text = socket._decompressor.decompress(message)  # noqa: SLF001
    except Exception as error:
        # Everything after it on this connection would be unreadable too.
        _skipped("compression", error)
        await _hang_up(socket, resume=socket.session_id is not None)
    if text is None:
        return  # the rest of it is still to come
    try:
        await receive(socket, complete_ready(socket, text))
    except (discord.DiscordException, discord.gateway.ReconnectWebSocket, aiohttp.ClientError, OSError):
        raise  # the connection is gone, or Discord has requested a new one
    except Exception as error:
        event = _event(text)
        _skipped(event or "no event", error)
        if event == READY:
            await _hang_up(socket, resume=False)
        # The first payload has the heartbeat interval: nothing works without it.
        if socket._keep_alive is None:  # noqa: SLF001
            await _hang_up(socket, resume=socket.session_id is not None)
        if event == RESUMED:
            socket._discord_parsers[event]({"__shard_id__": socket.shard_id})  # noqa: SLF001


async def _hang_up(socket: discord.gateway.DiscordWebSocket, *, resume: bool) -> NoReturn:
    if not resume:
        socket.session_id = socket.sequence = None
        socket.gateway = socket.DEFAULT_GATEWAY
    await socket.close()
    raise discord.gateway.ReconnectWebSocket(socket.shard_id, resume=resume)


def _event(text: Any) -> str:
    try:
        return str(json.loads(text)["t"] or "")
    except (ValueError, TypeError, LookupError, RecursionError):
        return ""


guard_gateway()
fill_missing_fields()
keep_channel_ids()


_patience: ContextVar[float] = ContextVar("patience with rate limits", default=MAX_RATELIMIT_WAIT_S)


@contextmanager
def ratelimit_timeout(seconds: float) -> Iterator[None]:
    """Make requests within the block raise ``RateLimited`` instead of waiting longer than ``seconds``.

    discord.py has one timeout for all requests, and waits within them: a caller with other work to do could
    not get on with it.
    """
    token = _patience.set(seconds)
    try:
        yield
    finally:
        _patience.reset(token)


class PromptRatelimit(discord.http.Ratelimit):
    """A route's limit: waited for before a request, never after it, and no longer than the request allows.

    discord.py makes the last request of a window wait for the next window, although it has its response;
    retries at once after a refusal that is not waited out; and ignores requests in flight.
    """

    def __init__(self, max_ratelimit_timeout: float | None) -> None:
        # Not the timeout of whichever request happens to be the first.
        super().__init__(None if max_ratelimit_timeout is None else MAX_RATELIMIT_WAIT_S)
        self._turns = asyncio.Lock()
        self._answered = asyncio.Event()

    async def acquire(self) -> None:
        """Wait for the request's turn, first come, first served; raises ``RateLimited``."""
        patience, far = _patience.get(), 0.0
        if not self._has_room() and self.expires is not None:
            far = self.expires - self._loop.time()
            if far > patience:
                raise discord.RateLimited(far)
        try:
            # Others may be ahead of it, and each window lets only a few through.
            async with asyncio.timeout(max(patience, far)), self._turns:
                while not self._has_room():
                    await self._next_answer()
        except TimeoutError:
            raise discord.RateLimited(max(patience, self.reset_after)) from None
        self.remaining -= 1
        self.outgoing += 1

    def _has_room(self) -> bool:
        """Return whether a request may be sent now."""
        self._last_request = now = self._loop.time()
        if self.expires is not None and now >= self.expires:
            self.reset()  # type: ignore[no-untyped-call]
        return self.remaining > 0

    async def _next_answer(self) -> None:
        """Wait for a response or for the next window, whichever comes first."""
        self._answered.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout_at(self.expires):
                await self._answered.wait()

    def update(self, response: aiohttp.ClientResponse, *, use_clock: bool = False) -> None:
        """Learn from a response how many requests are left in this window."""
        ours = self.remaining
        super().update(response, use_clock=use_clock)
        theirs = int(response.headers.get("X-Ratelimit-Remaining", 0))
        # Discord may not have counted other requests in flight, or may have begun a new window.
        self.remaining = min(theirs, max(ours, theirs - (self.outgoing - 1)))

    async def __aexit__(  # pyrefly: ignore[bad-override-param-name] # theirs hides a builtin
        self, kind: type[BaseException] | None, error: BaseException | None, trace: object
    ) -> None:
        """Let the next request go once this one is finished."""
        self.outgoing -= 1
        # A refusal with room left comes from a narrower limit, such as for edits of old messages.
        if isinstance(error, discord.RateLimited) and not (self.dirty and self.remaining > 0):
            self.remaining, self.reset_after = 0, error.retry_after
            self.expires = self._loop.time() + error.retry_after
        elif self.expires is None and self.outgoing == 0 and self.remaining <= 0:
            # No response has said anything about the limit.
            self.reset()  # type: ignore[no-untyped-call]
        self._answered.set()


def _set_longest(http: discord.http.HTTPClient, seconds: float | None) -> None:
    vars(http)["longest_limit"] = seconds


def _longest(http: discord.http.HTTPClient) -> float | None:
    longest: float | None = vars(http)["longest_limit"]
    return None if longest is None else min(longest, _patience.get())


# discord.py compares a 429 with this attribute: it raises if the wait is longer, else sleeps in the request.
discord.http.HTTPClient.max_ratelimit_timeout = property(_longest, _set_longest)  # type: ignore[assignment]
discord.http.Ratelimit = PromptRatelimit  # type: ignore[misc]
