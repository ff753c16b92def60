"""Thousands of seeds in one process: none leaves anything behind."""

from __future__ import annotations

import gc
import logging

import pytest

from tests.kit.simulation import simulate

SEEDS = (0, 1)

LEFT_BEHIND = 300
"""Objects that caches may gain; a run makes some ten thousand."""


def test_a_run_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    # pytest itself keeps what is logged, with all that was on the stack then.
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    counts: list[int] = []
    for _ in range(3):
        for seed in SEEDS:
            simulate(seed)
        counts.append(len(gc.get_objects()))
    assert counts[2] - counts[1] < LEFT_BEHIND, counts
