"""The sandbox clock: real time plus an offset that only grows. Timers and waits follow it."""

import asyncio
import heapq
import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path


@dataclass(slots=True, order=True)
class Timer:
    """A callback that is due at a time of the sandbox clock."""

    when: float
    number: int
    callback: Callable[[], None] = field(compare=False)
    cancelled: bool = field(default=False, compare=False)

    def cancel(self) -> None:
        """Cancel the callback."""
        self.cancelled = True


class Clock:
    """Unix time in seconds; `advance` moves it forward and runs the timers that become due."""

    def __init__(self, file: Path | None = None) -> None:
        """`file` tells a bot in another process how far the clock is ahead: seconds, as text."""
        self._offset = 0.0
        self._file = file
        self._timers: list[Timer] = []
        self._numbers = itertools.count()
        self._handle: asyncio.TimerHandle | None = None

    def now(self) -> float:
        """Return the sandbox time."""
        return time.time() + self._offset

    @property
    def has_file(self) -> bool:
        """Whether a bot in another process can read how far this clock is ahead."""
        return self._file is not None

    @property
    def offset(self) -> float:
        """Seconds by which the clock has been moved so far."""
        return self._offset

    def advance(self, seconds: float) -> float:
        """Move the clock forward, run the timers that are due, and return the new time.

        ValueError: `seconds` is negative or infinite.
        """
        if not 0 <= seconds < float("inf"):
            msg = "the clock moves forward by a finite number of seconds"
            raise ValueError(msg)
        self._offset += seconds
        if self._file is not None:
            # Replaced as a whole, so that a reader gets the old number or the new one.
            fresh = self._file.with_name(self._file.name + ".new")
            fresh.write_text(str(self._offset), "ascii")
            fresh.replace(self._file)
        self._fire()
        return self.now()

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """Run `callback` once when the sandbox time reaches `when`."""
        timer = Timer(when, next(self._numbers), callback)
        heapq.heappush(self._timers, timer)
        self._arm()
        return timer

    async def sleep(self, seconds: float) -> None:
        """Wait for seconds of sandbox time."""
        if seconds > 0:
            due = asyncio.Event()
            self.call_at(self.now() + seconds, due.set)
            await due.wait()

    def close(self) -> None:
        """Drop all timers."""
        self._timers.clear()
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _fire(self) -> None:
        while self._timers and (self._timers[0].cancelled or self._timers[0].when <= self.now()):
            timer = heapq.heappop(self._timers)
            if not timer.cancelled:
                timer.callback()
        self._arm()

    def _arm(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        if self._timers:
            delay = max(0.0, self._timers[0].when - self.now())
            # Long waits are split: call_later takes no longer ones, and the clock may be moved meanwhile.
            self._handle = asyncio.get_running_loop().call_later(min(delay, 3600.0), self._fire)


def iso(moment: float) -> str:
    """Format a Unix time as Discord does: ISO 8601 with microseconds and offset."""
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="microseconds")
