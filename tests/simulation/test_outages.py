"""Times in which people could not play: as the ledger has them, which others judge clocks by."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.kit.simulation import Result
from tests.kit.simulation.ledger import Ledger
from tests.kit.simulation.rest_outages import RestOutages
from tests.simulation.played import played

SPANS = {
    "house": (r"house is killed", r"house serves"),
    "frozen": (r"machine life \d+ stands still", r"machine life \d+ goes on"),
    "gateway": (r"gateway is away from shard 0", r"gateway is there for shard 0"),
}
"""By cause: what the trace says when it begins, and when it is over."""


@pytest.mark.parametrize(("profile", "seed"), [("frozen", 9), ("gateway", 6), ("kills", 2)])
def test_the_ledger_has_what_the_run_has_made_to_the_moment(profile: str, seed: int) -> None:
    run = played(seed)
    assert run.profile == profile
    for cause, (begins, ends) in SPANS.items():
        noted = [each for each in run.outages if each.cause == cause and each.shard == 0]
        if cause == "house":
            noted = noted[1:]  # at first, nobody had started it
        begun, ended = (times(run, pattern) for pattern in (begins, ends))
        for each in noted:
            assert any(abs(at - each.begun) < 0.001 for at in begun), f"{cause} {each}"
            is_over = ended + (times(run, SPANS["house"][0]) if cause == "frozen" else [])
            assert each.ended == float("inf") or any(abs(at - each.ended) < 0.001 for at in is_over)
        assert cause == "house" or len(noted) == len(begun)
    wanted = {"frozen": "frozen", "gateway": "gateway", "kills": "house"}[profile]
    assert any(each.cause == wanted for each in run.outages)


def times(run: Result, pattern: str) -> list[float]:
    return [float(line.split()[0]) for line in run.trace if re.search(rf"life \d+ {pattern}", line)]


class Nothing:
    def ask(self, sql: str) -> list[tuple[object, ...]]:
        return []

    def version(self) -> object:
        return None


def test_each_cause_and_each_shard_has_spans_of_its_own() -> None:
    now = [0.0]
    ledger = Ledger(lambda: now[0], lambda: now[0], Nothing())

    def at(time: float, act: Callable[..., None], *given: object) -> None:
        now[0] = time
        act(*given)

    at(1.0, ledger.house_serves)
    at(10.0, ledger.is_out, "gateway", 0)
    at(20.0, ledger.is_out, "frozen", 1)
    at(30.0, ledger.is_out, "gateway", 0)
    at(90.0, ledger.is_back, "gateway", 0)
    at(95.0, ledger.is_back, "gateway", 0)
    found = [(each.cause, each.shard, each.begun, each.ended) for each in ledger.all_outages()]
    assert found == [
        ("house", 0, 0.0, 1.0),
        ("gateway", 0, 10.0, 90.0),
        ("frozen", 1, 20.0, float("inf")),
    ]
    assert ledger.outages() == [(10.0, 90.0)]
    assert ledger.outages(shard=1) == [], "it is not over"


class Line:
    """What becomes of one process's requests."""

    def __init__(self) -> None:
        self.now = 0.0
        self.spans: list[tuple[float, float]] = []
        self.rest = RestOutages(lambda: self.now, lambda begun, ended: self.spans.append((begun, ended)))

    def ask(
        self, sent: float, ended: float, how: str, place: str = "/channels/1", method: str = "GET"
    ) -> None:
        self.now = sent
        request = self.rest.sent(method, place)
        self.now = ended
        {"fails": self.rest.failed, "is answered": self.rest.answered, "stalls": self.rest.stalled}[how](
            request
        )


def test_two_failures_in_a_row_are_an_outage_until_the_next_answer() -> None:
    line = Line()
    line.ask(1, 2, "fails")
    line.ask(3, 4, "is answered")
    assert not line.spans
    line.ask(5, 6, "fails")
    line.ask(7, 8, "fails")
    line.ask(9, 12, "is answered")
    assert line.spans == [(5, 12)]


def test_a_request_without_an_answer_counts_unless_others_have_one() -> None:
    line = Line()
    line.ask(1, 2, "is answered")
    line.ask(1, 11, "stalls")
    line.ask(12, 13, "fails")
    line.ask(14, 15, "is answered")
    assert not line.spans
    line.ask(16, 26, "stalls")
    line.ask(20, 27, "fails")
    line.rest.end()
    assert line.spans == [(16, 27)]


def test_one_kind_that_fails_in_three_places_is_an_outage_and_a_minute_more() -> None:
    line = Line()
    for number in range(3):
        line.ask(10 * number, 10 * number + 1, "fails", f"/channels/{number}/messages", "POST")
        line.ask(10 * number + 2, 10 * number + 3, "is answered")
    assert not line.spans
    line.ask(200, 201, "fails", "/channels/7/messages", "POST")
    assert line.spans == [(0, 81)]
    line.rest.end()
    assert len(line.spans) == 1
