"""The memory of what is gone: the C library keeps it, and gives it back to the system only when told to."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache


def give_back() -> None:
    """Give it back now, where the C library can."""
    _trim()(0)


@cache
def _trim() -> Callable[[int], object]:
    try:
        return ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):  # other systems have other libraries
        return id
