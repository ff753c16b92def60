"""Evenings by seed: nothing lost, nothing doubled, every screen true. ``bench/simulation.py`` plays more."""

from __future__ import annotations

import pytest

from tests.kit.simulation import KNOWN_LIMITS, simulate

SEEDS = range(30)
MANY = range(1_000, 3_000)


def failures(seeds: range) -> list[str]:
    results = (simulate(seed) for seed in seeds)
    return [one.report() for one in results if {found.kind for found in one.findings} - KNOWN_LIMITS]


@pytest.mark.parametrize("first", range(0, len(SEEDS), 10))
def test_all_is_well(first: int) -> None:
    found = failures(SEEDS[first : first + 10])
    assert not found, "\n\n".join(found)


@pytest.mark.nightly
@pytest.mark.timeout(3_600)
def test_all_is_well_over_many_seeds() -> None:
    found = failures(MANY)
    assert not found, "\n\n".join(found[:3])
