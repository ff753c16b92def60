"""Faults chosen without regard to the witness: whether any finding tells of them, and how soon."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache
from typing import Any, TypeAlias

import pytest

from tests.kit.simulation import KNOWN_LIMITS
from tests.simulation.planted import fresh
from tests.simulation.test_witness import UNDO, played

Plant: TypeAlias = Callable[[], AbstractContextManager[Any]]

MOST_SEEDS = 50

FRESH: dict[str, tuple[Plant, str, str]] = {
    "anybody starts a table": (fresh.anybody_starts_a_table, "calm", ""),
    "an objection counts as consent": (fresh.an_objection_counts_as_consent, "days", ""),
    "one consent is enough": (fresh.one_consent_is_enough, "days", ""),
    "quiet hours go by London": (fresh.quiet_hours_go_by_london, "days", ""),
    "a mute silences the next seat": (fresh.a_mute_silences_the_next_seat, "days", ""),
    "a nudge waits": (fresh.a_nudge_waits_for_the_next_reminder, "days", ""),
    "another's turn is taken back": (fresh.the_turn_of_another_is_taken_back, UNDO, ""),
    "a holiday stops every clock": (fresh.a_holiday_stops_every_clock, "days", ""),
    "missed decisions add up": (fresh.missed_decisions_add_up, "live", ""),
    "the claimant loses": (fresh.the_claimant_loses, "live", ""),
    "more time counts from now": (fresh.more_time_counts_from_now, "days", ""),
    "own messages are not found": (fresh.own_messages_are_not_found, "days", ""),
    "a second confirm is refused": (fresh.a_second_confirm_is_refused, "kills", ""),
    "a failed unit undoes its group": (fresh.a_failed_unit_undoes_its_group, "crowd", ""),
    "a newer job goes with an older one": (fresh.a_newer_job_goes_with_an_older_one, "kills", ""),
    "a rematch forgets the pace": (fresh.a_rematch_forgets_the_pace, "live", ""),
    "a kept seat goes to the first": (fresh.a_kept_seat_goes_to_the_first, "calm", ""),
    "a table closes with its host": (fresh.a_table_closes_with_its_host, "calm", ""),
    "past messages keep their buttons": (fresh.past_messages_keep_their_buttons, "calm", ""),
    "settings count after a restart": (fresh.settings_count_after_a_restart, "calm", ""),
    "deadlines read an hour late": (fresh.deadlines_read_an_hour_late, "live", ""),
    "the board shows a hand": (fresh.the_board_shows_a_hand, "calm", ""),
    "the last is called the winner": (fresh.the_last_is_called_the_winner, "calm", ""),
    "back empties the draft": (fresh.back_empties_the_draft, "calm", ""),
    "a pause ends with the next row": (fresh.a_pause_ends_with_the_next_row, "days", ""),
    "a resigned seat must agree": (fresh.a_resigned_seat_must_agree, "days", ""),
    "a declined draw is still offered": (fresh.a_declined_draw_is_still_offered, "calm", ""),
    "computers finish alone": (fresh.computers_finish_alone, "live", ""),
    "a former holder comes back": (fresh.a_former_holder_comes_back, "days", ""),
    "a former holder keeps the messages": (fresh.a_former_holder_keeps_the_messages, "days", ""),
}
"""By name: what is planted, in which profile it should matter
most, and which kind of finding is asked for. Empty: any."""

EVERY_RUN = ("deadlines read an hour late", "the board shows a hand")
"""What is looked for by day, too: it takes few seeds."""

NOT_FOUND = frozenset(
    {
        "one consent is enough", "missed decisions add up", "a second confirm is refused",
        "a kept seat goes to the first", "a table closes with its host", "back empties the draft",
        "a resigned seat must agree", "a declined draw is still offered", "computers finish alone",
        "a former holder comes back", "a former holder keeps the messages",
    }
)  # fmt: skip
"""What nothing tells of within so many seeds: people come upon it too seldom, or nobody looks."""


def first_find(name: str, most: int = MOST_SEEDS) -> int | None:
    """Return after how many seeds a planted fault is found; ``None``: it is not.

    Any finding counts that the same seed does not have without the fault.
    """
    profile = FRESH[name][1]
    return next((seed + 1 for seed in range(most) if new_kinds(name, seed, profile)), None)


def new_kinds(name: str, seed: int, profile: str) -> frozenset[str]:
    """Return the kinds of findings that a seed has only with a fault. What is known to be left is none."""
    plant, _, kind = FRESH[name]
    with plant():
        found = played(seed, profile).kinds - KNOWN_LIMITS
    if kind:
        found &= {kind}
    return found - _kinds_without(seed, profile) if found else found


@cache
def _kinds_without(seed: int, profile: str) -> frozenset[str]:
    return played(seed, profile).kinds


def marks_of(name: str) -> list[pytest.MarkDecorator]:
    """Return how the test of a fault is marked: one that is found by now is to leave the list."""
    found = [] if name in EVERY_RUN else [pytest.mark.nightly]
    return [*found, pytest.mark.xfail(strict=True)] if name in NOT_FOUND else found


@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("name", [pytest.param(each, marks=marks_of(each)) for each in FRESH])
def test_a_fresh_fault_is_found(name: str) -> None:
    assert first_find(name) is not None
