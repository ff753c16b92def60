"""Thousands of seeds in one process: none leaves anything behind."""

from __future__ import annotations

import gc
import logging

import pytest

from tests.kit.simulation import simulate
from tests.kit.simulation.plan import REAL, Plan

PLANS = (Plan(acts=3, games=(REAL,)), Plan(acts=4, people=3, kills=1, beat=3.0, cancelled=0.2))
"""One of a real game, which is imported the first time; and one of a house that leaves a dead one behind."""

LEFT_BEHIND = 300
"""Objects that caches may gain; a run makes some ten thousand."""


def test_a_run_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    # pytest itself keeps what is logged, with all that was on the stack then.
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    counts: list[int] = []
    for _ in range(3):
        for seed, plan in enumerate(PLANS):
            simulate(seed, plan=plan)
        counts.append(len(gc.get_objects()))
    assert counts[2] - counts[1] < LEFT_BEHIND, counts
