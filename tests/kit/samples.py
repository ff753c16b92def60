"""How much is looked at: a sample in every run, several times as much in ``make nightly``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import pytest

MORE = int(os.environ.get("BAUTA_POSITIONS", "1"))
"""How many times the usual number of matches, moments and positions to look at."""


def some(cases: Sequence[Any], every: int = 3) -> list[Any]:
    """Return the cases of a parameter, of which each third alone is tried in every run.

    It is for what tests the tests, such as faults that are planted, and for what starts a process each time.
    """
    return [case if number % every == 0 else _by_night(case) for number, case in enumerate(cases)]


def _by_night(case: Any) -> Any:
    if isinstance(case, pytest.ParameterSet):
        return pytest.param(*case.values, marks=[*case.marks, pytest.mark.nightly], id=case.id)
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.nightly)
