"""A sequential probability ratio test of a share of points: stop as soon as it is known, with stated errors.

It tests a true share of at least the aim against one of at most the aim less ``MARGIN``. Whatever the
moment at which counting stops, in at most ``ALPHA`` of all series the lower share is called ``reached``,
and in at most ``BETA`` the upper one ``missed``: thresholds are ``1 / ALPHA`` and ``1 / BETA``, so each
likelihood ratio is a supermartingale that gets so far with at most that probability (Ville's inequality).
A true share in between may be called either. A draw, half a point, counts as half a win and half a loss:
by convexity the errors are then smaller, not larger. Judge after whole pairs of matches with sides
swapped: a side may be the better one.
"""

from __future__ import annotations

import math
from enum import Enum

ALPHA = 0.05
"""The most series at the lower share that are called reached."""

BETA = 0.05
"""The most series at the aim that are called missed."""

MARGIN = 0.10
"""How far the lower share is below the aim."""


class Verdict(Enum):
    """What is known of a share of points."""

    REACHED = "reached"
    MISSED = "missed"
    OPEN = "open"


def log_ratio(points: float, matches: int, aim: float) -> float:
    """Return the logarithm of how much likelier these points are at the aim than ``MARGIN`` below it."""
    lower = aim - MARGIN
    return points * math.log(aim / lower) + (matches - points) * math.log((1 - aim) / (1 - lower))


def verdict(points: float, matches: int, aim: float) -> Verdict:
    """Judge the points of the first player; ``aim`` is between ``MARGIN`` and 1."""
    ratio = log_ratio(points, matches, aim)
    if ratio >= -math.log(ALPHA):
        return Verdict.REACHED
    if ratio <= math.log(BETA):
        return Verdict.MISSED
    return Verdict.OPEN
