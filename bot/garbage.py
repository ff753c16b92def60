"""The interpreter's search for garbage, made rare: what it looks through grows with the matches in memory.

Nearly everything goes when nobody refers to it any more. For what refers to itself, Python looks through
all objects again and again. With 1,000 matches that held everybody up for 0.4 s, every ten seconds. So what
has lasted is set aside, and looked through much less often.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.background import alongside
from bot.memory import give_back

YOUNG = 10_000
"""Objects that come until the youngest are looked through. Python's own 700 are less than a click makes."""

FIRST = 15.0
"""Seconds until all is looked through for the first time; twice as many until the next, and so on."""

LONGEST = 300.0
"""Seconds between two times, once some minutes have gone."""


@asynccontextmanager
async def seldom_collected(first: float = FIRST) -> AsyncIterator[None]:
    """Look through all objects seldom within the block.

    What was set aside stays so: a process that ends need not look through it once more.
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
        give_back()
        pause = min(2 * pause, LONGEST)


def set_aside() -> None:
    """Look through everything, and leave what there is out of all searches until the next call."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    # How soon the rest is looked through depends on how much the last search left: now that is little.
    gc.collect()
