"""How long pictures wait for a process, and how many are not painted."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field

EVERY = 60.0
"""Seconds between two lines of the log."""

WAITS = 65_536
"""Waits that are remembered between two lines at most."""


@dataclass(slots=True)
class QueueFigures:
    """What happened in the queue since the last line of the log. It names no match."""

    waits: list[float] = field(default_factory=list)
    """Seconds from the request to the start of painting, for each picture that was painted."""
    deepest: int = 0
    """Pictures requested at once, at most."""
    overtaken: int = 0
    """Pictures that nobody wanted any more when their turn came: a newer one had overtaken them."""
    refused: int = 0
    """Pictures for which the queue was too long: their pages were shown in words."""

    def waited(self, seconds: float) -> None:
        """Note a picture whose turn came."""
        if len(self.waits) < WAITS:
            self.waits.append(seconds)

    def line(self) -> str:
        """Return the figures on one line; empty if nothing happened."""
        if not (self.waits or self.overtaken or self.refused):
            return ""
        waits = sorted(self.waits) or [0.0]
        middle, late, last = statistics.median(waits), waits[len(waits) * 99 // 100], waits[-1]
        return (
            f"pictures: {len(self.waits)} painted after {1e3 * middle:.0f} ms (median), "
            f"{1e3 * late:.0f} ms (99%), {1e3 * last:.0f} ms (longest); "
            f"{self.deepest} at once, {self.overtaken} overtaken, {self.refused} left to words"
        )
