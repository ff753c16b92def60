"""Planted mistakes: a check that passes must fail once a mistake is planted."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache


@cache
def passes(check: Callable[[], None]) -> bool:
    """Return whether a check passes without a planted mistake; computed once per check."""
    check()
    return True
