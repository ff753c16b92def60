"""Profiles make the trouble that they name, and seeds take turns in them."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.kit.simulation import Result, simulate
from tests.kit.simulation.profiles import POSTGRESQL, SQLITE, Profile, plan_of, profile_of
from tests.simulation.played import played

CROWD = [seed for seed in range(4 * len(SQLITE)) if profile_of(seed, SQLITE).name == "crowd"]

MET = {
    "rest": "REST outages",
    "gateway": "gateway outages",
    "clock set": "clock sets",
    "moderators": "deletions",
    "frozen": "freezes",
    "kills": "kills",
}
"""By profile: what its first run has met."""


@pytest.mark.parametrize("profiles", [SQLITE, POSTGRESQL], ids=["sqlite", "postgresql"])
def test_seeds_are_spread_evenly(profiles: tuple[Profile, ...]) -> None:
    runs = Counter(profile_of(seed, profiles).name for seed in range(10 * len(profiles)))
    assert set(runs.values()) == {10}
    assert len(runs) == len(profiles), "each has a name of its own"


def test_half_of_the_profiles_over_postgresql_have_two_processes() -> None:
    two = [each for each in POSTGRESQL if all(each.plan(seed).processes == 2 for seed in range(20))]
    one = [each for each in POSTGRESQL if all(each.plan(seed).processes == 1 for seed in range(20))]
    assert len(two) == len(one) == len(POSTGRESQL) / 2


def test_a_plan_that_is_given_plays_as_its_profile_does() -> None:
    assert simulate(8, plan=plan_of(8)).digest == played(8).digest
    assert simulate(8, profile="calm").plan == plan_of(8, "calm") != plan_of(8)


def test_a_crowd_shares_commits_in_which_one_of_them_fails() -> None:
    runs = [played(seed) for seed in CROWD]
    shared, failed = (_with(runs, what) for what in ("groups of several", "groups with a failed unit"))
    assert shared >= len(runs) / 2, f"{shared} of {len(runs)}"
    assert failed >= len(runs) / 3, f"{failed} of {len(runs)}"


def _with(runs: list[Result], what: str) -> int:
    return sum(run.tally.get(what, 0) > 0 for run in runs)


def test_each_profile_makes_the_trouble_that_it_names() -> None:
    first = {each.name: seed for seed, each in enumerate(SQLITE)}
    for name, what in MET.items():
        # A seed of its own may be a lucky one.
        seeds = range(first[name], 5 * len(SQLITE), len(SQLITE))
        assert any(played(seed).tally.get(what, 0) for seed in seeds), name
