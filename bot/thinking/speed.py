"""How far a level may think in this process, so that its answer comes by its floor on a slow machine too.

Nothing here goes by what is thought about. A lap is the same piece of work every time, and a level's longest
thought is bounded by counts: so the share of its budget follows from the machine alone.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import fmean

from engines.core.skill import Level

EFFORTS = (1.0, 1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32)
"""The shares of its budget that a level may use. Few, so that a decision can be found again."""

LONGEST_S = {Level.FIRST: 0.5, Level.MIDDLE: 1.5, Level.BEST: 5.0}
"""Seconds that the longest thought of a level takes with the whole budget, where a lap takes :data:`LAP_S`.

``python -m bench.players --work 24 --effort 1`` measures both, over truths that others cannot tell apart.
"""

LAP_S = 0.0035
"""Seconds that a lap takes on the machine on which the longest thoughts were measured."""

LAPS = 32
"""The latest laps, by whose mean a machine is judged: one alone may have been interrupted, or not."""

STEPS = 20_000
"""Steps of a lap."""


def lap() -> float:
    """Do a fixed piece of work; return the seconds that it has taken."""
    begun = time.perf_counter()
    found: dict[int, tuple[int, ...]] = {}
    for step in range(STEPS):
        found[step * step % 1_009] = (step, *found.get(step % 1_009, ())[:1])
    return time.perf_counter() - begun


@dataclass(slots=True)
class Speed:
    """How fast this process has been lately. ``run``: does a lap and returns its seconds."""

    run: Callable[[], float] = lap
    _laps: deque[float] = field(default_factory=lambda: deque(maxlen=LAPS))

    def share(self, level: Level, within_s: float) -> float:
        """Return the largest share of its budget with which a level answers in time; 0: none does."""
        self._laps.append(self.run())
        slowness = fmean(self._laps) / LAP_S
        return next((effort for effort in EFFORTS if effort * slowness * LONGEST_S[level] <= within_s), 0.0)
