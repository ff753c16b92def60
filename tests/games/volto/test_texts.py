"""Texts: every message has its English, and the rules page tells every ruling."""

from __future__ import annotations

import re

import pytest

from engines.core.contract import fact
from engines.core.texts import load, rules
from engines.volto import GAME
from engines.volto.board import KINDS
from engines.volto.view import Reason
from tests.games.texts import plain_keys, unused_texts

ENGLISH = load("engines.volto").languages["en"]


def test_every_english_text_is_used() -> None:
    assert set(unused_texts("volto")) == {"help"}


@pytest.mark.parametrize("key", plain_keys("volto"))
def test_every_key_in_the_code_has_its_english(key: str) -> None:
    assert key in ENGLISH


def test_every_symbol_and_every_end_has_its_texts() -> None:
    assert all(
        f"{part}.{kind.value}" in ENGLISH for part in ("kind", "kinds", "error.target") for kind in KINDS
    )
    assert all(f"end.{reason.value}" in ENGLISH for reason in Reason)


def test_no_event_says_you() -> None:
    # A log that is over shows everyone what each side alone had learned.
    told = {key: text for key, text in ENGLISH.items() if key.startswith("fact.")}
    assert "fact.arrangement" in told
    assert [key for key, text in told.items() if re.search(r"\byou", str(text), re.IGNORECASE)] == []


def test_other_facts_are_not_told() -> None:
    assert GAME.narrate(fact("weather")) is None


@pytest.mark.parametrize(
    "part",
    [
        "The palace border is no obstacle",
        "nobody moves before both are done",
        "The mask that takes a Lady leaves unseen",
        "has no legal move wins at once",
        "third time is a draw",
        "100 moves in a row",
        "A win comes before a draw",
        "both are told",
        "agree on a draw",
    ],
)
def test_the_rules_page_has_every_ruling(part: str) -> None:
    page = rules("volto")
    rulings = page[page.index("## Rulings") : page.index("## Reconstructions")]
    assert part in rulings


def test_the_arrangement_in_the_texts_can_be_typed() -> None:
    for page in (rules("volto"), str(ENGLISH["help"])):
        assert GAME.read(str(re.findall(r"`(setup [A-Z]+)`", page)[0])) == ("setup", "NALANCSNLA")
    position = re.findall(r"`(\S+/\S+ 0)`", rules("volto"))[0]
    assert GAME.position_text(GAME.position(position)) == position
