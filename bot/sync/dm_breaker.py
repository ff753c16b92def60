"""A circuit breaker for opening direct messages, shared by all clients of a process.

Discord takes a bot that opens many direct messages for a spammer and quarantines it. So only a few are opened
per minute, and if Discord refuses, none for growing pauses: people find their turn in the thread.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import discord

from bot.domain.tables import PersonId
from bot.gateway.discord_errors import DMS_CLOSED, code_of
from bot.gateway.rest_health import ApiPaused
from bot.runtime.heartbeat import Conditions
from bot.runtime.timekeeping import in_words

log = logging.getLogger(__name__)

MINUTE = 60.0
MAX_OPENED_PER_MINUTE = 10
"""Maximum people to whom direct messages are opened per minute. A retry does not count again."""

LONG_LIMIT = 30.0
"""Seconds from which a rate limit is more than the usual one of a route."""

REFUSALS = 3
"""Refusals within a minute after which opening is paused."""

PAUSING_CODES = frozenset({40003, 20026})
"""Codes that pause it at the first refusal: opening direct messages too fast; taken for a spammer."""

REFUSED = frozenset({403, 429})
"""HTTP statuses of a refusal."""

PAUSES = (60.0, 21_600.0)
"""Seconds without direct messages after a refusal: the first time, and at most."""

RESET_AFTER_S = 3_600.0
"""Seconds without a refusal after which earlier ones are forgotten."""

CONDITION = "messages"


class DirectMessagesPaused(discord.DiscordException):
    """Opening direct messages is paused; people find their turn in the thread."""


class DirectMessageBreaker:
    """Counts openings and refusals over all clients of this process.

    ``share``: this process's part of the whole bot, and so of the maximum that all processes may open.
    """

    def __init__(
        self, conditions: Conditions, *, clock: Callable[[], float] = time.monotonic, share: float = 1.0
    ) -> None:
        self._most = max(1, int(MAX_OPENED_PER_MINUTE * share))
        self._conditions = conditions
        self._clock = clock
        self._opened: dict[PersonId, float] = {}
        """When each person's were opened, or may have been, for the first time within a minute."""
        self._refused: deque[float] = deque()
        self._trips = 0
        self._until = 0.0
        self._on_trial = False
        """Whether the next opening tests if Discord allows them again."""
        self._trying = False

    @contextmanager
    def opening(self, person: PersonId) -> Iterator[None]:
        """Open a person's direct messages in the block; raises :class:`DirectMessagesPaused` before it."""
        again = self._enter(person)
        try:
            yield
        except discord.RateLimited as error:
            if not again:
                # It was never sent, or was rejected: many may wait for one slow response, and none is opened.
                self._opened.pop(person, None)
            # A pause of all requests says nothing about direct messages.
            if error.retry_after > LONG_LIMIT and not isinstance(error, ApiPaused):
                self._trip("too many were opened for Discord (429)")
            raise
        except discord.HTTPException as error:
            self._note(error)
            raise
        else:
            self._succeeded()
        finally:
            self._trying = False

    def _enter(self, person: PersonId) -> bool:
        """Count an opening; return whether it was counted before."""
        now = self._clock()
        if now < self._until or self._trying:
            raise DirectMessagesPaused
        if now >= self._until + RESET_AFTER_S:
            self._trips = 0
        self._opened = {each: at for each, at in self._opened.items() if at > now - MINUTE}
        again = person in self._opened
        if not again and len(self._opened) >= self._most:
            # Discord has refused nothing: as many may be opened in the next minute.
            self._pause(MINUTE, f"{self._most} were opened within a minute")
            raise DirectMessagesPaused
        self._opened.setdefault(person, now)
        self._trying = self._on_trial
        return again

    def _note(self, error: discord.HTTPException) -> None:
        code = code_of(error)
        if code in DMS_CLOSED:
            self._succeeded()  # the person's own choice, which says nothing about the bot
        elif code in PAUSING_CODES or error.status in REFUSED:
            now = self._clock()
            self._refused.append(now)
            while self._refused[0] <= now - MINUTE:
                self._refused.popleft()
            if code in PAUSING_CODES or self._on_trial or len(self._refused) >= REFUSALS:
                self._trip(f"Discord refuses them ({error.status}, code {code})")

    def _succeeded(self) -> None:
        if self._on_trial:
            self._on_trial = False
            self._conditions.clear(CONDITION)
            log.info("direct messages: opened again")

    def _trip(self, why: str) -> None:
        first, longest = PAUSES
        pause = min(longest, first * 2.0 ** min(self._trips, 16))
        self._trips += 1
        self._pause(pause, why)

    def _pause(self, pause: float, why: str) -> None:
        self._until = self._clock() + pause
        self._on_trial = True
        text = f"none is opened for {in_words(pause)}: {why}"
        log.warning("direct messages: %s", text)
        self._conditions.note(CONDITION, text)
