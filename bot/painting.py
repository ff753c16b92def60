"""Painting off the event loop: processes that paint, finished pictures in memory only.

A picture is asked for with all that it is made of. The same request is painted once, however
many wait for it. A painter that fails costs one line in the log; the caller shows text instead.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import multiprocessing
import os
import pickle
import signal
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from engines.core.contract import Menu, Words
from renderers.core.contract import Picture, Table
from renderers.core.registry import renderer, renderers_by_game

log = logging.getLogger(__name__)

PATIENCE = 20.0
"""Seconds after which a picture is given up and its process with it."""

KEPT = 256
"""Finished pictures kept in memory."""


@dataclass(frozen=True, slots=True)
class Request:
    """One picture: which game, which of its pictures, and all that it shows."""

    game: str
    key: str
    table: Table = field(repr=False)
    view: Any = field(repr=False)
    draft: Words = field(default=(), repr=False)
    menu: Menu | None = field(default=None, repr=False)


Brush: TypeAlias = Callable[[bytes], Picture]


def brush(packed: bytes) -> Picture:
    """Paint a packed :class:`Request`; runs in a process of its own."""
    request: Request = pickle.loads(packed)  # noqa: S301 - packed by this very program, a moment ago
    return renderer(request.game).paint(request.view, request.key, request.table, request.draft, request.menu)


def _prepare() -> None:
    """Make a painting process ready: it leaves Ctrl-C to its parent and never outlives it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    renderers_by_game()


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


class Painter:
    """Paints pictures in processes of its own. Use it as an asynchronous context manager."""

    def __init__(
        self,
        *,
        workers: int = 2,
        kept: int = KEPT,
        patience: float = PATIENCE,
        paint_with: Brush = brush,
    ) -> None:
        self._workers = workers
        self._kept = kept
        self._patience = patience
        self._brush = paint_with
        self._pool = self._new_pool()
        self._finished: OrderedDict[bytes, Picture] = OrderedDict()
        self._underway: dict[bytes, asyncio.Task[Picture | None]] = {}

    async def __aenter__(self) -> Painter:
        self._warm(self._pool)
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._underway.values():
            task.cancel()
        self._discard(self._pool)

    async def paint(self, request: Request) -> Picture | None:
        """Return the picture, or ``None`` where it could not be painted."""
        packed = pickle.dumps(request)
        key = hashlib.sha256(packed).digest()
        found = self._finished.get(key)
        if found is not None:
            self._finished.move_to_end(key)
            return found
        task = self._underway.get(key)
        if task is None:
            task = asyncio.create_task(self._finish(key, request, packed))
            self._underway[key] = task
            task.add_done_callback(lambda _: self._underway.pop(key, None))
        return await asyncio.shield(task)

    async def _finish(self, key: bytes, request: Request, packed: bytes) -> Picture | None:
        try:
            picture = await self._in_process(packed)
        except Exception as error:  # whatever a painter throws, the people get a board in words
            log.error("no picture %s of %s: %s", request.key, request.game, type(error).__name__)
            return None
        self._finished[key] = picture
        while len(self._finished) > self._kept:
            self._finished.popitem(last=False)
        return picture

    async def _in_process(self, packed: bytes) -> Picture:
        """Paint in a process; a pool that broke is replaced, and the picture tried once more."""
        for attempt in (1, 2):
            pool = self._pool
            try:
                job = asyncio.get_running_loop().run_in_executor(pool, self._brush, packed)
                return await asyncio.wait_for(job, self._patience)
            except (BrokenProcessPool, TimeoutError) as error:
                self._replace(pool)
                if attempt == 2 or isinstance(error, TimeoutError):
                    raise
        raise AssertionError("unreachable")

    def _replace(self, broken: ProcessPoolExecutor) -> None:
        if self._pool is broken:
            self._discard(broken)
            self._pool = self._new_pool()

    def _warm(self, pool: ProcessPoolExecutor) -> None:
        """Start the processes now, so that the first picture does not wait for them."""
        for _ in range(self._workers):
            pool.submit(os.getpid)

    def _new_pool(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._workers, mp_context=context, initializer=_prepare)

    @staticmethod
    def _discard(pool: ProcessPoolExecutor) -> None:
        """Let go of a pool without waiting for a process that may never finish."""
        pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.kill()
