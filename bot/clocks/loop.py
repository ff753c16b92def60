"""The clock loop: sleeps until the next deadline or reminder, then handles what is due."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from bot.clocks.absences import Holidays
from bot.clocks.deadlines import Deadlines, Idle
from bot.clocks.outages import Outages
from bot.clocks.reminders import Reminders
from bot.domain.refusals import Refusal
from bot.store import StoreError

LOG = logging.getLogger("bauta.clocks")

CHECK_INTERVAL_S = 30.0
"""Maximum seconds between checks."""

SHORT_REST_S = 0.5
"""The same if a sandbox may move the clock."""

SHARED_REST_S = 1.0
"""The same if other processes move deadlines too."""

OUT_OF_SERVICE_REST_S = 1.0
"""Seconds between checks whether anything is in service."""

RETRY_S = 60.0
"""Seconds until a failed match is retried, or the loop continues after an error of its own."""

MAX_PARALLEL = 8
"""Maximum matches handled at the same time."""


class ClockLoop:
    """Enforces deadlines and sends reminders until cancelled. All its state is in the database."""

    def __init__(
        self,
        deadlines: Deadlines,
        reminders: Reminders,
        holidays: Holidays,
        idle: Idle,
        outages: Outages,
        rest: float = CHECK_INTERVAL_S,
    ) -> None:
        self._rest = rest
        self._deadlines = deadlines
        self._reminders = reminders
        self._holidays = holidays
        self._idle = idle
        self._outages = outages
        self._failed: dict[str, float] = {}
        """Matches that failed, and when to retry them, in the event loop's time."""

    async def keep_running(self) -> None:
        """Work until cancelled, and continue after any error.

        Shards out of service are skipped; their time is charged to no player: see :mod:`bot.clocks.outages`.
        """
        while True:
            rest = OUT_OF_SERVICE_REST_S
            try:
                if self._outages.has_begun and self._outages.served():
                    rest = await self._next_in() if await self.look() else rest
            except StoreError as error:
                LOG.warning("clocks: database error: %s", error)
                self._outages.check_database()
            except Exception:
                LOG.exception("clocks: check failed")
                rest = RETRY_S
            await asyncio.sleep(rest)

    async def _next_in(self) -> float:
        """Return the seconds to sleep until something may be due."""
        waits = [
            await self._deadlines.next_in(),
            await self._reminders.next_in(),
            await self._holidays.next_end_in(),
        ]
        return max(0.05, min([self._rest, *(wait for wait in waits if wait is not None)]))

    async def look(self) -> bool:
        """Pause clocks, enforce expired deadlines, send reminders, close idle matches.

        Return whether this was possible: no deadline is enforced while Discord does not respond.
        """
        now = asyncio.get_running_loop().time()
        self._failed = {match: again for match, again in self._failed.items() if again > now}
        await self._holidays.settle()
        past = await self._deadlines.past()
        # Detect an outage of Discord before enforcing a deadline during it.
        if past and not await self._outages.answers():
            return False
        await self._do_all(self._deadlines.judge, past, MAX_PARALLEL)
        # One after the other, so that one direct message covers all of a person's matches.
        await self._do_all(self._reminders.remind, await self._reminders.due(), 1)
        await self._do_all(self._idle.warn_or_close, await self._idle.due(), 1)
        return True

    async def _do_all(
        self, act: Callable[[str], Awaitable[None]], matches: Sequence[str], at_once: int
    ) -> None:
        due = [match for match in matches if match not in self._failed]
        for first in range(0, len(due), at_once):
            batch = [self._do(act, match) for match in due[first : first + at_once]]
            # Wait for all of them, so that none overlaps with the next check.
            failures = [done for done in await asyncio.gather(*batch, return_exceptions=True) if done]
            if failures:
                raise failures[0]

    async def _do(self, act: Callable[[str], Awaitable[None]], match: str) -> None:
        try:
            await act(match)
        except StoreError:
            raise
        except Exception as error:
            # An error in one match must not affect others.
            self._failed[match] = asyncio.get_running_loop().time() + RETRY_S
            expected = isinstance(error, Refusal)
            LOG.error("match %s: clock check failed: %s", match, type(error).__name__, exc_info=not expected)
