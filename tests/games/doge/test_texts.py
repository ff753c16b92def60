"""Texts: every message has its English, every fact is told, the rules page says every ruling."""

from __future__ import annotations

import inspect
import json
import re

import pytest

from engines.core.texts import load, rules
from engines.doge import GAME
from engines.doge import rules as deeds
from engines.doge.components import COLOURS, Card
from engines.doge.view import Mark, Phase, Reason
from tests.games.doge.support import at, play, refusal
from tests.games.texts import plain_keys, unused_texts

ENGLISH = load("engines.doge").languages["en"]


def test_every_english_text_is_used() -> None:
    # The house asks for the help, and the core which values a situation must have.
    assert {key for key in unused_texts("doge") if not key.startswith("situation.")} == {"help"}


@pytest.mark.parametrize("key", plain_keys("doge"))
def test_every_key_in_the_code_has_its_english(key: str) -> None:
    assert key in ENGLISH


def test_all_that_is_filled_in_has_its_texts() -> None:
    assert all(f"card.{card}" in ENGLISH for card in Card)
    assert all(f"colour.{colour}" in ENGLISH for colour in COLOURS)
    assert all(f"end.{reason}" in ENGLISH and f"fact.end.{reason}" in ENGLISH for reason in Reason)
    assert all(f"prompt.{phase}" in ENGLISH for phase in Phase if phase is not Phase.OVER)
    assert all(f"mark.{mark}" in ENGLISH for mark in (*Mark, "-"))


def test_no_fact_speaks_to_a_player() -> None:
    """Once the match is over, everybody reads in the log what each seat was told."""
    told = {key: json.dumps(text) for key, text in ENGLISH.items() if key.startswith("fact.")}
    assert [key for key, text in told.items() if re.search(r"\b[Yy]ou", text)] == []


def test_every_fact_has_its_sentence() -> None:
    kinds = set(re.findall(r'tell\([^"]*"(\w+)"', inspect.getsource(deeds)))
    kinds |= {"right", "wrong"}
    told = {key.removeprefix("fact.") for key in ENGLISH if key.startswith("fact.")}
    assert kinds - {"end"} <= told


@pytest.mark.parametrize(
    "part",
    [
        "The giver chooses the card square",
        "the active player chooses one; the active player’s own pawn does not count",
        "A player with no false card left cannot be met and gives the ghost nothing",
        "is still not empty",
        "Ghost cards are never shuffled again",
        "Passing over pawns or piles does nothing",
        "Any number of pawns may share a square",
        "Nobody may guess while cards are owed",
        "your own cards, and pairs that were already wrong",
        "A choice falls away if a guess leaves nothing to choose",
        "Cards of players who are out do not count for the end",
        "Their hands stay unseen",
        "does not see the treasure",
        "Cards still owed are first drawn at random",
        "a last guess is a pass",
        "Two and three players, gifts in advance and darker nights are ours",
    ],
)
def test_the_rules_page_has_every_ruling(part: str) -> None:
    page = " ".join(rules("doge").split())
    rulings = page[page.index("## Rulings") : page.index("## Reconstructions")]
    assert part in rulings


def test_the_sentences_of_the_help_can_be_typed() -> None:
    typed = re.findall(r"`([^`]+)`", str(ENGLISH["help"]).split("**Typing**")[1])
    assert len(typed) == 12
    match = at("1357", gifts="asked")
    for text in typed:
        words = GAME.read(text)
        # Each is a sentence of the game, whether it is the moment for it or not.
        colour = "red" if words[0] == "ahead" else "yellow"
        if words[0] in ("guess", "ahead", "mark", "auto"):
            play(match, f"{colour} {text}")
        else:
            assert refusal(match, f"{colour} {text}") == "not_asked"
