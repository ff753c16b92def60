"""Full garbage collections, made rare: their cost grows with the matches in memory.

Reference counting frees nearly everything. For cycles, Python scans all objects again and again; with
1,000 matches that blocked the event loop for 0.4 s every ten seconds. So long-lived objects are frozen,
and scanned much less often.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.runtime.background import alongside
from bot.runtime.memory import trim_heap

YOUNG = 10_000
"""New objects per collection of the youngest generation. Python's own 700 are less than a click makes."""

FIRST = 15.0
"""Seconds until the first full collection; each interval after it is twice as long as the last."""

LONGEST = 300.0
"""Seconds between two full collections, at most."""


@asynccontextmanager
async def rare_full_collections(first: float = FIRST) -> AsyncIterator[None]:
    """Make full garbage collections rare within the block.

    Frozen objects stay frozen: a process that ends need not scan them once more.
    """
    usual = gc.get_threshold()
    gc.set_threshold(YOUNG, *usual[1:])
    try:
        async with alongside(_look_now_and_then(first), "looking for garbage"):
            yield
    finally:
        gc.set_threshold(*usual)


async def _look_now_and_then(pause: float) -> None:
    while True:
        await asyncio.sleep(pause)
        set_aside()
        trim_heap()
        pause = min(2 * pause, LONGEST)


def set_aside() -> None:
    """Collect everything, then freeze what is left: collections skip it until the next call."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    # Python's next full collection depends on how much the last one left: now that is little.
    gc.collect()
