"""Where the worker's jobs come from: all of the outbox, or what this process has leases of."""

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

LOOKED_AT = 256
"""Jobs that are read together."""

MOST_HELD = 256
"""Matches that one process has leases of at most: the others find work too."""

MOST_AFTERWARDS = 16
"""Those of them with nothing that somebody waits for: a start has such work in every match."""

REST, SHORT_REST = 30.0, 1.0
"""Seconds after which the outbox is looked at again unasked: our own, and one that is shared."""

RENEWED = 1.25
"""Seconds between two renewals: a lease outlasts three of them."""


class JobSource(Protocol):
    """Fills a backlog. ``busy``: the matches that are worked on just now."""

    rest: float
    """Seconds after which it should be read again."""

    async def give_back(self) -> None:
        """Leave to others what was taken: nothing is worked on any more."""
        ...

    async def read(self, backlog: Backlog, busy: Container[str]) -> None:
        """Add what is new."""
        ...

    async def keep(self, backlog: Backlog, busy: Container[str]) -> None:
        """Do until cancelled what has to be done meanwhile."""
        ...


class WholeOutbox:
    """Of a process that has the database to itself: it asks only for what is new."""

    rest = REST

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox

    async def give_back(self) -> None:
        """Do nothing: all jobs are ours."""

    async def read(self, backlog: Backlog, busy: Container[str]) -> None:
        """Add what was enqueued since it was read last."""
        while True:
            found = await self._outbox.jobs_after(backlog.seen, LOOKED_AT)
            for queued in found:
                backlog.add(queued)
            if len(found) < LOOKED_AT:
                return

    async def keep(self, backlog: Backlog, busy: Container[str]) -> None:
        """Do nothing."""


class LeasedJobs:
    """Of a process among several: each carries out the jobs of the matches that it has a lease of.

    So the jobs of one match, and of each of its messages, are done one after the other, wherever.
    """

    rest = SHORT_REST

    def __init__(self, outbox: Outbox, sharing: Sharing, clock: Callable[[], float]) -> None:
        self._outbox = outbox
        self._sharing = sharing
        self._clock = clock
        self._held: set[str] = set()

    async def give_back(self) -> None:
        """Give all leases back; those that cannot be given back end by themselves."""
        held, self._held = self._held, set()
        if held:
            with suppress(StoreError):
                await self._sharing.release(held)

    async def read(self, backlog: Backlog, busy: Container[str]) -> None:
        """Claim what is due, add what is new in all that is held, and give back what is done."""
        if (room := MOST_HELD - len(self._held)) > 0:
            resting = sum(not backlog.is_urgent(match) for match in self._held)
            afterwards = max(0, MOST_AFTERWARDS - resting)
            self._held |= await self._sharing.claim(self._clock(), room, afterwards)
        if not self._held:
            return
        for queued in await self._outbox.jobs_of(self._held):
            if not backlog.has(queued.job):
                backlog.add(queued)
        # Whatever is enqueued from now on finds the lease given back, and is claimed.
        done = {match for match in self._held if match not in busy and not backlog.waits(match)}
        if done:
            self._held -= done
            await self._sharing.release(done)

    async def keep(self, backlog: Backlog, busy: Container[str]) -> None:
        """Renew the leases until cancelled. What another process has taken meanwhile is left to it."""
        while True:
            await asyncio.sleep(RENEWED)
            try:
                await self._renew(backlog, busy)
            except StoreError as error:
                log.warning("leases cannot be renewed: %s", error)

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
                # What is on its way to Discord may come after what the other one has sent.
                await self._outbox.review(match)


def source_of(outbox: Outbox, sharing: Sharing | None, clock: Callable[[], float]) -> JobSource:
    """Return where the jobs come from, with other processes at the same database or without."""
    return WholeOutbox(outbox) if sharing is None else LeasedJobs(outbox, sharing, clock)
