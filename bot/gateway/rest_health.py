"""Whether Discord can be reached: the health of its REST API, judged by our requests, and the gateway's.

discord.py sends requests in two ways, by its client and by webhooks; responses to interactions take the
second. Both use one session of aiohttp, in which each request can be traced and stopped: one circuit breaker
for all of them. Bans are shared by processes.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Protocol

import aiohttp
import discord
import discord.http

from bot.gateway.discord_errors import UNREACHED, note_route, route_of
from bot.runtime.heartbeat import Conditions
from bot.runtime.timekeeping import in_words
from bot.store import Store, StoreError

log = logging.getLogger(__name__)

CONDITION = "api"

STALL_S = 10.0
"""Seconds that a request may take before it counts as failed, unless others are answered meanwhile."""

EVIDENCE_S = 60.0
"""Seconds after its latest failure for which a kind of requests can count as failing."""

MIN_FAILURES = 2
"""Consecutive failures before the API counts as out of service."""

MIN_FAILED_PLACES = 3
"""Consecutive failures of one kind, in as many different places, such as channels, before it does."""

KINDS = ("answer", "write", "read")
"""Kinds of requests: one may fail while the others do not."""

DEFAULT_BAN_S = 60.0
MAX_BAN_S = 86_400.0
"""Seconds of a ban of unknown length, and of any ban at most."""

MAX_INVALID = 5_000
"""Invalid requests within :data:`INVALID_WINDOW_S` after which none is sent. Discord bans at 10,000."""

INVALID_WINDOW_S = 600.0

INVALID = frozenset({401, 403, 429})
"""Statuses that Discord counts as invalid requests."""


class ApiPaused(discord.RateLimited):
    """No requests are sent now: Discord has banned us, or would. ``retry_after``: for how many seconds."""


@dataclass(slots=True, eq=False)
class Attempt:
    """A request that was sent."""

    method: str
    path: str = field(repr=False)
    began: float
    timer: asyncio.TimerHandle | None = field(default=None, repr=False)

    @property
    def place(self) -> int:
        """Return a hash of the request's method and path, which reveals no token."""
        return hash((self.method, self.path))

    @property
    def kind(self) -> str:
        """Return which of :data:`KINDS` the request is; ``answer``: to a click or a command."""
        if "/interactions/" in self.path or "/webhooks/" in self.path:
            return "answer"
        return "read" if self.method == "GET" else "write"


class _Run:
    """Consecutive failures: enough of them, in enough places, are an outage, until the latest is too old."""

    def __init__(self, failures: int, places: int, evidence: float = math.inf) -> None:
        self._enough = (failures, places)
        self._evidence = evidence
        self.since: float | None = None
        self.latest = 0.0
        self._count = 0
        self._places: set[int] = set()

    def add(self, attempt: Attempt, now: float) -> None:
        """Note a failure."""
        if self.since is None or now - self.latest > self._evidence:
            self.end()
            self.since = attempt.began
        self.since = min(self.since or attempt.began, attempt.began)
        self.latest = now
        self._count += 1
        if len(self._places) < self._enough[1]:
            self._places.add(attempt.place)

    def end(self) -> None:
        """Note a success."""
        self.since = None
        self._count = 0
        self._places.clear()

    def lasts_since(self, now: float) -> float | None:
        """Return since when there is an outage; ``None``: there is none."""
        failures, places = self._enough
        is_outage = self._count >= failures and len(self._places) >= places
        return self.since if is_outage and now - self.latest <= self._evidence else None


