"""Faults planted for the witness: each is found within so many seeds of its profile."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import pytest

from tests.kit.simulation import Result, simulate
from tests.kit.simulation.faults import CALM
from tests.kit.simulation.plan import REAL
from tests.kit.simulation.profiles import plan_of
from tests.simulation.planted import answers, clocks, groups, keeping, showing

Plant = Callable[[], AbstractContextManager[Any]]

MOST_SEEDS = 300

UNDO = "undo"
"""Days with nothing but a game in which turns can be taken back."""

PLANTS: dict[str, tuple[Plant, str, set[str], int]] = {
    "deadlines 15 minutes late": (clocks.deadlines_15_minutes_late, "live", {"clock wrong"}, 0),
    "deadlines 25 s early": (clocks.deadlines_25_s_early, "live", {"judged early"}, 1),
    "judged up to 30 s late": (clocks.judged_30_s_late, "live", {"judged late"}, 1),
    "an outage credited twice": (clocks.outage_credited_twice, "days", {"clock wrong"}, 0),
    "an outage not credited": (clocks.outage_not_credited, "days", {"judged early", "clock wrong"}, 0),
    "a reserve never shrinks": (clocks.reserve_never_shrinks, "days", {"clock wrong"}, 0),
    "a reserve gone at once": (clocks.reserve_gone_at_first_answer, "days", {"clock wrong"}, 0),
    "a pause eats time": (clocks.pause_eats_time, "days", {"clock wrong", "judged early"}, 0),
    "holidays never end": (clocks.holidays_never_end, "days", {"settings lost", "clock wrong"}, 0),
    "judged while Discord is away": (clocks.judged_while_discord_is_away, "rest", {"judged early"}, 0),
    "a short outage is forgotten": (clocks.lag_is_forgotten, "live", {"judged early"}, 1),
    "an undo gives time": (clocks.undo_gives_time, UNDO, {"clock wrong"}, 0),
    "settings not kept": (keeping.settings_not_kept, "calm", {"settings lost"}, 0),
    "consent not kept": (keeping.consent_not_kept, "days", {"acknowledged and lost"}, 0),
    "a draft survives its seat": (keeping.replaced_draft_survives, "days", {"draft lost", "panel wrong"}, 0),
    "anybody takes a seat": (keeping.anybody_takes_an_offered_seat, "days", {"no right"}, 0),
    "a seat in time is claimed": (keeping.a_seat_that_is_not_late_is_claimed, "live", {"no right"}, 2),
    "an undo goes too far": (keeping.undo_goes_back_too_far, UNDO, {"impossible row", "board wrong"}, 0),
    "requests never remembered": (keeping.requests_never_remembered, "crowd", {"done twice"}, 0),
    "drafts not written": (keeping.drafts_not_written, "kills", {"draft lost", "doubled", "lost"}, 0),
    "units behind a conflict are lost": (
        groups.units_behind_a_conflict_are_lost, "crowd", {"board wrong", "lost", "two boards"}, 0),
    "nobody is reminded": (showing.nobody_is_reminded, "live", {"not reminded"}, 1),
    "the wrong seat is reminded": (
        showing.the_wrong_seat_is_reminded, "live", {"not reminded", "wrongly reminded"}, 0),
    "no goodbye": (showing.no_goodbye, "calm", {"no goodbye"}, 0),
    "panels one version old": (showing.panels_one_version_old, "calm", {"panel wrong"}, 0),
    "boards one version old": (showing.boards_one_version_old, "live", {"board wrong"}, 0),
    "a film ignores an undo": (showing.a_film_ignores_an_undo, UNDO, {"board wrong"}, 0),
    "a list goes by the public": (answers.a_list_goes_by_the_public, "calm", {"list wrong"}, 0),
    "a list shows an older deadline": (answers.a_list_shows_an_older_deadline, "days", {"list wrong"}, 0),
    "a log lacks its last line": (answers.a_log_lacks_its_last_line, "calm", {"log wrong"}, 0),
    "a log tells everything": (answers.a_log_tells_everything, "calm", {"log wrong"}, 0),
    "a receipt of the act before": (answers.a_receipt_of_the_act_before, "calm", {"press wrong"}, 90),
    "dropped after the third try": (
        showing.dropped_after_the_third_try, "rest", {"board wrong", "not told", "no panel"}, 0),
}  # fmt: skip
"""By name: what is planted, in which profile, what is found, and the first seed that is tried."""

EVERY_RUN = ("deadlines 15 minutes late", "settings not kept", "a seat in time is claimed")
"""What is looked for by day, too: one that is reckoned, one that is promised, one that is a right."""


def played(seed: int, profile: str) -> Result:
    """Play a seed in a profile."""
    if profile != UNDO:
        return simulate(seed, profile=profile)
    plan = replace(plan_of(seed, "days"), games=(REAL,), people=2, tables=1, faults=CALM)
    return simulate(seed, plan=replace(plan, acts=20, takebacks=0.3, resigning=0.5))


def first_find(name: str, most: int = MOST_SEEDS) -> int | None:
    """Return after how many seeds a planted fault is found; ``None``: it is not."""
    plant, profile, kinds, first = PLANTS[name]
    with plant():
        for number in range(most):
            if any(each.kind in kinds for each in played(first + number, profile).findings):
                return number + 1
    return None


@pytest.mark.timeout(3_600)
@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=() if each in EVERY_RUN else pytest.mark.nightly) for each in PLANTS]
)
def test_the_witness_finds_it(name: str) -> None:
    assert first_find(name) is not None


def test_a_unit_that_is_carried_out_twice_changes_nothing() -> None:
    """Each statement of a unit has a key or a version: what is planted here can do no harm."""
    with groups.one_unit_is_carried_out_twice():
        assert [each for seed in range(5) for each in played(seed, "crowd").findings] == []
