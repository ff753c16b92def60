"""The time: real time, or that of a sandbox whose clock was moved."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path


def in_words(seconds: float) -> str:
    """Return a duration for operators: seconds below two minutes, else minutes."""
    return f"{seconds:.0f} seconds" if seconds < 120 else f"{seconds / 60:.0f} minutes"


class SteadyClock:
    """Wall time that advances evenly: when the machine's clock is set, it follows only on request.

    Until then no caller sees the change, so nothing is early or late because of it.
    """

    def __init__(self, wall: Callable[[], float], monotonic: Callable[[], float]) -> None:
        self._wall = wall
        self._monotonic = monotonic
        self._ahead: float | None = None
        """Seconds from monotonic to wall time."""

    def __call__(self) -> float:
        """Return Unix time."""
        if self._ahead is None:
            self._ahead = self._wall() - self._monotonic()
        return self._monotonic() + self._ahead

    def drift(self) -> float:
        """Return the seconds by which the machine's clock was set since this one last followed it."""
        return self._wall() - self()

    def follow(self, drift: float) -> None:
        """Jump by a drift that was measured."""
        self._ahead = self() + drift - self._monotonic()


class Timekeeper:
    """Wall time and monotonic time, both ahead by the seconds in ``file``; ``None``: not at all."""

    def __init__(self, file: Path | None = None) -> None:
        self.file = file
        self.steady = SteadyClock(self.wall, self.monotonic)
        """The clock that the use cases use."""

    def wall(self) -> float:
        """Return Unix time by the machine's clock."""
        return time.time() + self._ahead()

    def monotonic(self) -> float:
        """Return the event loop's time: nobody can set that clock, but a sandbox can move it."""
        return asyncio.get_running_loop().time() + self._ahead()

    def _ahead(self) -> float:
        if self.file is None:
            return 0.0
        try:
            return float(self.file.read_text("ascii"))
        except (OSError, ValueError):
            return 0.0  # not moved yet
