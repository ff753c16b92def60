"""The sandbox clock: real time plus an offset that only grows; timers and waits follow it."""

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
    """A callback that is due at a moment of the sandbox clock."""

    when: float
    number: int
    callback: Callable[[], None] = field(compare=False)
    cancelled: bool = field(default=False, compare=False)

    def cancel(self) -> None:
        """Do not run the callback."""
        self.cancelled = True


class Clock:
    """Time in seconds since 1970; `advance` moves it and runs what has become due."""

    def __init__(self, file: Path | None = None) -> None:
        """`file` holds how far the clock is ahead, for a bot beside the sandbox: text, in seconds."""
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
        """Whether a bot beside the sandbox can read how far this clock is ahead."""
        return self._file is not None

    @property
    def offset(self) -> float:
        """Seconds by which the clock was moved so far."""
        return self._offset

    def advance(self, seconds: float) -> float:
        """Move the clock forward, run the timers that are due, and return the new time.

        ValueError: backward, or for ever.
        """
        if not 0 <= seconds < float("inf"):
            msg = "the clock moves forward by a finite number of seconds"
            raise ValueError(msg)
        self._offset += seconds
        if self._file is not None:
            # Replaced as a whole: whoever reads it meanwhile reads the old number or the new one.
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
        """Wait until the sandbox time is so many seconds later."""
        if seconds > 0:
            due = asyncio.Event()
            self.call_at(self.now() + seconds, due.set)
            await due.wait()

    def close(self) -> None:
        """Forget all timers."""
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
            # Long waits are cut: loops limit what call_later takes, and the clock may be moved meanwhile.
            self._handle = asyncio.get_running_loop().call_later(min(delay, 3600.0), self._fire)


def iso(moment: float) -> str:
    """Write a moment as Discord does: ISO 8601 with microseconds and offset."""
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="microseconds")
