"""What time it is: real time, or that of a sandbox whose clock was moved."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Timekeeper:
    """Wall time and monotonic time, both as far ahead as ``file`` says in seconds; ``None``: not at all."""

    file: Path | None = None

    def wall(self) -> float:
        """Return Unix time."""
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
            return 0.0  # nobody has moved it yet


REAL_TIME = Timekeeper()
