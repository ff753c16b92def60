"""The one loop of the clocks: it sleeps until the next deadline, and judges who is late."""

from __future__ import annotations

import asyncio
import logging

from bot.clocks.deadlines import Deadlines
from bot.clocks.outages import Outages
from bot.domain.refusals import Refusal
from bot.store import StoreError

LOG = logging.getLogger("bauta.clocks")

REST = 30.0
"""Seconds after which the clocks are looked at again, whatever the next deadline."""

SHORT_REST = 0.5
"""The same where somebody may move the clock."""

RETRY = 60.0
"""Seconds until a match is judged again that could not be."""

AT_ONCE = 8
"""Matches that are judged at the same time."""


class ClockLoop:
    """Judges until it is cancelled. Everything it goes by is in the database."""

    def __init__(self, deadlines: Deadlines, outages: Outages, rest: float = REST) -> None:
        self._rest = rest
        self._deadlines = deadlines
        self._outages = outages
        self._failed: dict[str, float] = {}
        """Matches that could not be judged, and when that is tried again: the loop's time."""

    async def keep_running(self) -> None:
        """Work until cancelled, and begin again after whatever ends the work."""
        resumed = False
        while True:
            try:
                if not resumed:
                    await self._outages.resume()
                    resumed = True
                await self.run()
            except StoreError as error:
                LOG.error("the clocks stopped: %s", error)
            except Exception:
                LOG.exception("the clocks stopped")
            await asyncio.sleep(RETRY)

    async def run(self) -> None:
        """Judge whoever is late, and sleep until somebody may be."""
        while True:
            await self._outages.look()
            await self.judge_all()
            wait = await self._deadlines.next_in()
            await asyncio.sleep(self._rest if wait is None else max(0.05, min(self._rest, wait)))

    async def judge_all(self) -> None:
        """Judge every match with a clock that has run out."""
        now = asyncio.get_running_loop().time()
        self._failed = {match: again for match, again in self._failed.items() if again > now}
        late = [match for match in await self._deadlines.past() if match not in self._failed]
        for first in range(0, len(late), AT_ONCE):
            await asyncio.gather(*map(self._judge, late[first : first + AT_ONCE]))

    async def _judge(self, match: str) -> None:
        try:
            await self._deadlines.judge(match)
        except StoreError:
            raise
        except Exception as error:
            # What one match meets holds up no other.
            self._failed[match] = asyncio.get_running_loop().time() + RETRY
            expected = isinstance(error, Refusal)
            LOG.error("match %s cannot be judged: %s", match, type(error).__name__, exc_info=not expected)
