"""Discord's rate limits: which requests wait for them, how long, and how requests are spaced out."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any

import aiohttp
import discord
import discord.http

MAX_RATELIMIT_WAIT_S = 30.0
"""Seconds of the longest rate limit that a request waits out; a longer one is an error, retried later."""

BURST_S = 0.05
"""Seconds' worth of requests that may be sent together."""

JITTER_S = 0.05
"""Seconds by which requests may arrive closer together than they were sent."""

UNCOUNTED = ("/interactions/", "/webhooks/")
"""Parts of the paths of responses to interactions, which do not count towards Discord's global limit."""


def release_waiters() -> None:
    """Unblock other requests if one is cancelled while it waits out a global rate limit.

    discord.py blocks all requests then, and unblocks them only at the end of that one's wait. Here they are
    unblocked after :data:`MAX_RATELIMIT_WAIT_S` at the latest.
    """
    request = discord.http.HTTPClient.request

    async def patient(self: discord.http.HTTPClient, *arguments: Any, **options: Any) -> Any:
        try:
            return await request(self, *arguments, **options)
        except asyncio.CancelledError:
            asyncio.get_running_loop().call_later(MAX_RATELIMIT_WAIT_S, self._global_over.set)
            raise

    discord.http.HTTPClient.request = patient  # type: ignore[method-assign]


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


def limit_waits() -> None:
    """Make :func:`ratelimit_timeout` count, and make no request wait after it has its response."""
    http: Any = discord.http
    # discord.py compares a 429 with this: it raises if the wait is longer, else sleeps in the request.
    http.HTTPClient.max_ratelimit_timeout = property(_longest, _set_longest)
    http.Ratelimit = PromptRatelimit


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
