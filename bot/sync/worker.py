"""The outbox worker: one job of a match at a time, several matches at once, in turns that are shared out.

No job is lost: one that fails stays in the outbox and is tried again, later and later. What the players could
solve, such as a missing permission, is told to them on their next click.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from datetime import timedelta
from itertools import takewhile

import discord

from bot.background import BackgroundTasks
from bot.discord_errors import UNREACHED, ThreadLocked, failure_of
from bot.discord_patches import LONGEST_LIMIT, impatient
from bot.domain.calls import Call
from bot.domain.fair_queue import FairQueue
from bot.domain.jobs import Job, JobKind, QueuedJob
from bot.domain.refusals import Refusal
from bot.domain.tables import Status
from bot.matches import Services
from bot.store import StoreError
from bot.sync import Surfaces
from bot.sync.after_restore import AfterRestore
from bot.sync.backlog import LANES, LONGEST, Backlog, Lane, loop_time, ticket_for
from bot.sync.dm_breaker import DirectMessagesPaused
from bot.sync.job_source import source_of
from bot.sync.problems import Problems
from bot.sync.shown import ChannelGone

log = logging.getLogger(__name__)

SLOTS = {Lane.SHOWING: 24, Lane.THINKING: 64, Lane.FILMING: 1, Lane.AFTERWARDS: 2}
"""Matches that are worked on at the same time. Where the machine or Discord is slow, showing one takes two
seconds or more; how many requests are sent, their own limits say. Those of computer players mostly wait: for
a process, and until their answer may be given."""

PATIENCE = 90.0
"""Seconds that one job may take."""

SHORTEST = 1.0
"""Seconds until a job that failed is tried again: the first time. The longest is the backlog's."""

RESTART = 6.0
"""Seconds until the worker begins again after a failure of its own, such as a full disk."""

LIMIT_PATIENCE = 1.0
"""Seconds that a job waits for a rate limit in its place; after that, others have it meanwhile. What a backup
has made void is waited for: nothing else of the match may be shown before it."""

LONG_LIMIT = 30.0
"""Seconds of a rate limit from which on it is noted in the database, so that a restart heeds it."""

JUMP = 600.0
"""Seconds by which a clock that is set back or forward is worth a line in the log."""

_FILMING = -1
"""No revision of any job."""

BUSY = "no.busy"
"""The refusal that means: try again."""


