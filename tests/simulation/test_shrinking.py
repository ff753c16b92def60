"""A failing seed is cut down to what still fails, and what is left can be played again from its report."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit.simulation import simulate
from tests.kit.simulation.plan import Plan, read
from tests.kit.simulation.profiles import POSTGRESQL, SQLITE, Profile, plan_of
from tests.kit.simulation.shrinking import REDUCTIONS, explain, shrink
from tests.kit.simulation.sqlite import in_sqlite
from tests.simulation.test_planted import tell_nobody

LOUD = replace(plan_of(3, "crowd"), acts=8)
"""Much of which nothing is needed to find that nobody is told of their turn."""


def test_a_planted_fault_is_found_in_a_smaller_plan() -> None:
    with tell_nobody():
        first = simulate(3, plan=LOUD)
        assert "not told" in first.kinds
        found = shrink(first, in_sqlite, most=30)
        assert "not told" in found.result.kinds
        again = simulate(found.result.seed, plan=read(found.result.plan.written()))
    small = found.result.plan
    assert again == found.result, "what is printed plays again"
    assert (small.people, small.acts, small.tables) <= (LOUD.people, LOUD.acts, LOUD.tables)
    assert len(small.written()) < len(LOUD.written())
    assert (small.beat, small.bad_units, small.kills) == (0.0, 0.0, 0), "it needs nothing of that"
    assert found.runs <= 30
    report = found.report()
    assert small.written() in report
    assert LOUD.written() in report


def test_what_is_well_is_not_explained() -> None:
    assert explain([simulate(3, plan=Plan(acts=1))], in_sqlite) == ""


@pytest.mark.parametrize("profile", [*SQLITE, *POSTGRESQL], ids=lambda each: each.name)
def test_every_reduction_is_another_plan_that_ends(profile: Profile) -> None:
    for seed in range(5):
        plan = profile.plan(seed)
        assert read(plan.written()) == plan
        for calmer in REDUCTIONS:
            steps = 0
            while (smaller := next(calmer(plan), None)) is not None:
                assert smaller != plan
                plan, steps = smaller, steps + 1
                assert steps < 40
        assert replace(plan, games=Plan().games) == Plan(acts=1), "nothing is left"


@pytest.mark.parametrize("text", ["[]", '{"peeple": 3}'])
def test_what_is_no_plan_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no plan"):
        read(text)
