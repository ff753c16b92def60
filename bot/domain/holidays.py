"""Holidays: time in which the clocks of one person stand still."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.domain.clocks import DAY

YEAR = 365 * DAY

MOST = 30 * DAY
"""Seconds of a year that a person may be on holiday."""


@dataclass(frozen=True, slots=True)
class Holiday:
    """One holiday of one person. All times are Unix times."""

    begun: float
    latest: float
    """When its time is used up, and it ends of itself."""
    ended: float | None
    """``None``: it lasts."""


def left(holidays: Iterable[Holiday], now: float) -> float:
    """Return the seconds of holiday that a person has left, of the year that ends now."""
    since = now - YEAR
    used = sum(
        max(0.0, (min(now, each.latest) if each.ended is None else each.ended) - max(since, each.begun))
        for each in holidays
    )
    return max(0.0, MOST - used)


def current(holidays: Iterable[Holiday]) -> Holiday | None:
    """Return the holiday that lasts."""
    return next((each for each in holidays if each.ended is None), None)
