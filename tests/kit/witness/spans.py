"""Sums of time spans."""

from __future__ import annotations

from collections.abc import Iterable

from tests.kit.witness.transcript import Span


def covered(spans: Iterable[Span], since: float, until: float) -> float:
    """Return the total seconds between two times that the spans cover."""
    total, reached = 0.0, since
    for span in sorted(spans):
        begun, ended = max(span[0], reached), min(span[1], until)
        if ended > begun:
            total, reached = total + ended - begun, ended
    return total


def after(spans: Iterable[Span], since: float, seconds: float) -> float:
    """Return the time at which so many seconds outside of all spans have passed since ``since``."""
    at, left = since, seconds
    for begun, ended in sorted(spans):
        if ended <= at:
            continue
        if begun > at:
            if left <= begun - at:
                return at + left
            left -= begun - at
        at = max(at, ended)
    return at + left
