"""Sample sizes: small ones in every run, several times as large in ``make nightly``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import pytest

FIVE = ("volto", "volt", "volo", "doge", "corto")
"""The games that the house is built for: tests count on what happens in them. Any other may be smaller."""

MORE = int(os.environ.get("BAUTA_POSITIONS", "1"))
"""The factor for the number of matches, moments and positions to test."""


def some(cases: Sequence[Any], every: int = 3) -> list[Any]:
    """Return the cases of a parameter, of which only every third runs outside of nightly runs.

    Meant for tests of the tests, such as planted faults, and for cases that each start a process.
    """
    return [case if number % every == 0 else _by_night(case) for number, case in enumerate(cases)]


def _by_night(case: Any) -> Any:
    if isinstance(case, pytest.ParameterSet):
        return pytest.param(*case.values, marks=[*case.marks, pytest.mark.nightly], id=case.id)
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.nightly)
