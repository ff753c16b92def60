"""What the C library does with memory that is no longer used: it keeps it, unless told otherwise."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

LARGE = 64 << 10
"""Bytes from which on a block gets pages of its own: pictures, requests that carry them, films."""

_MMAP_THRESHOLD = -3
"""The number of this setting in glibc's <malloc.h>."""


def keep_large_apart() -> None:
    """Let each large block of this process go back to the system once it is gone, where that can be set.

    Among small ones, which last, they would leave ever more holes: the C library takes larger and larger
    blocks from among the small ones once it has seen a few of them go.
    """
    _call("mallopt", _MMAP_THRESHOLD, LARGE)


def give_back() -> None:
    """Give back now what is kept of the rest, where that can be done."""
    _call("malloc_trim", 0)


def _call(name: str, *arguments: int) -> None:
    function = getattr(_library(), name, None)
    if function is not None:  # other systems have other libraries
        function(*arguments)


@cache
def _library() -> Any:
    try:
        return ctypes.CDLL(None)
    except (OSError, TypeError):  # there is none to be asked
        return None
