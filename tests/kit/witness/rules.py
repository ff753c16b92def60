"""The rules' numbers, as the documents say them, and where they stand."""

from __future__ import annotations

MINUTE_S = 60.0
HOUR_S = 3_600.0
DAY_S = 86_400.0

ALLOWANCE_S = {"live": 10 * MINUTE_S, "evening": HOUR_S, "day": DAY_S, "slow": 3 * DAY_S}
"""By pace, what every decision has (ADR 37; ``/play``'s option *pace*)."""

RESERVE_S = {"day": 3 * DAY_S, "slow": 7 * DAY_S}
"""By pace, what a seat has beyond that, once a match."""

OVER_DAYS = ("day", "slow")
"""Paces in which a holiday stops clocks."""

LEAST_AFTER_UNDO_S = HOUR_S
"""What is left at least to decide again what was taken back; or the allowance, if shorter (ADR 37)."""

REMINDED_WHEN_LEFT = (0.5, 0.1)
"""Of an allowance: what is left when its seat is reminded (ADR 38, ``/settings``)."""

BETWEEN_REMINDERS_S = HOUR_S
"""From pace *day* on, the least between two reminders of one person (ADR 38)."""

STAND_IN_AFTER = 3
"""Decisions in a row that are made for a seat, until a computer player keeps it (ADR 37)."""

HOLIDAY_DAYS = 30
"""Days of holiday in twelve months."""

STEPS_BACK = 4
"""Turns that can be taken back, one after the other (``/rules``)."""

IDLE_CLOSED_AFTER_S = 30 * DAY_S

LOOK_EVERY_S = 30.0
"""How often clocks are looked at, whatever the next deadline (ADR 37)."""

CREDITED_FROM_S = 60.0
"""Seconds of outages, taken together, that move deadlines; less is grace in judging (ADR 37)."""

SHOWN_FROM_S = 600.0
"""The same for boards, which go on to show what they showed."""

NOTED_EVERY_S = 10.0
"""How often it is noted up to when all was served: a kill may make up for so much more (ADR 37)."""
