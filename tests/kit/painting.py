"""A pool of painters without processes, and timeouts of tests for those with processes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from bot.workers import painting_pool, pool, thinking_pool
from bot.workers.painting_pool import PaintingPool
from bot.workers.pool import WorkerPool

PATIENT_WAIT_S = 3_600.0
"""Seconds; far more than painting takes, so that no test depends on it."""


NOT_NICE = (
    "import os, runpy, sys; os.nice = lambda _: 0; del sys.argv[0];"
    " runpy.run_module(sys.argv[0], run_name='__main__', alter_sys=True)"
)
"""Runs a module without lowering its priority: on a busy machine, it would never get its turn."""


def wait_for_workers() -> None:
    """Raise all timeouts for pictures and thinking, so that tests pass on busy machines.

    The queue's figures are not reset while a test reads them, either. Tests of timeouts set their own.
    """
    pool.RUN = ("-P", "-c", NOT_NICE)
    for name in (
        "MAX_QUEUE_WAIT_S",
        "PICTURE_TIMEOUT_S",
        "REEL_START_WAIT",
        "REEL_WAIT",
        "FILM_TIMEOUT_S",
        "FIGURES_INTERVAL_S",
    ):
        setattr(painting_pool, name, PATIENT_WAIT_S)
    for name in ("DECISION_TIMEOUT_S", "SIMPLE_PLAYER_TIMEOUT_S", "LOOK_BACK_TIMEOUT_S"):
        setattr(thinking_pool, name, PATIENT_WAIT_S)
    pool.START_TIMEOUT_S = PATIENT_WAIT_S


class Inline(PaintingPool):
    """Paints in a thread instead of processes: the pictures are the same, and tests are faster."""

    def __init__(self, **options: Any) -> None:
        patient: dict[str, Any] = {"hurry": PATIENT_WAIT_S, "patience": PATIENT_WAIT_S}
        super().__init__(**(patient | options))
        self._thread = ThreadPoolExecutor(1)

    async def __aenter__(self) -> Inline:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._thread.shutdown()

    async def _work(self, pool: WorkerPool, patience: float, work: Callable[..., Any], *given: Any) -> Any:
        try:
            job = asyncio.get_running_loop().run_in_executor(self._thread, work, *given)
            return await asyncio.wait_for(job, patience)
        finally:
            pool.free.release()
