"""Findings with the stories of their matches, as reports print them."""

from __future__ import annotations

from tests.kit.witness import MatchRecord, Press, Row, Transcript
from tests.kit.witness.story import stories
from tests.kit.witness.transcript import DONE

ANNA, BEN = 1, 2
ROW = Row(1, "act", 0, ("1",), "77", 9.0, 9.0)
MATCH = MatchRecord(
    "m7", "odds", "1", 2, (("goal", "3"),), bytes(32), "day", 10, 5.0, {0: ANNA, 1: BEN}, (ROW,)
)
RUN = Transcript(
    (MATCH,), (Press(8.0, ANNA, "confirm", "m7", "77", {}, 9.5, DONE),), kills=(20.0,), begun_at=5.0
)


def test_a_finding_comes_with_the_story_of_its_match_in_the_order_of_time() -> None:
    first, *story = stories(RUN, ["no right: m7: row 1"], {ANNA: "Anna", BEN: "Ben"})
    assert first == "no right: m7: row 1"
    told = [line.split(" s  ")[1].strip() for line in story]
    assert told == [
        "m7 begins: odds, pace day; 0: Anna, 1: Ben",
        "Anna: confirm [77]: done after 1.5 s",
        "row 1: act of seat 0 1 [77], decided 0.0 s before",
        "a process is killed",
    ]


def test_a_story_comes_once_and_only_of_a_match_that_is_named() -> None:
    found = list(stories(RUN, ["a: m7", "b: m7", "c: nothing of a match"], {}))
    assert [line for line in found if not line.startswith(" ")] == ["a: m7", "b: m7", "c: nothing of a match"]
    assert len(found) == 3 + 4
