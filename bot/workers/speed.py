"""How much effort a level may use in this process, so that it answers within its floor on a slow machine too.

Nothing here depends on the position. A lap is a fixed piece of work, and a level's longest decision is
bounded by counts, so the share of its budget follows from the machine alone.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import fmean

from engines.core.skill import Level

EFFORTS = (1.0, 1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32)
"""The shares of its budget that a level may use. Few, so that decisions can be reproduced."""

LONGEST_S = {Level.FIRST: 0.5, Level.MIDDLE: 1.5, Level.BEST: 5.5}
"""Seconds of a level's longest decision with its full budget, on a machine where a lap takes :data:`LAP_S`.

``python -m bench.players --work 24 --effort 1`` measures both, over truths that others cannot tell apart.
"""

LAP_S = 0.0035
"""Seconds of a lap on the machine that :data:`LONGEST_S` was measured on."""

LAPS = 32
"""Laps whose mean is the machine's speed: a single lap may have been interrupted."""

STEPS = 20_000
"""Steps per lap."""


def lap() -> float:
    """Do a fixed piece of work and return the seconds it took."""
    begun = time.perf_counter()
    found: dict[int, tuple[int, ...]] = {}
    for step in range(STEPS):
        found[step * step % 1_009] = (step, *found.get(step % 1_009, ())[:1])
    return time.perf_counter() - begun


@dataclass(slots=True)
class Speed:
    """The recent speed of this process. ``run``: does a lap and returns its seconds."""

    run: Callable[[], float] = lap
    _laps: deque[float] = field(default_factory=lambda: deque(maxlen=LAPS))

    def share(self, level: Level, within_s: float) -> float:
        """Return the largest share of its budget with which a level answers in time; 0: none does."""
        self._laps.append(self.run())
        slowness = fmean(self._laps) / LAP_S
        return next((effort for effort in EFFORTS if effort * slowness * LONGEST_S[level] <= within_s), 0.0)
