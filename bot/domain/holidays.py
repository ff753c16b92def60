"""Holidays: periods in which one person's clocks are stopped."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.domain.clocks import DAY

YEAR = 365 * DAY

HOLIDAY_PER_YEAR_S = 30 * DAY
"""Maximum seconds of holiday per year."""


@dataclass(frozen=True, slots=True)
class Holiday:
    """One holiday of one person. All times are Unix times."""

    begun: float
    latest: float
    """When it ends automatically, its time being used up."""
    ended: float | None
    """``None``: it is still on."""


def left(holidays: Iterable[Holiday], now: float) -> float:
    """Return a person's remaining seconds of holiday in the year that ends now."""
    since = now - YEAR
    used = sum(
        max(0.0, (min(now, each.latest) if each.ended is None else each.ended) - max(since, each.begun))
        for each in holidays
    )
    return max(0.0, HOLIDAY_PER_YEAR_S - used)


def current(holidays: Iterable[Holiday]) -> Holiday | None:
    """Return the holiday that is still on, if any."""
    return next((each for each in holidays if each.ended is None), None)
