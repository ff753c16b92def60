"""How much work something is, counted in calls rather than seconds: the same on a busy machine."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TooManyStepsError(AssertionError):
    """More was called than was allowed."""


class Steps:
    """Calls so far."""

    taken = 0


@contextmanager
def at_most(most: int) -> Iterator[Steps]:
    """Count the functions that are called within the block, built-in ones too; fail at one too many."""
    steps = Steps()

    def count(_frame: FrameType, event: str, _arg: object) -> None:
        if event in ("call", "c_call"):
            steps.taken += 1
            if steps.taken > most:
                sys.setprofile(None)
                raise TooManyStepsError(most)

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield steps
    finally:
        sys.setprofile(before)
