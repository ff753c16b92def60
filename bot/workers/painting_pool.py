"""Painting off the event loop, in worker processes. Finished pictures are cached in memory only.

A request holds everything that its picture shows. Identical requests are painted once, however many callers
wait, and not at all if no caller still wants the picture when its turn comes. The queue is bounded: if it is
full, or if a painter fails (one log line), the caller shows text instead. Waiting times are logged.

Slow jobs (films, moving pictures) and background jobs (warming up) share one separate process, the slow
painter, which does one job at a time and ends when it is idle.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import pickle
import statistics
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from bot.workers import painter
from bot.workers.painter import AnyPaintRequest, ReelRequest, WarmJob, brush
from bot.workers.pool import WorkerPool, WorkFailed
from bot.workers.worker import NOTES, Note
from renderers.core.caches import MIB, Bounded
from renderers.core.contract import Picture, Table

log = logging.getLogger(__name__)

PICTURE_TIMEOUT_S = 20.0
"""Timeout in seconds for painting a picture; its process is then killed."""

REEL_START_WAIT = 0.1
"""Seconds that a board waits for the process of moving pictures: meanwhile it holds a place of the outbox."""

REEL_WAIT = 3.0
"""Seconds that a board waits for the moving picture of its round before it is posted without it."""

FILM_TIMEOUT_S = 120.0
"""Timeout in seconds for a film, a moving picture or a warm-up job."""

QUEUE = 32
"""Maximum pictures waiting for a process: about a second of work."""

MAX_QUEUE_WAIT_S = 1.5
"""Maximum seconds that a picture waits for a process while a person is looking at the screen."""

PICTURE_CACHE_BYTES = 8 * MIB
"""Bytes of finished pictures cached in memory: about eighty pictures."""

LIFE = 5_000
"""Pictures after which a painter is replaced, about three minutes at full load: its memory use creeps up."""

REST = 120.0
"""Idle seconds after which the slow painter is ended."""

SLOW_CACHE_SHARE = 4
"""Divisor of the slow painter's memory cache: all that it paints is public, and so is cached on disk."""

QUIET = 1.0
"""Seconds without a picture before a painter helps to warm up."""

FIGURES_INTERVAL_S = 60.0
"""Interval in seconds between two log lines of queue figures."""

WAITS = 65_536
"""Maximum waiting times kept between two log lines."""

Brush: TypeAlias = Callable[[bytes], Picture]
Wanted: TypeAlias = Callable[[], bool]


def always() -> bool:
    """Want the picture, however late it comes."""
    return True


