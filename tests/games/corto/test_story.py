"""What a turn of many small facts is told as."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import pytest

from engines.core.contract import Fact
from engines.core.match import Match
from engines.core.setups import complete
from engines.core.texts import load, story
from engines.core.to_json import Plain
from engines.corto import GAME, events
from engines.volt import GAME as VOLT

RED, BLUE, YELLOW = 0, 1, 2


def told(*happened: Fact) -> list[str]:
    speaker = Plain(GAME, load("engines.corto"))
    return [speaker.text(message) for message in GAME.retell(happened)]


ROWS: list[tuple[Sequence[Fact], list[str]]] = [
    (
        (events.played(RED, "A04", "a3"), events.added(RED, "a3", None)),
        ["Red places Lamp keeper on a3 with a marker."],
    ),
    (
        (events.played(RED, "A04", "a3"), events.added(RED, "a3", None), events.added(RED, "a2", None)),
        ["Red places Lamp keeper on a3 with a marker.", "Red puts a marker on a2."],
    ),
    (
        (events.played(RED, "A04", "a3"), events.added(RED, "a3", "c2")),
        ["Red places Lamp keeper on a3.", "Red moves a marker from c2 to a3."],
    ),
    ((events.added(RED, "a2", None), events.added(RED, "c1", None)), ["Red puts markers on a2, c1."]),
    (
        (events.added(RED, "a2", None), events.added(RED, "c1", "b1")),
        ["Red puts a marker on a2.", "Red moves a marker from b1 to c1."],
    ),
    (
        (events.drew(RED, "A", None), events.drew(RED, "C", None), events.drew(BLUE, "C", None)),
        ["Red draws 2 cards: A, C.", "Blue draws a card from The Celts."],
    ),
    (
        (events.drew(RED, "A", "A04"), events.drew(RED, "C", "C05")),
        ["Red draws Lamp keeper (A04), Dock rebel (C05)."],
    ),
    (
        (events.earned(RED, BLUE, "e1"), events.earned(RED, RED, "b1")),
        ["Corto’s friends earn 1 gold each: Blue on e1, Red on b1."],
    ),
    ((events.ended_turn(RED), events.turn_begins(BLUE)), ["It is Blue’s turn."]),
    ((events.ended_turn(RED),), []),
    ((), []),
]


@pytest.mark.parametrize(("happened", "lines"), ROWS)
def test_what_happens_again_is_told_once(happened: Sequence[Fact], lines: list[str]) -> None:
    assert told(*happened) == lines


def test_a_whole_match_is_told_in_far_fewer_sentences() -> None:
    match = Match.start(GAME, complete(GAME.manifest, 3, {}), hashlib.sha256(b"story").digest())
    while match.waiting:
        seat = min(match.waiting)
        match = match.act(seat, match.computer(seat))
    happened = [fact for _, fact in match.facts(None)]
    whole, each = told(*happened), [fact for fact in happened if GAME.narrate(fact) is not None]
    assert len(whole) < 0.75 * len(each)
    for square in {str(fact["square"]) for fact in happened if fact.kind in ("played", "killed", "tile")}:
        assert any(square in line for line in whole)


def test_a_game_without_a_way_of_its_own_tells_one_by_one() -> None:
    match = Match.start(VOLT, complete(VOLT.manifest, 2, {}), bytes(32))
    happened = [fact for _, fact in match.facts(None)]
    expected = [message for fact in happened if (message := VOLT.narrate(fact)) is not None]
    assert list(story(VOLT, happened)) == expected
