"""Memory: full garbage collections made rare, and freed memory returned to the system.

Reference counting frees nearly everything. For cycles, Python scans all objects again and again; with
1,000 matches that blocked the event loop for 0.4 s every ten seconds. So long-lived objects are frozen,
and scanned much less often.

What is freed, the C library keeps unless told otherwise.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

YOUNG_OBJECTS = 10_000
"""New objects per collection of the youngest generation. Python's own 700 are less than a click makes."""

FIRST_PAUSE_S = 15.0
"""Seconds until the first full collection; each interval after it is twice as long as the last."""

MAX_PAUSE_S = 300.0
"""Seconds between two full collections, at most."""

LARGE_BYTES = 64 << 10
"""Bytes from which a block gets pages of its own: pictures, requests that carry them, films."""

_MMAP_THRESHOLD = -3
"""The number of this setting in glibc's <malloc.h>."""


@asynccontextmanager
async def rare_full_collections(first: float = FIRST_PAUSE_S) -> AsyncIterator[None]:
    """Make full garbage collections rare within the block.

    Frozen objects stay frozen: a process that ends need not scan them once more.
    """
    from bot.runtime.background import alongside  # noqa: PLC0415 - workers import this module, without asyncio

    usual = gc.get_threshold()
    gc.set_threshold(YOUNG_OBJECTS, *usual[1:])
    try:
        async with alongside(_look_now_and_then(first), "looking for garbage"):
            yield
    finally:
        gc.set_threshold(*usual)


async def _look_now_and_then(pause: float) -> None:
    from asyncio import sleep  # noqa: PLC0415

    while True:
        await sleep(pause)
        set_aside()
        trim_heap()
        pause = min(2 * pause, MAX_PAUSE_S)


def set_aside() -> None:
    """Collect everything, then freeze what is left: collections skip it until the next call."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    # Python's next full collection depends on how much the last one left: now that is little.
    gc.collect()


def unmap_large_blocks() -> None:
    """Return each large block of this process to the system once it is freed, if the C library can.

    Among small blocks, which last, they would leave ever more holes: the C library allocates larger and
    larger blocks among the small ones once a few of them have been freed.
    """
    _call("mallopt", _MMAP_THRESHOLD, LARGE_BYTES)


def trim_heap() -> None:
    """Return other freed memory to the system now, if the C library can."""
    _call("malloc_trim", 0)


def _call(name: str, *arguments: int) -> None:
    function = getattr(_library(), name, None)
    if function is not None:  # other systems have other libraries
        function(*arguments)


@cache
def _library() -> Any:
    try:
        return ctypes.CDLL(None)
    except (OSError, TypeError):  # there is none to load
        return None
