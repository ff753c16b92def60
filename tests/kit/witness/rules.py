"""The numbers of the rules, with the documents that define them."""

from __future__ import annotations

MINUTE_S = 60.0
HOUR_S = 3_600.0
DAY_S = 86_400.0

ALLOWANCE_S = {"live": 10 * MINUTE_S, "evening": HOUR_S, "day": DAY_S, "slow": 3 * DAY_S}
"""By pace: the allowance of every decision (ADR 37; ``/play``'s option *pace*)."""

RESERVE_S = {"day": 3 * DAY_S, "slow": 7 * DAY_S}
"""By pace: the reserve of a seat in a match."""

OVER_DAYS = ("day", "slow")
"""Paces in which a holiday stops clocks."""

LEAST_AFTER_UNDO_S = HOUR_S
"""The minimum time for a decision after taking back, or the allowance if shorter (ADR 37)."""

REMINDED_WHEN_LEFT = (0.5, 0.1)
"""The share of an allowance that is left at a reminder (ADR 38, ``/settings``)."""

BETWEEN_REMINDERS_S = HOUR_S
"""From pace *day* on: the minimum between two reminders of a person (ADR 38)."""

STAND_IN_AFTER = 3
"""Consecutive decisions made for a seat before a computer player keeps it (ADR 37)."""

HOLIDAY_DAYS = 30
"""Days of holiday in twelve months."""

STEPS_BACK = 4
"""The number of turns that can be taken back one after the other (``/rules``)."""

IDLE_CLOSED_AFTER_S = 30 * DAY_S

LOOK_EVERY_S = 30.0
"""The maximum interval between checks of clocks (ADR 37)."""

CREDITED_FROM_S = 60.0
"""Total seconds of outages that move deadlines; shorter ones only delay enforcement (ADR 37)."""

SHOWN_FROM_S = 600.0
"""The same for boards, which keep showing the old deadlines."""

NOTED_EVERY_S = 10.0
"""The interval between notes of the last time in service: a kill may compensate this much more (ADR 37)."""
