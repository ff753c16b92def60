"""Freed memory, returned to the system: the C library keeps it unless told otherwise."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

LARGE = 64 << 10
"""Bytes from which a block gets pages of its own: pictures, requests that carry them, films."""

_MMAP_THRESHOLD = -3
"""The number of this setting in glibc's <malloc.h>."""


def unmap_large_blocks() -> None:
    """Return each large block of this process to the system once it is freed, if the C library can.

    Among small blocks, which last, they would leave ever more holes: the C library allocates larger and
    larger blocks among the small ones once a few of them have been freed.
    """
    _call("mallopt", _MMAP_THRESHOLD, LARGE)


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