class OutboxWorker:
    """Carries out jobs until it is cancelled. ``wake`` is set when there may be new ones."""

    def __init__(
        self,
        services: Services,
        surfaces: Surfaces,
        after_restore: AfterRestore,
        problems: Problems,
        background: BackgroundTasks,
        wake: asyncio.Event,
    ) -> None:
        self._services = services
        self._surfaces = surfaces
        self._problems = problems
        self._background = background
        self._wake = wake
        self._backlog = Backlog(services.cache.clock)
        self._source = source_of(services.outbox, services.cache.store.sharing, services.cache.clock)
        self._queues = {lane: FairQueue() for lane in SLOTS}
        self._working = dict.fromkeys(SLOTS, 0)
        self._busy: set[str] = set()
        self._filmed: dict[str, int] = {}
        """Matches that have a job for their film: the revision of the one that it has been made for, if it
        can be; ``_FILMING`` until then."""
        self._redrawn: set[str] = set()
        """Matches that are worked on and whose board was asked for at the same time."""
        self._is_stale = False
        """Whether the outbox is to be read again as a whole."""
        self._clock_ahead: float | None = None
        """Seconds from the loop's time to wall time, when last looked."""
        self._work: dict[JobKind, Callable[[Job], Awaitable[object]]] = {
            JobKind.COMPUTER: lambda job: services.actions.play_computer(job.table_id),
            JobKind.THINK: lambda job: services.actions.play_computer(job.table_id),
            JobKind.INTERRUPT: lambda job: services.actions.play_computer(job.table_id),
            JobKind.LOBBY: lambda job: surfaces.lobby.update(job.table_id),
            JobKind.THREAD: lambda job: surfaces.lobby.thread(job.table_id),
            JobKind.BOARD: self._board,
            JobKind.OFFER: lambda job: surfaces.offers.update(job.table_id),
            JobKind.OVERDUE: lambda job: surfaces.overdue.update(job.table_id),
            JobKind.MOTION: lambda job: surfaces.motions.update(job.table_id),
            JobKind.SEAT_OFFER: lambda job: surfaces.seat_offers.update(job.table_id),
            JobKind.FORGET: lambda job: surfaces.direct_messages.forget(job.table_id, int(job.target)),
            JobKind.ABSENTEES: lambda job: surfaces.absentees.look(
                job.table_id, map(int, job.target.split("."))
            ),
            JobKind.IDLE: lambda job: surfaces.board.tell_idle(job.table_id, int(job.target)),
            JobKind.END: self._board,
            JobKind.TURN: self._turn,
            JobKind.REMIND: lambda job: surfaces.calls.make(job.table_id, Call.parse(job.target)),
            JobKind.GOODBYE: self._goodbye,
            JobKind.SET_BACK: lambda job: after_restore.match(job.table_id),
            JobKind.FROZEN: lambda job: surfaces.board.tell_frozen(job.table_id),
            JobKind.FILM: lambda job: surfaces.board.update(job.table_id),
            JobKind.EXPIRE: lambda job: services.lobby.expire(job.table_id),
            JobKind.ARCHIVE: lambda job: surfaces.board.archive(job.table_id),
            JobKind.REVIEW: lambda job: surfaces.board.review(job.table_id),
            JobKind.LOOK: lambda job: self._look(job.table_id),
            JobKind.CHECK: lambda job: surfaces.board.check(job.table_id),
        }

    @property
    def idle(self) -> bool:
        """Return whether no match is worked on and no film is made or waits to be shown."""
        return not self._busy and not self._filmed

    def wake(self) -> None:
        """Look at the outbox now."""
        self._wake.set()

    def look_after(self, match: str) -> None:
        """Do now what a problem of a match has put off; without one, see whether its board is still there."""
        if match in self._problems.by_match and not self._problems.jobs(match):
            return  # its channel is gone for good
        self._background.spawn(self._look_after(match), "looking after a match")

    async def _look_after(self, match: str) -> None:
        jobs = [(match, job.kind, job.target) for job in self._problems.jobs(match)]
        if not jobs:
            try:
                await self._look(match)
            except UNREACHED as error:
                log.warning("looking after match %s failed: %s", match, failure_of(error))
                jobs = [(match, JobKind.LOOK, "")]
        if jobs:
            await self._services.outbox.ask_for(jobs)

    async def _look(self, match: str) -> None:
        if (await self._services.queries.table(match)).status is not Status.RUNNING:
            return  # it has no board yet, or one that nothing changes any more
        # A board that stands is left alone: nobody may see that somebody looked for it in private.
        if not await self._surfaces.board.is_there(match):
            await self._services.outbox.doubt([match])
            await self._services.outbox.ask_for([(match, JobKind.BOARD, "")])

    def look_after_server(self, guild_id: int) -> None:
        """Look after the matches with a problem on a server where something has changed."""
        for match in self._problems.matches_on(guild_id):
            self.look_after(match)

    def retry(self) -> None:
        """Try what has failed again now: Discord answers again."""
        self._background.spawn(self._retry(), "trying again")

    async def _retry(self) -> None:
        try:
            await self._services.outbox.retry()
        except StoreError as error:
            log.warning("jobs that failed are tried again later only: %s", error)
        else:
            self._is_stale = True
            self.wake()

    async def keep_running(self) -> None:
        """Work until cancelled, and begin again after whatever ends the work."""
        while True:
            try:
                await self.run()
            except Exception as error:
                reason = store_reason(error)
                log.error("the outbox worker stopped: %s", reason or "see below", exc_info=reason is None)
            await asyncio.sleep(min(RESTART, self._source.rest))

    async def run(self) -> None:
        """Work until cancelled. What one match meets ends nothing but its own job."""
        self._backlog.clear()
        self._queues = {lane: FairQueue() for lane in SLOTS}
        self._filmed = {match: made for match, made in self._filmed.items() if made != _FILMING}
        try:
            await self._work_on_all()
        finally:
            await self._source.give_back()

    async def _work_on_all(self) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self._source.keep(self._backlog, self._busy))
            while True:
                self._wake.clear()
                self._look_at_clock()
                if self._is_stale:
                    # Here, and not while it is read: what is older than what is read then would be missed.
                    self._is_stale = False
                    self._backlog.clear()
                await self._source.read(self._backlog, self._busy)
                self._forget_films_of_others()
                for match in self._backlog.ripe():
                    self._line_up(match)
                for lane, slots in SLOTS.items():
                    while self._working[lane] < slots and (ticket := self._queues[lane].take()) is not None:
                        self._begin(group, lane, ticket.match)
                self._services.thinkers.expect(self._queues[Lane.THINKING].people())
                await self._rest()

    def _forget_films_of_others(self) -> None:
        """Forget films that are made of matches which another process has taken over by now."""
        self._filmed = {
            match: made
            for match, made in self._filmed.items()
            if made == _FILMING or self._backlog.has_kind(match, JobKind.FILM)
        }

    def _begin(self, group: asyncio.TaskGroup, lane: Lane, match: str) -> None:
        if lane is Lane.FILMING:
            self._working[lane] += 1
            group.create_task(self._make_film(match))
        elif jobs := self._batch(match, lane):
            self._working[lane] += 1
            self._busy.add(match)
            group.create_task(self._work_on(match, lane, jobs))

    def _look_at_clock(self) -> None:
        ahead = self._services.cache.clock() - loop_time()
        before, self._clock_ahead = self._clock_ahead, ahead
        jump = 0.0 if before is None else ahead - before
        if abs(jump) >= JUMP:
            by = timedelta(seconds=round(abs(jump)))
            log.warning("the clock was set %s by %s", "forward" if jump > 0 else "back", by)
            self._backlog.clear()  # deadlines are sorted by it

    async def _rest(self) -> None:
        # Never zero: a job that stays due must not make the worker spin.
        seconds = max(0.05, self._backlog.rest(self._source.rest))
        try:
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        except TimeoutError:
            return

    def _line_up(self, match: str) -> None:
        """Let a match wait for its turn, unless it is worked on or has nothing that may be done now."""
        jobs = self._ready(match)
        if jobs and match not in self._busy:
            self._queues[LANES[jobs[0].job.kind]].put(ticket_for(jobs))

    def _ready(self, match: str) -> list[QueuedJob]:
        jobs = self._backlog.ready(match)
        film = next((queued for queued in jobs if queued.job.kind is JobKind.FILM), None)
        if film is not None and (made := self._filmed.get(match)) != film.job.revision:
            jobs.remove(film)
            if made != _FILMING:
                self._filmed[match] = _FILMING
                self._queues[Lane.FILMING].put(ticket_for([film]))
        return jobs

    def _batch(self, match: str, lane: Lane) -> list[Job]:
        """Return what is to be done next for a match; none where that is the work of another lane."""
        jobs = self._ready(match)
        batch = list(takewhile(lambda queued: LANES[queued.job.kind] is lane, jobs))
        if not batch:
            # Since it took its place, something else has come that goes first.
            self._line_up(match)
        return [] if match in self._busy else [queued.job for queued in batch]

    async def _work_on(self, match: str, lane: Lane, jobs: list[Job]) -> None:
        try:
            await self.carry_out(match, jobs)
        finally:
            self._busy.discard(match)
            self._working[lane] -= 1
            self._line_up(match)  # what was enqueued for this match meanwhile was passed over
            self.wake()

    async def _make_film(self, match: str) -> None:
        revision = 0
        try:
            for queued in self._backlog.ready(match):
                if queued.job.kind is JobKind.FILM:
                    revision = queued.job.revision
                    # Or memory might not know yet that the match is over.
                    await self._services.outbox.catch_up(queued.job)
            await self._surfaces.board.make_film(match)
        except asyncio.CancelledError:
            revision = _FILMING  # the worker begins anew, and so does this
            raise
        except Exception as error:
            name = failure_of(error)
            log.warning("no film of match %s: %s", match, name, exc_info=not isinstance(error, Refusal))
        finally:
            self._filmed[match] = revision
            self._working[Lane.FILMING] -= 1
            self._line_up(match)
            self.wake()

    async def carry_out(self, match: str, jobs: list[Job]) -> None:
        """Do the jobs of one match that became due together, in their order."""
        if any(job.kind is JobKind.BOARD for job in jobs):
            self._redrawn.add(match)
        try:
            for job in jobs:
                await self._carry_out(job)
        finally:
            self._redrawn.discard(match)

    async def _carry_out(self, job: Job) -> None:
        try:
            try:
                with impatient(LONGEST_LIMIT if job.kind is JobKind.SET_BACK else LIMIT_PATIENCE):
                    async with asyncio.timeout(PATIENCE):
                        await self._services.outbox.catch_up(job)
                        await self._work[job.kind](job)
            except Exception as error:
                await self._retry_or_give_up(job, error)
            else:
                await self._done(job)
                await self._problems.note_success(job)
        except Exception as error:
            # Not even its failure could be noted, such as on a full disk: it is kept in memory.
            reason = store_reason(error)
            log.error("%s of match %s: %s", job.kind.value, job.table_id, reason or "see below",
                      exc_info=reason is None)  # fmt: skip
            self._backlog.put_off(job, pause(job.tries))

    async def _retry_or_give_up(self, job: Job, error: Exception) -> None:
        name = failure_of(error)
        if isinstance(error, ChannelGone) or (isinstance(error, Refusal) and error.msg.key != BUSY):
            log.warning("%s of match %s is given up: %s", job.kind.value, job.table_id, name)
            if isinstance(error, ChannelGone):
                table = await self._services.queries.table(job.table_id)
                if table.status is Status.OPEN:
                    await self._services.lobby.give_up(table.id)
                elif table.status is Status.RUNNING:
                    self._problems.note_channel_deleted(table)
            await self._done(job)
            return
        if isinstance(error, discord.RateLimited) and error.retry_after < LONG_LIMIT:
            # No fault of anybody's, and no place is held meanwhile.
            self._backlog.put_off(job, error.retry_after * random.uniform(1.0, 1.2), failed=False)  # noqa: S311
            return
        if isinstance(error, TimeoutError) and job.kind is not JobKind.REVIEW:
            # What it had sent may come after what the next try sends.
            await self._services.outbox.review(job.table_id)
        wait = error.retry_after if isinstance(error, discord.RateLimited) else pause(job.tries)
        self._backlog.put_off(job, wait)
        await self._services.outbox.failed(job, name, self._services.cache.clock() + wait)
        expected = isinstance(error, (*UNREACHED, ThreadLocked, DirectMessagesPaused))
        log.warning("%s of match %s failed: %s", job.kind.value, job.table_id, name, exc_info=not expected)
        if job.kind not in (JobKind.TURN, JobKind.REMIND, JobKind.FORGET, JobKind.GOODBYE):
            # What a direct message meets is between it and its reader: the table must not hear of it.
            await self._problems.note(job, error)

    async def _done(self, job: Job) -> None:
        await self._services.outbox.done(job)
        self._backlog.remove(job)
        # Once its row is gone, or it would be made again; one that was asked for meanwhile is being made.
        if job.kind is JobKind.FILM and self._filmed.get(job.table_id) == job.revision:
            del self._filmed[job.table_id]

    async def _turn(self, job: Job) -> None:
        if await self._has_seat(job):
            with_board = job.table_id in self._redrawn
            await self._surfaces.direct_messages.update(job.table_id, job.seat, with_board=with_board)

    async def _goodbye(self, job: Job) -> None:
        if await self._has_seat(job):
            await self._surfaces.goodbyes.update(job.table_id, job.seat)

    async def _has_seat(self, job: Job) -> bool:
        """Return whether there is the seat that a job is for: its chair may be broken."""
        table = await self._services.queries.table(job.table_id)
        return any(chair.seat == job.seat for chair in table.chairs)

    async def _board(self, job: Job) -> None:
        await self._surfaces.board.update(job.table_id)
        await self._surfaces.direct_messages.retire(job.table_id)


def store_reason(error: BaseException) -> str | None:
    """Return what the database's error says, where nothing else went wrong."""
    if isinstance(error, BaseExceptionGroup):
        reasons = [store_reason(each) for each in error.exceptions]
        return None if None in reasons else reasons[0]
    return str(error) if isinstance(error, StoreError) else None


def pause(tries: int) -> float:
    """Return the seconds until a job that has failed ``tries`` times before is tried again."""
    # The power is capped too, or it would overflow in the end.
    longest = min(LONGEST, SHORTEST * 2.0 ** min(tries, 16))
    return longest * random.uniform(0.5, 1.0)  # noqa: S311 - it only spreads the tries
