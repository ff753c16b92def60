"""Painting off the event loop, in processes of its own. Finished pictures are kept in memory only.

A request holds everything that its picture shows. The same request is painted once, however many wait
for it, and not at all if nobody wants it any more when its turn comes. The queue is bounded: if it is full,
or if a painter fails (one line in the log), the caller shows text instead. The log tells how long pictures
wait.

What takes longer (films, moving pictures) and what nobody waits for (warming up) has a process of its own,
one job at a time, which ends when there is nothing more to do.
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

from bot.processes.crew import Crew, WorkFailed
from bot.processes.wire import NOTES, Note
from bot.rendering import worker
from bot.rendering.worker import AnyPaintRequest, ReelRequest, WarmJob, brush
from renderers.core.caches import MIB, Bounded
from renderers.core.contract import Picture, Table

log = logging.getLogger(__name__)

PATIENCE = 20.0
"""Seconds of painting after which a picture is given up and its process killed."""

REEL_START_WAIT = 0.1
"""Seconds that a board waits for the process that paints moving pictures: it holds a place of the outbox."""

REEL_WAIT = 3.0
"""Seconds that a board waits for the moving picture of its round; after that it is posted without."""

FILM_PATIENCE = 120.0
"""The same for a film."""

QUEUE = 32
"""Pictures that wait for a process, at most: a second of work."""

HURRY = 1.5
"""Seconds that a picture waits for a process at most where somebody looks at the screen meanwhile."""

KEPT = 8 * MIB
"""Bytes of finished pictures that are kept in memory: some eighty."""

LIFE = 5_000
"""Pictures after which a painter is renewed, about three minutes of a full house: its memory creeps up."""

REST = 120.0
"""Seconds without a film, a moving picture or warming up after which their process is ended."""

ASIDE = 4
"""How much less that process keeps in memory: what it paints is for everybody, and so is on the disk."""

QUIET = 1.0
"""Seconds without a picture after which a painter helps to warm up."""

EVERY = 60.0
"""Seconds between two lines of the log."""

WAITS = 65_536
"""Waits that are remembered between two lines at most."""

Brush: TypeAlias = Callable[[bytes], Picture]
Wanted: TypeAlias = Callable[[], bool]


def always() -> bool:
    """Return that a picture is wanted, however late it comes."""
    return True


@dataclass(slots=True)
class QueueFigures:
    """What happened in the queue since the last line of the log. It names no match."""

    waits: list[float] = field(default_factory=list)
    """Seconds from the request to the start of painting, for each picture that was painted."""
    deepest: int = 0
    """Pictures requested at once, at most."""
    overtaken: int = 0
    """Pictures that nobody wanted any more when their turn came: a newer one had overtaken them."""
    refused: int = 0
    """Pictures for which the queue was too long: their pages were shown in words."""
    unmoved: int = 0
    """Boards that were posted without the moving picture of their round: its process was busy, or slow."""

    def waited(self, seconds: float) -> None:
        """Note a picture whose turn came."""
        if len(self.waits) < WAITS:
            self.waits.append(seconds)

    def line(self) -> str:
        """Return the figures on one line; empty if nothing happened."""
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
    """A picture that was requested, how many wait for it, and whether any of them still wants it."""

    task: asyncio.Task[Picture | None]
    wanted: list[Wanted]
    waiting: int = 0


def painting(cache: Path | None, share: int = 1, fonts: Path | None = None) -> tuple[str, ...]:
    """Return the command of a painting process, which keeps one part in ``share`` of the memory it may."""
    return ("bot.rendering", str(share), *("" if path is None else str(path) for path in (cache, fonts)))


class RenderPool:
    """Paints pictures in processes of its own. Use it as an asynchronous context manager.

    ``cache``: the folder of scenes and sprites; ``None``: they are not kept. ``fonts``: a folder of further
    fonts for names. ``warm``: start all
    processes at once and paint something of every game, so that nobody waits for it later. ``hurry`` and
    ``patience``: seconds instead of :data:`HURRY` and :data:`PATIENCE`.
    """

    def __init__(
        self,
        *,
        workers: int = 2,
        kept: int = KEPT,
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
        self._hurry = HURRY if hurry is None else hurry
        self.patience = PATIENCE if patience is None else patience
        self._brush = paint_with
        self._warms = warm
        self.painters = Crew(workers, painting(cache, fonts=fonts), life=LIFE)
        self.aside = Crew(1, painting(cache, ASIDE, fonts), rest=REST)
        """Does what must not hold up a picture."""
        self.finished: Bounded[Picture] = Bounded(kept, lambda picture: len(picture.data))
        """Finished pictures, by the digest of their request."""
        self._underway: dict[bytes, _Underway] = {}
        self._limits: set[asyncio.Timeout] = set()
        self._end: float | None = None
        """The moment from which on nobody is kept waiting for a picture, by the loop's clock."""
        self._warming: asyncio.Task[None] | None = None
        self._reel: asyncio.Task[Picture | None] | None = None
        """The moving picture that was begun last; there is one process for them."""
        self._painted = 0.0
        """When the last picture was done or given up, by the loop's clock."""
        self._telling: asyncio.Task[None] | None = None
        self.figures = QueueFigures()
        self._told: set[Note] = set()

    async def __aenter__(self) -> RenderPool:
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
        await asyncio.gather(*tasks, self.painters.close(), self.aside.close(), return_exceptions=True)

    async def paint(self, request: AnyPaintRequest, wanted: Wanted | None = None) -> Picture | None:
        """Return the picture, or ``None`` if it could not be painted.

        ``wanted`` is given where somebody looks at the screen meanwhile, and is asked when the picture's
        turn comes. Such a picture is not painted (``None``) if it is not wanted any more, or would come
        too late (:data:`HURRY`, :data:`QUEUE`).
        """
        # The packed request is the key under which the finished picture is kept.
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
        """Give up pictures that somebody looks at the screen for, if they are not there in so many seconds.

        A client stops: its answers are to go out before, in words rather than not at all. ``None``: go on.
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
            # Others may wait for the same picture: whoever is cancelled leaves alone.
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
                # All who play wait for a board. There are few at a time: the outbox has a limit.
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
        except Exception as error:  # whatever a painter raises, people get a board in words
            log.error("no picture %s of %s: %s", request.key, request.game, _name(error))
            return None
        self.finished.put(key, picture)
        return picture

    async def film(self, replay: Mapping[str, Any], table: Table) -> Picture | None:
        """Return the film of a match from its replay file, or ``None`` if it cannot be made."""
        try:
            await self.aside.free.acquire()
            film: Picture = await self._work(self.aside, FILM_PATIENCE, worker.film, dict(replay), table)
        except Exception as error:
            log.error("no film of a match of %s: %s", replay.get("game"), _name(error))
            return None
        return film

    async def reel(self, request: ReelRequest) -> Picture | None:
        """Return a moving picture of what just happened.

        ``None``: nothing moves in it, or it cannot be painted, or not in time (:data:`REEL_WAIT`), or the
        process is busy (:data:`REEL_START_WAIT`). One that comes too late is kept for the next edit.
        """
        packed = pickle.dumps(request)
        key = hashlib.sha256(packed).digest()
        found = self.finished.find(key)
        if found is not None:
            return found
        try:
            async with asyncio.timeout(REEL_START_WAIT):
                await self.aside.free.acquire()
            work = self._keep_reel(key, request.game, packed)
            self._reel = asyncio.create_task(work, name="a moving picture")
            async with asyncio.timeout(REEL_WAIT):
                # The process goes on without its board: a fresh one would take longer still.
                return await asyncio.shield(self._reel)
        except TimeoutError:
            self.figures.unmoved += 1
            return None

    async def _keep_reel(self, key: bytes, game: str, packed: bytes) -> Picture | None:
        try:
            picture: Picture | None = await self._work(self.aside, FILM_PATIENCE, worker.reel, packed)
        except Exception as error:
            log.warning("no moving picture of a round of %s: %s", game, _name(error))
            return None
        if picture is not None:
            self.finished.put(key, picture)
        return picture

    async def warmed(self) -> None:
        """Wait until the warming up is done, or was given up."""
        if self._warming is not None:
            await self._warming

    async def _warm_up(self) -> None:
        # What is painted here is found in the folder afterwards.
        try:
            await self.aside.free.acquire()
            jobs: list[WarmJob] = await self._work(self.aside, FILM_PATIENCE, worker.warm_jobs)
            left = iter(jobs)
            async with asyncio.TaskGroup() as group:
                group.create_task(self._warm_with(self.aside, left))
                # One painter helps, where another one is free for pictures.
                if self._workers > 1:
                    group.create_task(self._warm_with(self.painters, left, QUIET))
            await self.aside.end_idle()
        except Exception as error:  # what is cold is painted when it is asked for
            log.warning("not everything is warm: %s", _name(error))
        else:
            log.info("the painters are warm")

    async def _warm_with(self, crew: Crew, left: Iterator[WarmJob], quiet: float = 0.0) -> None:
        """Do what is left, which others take from too: a little at a time, while nobody waits for a picture.

        ``quiet``: seconds without a picture that are waited for before each job.
        """
        loop = asyncio.get_running_loop()
        while True:
            while self._underway or loop.time() < self._painted + quiet:
                tasks = [each.task for each in self._underway.values()]
                await (asyncio.wait(tasks) if tasks else asyncio.sleep(quiet))
            if (job := next(left, None)) is None:
                return
            await crew.free.acquire()
            await self._work(crew, FILM_PATIENCE, worker.warm, job)

    async def _work(self, crew: Crew, patience: float, work: Callable[..., Any], *given: Any) -> Any:
        answer = await crew.work(patience, work, *given)
        self._tell(answer.notes)
        return answer.made

    def _tell(self, notes: tuple[Note, ...]) -> None:
        # Each text once: all processes meet the same trouble.
        for note in notes:
            if note not in self._told and len(self._told) < NOTES:
                self._told.add(note)
                logging.getLogger(note.logger).log(note.level, "%s", note.text)

    async def _tell_figures(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            line, self.figures = self.figures.line(), QueueFigures()
            if line:
                log.info("%s", line)


def _name(error: Exception) -> str:
    return str(error) if isinstance(error, WorkFailed) else type(error).__name__
