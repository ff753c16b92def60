"""The ledger of true time: where a wall time is found again, and what spans cover."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.simulation.ledger import FOR_EVER, Ledger, length


class Machine:
    """True time, and a clock on the wall that can be set."""

    def __init__(self) -> None:
        self.true = 0.0
        self.ahead = 1_000.0
        self.ledger = Ledger(lambda: self.true, lambda: self.true + self.ahead, self)

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        return []

    def version(self) -> object:
        return None

    def set_clock(self, at: float, by: float) -> None:
        self.true = at
        self.ahead += by
        self.ledger.clock_is_set()


def test_a_wall_time_that_came_twice_is_found_where_it_came_last() -> None:
    machine = Machine()
    machine.set_clock(50.0, -30.0)
    assert machine.ledger.true_time(1_010.0, until=200.0) == 10.0
    assert machine.ledger.true_time(1_030.0, until=200.0) == 60.0
    assert machine.ledger.true_time(1_030.0, until=55.0) == 30.0, "the second time had not come yet"


def test_a_wall_time_of_this_very_moment_is_found_although_sums_are_inexact() -> None:
    machine = Machine()
    machine.set_clock(50.0, -30.0)
    assert machine.ledger.true_time(1_030.0 + 1e-7, until=60.0) == 60.0


def test_an_outage_that_is_short_is_made_up_for_by_nobody() -> None:
    machine = Machine()
    for served, gone in ((10.0, 100.0), (130.0, 200.0), (300.0, 400.0)):
        machine.true = served
        machine.ledger.house_serves()
        machine.true = gone
        machine.ledger.house_is_gone()
    assert machine.ledger.outages() == [(200.0, 300.0)]


@pytest.mark.parametrize(
    ("spans", "covered"),
    [
        ([], 0.0),
        ([(0.0, 5.0)], 0.0),
        ([(0.0, 20.0)], 10.0),
        ([(12.0, 14.0), (13.0, 16.0)], 4.0),
        ([(13.0, 16.0), (12.0, 18.0)], 6.0),
        ([(25.0, FOR_EVER)], 5.0),
        ([(12.0, 14.0), (25.0, FOR_EVER), (28.0, 29.0)], 7.0),
    ],
)
def test_spans_count_once_and_between_two_times_alone(
    spans: list[tuple[float, float]], covered: float
) -> None:
    assert length(spans, 10.0, 30.0) == covered