@dataclass(slots=True)
class QueueFigures:
    """Queue statistics since the last log line. They name no match."""

    waits: list[float] = field(default_factory=list)
    """Seconds from request to start of painting, per painted picture."""
    deepest: int = 0
    """The most pictures pending at once."""
    overtaken: int = 0
    """Pictures cancelled, or no longer wanted when their turn came: a newer one had overtaken them."""
    refused: int = 0
    """Pictures for which the queue was too long: their pages were shown as text."""
    unmoved: int = 0
    """Boards posted without the moving picture of their round: its process was busy or slow."""

    def waited(self, seconds: float) -> None:
        """Record how long a picture waited for its turn."""
        if len(self.waits) < WAITS:
            self.waits.append(seconds)

    def line(self) -> str:
        """Format the figures as one line; empty if nothing happened."""
        if not (self.waits or self.overtaken or self.refused or self.unmoved):
            return ""
        waits = sorted(self.waits) or [0.0]
        middle, late, last = statistics.median(waits), waits[len(waits) * 99 // 100], waits[-1]
        return (
            f"pictures: {len(self.waits)} painted after {1e3 * middle:.0f} ms (median), "
            f"{1e3 * late:.0f} ms (99%), {1e3 * last:.0f} ms (longest); "
            f"{self.deepest} at once, {self.overtaken} overtaken, {self.refused} left to words, "
            f"{self.unmoved} boards without their moving picture"
        )


@dataclass(slots=True)
class _Underway:
    """A pending picture: its task, how many callers await it, and checks whether they still want it."""

    task: asyncio.Task[Picture | None]
    wanted: list[Wanted]
    waiting: int = 0


def painting(cache: Path | None, share: int = 1, fonts: Path | None = None) -> tuple[str, ...]:
    """Return the command of a painting process whose caches use 1/``share`` of the usual memory."""
    return ("painter", str(share), *("" if path is None else str(path) for path in (cache, fonts)))


class PaintingPool:
    """Paints pictures in worker processes. Use it as an asynchronous context manager.

    ``cache``: the folder of scenes and sprites; ``None``: do not cache them. ``fonts``: a folder of further
    fonts for names. ``warm``: start all processes at once and paint something of every game, so that nobody
    waits for it later. ``hurry`` and ``patience``: seconds instead of :data:`MAX_QUEUE_WAIT_S` and
    :data:`PICTURE_TIMEOUT_S`.
    """

    def __init__(
        self,
        *,
        workers: int = 2,
        kept: int = PICTURE_CACHE_BYTES,
        queue: int = QUEUE,
        hurry: float | None = None,
        patience: float | None = None,
        paint_with: Brush = brush,
        cache: Path | None = None,
        fonts: Path | None = None,
        warm: bool = False,
    ) -> None:
        self._workers = workers
        self._most = workers + queue
        self._hurry = MAX_QUEUE_WAIT_S if hurry is None else hurry
        self.patience = PICTURE_TIMEOUT_S if patience is None else patience
        self._brush = paint_with
        self._warms = warm
        self.painters = WorkerPool(workers, painting(cache, fonts=fonts), life=LIFE)
        self.slow_painter = WorkerPool(1, painting(cache, SLOW_CACHE_SHARE, fonts), rest=REST)
        """The process for jobs that must not delay a picture: films, moving pictures, warming up."""
        self.finished: Bounded[Picture] = Bounded(kept, lambda picture: len(picture.data))
        """Finished pictures, by the digest of their request."""
        self._underway: dict[bytes, _Underway] = {}
        self._limits: set[asyncio.Timeout] = set()
        self._end: float | None = None
        """Deadline for all pictures in a hurry, by the loop's clock; ``None``: no deadline."""
        self._warming: asyncio.Task[None] | None = None
        self._reel: asyncio.Task[Picture | None] | None = None
        """The moving picture started last; there is one process for them."""
        self._painted = 0.0
        """When the last picture was finished or given up, by the loop's clock."""
        self._telling: asyncio.Task[None] | None = None
        self.figures = QueueFigures()
        self._told: set[Note] = set()

    async def __aenter__(self) -> PaintingPool:
        if self._warms:
            self.painters.start_all()
            self._warming = asyncio.create_task(self._warm_up(), name="warming up")
        self._telling = asyncio.create_task(self._tell_figures(), name="the painters' queue")
        return self

    async def __aexit__(self, *_: object) -> None:
        tasks: list[asyncio.Task[Any]] = [each.task for each in self._underway.values()]
        tasks += [task for task in (self._warming, self._telling, self._reel) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, self.painters.close(), self.slow_painter.close(), return_exceptions=True)

    async def paint(self, request: AnyPaintRequest, wanted: Wanted | None = None) -> Picture | None:
        """Paint a picture, or take it from the cache; ``None``: it could not be painted.

        Pass ``wanted`` if a person is looking at the screen; it is called when the picture's turn comes. Such
        a picture is skipped (``None``) if it is no longer wanted, or would come too late
        (:data:`MAX_QUEUE_WAIT_S`, :data:`QUEUE`).
        """
        # The packed request's digest is the cache key of the finished picture.
        packed = pickle.dumps(request)
        key = hashlib.sha256(packed).digest()
        found = self.finished.find(key)
        if found is not None:
            return found
        underway = self._underway.get(key)
        if underway is None:
            hurried = wanted is not None
            if hurried and len(self._underway) >= self._most:
                self.figures.refused += 1
                return None
            underway = self._begin(key, request, packed, hurried=hurried)
        underway.wanted.append(wanted or always)
        return await self._awaited(key, underway)

    def _begin(self, key: bytes, request: AnyPaintRequest, packed: bytes, *, hurried: bool) -> _Underway:
        wanted: list[Wanted] = []
        longest = self._hurry if hurried else None
        work = self._finish(key, request, packed, wanted, longest)
        task = asyncio.create_task(self._hurried(work) if hurried else work)
        underway = self._underway[key] = _Underway(task, wanted)
        task.add_done_callback(partial(self._forget, key, underway))
        self.figures.deepest = max(self.figures.deepest, len(self._underway))
        return underway

    async def _hurried(self, work: Coroutine[Any, Any, Picture | None]) -> Picture | None:
        try:
            async with asyncio.timeout_at(self._end) as limit:
                self._limits.add(limit)
                try:
                    return await work
                finally:
                    self._limits.discard(limit)
        except TimeoutError:
            return None

    def end_hurry(self, seconds: float | None) -> None:
        """Give up pictures in a hurry that are not finished within ``seconds``; ``None``: lift this limit.

        Called when a client stops: its answers must go out first, as text rather than not at all.
        """
        self._end = None if seconds is None else asyncio.get_running_loop().time() + seconds
        for limit in self._limits:
            limit.reschedule(self._end)

    def _forget(self, key: bytes, underway: _Underway, _: object = None) -> None:
        self._painted = asyncio.get_running_loop().time()
        if self._underway.get(key) is underway:
            del self._underway[key]

    async def _awaited(self, key: bytes, underway: _Underway) -> Picture | None:
        underway.waiting += 1
        try:
            # Other callers may wait for the same picture: cancelling one must not cancel the task.
            return await asyncio.shield(underway.task)
        except asyncio.CancelledError:
            if underway.waiting == 1:
                underway.task.cancel()
                self._forget(key, underway)
                self.figures.overtaken += 1
            raise
        finally:
            underway.waiting -= 1

    async def _wait_for_process(self, wanted: list[Wanted], longest: float | None) -> bool:
        asked = time.monotonic()
        try:
            async with asyncio.timeout(longest):
                # Boards go first: all players wait for them, and the outbox limits how many there are.
                await self.painters.free.acquire(first=longest is None)
        except TimeoutError:
            self.figures.refused += 1
            return False
        if not any(each() for each in wanted):
            self.figures.overtaken += 1
            self.painters.free.release()
            return False
        self.figures.waited(time.monotonic() - asked)
        return True

    async def _finish(
        self, key: bytes, request: AnyPaintRequest, packed: bytes, wanted: list[Wanted], longest: float | None
    ) -> Picture | None:
        if not await self._wait_for_process(wanted, longest):
            return None
        try:
            picture: Picture = await self._work(self.painters, self.patience, self._brush, packed)
        except Exception as error:  # whatever a painter raises, people get the board as text
            log.error("picture %s of %s failed: %s", request.key, request.game, _name(error))
            return None
        self.finished.put(key, picture)
        return picture

    async def film(self, replay: Mapping[str, Any], table: Table) -> Picture | None:
        """Make the film of a match from its replay file; ``None`` if that fails."""
        try:
            await self.slow_painter.free.acquire()
            film: Picture = await self._work(
                self.slow_painter, FILM_TIMEOUT_S, painter.film, dict(replay), table
            )
        except Exception as error:
            log.error("film of a match of %s failed: %s", replay.get("game"), _name(error))
            return None
        return film

    async def reel(self, request: ReelRequest) -> Picture | None:
        """Return a moving picture of what just happened.

        ``None``: nothing moves in it, it could not be painted, it took too long (:data:`REEL_WAIT`), or the
        process is busy (:data:`REEL_START_WAIT`). A late one is cached for the next edit.
        """
        packed = pickle.dumps(request)
        key = hashlib.sha256(packed).digest()
        found = self.finished.find(key)
        if found is not None:
            return found
        try:
            async with asyncio.timeout(REEL_START_WAIT):
                await self.slow_painter.free.acquire()
            work = self._keep_reel(key, request.game, packed)
            self._reel = asyncio.create_task(work, name="a moving picture")
            async with asyncio.timeout(REEL_WAIT):
                # After the timeout the process finishes its work: a fresh process would take even longer.
                return await asyncio.shield(self._reel)
        except TimeoutError:
            self.figures.unmoved += 1
            return None

    async def _keep_reel(self, key: bytes, game: str, packed: bytes) -> Picture | None:
        try:
            picture: Picture | None = await self._work(
                self.slow_painter, FILM_TIMEOUT_S, painter.reel, packed
            )
        except Exception as error:
            log.warning("moving picture of a round of %s failed: %s", game, _name(error))
            return None
        if picture is not None:
            self.finished.put(key, picture)
        return picture

    async def warmed(self) -> None:
        """Wait until warming up has finished or failed."""
        if self._warming is not None:
            await self._warming

    async def _warm_up(self) -> None:
        # Everything painted here goes into the disk cache.
        try:
            await self.slow_painter.free.acquire()
            jobs: list[WarmJob] = await self._work(self.slow_painter, FILM_TIMEOUT_S, painter.warm_jobs)
            left = iter(jobs)
            async with asyncio.TaskGroup() as group:
                group.create_task(self._warm_with(self.slow_painter, left))
                # One painter helps, if another one is left for pictures.
                if self._workers > 1:
                    group.create_task(self._warm_with(self.painters, left, QUIET))
            await self.slow_painter.end_idle()
        except Exception as error:  # anything not warmed up is painted on demand
            log.warning("warm-up incomplete: %s", _name(error))
        else:
            log.info("warm-up complete")

    async def _warm_with(self, pool: WorkerPool, left: Iterator[WarmJob], quiet: float = 0.0) -> None:
        """Do jobs from the shared iterator one at a time, only while no picture is pending.

        ``quiet``: seconds without a picture to wait for before each job.
        """
        loop = asyncio.get_running_loop()
        while True:
            while self._underway or loop.time() < self._painted + quiet:
                tasks = [each.task for each in self._underway.values()]
                await (asyncio.wait(tasks) if tasks else asyncio.sleep(quiet))
            if (job := next(left, None)) is None:
                return
            await pool.free.acquire()
            await self._work(pool, FILM_TIMEOUT_S, painter.warm, job)

    async def _work(self, pool: WorkerPool, patience: float, work: Callable[..., Any], *given: Any) -> Any:
        answer = await pool.work(patience, work, *given)
        self._tell(answer.notes)
        return answer.made

    def _tell(self, notes: tuple[Note, ...]) -> None:
        # Log each text once: all processes run into the same problems.
        for note in notes:
            if note not in self._told and len(self._told) < NOTES:
                self._told.add(note)
                logging.getLogger(note.logger).log(note.level, "%s", note.text)

    async def _tell_figures(self) -> None:
        while True:
            await asyncio.sleep(FIGURES_INTERVAL_S)
            line, self.figures = self.figures.line(), QueueFigures()
            if line:
                log.info("%s", line)


def _name(error: Exception) -> str:
    return str(error) if isinstance(error, WorkFailed) else type(error).__name__
