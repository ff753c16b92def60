"""The one loop of the clocks: it sleeps until the next deadline or reminder, and does what is due."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from bot.clocks.deadlines import Deadlines
from bot.clocks.holidays import Holidays
from bot.clocks.idle import Idle
from bot.clocks.outages import Outages
from bot.clocks.reminders import Reminders
from bot.domain.refusals import Refusal
from bot.store import Sharing, StoreError

LOG = logging.getLogger("bauta.clocks")

REST = 30.0
"""Seconds after which the clocks are looked at again, whatever the next deadline."""

SHORT_REST = 0.5
"""The same where somebody may move the clock."""

SHARED_REST = 1.0
"""The same where other processes move clocks too."""

OFFLINE_REST = 1.0
"""Seconds after which it is looked again whether Discord is in reach."""

RETRY = 60.0
"""Seconds until a match is judged again that could not be."""

AT_ONCE = 8
"""Matches that are judged at the same time."""


class ClockLoop:
    """Judges and reminds until it is cancelled. Everything it goes by is in the database."""

    def __init__(
        self,
        deadlines: Deadlines,
        reminders: Reminders,
        holidays: Holidays,
        idle: Idle,
        outages: Outages,
        rest: float = REST,
        sharing: Sharing | None = None,
    ) -> None:
        self._sharing = sharing
        self._rest = rest
        self._deadlines = deadlines
        self._reminders = reminders
        self._holidays = holidays
        self._idle = idle
        self._outages = outages
        self._failed: dict[str, float] = {}
        """Matches that could not be judged, and when that is tried again: the loop's time."""

    async def keep_running(self, online: Callable[[], bool] = lambda: True) -> None:
        """Work until cancelled, and begin again after whatever ends the work.

        While Discord is out of reach nobody can play: nothing is judged, and that time is nobody's. Of
        processes that share a database, one that is in reach of Discord does this for all.
        """
        while True:
            try:
                if self._may_judge(online):
                    await self._outages.resume()
                    await self.run(online)
                await asyncio.sleep(OFFLINE_REST)
                if self._sharing is not None:
                    self._outages.follow()
                continue
            except StoreError as error:
                LOG.error("the clocks stopped: %s", error)
            except Exception:
                LOG.exception("the clocks stopped")
            await asyncio.sleep(RETRY)

    async def run(self, online: Callable[[], bool] = lambda: True) -> None:
        """Do what is due, and sleep until something may be, for as long as Discord is in reach."""
        while self._may_judge(online):
            await self._outages.look()
            await self.look()
            waits = [
                await self._deadlines.next_in(),
                await self._reminders.next_in(),
                await self._holidays.next_end_in(),
            ]
            # Another process may have begun something that is due before all that is known here.
            rest = self._rest if self._sharing is None else min(self._rest, SHARED_REST)
            await asyncio.sleep(max(0.05, min([rest, *(wait for wait in waits if wait is not None)])))

    def _may_judge(self, online: Callable[[], bool]) -> bool:
        if self._sharing is None:
            return online()
        self._sharing.want_clocks(wanted=online())
        return online() and self._sharing.has_clocks

    async def look(self) -> None:
        """Let clocks stand still that have to, judge every match with one that has run out, and remind."""
        now = asyncio.get_running_loop().time()
        self._failed = {match: again for match, again in self._failed.items() if again > now}
        await self._holidays.settle()
        await self._do_all(self._deadlines.judge, await self._deadlines.past(), AT_ONCE)
        # One after the other: who is reminded of several matches is told of all of them at once.
        await self._do_all(self._reminders.remind, await self._reminders.due(), 1)
        await self._do_all(self._idle.look, await self._idle.due(), 1)

    async def _do_all(
        self, act: Callable[[str], Awaitable[None]], matches: Sequence[str], at_once: int
    ) -> None:
        due = [match for match in matches if match not in self._failed]
        for first in range(0, len(due), at_once):
            await asyncio.gather(*(self._do(act, match) for match in due[first : first + at_once]))

    async def _do(self, act: Callable[[str], Awaitable[None]], match: str) -> None:
        try:
            await act(match)
        except StoreError:
            raise
        except Exception as error:
            # What one match meets holds up no other.
            self._failed[match] = asyncio.get_running_loop().time() + RETRY
            expected = isinstance(error, Refusal)
            LOG.error("the clocks of match %s: %s", match, type(error).__name__, exc_info=not expected)
