"""Evenings by seed: nothing lost, nothing doubled, every screen true. ``bench/simulation.py`` plays more."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.kit.samples import MORE
from tests.kit.simulation import KNOWN_LIMITS, simulate
from tests.kit.simulation.database import Storage
from tests.kit.simulation.sqlite import in_sqlite

SEEDS = range(15 * MORE if MORE > 1 else 8)
MANY = range(1_000, 3_000)
POSTGRESQL = (256,)
"""With kills, lost connections, and a commit that is answered while the house is stopped."""

MANY_OVER_POSTGRESQL = range(1_000, 1_300)


def failures(seeds: Iterable[int], storage: Storage = in_sqlite) -> list[str]:
    results = (simulate(seed, storage) for seed in seeds)
    return [one.report() for one in results if {found.kind for found in one.findings} - KNOWN_LIMITS]


@pytest.mark.parametrize("first", range(0, len(SEEDS), 15))
def test_all_is_well(first: int) -> None:
    found = failures(SEEDS[first : first + 15])
    assert not found, "\n\n".join(found)


@pytest.mark.nightly
@pytest.mark.timeout(3_600)
def test_all_is_well_over_many_seeds() -> None:
    found = failures(MANY)
    assert not found, "\n\n".join(found[:3])


def test_all_is_well_over_postgresql(postgresql: Storage) -> None:
    found = failures(POSTGRESQL, postgresql)
    assert not found, "\n\n".join(found)


@pytest.mark.nightly
@pytest.mark.timeout(3_600)
def test_all_is_well_over_postgresql_over_many_seeds(postgresql: Storage) -> None:
    found = failures(MANY_OVER_POSTGRESQL, postgresql)
    assert not found, "\n\n".join(found[:3])
