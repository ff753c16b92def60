"""Sources of the worker's jobs: the whole outbox, or the matches for which this process has leases."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Container
from contextlib import suppress
from typing import Protocol

from bot.matches.outbox import Outbox
from bot.store import Sharing, StoreError
from bot.sync.backlog import Backlog

log = logging.getLogger(__name__)

BATCH_SIZE = 256
"""Jobs read per query."""

MOST_HELD = 256
"""Maximum matches for which one process has leases: the others need work too."""

MOST_AFTERWARDS = 16
"""Maximum of those with no job that somebody waits for: a start enqueues such jobs for every match."""

POLL_INTERVAL_S, SHARED_POLL_INTERVAL_S = 30.0, 1.0
"""Seconds after which the outbox is read again without being woken: if it is ours alone, and if shared."""

RENEW_INTERVAL_S = 1.25
"""Seconds between two renewals of a lease, which outlasts three of them."""


class JobSource(Protocol):
    """Fills a backlog. ``busy``: the matches that are being worked on."""

    rest: float
    """Seconds after which it should be read again."""

    async def give_back(self) -> None:
        """Release what was claimed: nothing is being worked on any more."""
        ...

    async def read(self, backlog: Backlog, busy: Container[str]) -> None:
        """Add new jobs."""
        ...

    async def keep(self, backlog: Backlog, busy: Container[str]) -> None:
        """Run what has to be done in the background, until cancelled."""
        ...


class WholeOutbox:
    """The source of a process that has the database to itself: it reads only new jobs."""

    rest = POLL_INTERVAL_S

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox

    async def give_back(self) -> None:
        """Do nothing: all jobs are ours."""

    async def read(self, backlog: Backlog, busy: Container[str]) -> None:
        """Add the jobs enqueued since the last read."""
        while True:
            found = await self._outbox.jobs_after(backlog.seen, BATCH_SIZE)
            for queued in found:
                backlog.add(queued)
            if len(found) < BATCH_SIZE:
                return

    async def keep(self, backlog: Backlog, busy: Container[str]) -> None:
        """Do nothing."""


class LeasedJobs:
    """The source of a process among several: each does the jobs of the matches for which it has a lease.

    So the jobs of one match, and of each of its messages, are done one after the other in all processes.
    """

    rest = SHARED_POLL_INTERVAL_S

    def __init__(self, outbox: Outbox, sharing: Sharing, clock: Callable[[], float]) -> None:
        self._outbox = outbox
        self._sharing = sharing
        self._clock = clock
        self._held: set[str] = set()

    async def give_back(self) -> None:
        """Release all leases; those that cannot be released expire."""
        held, self._held = self._held, set()
        if held:
            with suppress(StoreError):
                await self._sharing.release(held)

    async def read(self, backlog: Backlog, busy: Container[str]) -> None:
        """Claim matches with due jobs, add new jobs of all held ones, and release those that are done."""
        if (room := MOST_HELD - len(self._held)) > 0:
            resting = sum(not backlog.has_awaited(match) for match in self._held)
            afterwards = max(0, MOST_AFTERWARDS - resting)
            self._held |= await self._sharing.claim(self._clock(), room, afterwards)
        if not self._held:
            return
        for queued in await self._outbox.jobs_of(self._held):
            if not backlog.has(queued.job):
                backlog.add(queued)
        # A match with a job enqueued from now on is claimed again after its release.
        done = {match for match in self._held if match not in busy and not backlog.waits(match)}
        if done:
            self._held -= done
            await self._sharing.release(done)

    async def keep(self, backlog: Backlog, busy: Container[str]) -> None:
        """Renew the leases until cancelled. Matches that another process has taken over are left to it."""
        while True:
            await asyncio.sleep(RENEW_INTERVAL_S)
            try:
                await self._renew(backlog, busy)
            except StoreError as error:
                log.warning("leases could not be renewed: %s", error)

    async def _renew(self, backlog: Backlog, busy: Container[str]) -> None:
        held = frozenset(self._held)
        if not held:
            return
        lost = (held - await self._sharing.renew(held)) & self._held
        self._held -= lost
        for match in lost:
            backlog.drop(match)
            if match in busy:
                log.warning("match %s was taken over by another process", match)
                # Discord may carry out our pending request after those of the other process.
                await self._outbox.review(match)


def source_of(outbox: Outbox, sharing: Sharing | None, clock: Callable[[], float]) -> JobSource:
    """Return the source of jobs; ``sharing``: how other processes use the same database, if any do."""
    return WholeOutbox(outbox) if sharing is None else LeasedJobs(outbox, sharing, clock)
