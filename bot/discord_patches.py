"""Everything that we change in discord.py 2.7.1 itself, in one place, and why.

Each of these is checked by a test that fails once discord.py behaves otherwise.
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
from bot.log_setup import origin_of
from bot.session_starts import SessionStarts

log = logging.getLogger(__name__)

LONGEST_LIMIT = 30.0
"""Seconds that a request waits out a rate limit; one that lasts longer is an error, and tried again later."""

BURST_S = 0.05
"""Seconds' worth of requests that may be sent together."""

JITTER_S = 0.05
"""Seconds by which requests may arrive closer together than they were sent."""

UNCOUNTED = ("/interactions/", "/webhooks/")
"""What the paths of answers to interactions have: Discord's limit of the whole bot does not count them."""

HANG_UP_TIMEOUT_S = 0.5
"""Seconds that closing a connection may take on which no session was begun."""

READY, RESUMED = "READY", "RESUMED"
"""Events that begin a session, and go on with one."""

# This bot has no voice; without this, discord.py warns at every start that it could not use it.
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False


def let_go(interaction: discord.Interaction[Any]) -> None:
    """Cut an interaction that is over from its response, which refers back to it.

    Both, and the clicked message with all of its options, go at once then, and not with a search for garbage.
    """
    with suppress(AttributeError):  # nobody has answered it
        del interaction._cs_response  # type: ignore[attr-defined]  # noqa: SLF001


def finish(view: BaseView) -> None:
    """End a view before anybody sends it, and cut its items from it and from each other.

    discord.py stores no view that has ended, and so its store neither grows nor lets go of anything. Clicks
    arrive by custom id alone, and what is sent is read downwards: nothing has to refer upwards.
    """
    # Outside of a loop, as in the doctor, a view has nothing that could be stopped.
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
    """A file to upload from memory, which leaves nothing for a search for garbage."""

    def close(self) -> None:
        """Let the buffer go: discord.py's own method would let it refer to itself."""
        vars(self.fp).clear()


def point_discord_at(api_url: str, gateway_url: str | None) -> None:
    """Let discord.py talk to another Discord on this computer, or through a proxy to the real one.

    These are the two names that discord.py builds all addresses from; with a proxy, the gateway's is left.
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
    """Let a request that is cancelled while it waits out a global rate limit release the others.

    discord.py bars all requests then, and lifts the bar only at the end of that one's wait.
    """
    request = http.request

    async def patient(*arguments: Any, **options: Any) -> Any:
        try:
            return await request(*arguments, **options)
        except asyncio.CancelledError:
            asyncio.get_running_loop().call_later(LONGEST_LIMIT, http._global_over.set)  # noqa: SLF001
            raise

    http.request = patient  # type: ignore[method-assign]


class Pace:
    """Spaces requests out: of those that went through :meth:`turn`, no second has more than ``a_second``."""

    def __init__(self, a_second: float) -> None:
        self._interval = (1.0 + BURST_S + JITTER_S) / a_second
        self._next = 0.0
        """When the next request is due, on the loop's clock; it may go ``BURST_S`` earlier."""
        self._waiting = asyncio.Lock()

    async def turn(self) -> None:
        """Wait for a turn, first come, first served."""
        clock = asyncio.get_running_loop().time
        # One at a time, and counted only now: requests that a busy loop has delayed must not go together.
        async with self._waiting:
            await asyncio.sleep(max(0.0, self._next - BURST_S - clock()))
            self._next = max(self._next, clock()) + self._interval


def share_requests(http: discord.http.HTTPClient, a_second: float) -> None:
    """Pace a client at what Discord allows the whole bot, or at a process's share, before it logs in.

    discord.py itself knows that limit only once it is exceeded, and each request too many counts towards a
    ban. Here every try waits for its turn just before it is sent, after the limits of its route.
    """
    pace = Pace(a_second)

    async def wait_for_turn(
        _session: object, _context: object, sent: aiohttp.TraceRequestStartParams
    ) -> None:
        path = str(sent.url)
        if path.startswith(discord.http.Route.BASE) and not any(part in path for part in UNCOUNTED):
            await pace.turn()

    http.http_trace = http.http_trace or aiohttp.TraceConfig()
    # Before those that measure how long Discord takes to answer.
    http.http_trace.on_request_start.insert(0, wait_for_turn)


