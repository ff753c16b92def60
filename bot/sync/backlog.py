"""The outbox in memory: which jobs wait, and which of them are ready.

Only new jobs are read from the database. Waiting uses the event loop's clock, which nobody can set; wall time
counts only for deadlines. So a system clock that is set back delays no board.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from bot.domain.fair_queue import Ticket, Urgency
from bot.domain.jobs import DEFERRABLE, TIMED, Job, JobKind, QueuedJob

MAX_RETRY_S = 900.0
"""Maximum seconds until a failed job is retried."""


class Lane(Enum):
    """Kinds of work that do not block each other."""

    SHOWING = "showing"
    THINKING = "thinking"
    """Computer players."""
    FILMING = "filming"
    """Making films. A match is not busy meanwhile: its boards, even the last one, do not wait for it."""
    AFTERWARDS = "afterwards"
    """Work that nobody waits for, such as showing a film."""


LANES = {
    JobKind.SET_BACK: Lane.SHOWING,
    JobKind.FORGET: Lane.SHOWING,
    JobKind.COMPUTER: Lane.THINKING,
    JobKind.LOBBY: Lane.SHOWING,
    JobKind.THREAD: Lane.SHOWING,
    JobKind.BOARD: Lane.SHOWING,
    JobKind.OFFER: Lane.SHOWING,
    JobKind.OVERDUE: Lane.SHOWING,
    JobKind.MOTION: Lane.SHOWING,
    JobKind.SEAT_OFFER: Lane.SHOWING,
    JobKind.END: Lane.SHOWING,
    JobKind.FROZEN: Lane.SHOWING,
    JobKind.TURN: Lane.SHOWING,
    JobKind.REMIND: Lane.SHOWING,
    JobKind.GOODBYE: Lane.SHOWING,
    JobKind.LOOK: Lane.SHOWING,
    JobKind.THINK: Lane.THINKING,
    JobKind.INTERRUPT: Lane.THINKING,
    **dict.fromkeys(DEFERRABLE, Lane.AFTERWARDS),
}
"""The order of work within a match, and its lanes. Removing invalid messages comes first; computer players
that answer at once come before the board, so that one board shows what they did too. Those that think for a
while, or may merely interrupt, come after it: no board has to wait."""

ORDER = tuple(LANES)


def loop_time() -> float:
    """Return the event loop's time, in seconds from an arbitrary start."""
    return asyncio.get_running_loop().time()


@dataclass(frozen=True, slots=True)
class _Waiting:
    queued: QueuedJob
    ready: float
    """When it becomes ready: the loop's time, or Unix time for a timed job."""
    is_timed: bool


class Backlog:
    """All jobs of the outbox, by match."""

    def __init__(self, wall: Callable[[], float], monotonic: Callable[[], float] = loop_time) -> None:
        self._wall = wall
        self._monotonic = monotonic
        self.seen = 0
        """The newest revision that was read from the database."""
        self._jobs: dict[str, dict[tuple[JobKind, str], _Waiting]] = {}
        self._soon: dict[str, None] = {}
        """Matches whose jobs became ready on arrival, since the last :meth:`newly_ready`; in order."""
        self._pauses: list[tuple[float, str]] = []
        """When matches have a job to retry; it may be done by then. A heap, like the next one."""
        self._timed: list[tuple[float, str]] = []

    def clear(self) -> None:
        """Forget all jobs, so that they are read again."""
        self.seen = 0
        for each in (self._jobs, self._soon, self._pauses, self._timed):
            each.clear()

    def add(self, queued: QueuedJob) -> None:
        """Add a job from the database, in place of its older revision if there is one."""
        job = queued.job
        self.seen = max(self.seen, job.revision)
        if job.kind in TIMED:
            self._note(_Waiting(queued, queued.due, is_timed=True))
        else:
            # If it failed, that was before the last start, and the clock may have been set since.
            wait = min(MAX_RETRY_S, max(0.0, queued.due - self._wall())) if job.tries else 0.0
            self._note(_Waiting(queued, self._monotonic() + wait, is_timed=False))

    def has(self, job: Job) -> bool:
        """Return whether this revision of a job is known."""
        return self._find(job) is not None

    def waits(self, match: str) -> bool:
        """Return whether a match has jobs, ready or not."""
        return match in self._jobs

    def has_kind(self, match: str, kind: JobKind) -> bool:
        """Return whether a match has a job of a kind that has no target."""
        return (kind, "") in self._jobs.get(match, {})

    def has_awaited(self, match: str) -> bool:
        """Return whether somebody waits for one of a match's jobs."""
        return any(kind not in DEFERRABLE for kind, _ in self._jobs.get(match, ()))

    def drop(self, match: str) -> None:
        """Forget the jobs of a match: another process does them."""
        self._jobs.pop(match, None)

    def delay(self, job: Job, seconds: float, *, failed: bool = True) -> None:
        """Delay a job, unless it was enqueued again meanwhile; ``failed``: count a failed try."""
        waiting = self._find(job)
        if waiting is not None:
            queued = replace(waiting.queued, job=replace(job, tries=job.tries + failed))
            self._note(_Waiting(queued, self._monotonic() + seconds, is_timed=False))

    def remove(self, job: Job) -> None:
        """Forget a job that is done, unless it was enqueued again meanwhile."""
        if self.has(job):
            jobs = self._jobs[job.table_id]
            del jobs[job.kind, job.target]
            if not jobs:
                del self._jobs[job.table_id]

    def newly_ready(self) -> list[str]:
        """Return the matches with jobs that became ready since the last call."""
        found, self._soon = self._soon, {}
        for heap, now in self._clocks():
            while heap and heap[0][0] <= now:
                found[heapq.heappop(heap)[1]] = None
        return list(found)

    def ready(self, match: str) -> list[QueuedJob]:
        """Return the jobs of a match that are ready, in order."""
        monotonic, wall = self._monotonic(), self._wall()
        waiting = self._jobs.get(match, {}).values()
        ready = [each.queued for each in waiting if each.ready <= (wall if each.is_timed else monotonic)]
        return sorted(ready, key=lambda queued: ORDER.index(queued.job.kind))

    def seconds_until_ready(self, longest: float) -> float:
        """Return the seconds until a job becomes ready, at most ``longest``."""
        waits = [heap[0][0] - now for heap, now in self._clocks() if heap]
        return max(0.0, min([longest, *waits]))

    def _find(self, job: Job) -> _Waiting | None:
        found = self._jobs.get(job.table_id, {}).get((job.kind, job.target))
        return found if found is not None and found.queued.job.revision == job.revision else None

    def _note(self, waiting: _Waiting) -> None:
        job = waiting.queued.job
        self._jobs.setdefault(job.table_id, {})[job.kind, job.target] = waiting
        if waiting.ready <= (self._wall() if waiting.is_timed else self._monotonic()):
            self._soon[job.table_id] = None
        else:
            heap = self._timed if waiting.is_timed else self._pauses
            heapq.heappush(heap, (waiting.ready, job.table_id))

    def _clocks(self) -> Iterator[tuple[list[tuple[float, str]], float]]:
        yield self._pauses, self._monotonic()
        yield self._timed, self._wall()


def ticket_for(jobs: Sequence[QueuedJob]) -> Ticket:
    """Return the ticket with which a match queues for these jobs."""
    first = jobs[0]
    if first.is_live or any(queued.job.kind is not JobKind.LOBBY for queued in jobs):
        urgency = Urgency.LIVE
    else:
        urgency = Urgency.TABLE if first.is_open else Urgency.PAST
    return Ticket(first.job.table_id, first.channel_id, first.host, urgency)
