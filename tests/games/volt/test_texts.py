"""Texts: every message has its English, and every fact is told."""

from __future__ import annotations

import inspect
import re

import pytest

from engines.core.contract import fact
from engines.core.texts import load, rules
from engines.volt import GAME, events
from engines.volt.answers import Question, asked
from engines.volt.modules import MODULES, Use
from engines.volt.view import Phase
from tests.games.texts import plain_keys, unused_texts

ENGLISH = load("engines.volt").languages["en"]


def test_every_english_text_is_used() -> None:
    # The house asks for the help.
    assert set(unused_texts("volt")) == {"help"}


def questions() -> list[Question]:
    """Return every shape that a short question has."""
    spaces, decks = ("c1", "e1"), ("red",)
    return [
        Question(spaces, decks),
        Question((), decks),
        Question(spaces, decks, "pass"),
        Question((), decks, "pass"),
        Question(spaces),
        Question((), decks, "repair"),
    ]


def test_every_question_can_be_named() -> None:
    assert all(asked(question).key in ENGLISH for question in questions())
    assert all(f"prompt.{phase.value}" in ENGLISH for phase in (Phase.START, Phase.SECOND, Phase.REBOOT))
    for phase in (Phase.START, Phase.REBOOT):
        assert all(f"prompt.{phase.value}_{part}" in ENGLISH for part in ("space", "deck"))
    assert all(f"field.deck.{phase}" in ENGLISH for phase in ("start", "second", "reboot", "repair"))


@pytest.mark.parametrize("key", plain_keys("volt"))
def test_every_key_in_the_code_has_its_english(key: str) -> None:
    assert key in ENGLISH


@pytest.mark.parametrize("name", sorted(MODULES))
def test_every_module_has_its_texts(name: str) -> None:
    assert f"module.{name}" in ENGLISH
    assert len(str(ENGLISH[f"module.{name}.short"])) <= 100
    assert len(str(ENGLISH[f"module.{name}.effect"])) <= 100, "a select's detail is cut there"
    title = str(ENGLISH[f"module.{name}"])
    assert title.lower().split()[0] == name, "the word is the first word of the name"
    assert f"| {title} |" in rules("volt")


def test_the_decks_are_those_of_the_rules_page() -> None:
    for deck in ("red", "blue", "yellow"):
        assert sum(module.deck == deck for module in MODULES.values()) == 8
    standing = {name for name, module in MODULES.items() if module.use is Use.STANDING}
    assert standing == {"explosive", "anchor", "shield", "reflector", "reverse", "priority", "pit"}


def test_every_fact_is_told() -> None:
    built = inspect.getsource(events)
    kinds = set(re.findall(r'fact\("(\w+)"', built))
    assert kinds == events.TOLD
    assert GAME.narrate(fact("weather")) is None
