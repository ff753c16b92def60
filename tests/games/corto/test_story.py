"""What a turn of many small facts is told as."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import pairwise

import pytest

from engines.core.contract import Fact
from engines.core.match import Match
from engines.core.setups import complete
from engines.core.texts import load, story
from engines.core.to_json import Plain
from engines.corto import GAME, events
from engines.volo import GAME as VOLO
from tests.games.corto.test_matches import random_match

RED, BLUE, YELLOW = 0, 1, 2


def told(*happened: Fact) -> list[str]:
    speaker = Plain(GAME, load("engines.corto"))
    return [speaker.text(message) for message in GAME.retell(happened)]


ROWS: list[tuple[Sequence[Fact], list[str]]] = [
    (
        (events.played(RED, "A04", "a3"), events.added(RED, "a3", None)),
        ["**Red** · Lamp keeper on a3."],
    ),
    (
        (events.played(RED, "A04", "a3"), events.added(RED, "a3", None), events.added(RED, "a2", None)),
        ["**Red** · Lamp keeper on a3; marker on a2."],
    ),
    (
        (events.played(RED, "A04", "a3"), events.added(RED, "a3", "c2")),
        ["**Red** · Lamp keeper on a3; moves a marker from c2 to a3."],
    ),
    ((events.added(RED, "a2", None), events.added(RED, "c1", None)), ["**Red** · markers on a2 and c1."]),
    (
        (events.added(RED, "a2", None), events.added(RED, "c1", None), events.added(RED, "a2", None)),
        ["**Red** · markers on a2 (2) and c1."],
    ),
    (
        (events.added(RED, "a2", None), events.added(RED, "c1", "b1")),
        ["**Red** · marker on a2; moves a marker from b1 to c1."],
    ),
    (
        (events.drew(RED, "A", None), events.drew(RED, "C", None), events.drew(BLUE, "C", None)),
        ["**Red** · draws 2 cards from A and C.", "**Blue** · draws from The Celts."],
    ),
    (
        (events.drew(RED, "A", "A04"), events.drew(RED, "C", "C05")),
        ["**Red** · draws Lamp keeper (A04) and Dock rebel (C05)."],
    ),
    (
        (events.earned(RED, BLUE, "e1"), events.earned(RED, RED, "b1")),
        ["Corto’s friends earn 1 gold each: e1 for Blue and b1 for Red."],
    ),
    ((events.ended_turn(RED), events.turn_begins(BLUE)), []),
    (
        (events.played(RED, "E04", "e2"), events.train_moved("E", 7, 6), events.earned(RED, BLUE, "b1")),
        [
            (
                "**Red** · River pirate on e2; the train goes to column 6; "
                "Corto’s friend on b1 earns 1 gold for Blue."
            )
        ],
    ),
    ((events.ended_turn(RED),), []),
    ((), []),
]


@pytest.mark.parametrize(("happened", "lines"), ROWS)
def test_what_happens_again_is_told_once(happened: Sequence[Fact], lines: list[str]) -> None:
    assert told(*happened) == lines


def test_a_turn_is_one_sentence() -> None:
    match = Match.start(GAME, complete(GAME.manifest, 3, {}), hashlib.sha256(b"story").digest())
    while match.waiting:
        seat = min(match.waiting)
        match = match.act(seat, match.computer(seat))
    happened = [fact for _, fact in match.facts(None)]
    whole, each = told(*happened), [fact for fact in happened if GAME.narrate(fact) is not None]
    turns = sum(fact.kind == "turn" for fact in happened)
    assert len(whole) <= turns + 3 * 2 + 2 < len(each) / 3
    for square in {str(fact["square"]) for fact in happened if fact.kind in ("played", "killed", "tile")}:
        assert any(square in line for line in whole)


@pytest.mark.parametrize("number", range(6))
def test_a_turn_takes_three_sentences_at_most(number: int) -> None:
    """However many acts it took: draws one by one, carriages turned up, others' cards in between."""
    *_, match = random_match(number)
    happened = [fact for _, fact in match.facts(None)]
    begins = [place for place, fact in enumerate(happened) if fact.kind == "turn"]
    acts = 0
    for begin, end in pairwise([*begins, len(happened)]):
        whole = told(*happened[begin:end])
        assert len(whole) <= 3
        assert sum(map(len, whole)) <= 500, "more than a phone shows at once"
        acts += len(whole) > 0
    assert acts > 4


def test_a_game_without_a_way_of_its_own_tells_one_by_one() -> None:
    match = Match.start(VOLO, complete(VOLO.manifest, 2, {}), bytes(32))
    happened = [fact for _, fact in match.facts(None)]
    expected = [VOLO.narrate(fact) for fact in happened]
    assert list(story(VOLO, happened)) == expected