class RestHealth:
    """Watches all requests of this process, over all its clients.

    ``share``: this process's part of the bot. ``changed`` is called when an outage begins or ends.
    """

    def __init__(
        self, conditions: Conditions, *, clock: Callable[[], float] = time.monotonic, share: float = 1.0
    ) -> None:
        self._conditions = conditions
        self._clock = clock
        self._max_invalid = max(10, int(MAX_INVALID * share))
        self.changed: Callable[[], None] = lambda: None
        self.doubtful = asyncio.Event()
        """Set while the latest request has failed, or requests are paused."""
        self.tripped = asyncio.Event()
        """Set when the breaker has opened, until that is shared with other processes."""
        self._heard_at = float("-inf")
        """When Discord last answered a request."""
        self._asked_at = float("-inf")
        """When a request was last answered or failed."""
        self._all = _Run(MIN_FAILURES, 1)
        places = MIN_FAILED_PLACES
        self._kinds = {kind: _Run(places, places, EVIDENCE_S) for kind in KINDS}
        self._invalid: deque[float] = deque()
        self._paused_until = float("-inf")
        self._pause_began = float("-inf")
        self._is_out = False

    # --- queries ----------------------------------------------------------------------------------

    def paused_for(self) -> float:
        """Return for how many more seconds no request is sent; 0: requests are sent."""
        return max(0.0, self._paused_until - self._clock())

    def heard_for(self) -> float:
        """Return the seconds since a request was last answered."""
        return self._clock() - self._heard_at

    def asked_for(self) -> float:
        """Return the seconds since a request was last answered or failed."""
        return self._clock() - self._asked_at

    def failing_for(self) -> float | None:
        """Return for how many seconds clicks were not answered, or boards not shown; ``None``: both work."""
        now = self._clock()
        runs = [self._all, *self._kinds.values()]
        since = [at for at in (run.lasts_since(now) for run in runs) if at is not None]
        if now < self._paused_until or self._heard_at < self._pause_began:
            since.append(self._pause_began)
        return now - min(since) if since else None

    def pause(self, seconds: float) -> None:
        """Send no requests for ``seconds``: a ban that another process has met, or we before a restart."""
        now = self._clock()
        if now + seconds <= self._paused_until:
            return
        if now >= self._paused_until and self._heard_at >= self._pause_began:
            self._pause_began = now
        self._paused_until = now + seconds
        self.doubtful.set()
        self._look()

    # --- events -----------------------------------------------------------------------------------

    def trace(self) -> aiohttp.TraceConfig:
        """Return a trace that reports a session's requests here, and stops them while the breaker is open."""
        config = aiohttp.TraceConfig()

        async def begin(_: Any, context: SimpleNamespace, given: aiohttp.TraceRequestStartParams) -> None:
            if given.url.scheme in ("http", "https"):  # the gateway comes this way too
                context.attempt = self.begin(given.method, given.url.path)

        async def end(_: Any, context: SimpleNamespace, given: aiohttp.TraceRequestEndParams) -> None:
            if (attempt := getattr(context, "attempt", None)) is not None:
                self.answered(attempt, given.response.status, given.response.headers)

        async def fail(_: Any, context: SimpleNamespace, given: aiohttp.TraceRequestExceptionParams) -> None:
            if (attempt := getattr(context, "attempt", None)) is not None:
                self.failed(attempt, given.exception)

        config.on_request_start.append(begin)
        config.on_request_end.append(end)
        config.on_request_exception.append(fail)
        return config

    def begin(self, method: str, path: str) -> Attempt:
        """Note that a request is sent; raises :class:`ApiPaused` if none may be."""
        if (wait := self.paused_for()) > 0:
            raise ApiPaused(wait)
        attempt = Attempt(method, path, self._clock())
        attempt.timer = asyncio.get_running_loop().call_later(STALL_S, self._stalled, attempt)
        return attempt

    def answered(self, attempt: Attempt, status: int, headers: Mapping[str, str]) -> None:
        """Note the answer to a request; raises :class:`ApiPaused` for a ban."""
        _cancel(attempt)
        self._asked_at = self._clock()
        if status in INVALID and headers.get("X-RateLimit-Scope") != "shared":
            self._count_invalid()
        if status == 429 and not _is_from_api(headers):
            seconds = _seconds(headers.get("Retry-After"))
            self._trip(seconds, f"{route_of(attempt.method, attempt.path)} says 429 from in front of the API")
            raise ApiPaused(seconds)
        if status >= 500:
            self._fail(attempt)
        else:
            self._succeed(attempt)

    def failed(self, attempt: Attempt, error: BaseException) -> None:
        """Note that a request got no response; one that was cancelled or stopped by us does not count."""
        _cancel(attempt)
        if isinstance(error, (ApiPaused, asyncio.CancelledError)):
            return
        # So that logs of the error name the route.
        note_route(error, attempt.method, attempt.path)
        self._asked_at = self._clock()
        self._fail(attempt)

    def _stalled(self, attempt: Attempt) -> None:
        if self._heard_at < attempt.began:
            self._fail(attempt)

    def _succeed(self, attempt: Attempt) -> None:
        self._heard_at = self._clock()
        self._all.end()
        self._kinds[attempt.kind].end()
        self._look()

    def _fail(self, attempt: Attempt) -> None:
        now = self._clock()
        self._all.add(attempt, now)
        self._kinds[attempt.kind].add(attempt, now)
        self._look()

    def _count_invalid(self) -> None:
        now = self._clock()
        self._invalid.append(now)
        while self._invalid[0] <= now - INVALID_WINDOW_S:
            self._invalid.popleft()
        if len(self._invalid) >= self._max_invalid:
            wait = self._invalid[0] + INVALID_WINDOW_S - now
            self._trip(wait, f"{len(self._invalid)} invalid requests within ten minutes")
            self._invalid.clear()

    def _trip(self, seconds: float, why: str) -> None:
        self.pause(seconds)
        self.tripped.set()
        log.error("Discord's API: no requests for %.0f s: %s", seconds, why)

    def _look(self) -> None:
        """Update the state, and report an outage that has begun or ended."""
        failing = self.failing_for()
        if self._all.since is None and self.paused_for() == 0:
            self.doubtful.clear()
        else:
            self.doubtful.set()
        if self.paused_for() > 0:
            text = f"Discord refuses all requests: none is sent for {in_words(self.paused_for())}"
            self._conditions.note(CONDITION, text)
        elif failing is not None:
            self._conditions.note(CONDITION, "Discord's API fails: no clock runs until it answers")
        else:
            self._conditions.clear(CONDITION)
        if self._is_out is not (failing is not None):
            self._is_out = failing is not None
            log.warning("Discord's API %s", "is out of service" if self._is_out else "is in service again")
            self.changed()


