"""The outbox worker: several matches at once, in fair order, and one job at a time per match.

No job is lost: one that fails stays in the outbox and is retried after growing pauses. Players learn on their
next click about problems that they could solve, such as a missing permission.
"""

from __future__ import annotations

import asyncio
import logging
import random
from datetime import timedelta
from itertools import takewhile

import discord

from bot.domain.fair_queue import FairQueue
from bot.domain.jobs import Job, JobKind, QueuedJob, Work
from bot.domain.refusals import Refusal
from bot.domain.tables import Status
from bot.gateway.discord_errors import UNREACHED, ThreadLocked, failure_of
from bot.gateway.rate_limits import MAX_RATELIMIT_WAIT_S, ratelimit_timeout
from bot.matches import Services
from bot.runtime.background import BackgroundTasks
from bot.store import StoreError
from bot.sync import Surfaces
from bot.sync.after_restore import AfterRestore
from bot.sync.backlog import LANES, MAX_RETRY_S, Backlog, Lane, loop_time, ticket_for
from bot.sync.direct_messages import has_seat
from bot.sync.dm_breaker import DirectMessagesPaused
from bot.sync.job_source import source_of
from bot.sync.problems import Problems
from bot.sync.shown import ChannelGone

log = logging.getLogger(__name__)

SLOTS = {Lane.SHOWING: 24, Lane.THINKING: 64, Lane.FILMING: 1, Lane.AFTERWARDS: 2}
"""Matches worked on at the same time, per lane. If the machine or Discord is slow, showing one takes two
seconds or more; rate limits bound the requests. Computer players mostly wait: for a process, and until their
answer may be given."""

JOB_TIMEOUT_S = 90.0
"""Timeout of one job, in seconds."""

MIN_RETRY_S = 1.0
"""Seconds until a failed job's first retry. The maximum is the backlog's :data:`MAX_RETRY_S`."""

RESTART_DELAY_S = 6.0
"""Seconds until the worker restarts after a failure of its own, such as a full disk."""

RATE_LIMIT_WAIT_S = 1.0
"""Seconds that a job waits for a rate limit in its slot; after that, others get the slot. The cleanup after a
restored backup keeps it: nothing else of the match may be shown before that."""

STORED_RATE_LIMIT_S = 30.0
"""Seconds from which a rate limit is stored in the database, so that it is respected after a restart."""

CLOCK_JUMP_S = 600.0
"""Seconds from which a jump of the system clock is logged."""

_FILMING = -1
"""No revision of any job."""

