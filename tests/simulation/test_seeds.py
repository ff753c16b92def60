"""Evenings by seed: nothing lost, nothing doubled, every screen true. ``bench/simulation.py`` plays more."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.kit.samples import MORE
from tests.kit.simulation import simulate
from tests.kit.simulation.database import Storage
from tests.kit.simulation.profiles import POSTGRESQL, SQLITE
from tests.kit.simulation.shrinking import explain
from tests.kit.simulation.sqlite import in_sqlite
from tests.simulation.played import played

SEEDS = range(len(SQLITE) * MORE)
"""One of each profile, or several."""

MANY = range(1_000, 3_000)
POSTGRESQL_SEEDS = (1,)
"""Of two processes, which stand still while they have leases."""

MANY_OVER_POSTGRESQL = range(1_000, 1_300)


def failures(seeds: Iterable[int], storage: Storage) -> str:
    """Return what is wrong, the first of it cut down to what it takes."""
    return explain((simulate(seed, storage) for seed in seeds), storage)


@pytest.mark.parametrize("first", range(0, len(SEEDS), len(SQLITE)))
def test_all_is_well(first: int) -> None:
    found = explain(map(played, SEEDS[first : first + len(SQLITE)]), in_sqlite)
    assert not found, found


@pytest.mark.nightly
@pytest.mark.timeout(3_600)
def test_all_is_well_over_many_seeds() -> None:
    found = failures(MANY, in_sqlite)
    assert not found, found


def test_all_is_well_over_postgresql(postgresql: Storage) -> None:
    found = failures(POSTGRESQL_SEEDS, postgresql)
    assert not found, found


@pytest.mark.nightly
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("first", range(len(POSTGRESQL)))
def test_all_is_well_over_postgresql_over_many_seeds(first: int, postgresql: Storage) -> None:
    found = failures(MANY_OVER_POSTGRESQL[first :: len(POSTGRESQL)], postgresql)
    assert not found, found
