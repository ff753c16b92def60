"""Planting mistakes: a check that passes must fail once a mistake is planted."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache


@cache
def passes(check: Callable[[], None]) -> bool:
    """Return whether a check passes without a mistake: asked once for all that are planted for it."""
    check()
    return True
