"""Faults of requests to the simulated Discord."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Faults:
    """Probabilities of faults, from 0 to 1."""

    lost_before: float = 0.0
    """The connection breaks before Discord reads the request."""
    lost_after: float = 0.0
    """The connection breaks after Discord has executed the request."""
    error_before: float = 0.0
    """500, without executing the request."""
    error_after: float = 0.0
    """500, after executing the request."""
    limited: float = 0.0
    """429."""
    slow: float = 0.0
    """The response takes many seconds."""
    late: float = 0.5
    """The share of pending requests that are executed after the bot was killed."""


CALM = Faults()
MANY = Faults(
    lost_before=0.04, lost_after=0.05, error_before=0.03, error_after=0.04, limited=0.04, slow=0.03, late=0.7
)
SOME = Faults(
    lost_before=0.02,
    lost_after=0.025,
    error_before=0.015,
    error_after=0.02,
    limited=0.02,
    slow=0.015,
    late=0.7,
)
