"""Work measured in function calls instead of seconds, and so independent of the machine."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TooManyStepsError(AssertionError):
    """More functions were called than allowed."""


class Steps:
    """The number of calls so far."""

    taken = 0


@contextmanager
def at_most(most: int) -> Iterator[Steps]:
    """Count the function calls within the block, including built-in functions; fail beyond the limit."""
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
