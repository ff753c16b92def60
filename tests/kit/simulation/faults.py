"""What requests to the simulated Discord meet."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Faults:
    """How often a request meets what, of one."""

    lost_before: float = 0.0
    """The connection breaks before Discord has read the request."""
    lost_after: float = 0.0
    """The connection breaks after Discord has carried it out."""
    error_before: float = 0.0
    """500, nothing was done."""
    error_after: float = 0.0
    """500, although it was done."""
    limited: float = 0.0
    """429."""
    slow: float = 0.0
    """The answer takes many seconds."""
    late: float = 0.5
    """Of the requests under way when the house dies: how many are carried out later all the same."""


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