def _cancel(attempt: Attempt) -> None:
    if attempt.timer is not None:
        attempt.timer.cancel()


def _is_from_api(headers: Mapping[str, str]) -> bool:
    """Return whether the API itself responded: a proxy in front of it sends no ``Via``, or no JSON."""
    return bool(headers.get("Via")) and "json" in headers.get("content-type", "json")


def _seconds(said: str | None) -> float:
    """Return how many seconds a ban lasts, by its ``Retry-After``."""
    try:
        seconds = float(said or "")
    except ValueError:
        return DEFAULT_BAN_S
    return DEFAULT_BAN_S if math.isnan(seconds) else min(MAX_BAN_S, max(1.0, seconds))


PROBE_INTERVAL_S = 5.0
"""Seconds between two probes while Discord's API fails and no other request is sent."""

PROBE_TIMEOUT_S = 15.0
"""Seconds after which a probe is given up: longer than a request may stall."""

RECENT_S = 10.0
"""Seconds for which a response proves that Discord responds."""

PAUSED_UNTIL = "rest.paused_until"
"""Key of the stored Unix time until which no process sends requests."""

POLL_INTERVAL_S = 2.0
"""Seconds between two checks whether another process has stored a ban."""


class ShardedClient(Protocol):
    """What is needed of a client."""

    @property
    def shard_numbers(self) -> tuple[range, int]:
        """Return the client's shards, and the number of all shards."""
        ...

    @property
    def http(self) -> discord.http.HTTPClient:
        """Return the client that sends its requests."""
        ...

    def disconnected_for(self) -> Mapping[int, float]:
        """Return the shards that are not connected, and for how many seconds."""
        ...


class DiscordReach:
    """Discord's availability to one client, for the clocks."""

    def __init__(self, client: ShardedClient, rest: RestHealth) -> None:
        self._client = client
        self._rest = rest

    def shards(self) -> tuple[Iterable[int], int]:
        """Return the shards that this process serves, and the number of all shards."""
        return self._client.shard_numbers

    def unserved(self) -> Mapping[int, float]:
        """Return the shards whose players cannot act, and for how many seconds."""
        found = dict(self._client.disconnected_for())
        failing = self._rest.failing_for()
        if failing is not None:
            for shard in self._client.shard_numbers[0]:
                found[shard] = max(failing, found.get(shard, 0.0))
        return found

    async def answers(self) -> bool:
        """Return whether Discord responds now; probe it if there was no recent response."""
        if self._rest.doubtful.is_set() or self._rest.heard_for() > RECENT_S:
            await self._probe()
        return not self._rest.doubtful.is_set() and self._rest.failing_for() is None

    async def keep_probing(self) -> None:
        """Probe Discord while it fails and no other request is sent, until cancelled."""
        while True:
            await self._rest.doubtful.wait()
            is_known = self._rest.failing_for() is not None and self._rest.asked_for() < PROBE_INTERVAL_S
            if not is_known and self._rest.paused_for() == 0:
                await self._probe()
            await asyncio.sleep(PROBE_INTERVAL_S)

    async def _probe(self) -> None:
        # The trace of all requests sees the result.
        with suppress(*UNREACHED, TimeoutError):
            async with asyncio.timeout(PROBE_TIMEOUT_S):
                await self._client.http.request(discord.http.Route("GET", "/users/@me"))


class SharedPause:
    """Stores a ban in the database, for the time after a restart and for processes that share the address."""

    def __init__(self, store: Store, rest: RestHealth, clock: Callable[[], float]) -> None:
        self._store = store
        self._rest = rest
        self._clock = clock

    async def read(self) -> None:
        """Obey a stored ban; raises :class:`StoreError`."""
        async with self._store.read() as reader:
            noted = await reader.value(PAUSED_UNTIL)
        if noted is not None and (left := float(noted) - self._clock()) > 0:
            self._rest.pause(left)

    async def keep(self) -> None:
        """Store this process's bans, and obey those that others have stored, until cancelled."""
        while True:
            with suppress(TimeoutError):
                # A single process has no others to check.
                async with asyncio.timeout(None if self._store.sharing is None else POLL_INTERVAL_S):
                    await self._rest.tripped.wait()
            try:
                if self._rest.tripped.is_set():
                    await self._note()
                    self._rest.tripped.clear()
                else:
                    await self.read()
            except StoreError as error:
                log.warning("Discord's API: sharing a ban failed: %s", error)
                await asyncio.sleep(POLL_INTERVAL_S)

    async def _note(self) -> None:
        until = self._clock() + self._rest.paused_for()
        async with self._store.transaction() as transaction:
            noted = await transaction.value(PAUSED_UNTIL)
            if noted is None or float(noted) < until:
                await transaction.set_value(PAUSED_UNTIL, str(until))