TRY_AGAIN = "no.busy"
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
        """Matches with a film job: the revision for which the film was made, or could not be; ``_FILMING``
        until then."""
        self._redrawn: set[str] = set()
        """Matches that are being worked on, with a board among the current jobs."""
        self._is_stale = False
        """Whether the whole outbox must be read again."""
        self._clock_ahead: float | None = None
        """Seconds from the loop's time to wall time, when last checked."""
        self._work: dict[JobKind, Work] = {
            **surfaces.jobs(),
            **after_restore.jobs(),
            **dict.fromkeys((JobKind.COMPUTER, JobKind.THINK, JobKind.INTERRUPT), self._play_computer),
            JobKind.TURN: self._turn,
        }

    @property
    def idle(self) -> bool:
        """Return whether no match is being worked on, and no film is being made or waits to be shown."""
        return not self._busy and not self._filmed

    def wake(self) -> None:
        """Read the outbox now."""
        self._wake.set()

    def look_after(self, match: str) -> None:
        """Retry the jobs that a match's problem delayed; without one, check that its board still exists."""
        if match in self._problems.by_match and not self._problems.jobs(match):
            return  # its channel is gone for good
        self._background.spawn(self._look_after(match), "looking after a match")

    async def _look_after(self, match: str) -> None:
        jobs = [(match, job.kind, job.target) for job in self._problems.jobs(match)]
        if not jobs:
            try:
                await self._surfaces.board.look_for(match)
            except UNREACHED as error:
                log.warning("match %s: background check failed: %s", match, failure_of(error))
                jobs = [(match, JobKind.LOOK, "")]
        if jobs:
            await self._services.outbox.ask_for(jobs)

    def look_after_server(self, guild_id: int) -> None:
        """Look after the matches with a problem on a server, after a change there."""
        for match in self._problems.matches_on(guild_id):
            self.look_after(match)

    def retry(self) -> None:
        """Retry failed jobs now: Discord is reachable again."""
        self._background.spawn(self._retry(), "trying again")

    async def _retry(self) -> None:
        try:
            await self._services.outbox.retry()
        except StoreError as error:
            log.warning("failed jobs could not be rescheduled: %s", error)
        else:
            self._is_stale = True
            self.wake()

    async def keep_running(self) -> None:
        """Run until cancelled, and restart after any failure."""
        while True:
            try:
                await self.run()
            except Exception as error:
                reason = store_reason(error)
                log.error("outbox worker stopped: %s", reason or "see below", exc_info=reason is None)
            await asyncio.sleep(min(RESTART_DELAY_S, self._source.rest))

    async def run(self) -> None:
        """Work until cancelled. A match's failure affects only its own job."""
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
                    # Cleared here, not during a read: jobs older than those just read would be missed.
                    self._is_stale = False
                    self._backlog.clear()
                await self._source.read(self._backlog, self._busy)
                self._forget_films_of_others()
                for match in self._backlog.newly_ready():
                    self._line_up(match)
                for lane, slots in SLOTS.items():
                    while self._working[lane] < slots and (ticket := self._queues[lane].take()) is not None:
                        self._begin(group, lane, ticket.match)
                self._services.thinkers.expect(self._queues[Lane.THINKING].people())
                await self._rest()

    def _forget_films_of_others(self) -> None:
        """Forget films of matches that another process has taken over."""
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
        if abs(jump) >= CLOCK_JUMP_S:
            by = timedelta(seconds=round(abs(jump)))
            log.warning("system clock was set %s by %s", "forward" if jump > 0 else "back", by)
            self._backlog.clear()  # deadlines are sorted by it

    async def _rest(self) -> None:
        # Never zero: a job that stays due must not make the worker spin.
        seconds = max(0.05, self._backlog.seconds_until_ready(self._source.rest))
        try:
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        except TimeoutError:
            return

    def _line_up(self, match: str) -> None:
        """Queue a match, unless it is being worked on or has no job that is ready."""
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
        """Return the next jobs of a match; none if they belong to another lane, or the match is busy."""
        jobs = self._ready(match)
        batch = list(takewhile(lambda queued: LANES[queued.job.kind] is lane, jobs))
        if not batch:
            # A job that takes precedence has come since the match was queued.
            self._line_up(match)
        return [] if match in self._busy else [queued.job for queued in batch]

    async def _work_on(self, match: str, lane: Lane, jobs: list[Job]) -> None:
        try:
            await self.carry_out(match, jobs)
        finally:
            self._busy.discard(match)
            self._working[lane] -= 1
            self._line_up(match)  # jobs enqueued for this match meanwhile were skipped
            self.wake()

    async def _make_film(self, match: str) -> None:
        revision = 0
        try:
            for queued in self._backlog.ready(match):
                if queued.job.kind is JobKind.FILM:
                    revision = queued.job.revision
                    # Otherwise memory may not know yet that the match is over.
                    await self._services.outbox.catch_up(queued.job)
            await self._surfaces.board.make_film(match)
        except asyncio.CancelledError:
            revision = _FILMING  # the worker restarts, and so does the film
            raise
        except Exception as error:
            name = failure_of(error)
            log.warning("film of match %s failed: %s", match, name, exc_info=not isinstance(error, Refusal))
        finally:
            self._filmed[match] = revision
            self._working[Lane.FILMING] -= 1
            self._line_up(match)
            self.wake()

    async def carry_out(self, match: str, jobs: list[Job]) -> None:
        """Carry out the jobs of one match that became due together, in order."""
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
                with ratelimit_timeout(
                    MAX_RATELIMIT_WAIT_S if job.kind is JobKind.SET_BACK else RATE_LIMIT_WAIT_S
                ):
                    async with asyncio.timeout(JOB_TIMEOUT_S):
                        await self._services.outbox.catch_up(job)
                        await self._work[job.kind](job)
            except Exception as error:
                await self._retry_or_give_up(job, error)
            else:
                await self._done(job)
                await self._problems.note_success(job)
        except Exception as error:
            # The outcome could not be stored, such as on a full disk: keep the retry in memory.
            reason = store_reason(error)
            log.error("outcome of job %s of match %s not stored: %s", job.kind.value, job.table_id,
                      reason or "see below", exc_info=reason is None)  # fmt: skip
            self._backlog.delay(job, retry_delay(job.tries))

    async def _retry_or_give_up(self, job: Job, error: Exception) -> None:
        name = failure_of(error)
        if isinstance(error, ChannelGone) or (isinstance(error, Refusal) and error.msg.key != TRY_AGAIN):
            log.warning("giving up job %s of match %s: %s", job.kind.value, job.table_id, name)
            if isinstance(error, ChannelGone):
                table = await self._services.queries.table(job.table_id)
                if table.status is Status.OPEN:
                    await self._services.lobby.give_up(table.id)
                elif table.status is Status.RUNNING:
                    self._problems.note_channel_deleted(table)
            await self._done(job)
            return
        if isinstance(error, discord.RateLimited) and error.retry_after < STORED_RATE_LIMIT_S:
            # Not counted as a failure, and no slot is held meanwhile.
            self._backlog.delay(job, error.retry_after * random.uniform(1.0, 1.2), failed=False)  # noqa: S311
            return
        if isinstance(error, TimeoutError) and job.kind is not JobKind.REVIEW:
            # Discord may carry out its request after those of the next try.
            await self._services.outbox.review(job.table_id)
        wait = error.retry_after if isinstance(error, discord.RateLimited) else retry_delay(job.tries)
        self._backlog.delay(job, wait)
        await self._services.outbox.failed(job, name, self._services.cache.clock() + wait)
        expected = isinstance(error, (*UNREACHED, ThreadLocked, DirectMessagesPaused))
        log.warning(
            "job %s of match %s failed: %s", job.kind.value, job.table_id, name, exc_info=not expected
        )
        if job.kind not in (JobKind.TURN, JobKind.REMIND, JobKind.FORGET, JobKind.GOODBYE):
            # A direct message's problem is private: the table must not learn of it.
            await self._problems.note(job, error)

    async def _done(self, job: Job) -> None:
        await self._services.outbox.done(job)
        self._backlog.remove(job)
        # Only after its row is gone, or it would be made again; a newer revision's film is being made.
        if job.kind is JobKind.FILM and self._filmed.get(job.table_id) == job.revision:
            del self._filmed[job.table_id]

    async def _play_computer(self, job: Job) -> None:
        await self._services.actions.play_computer(job.table_id)

    async def _turn(self, job: Job) -> None:
        if has_seat(await self._services.queries.table(job.table_id), job.seat):
            with_board = job.table_id in self._redrawn
            await self._surfaces.direct_messages.update(job.table_id, job.seat, with_board=with_board)


def store_reason(error: BaseException) -> str | None:
    """Return the message of a database error; ``None`` if anything else went wrong."""
    if isinstance(error, BaseExceptionGroup):
        reasons = [store_reason(each) for each in error.exceptions]
        return None if None in reasons else reasons[0]
    return str(error) if isinstance(error, StoreError) else None


def retry_delay(tries: int) -> float:
    """Return the seconds until the retry of a job that has failed ``tries`` times before."""
    # The exponent is capped too, or the power would overflow eventually.
    longest = min(MAX_RETRY_S, MIN_RETRY_S * 2.0 ** min(tries, 16))
    return longest * random.uniform(0.5, 1.0)  # noqa: S311 - it only spreads the retries
