"""Seeds that several tests look at: each is played once in a process."""

from __future__ import annotations

from functools import cache

from tests.kit.simulation import Result, simulate


@cache
def played(seed: int) -> Result:
    """Return the run of a seed over SQLite, in its own profile."""
    return simulate(seed)