def guard_parsers(parsers: dict[str, Callable[[Any], None]]) -> None:
    """Let an event that discord.py cannot read be lost, and nothing else with it.

    discord.py would end the connection, and with it the program. ``parsers`` are its readers of events.
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
"""Readers of discord.py, and what each takes for fields that Discord's documentation calls optional, or that
servers beside Discord leave out. Without these one lacking field would cost a server, or a click."""


def fill_missing_fields() -> None:
    """Let payloads lack fields that discord.py expects and nobody here needs."""
    for kind, name, defaults in _DEFAULTS:
        setattr(kind, name, _with_defaults(getattr(kind, name), defaults))


def _with_defaults(read: Callable[..., None], defaults: Mapping[str, Any]) -> Callable[..., None]:
    def reader(self: Any, *arguments: Any, **options: Any) -> None:
        # The payload is named, or comes last.
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
    """Let an interaction know its channel's id where the channel itself is not told.

    Discord's documentation calls ``channel`` optional; ``channel_id`` names a channel that may be known.
    """
    interaction = discord.Interaction
    read = interaction._from_data  # noqa: SLF001

    def from_data(self: discord.Interaction[Any], data: Any) -> None:
        number, guild = data.get("channel_id"), data.get("guild_id")
        if number is not None and not data.get("channel"):
            data = {**data, "channel": {"id": number} if guild else {"id": number, "type": 1}}
            if isinstance(message := data.get("message"), dict):
                # What it answers would be read as a message of that channel.
                data["message"] = {key: message[key] for key in message if key != "referenced_message"}
        read(self, data)
        if self.channel is None and number is not None:
            place: Any = discord.PartialMessageable(
                self._state, int(number), None if guild is None else int(guild)
            )
            self.channel = place

    interaction._from_data = from_data  # type: ignore[method-assign]  # noqa: SLF001


def complete_ready(socket: discord.gateway.DiscordWebSocket, text: str) -> str:
    """Return the READY of a session with what it lacks and its connection knows; any other text as it is."""
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
    """What the gateway says of a new session cannot be read."""


def _skipped(what: str, error: Exception) -> None:
    # Where it comes from only: what the error says may quote what somebody typed.
    log.warning("a payload of the gateway could not be read (%s: %s)", what, origin_of(error))


def guard_gateway() -> None:
    """Let no payload end a client, and no session be begun before its time.

    discord.py ends on what it cannot read, and begins and resumes sessions without a pause: a gateway that
    sends rubbish or hangs up at once would use up the sessions of a day (1,000) within minutes. A client
    that is to wait has ``session_starts``, a :class:`bot.session_starts.SessionStarts`. One that is to end
    while it connects again does end.
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
    """Close a connection whose session cannot be begun, heartbeat and all: nothing else knows it by then."""

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
    """Go on ending where a client was to end while a shard connected again: discord.py drops the word there.

    It would wait for the next event then, which never comes, and whoever ends it would wait as long.
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
        # All that follows on this line would be unreadable too.
        _skipped("compression", error)
        await _hang_up(socket, resume=socket.session_id is not None)
    if text is None:
        return  # the rest of it is still to come
    try:
        await receive(socket, complete_ready(socket, text))
    except (discord.DiscordException, discord.gateway.ReconnectWebSocket, aiohttp.ClientError, OSError):
        raise  # the line is gone, or Discord has said that it must be begun anew
    except Exception as error:
        event = _event(text)
        _skipped(event or "no event", error)
        if event == READY:
            await _hang_up(socket, resume=False)
        # The first payload says how often to give a sign of life: nothing goes on without it.
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


_patience: ContextVar[float] = ContextVar("patience with rate limits", default=LONGEST_LIMIT)


@contextmanager
def impatient(seconds: float) -> Iterator[None]:
    """Let requests within the block raise ``RateLimited`` instead of waiting longer than ``seconds``.

    discord.py has one patience for all requests, and waits within them: whoever has other work to do would
    not get to it.
    """
    token = _patience.set(seconds)
    try:
        yield
    finally:
        _patience.reset(token)


class PromptRatelimit(discord.http.Ratelimit):
    """A route's limit: waited for before a request, never after it, and only with the request's patience.

    discord.py has the request that was the last of its window wait for the next window, although it has its
    answer; asks at once again after a refusal that nobody waits out; and forgets what is on its way.
    """

    def __init__(self, max_ratelimit_timeout: float | None) -> None:
        # Not the patience of whichever request happens to be the first.
        super().__init__(None if max_ratelimit_timeout is None else LONGEST_LIMIT)
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
            # Others may be before it, and each window lets a few of them through.
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
        """Wait for an answer or for the next window, whatever comes first."""
        self._answered.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout_at(self.expires):
                await self._answered.wait()

    def update(self, response: aiohttp.ClientResponse, *, use_clock: bool = False) -> None:
        """Learn from an answer how many requests are left in this window."""
        ours = self.remaining
        super().update(response, use_clock=use_clock)
        theirs = int(response.headers.get("X-Ratelimit-Remaining", 0))
        # Discord may not have counted what else is on its way; a new window may have begun there.
        self.remaining = min(theirs, max(ours, theirs - (self.outgoing - 1)))

    async def __aexit__(  # pyrefly: ignore[bad-override-param-name] # theirs hides a builtin
        self, kind: type[BaseException] | None, error: BaseException | None, trace: object
    ) -> None:
        """Let the next request go once one is done with."""
        self.outgoing -= 1
        # A refusal with room left is of a narrower limit, such as that of old messages' edits.
        if isinstance(error, discord.RateLimited) and not (self.dirty and self.remaining > 0):
            self.remaining, self.reset_after = 0, error.retry_after
            self.expires = self._loop.time() + error.retry_after
        elif self.expires is None and self.outgoing == 0 and self.remaining <= 0:
            # Nothing was learned of it.
            self.reset()  # type: ignore[no-untyped-call]
        self._answered.set()


def _set_longest(http: discord.http.HTTPClient, seconds: float | None) -> None:
    vars(http)["longest_limit"] = seconds


def _longest(http: discord.http.HTTPClient) -> float | None:
    longest: float | None = vars(http)["longest_limit"]
    return None if longest is None else min(longest, _patience.get())


# Where a 429 is met, discord.py compares it with this attribute, and sleeps within the request otherwise.
discord.http.HTTPClient.max_ratelimit_timeout = property(_longest, _set_longest)  # type: ignore[assignment]
discord.http.Ratelimit = PromptRatelimit  # type: ignore[misc]
