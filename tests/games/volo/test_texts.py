"""Texts: every message has its English, and none lies idle."""

from __future__ import annotations

import pytest

from engines.core.contract import Outcome
from engines.core.texts import load
from engines.volo import events
from engines.volo.view import Ending
from tests.games.texts import plain_keys, unused_texts

CATALOGUE = load("engines.volo")


def test_every_english_text_is_used() -> None:
    # The house asks for the help.
    assert set(unused_texts("volo")) == {"help"}


@pytest.mark.parametrize("key", plain_keys("volo"))
def test_every_key_in_the_code_has_its_english(key: str) -> None:
    assert key in CATALOGUE.languages["en"]


@pytest.mark.parametrize(
    ("ending", "told", "reason"),
    [
        (
            Ending("united", 1),
            "Bob wins with all birds in one flock.",
            "All of the winner’s birds are in one flock.",
        ),
        (
            Ending("left_united", 1),
            "Anna left Bob with one flock, so Bob wins.",
            "Anna left Bob with one flock.",
        ),
        (Ending("withdrawn", 0), "Bob left the match, so Anna wins.", "Bob left the match."),
        (Ending("passes", None), "It’s a draw after two passes in a row.", "Two passes in a row."),
        (Ending("agreed", None), "The players agreed on a draw.", "Both players agreed."),
    ],
)
def test_an_end_names_winner_and_loser(ending: Ending, told: str, reason: str) -> None:
    outcome = events.outcome(ending)
    assert isinstance(outcome, Outcome)
    messages = (events.narrate(events.end_fact(ending)), *outcome.reasons)
    assert [CATALOGUE.render(message, ("Anna", "Bob").__getitem__) for message in messages] == [told, reason]
