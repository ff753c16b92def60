"""What a seat is asked: why nothing can be played, what is chosen already, how the match stands."""

from __future__ import annotations

from typing import Any

import pytest

from engines.core import texts
from engines.core.contract import Choice, Field, Widget
from engines.core.match import Match
from engines.core.setups import complete
from engines.core.to_json import Plain
from engines.corto import GAME
from engines.corto.state import State
from tests.games.corto.positions import rng
from tests.games.corto.turns import given, say, view

SPEAKER = Plain(GAME, texts.load("engines.corto"))

BOARD = {"a3": "A01 red", "a5": "A02 blue blue", "b4": "B01", "d4": "D01 red blue"}
FULL = {f"a{column}": f"A{column:02} blue" for column in range(1, 8)}


DISCARD = "Discard any cards you like, then draw back to four."


def asked(state: State, text: str = "") -> str:
    """Return what is asked after a draft, in English."""
    found = GAME.menu(view(state), GAME.read(text))
    assert found is not None
    return SPEAKER.text(found.prompt)


def fields(state: State, text: str = "") -> dict[str, Field]:
    found = GAME.menu(view(state), GAME.read(text))
    assert found is not None
    return {part.key: part for part in found.fields}


def labelled(state: State, text: str, word: str) -> tuple[str, str]:
    """Return what a choice is called, and what is said below it."""
    found = GAME.menu(view(state), GAME.read(text))
    assert found is not None
    choice = found.find(word)
    assert isinstance(choice, Choice)
    return SPEAKER.text(choice.label), "" if choice.detail is None else SPEAKER.text(choice.detail)


@pytest.mark.parametrize(
    ("board", "hand", "more", "why"),
    [
        ({}, "", {}, "You have no cards to play, so discard none and draw back to four."),
        (BOARD, "A14 B12", {}, f"You have only objects, which need a character or figurine first. {DISCARD}"),
        (
            FULL,
            "A14 A10 A11",
            {},
            f"You can’t play, because there’s no free square for your characters. {DISCARD}",
        ),
        (
            {"a3": "A01 blue"},
            "A04",
            {"stock": {"red": 0}},
            f"You can’t play, because you have no marker for your characters. {DISCARD}",
        ),
        (
            {"a3": "A01 blue"},
            "A16 B16",
            {},
            f"You can’t play, because there aren’t two characters to swap. {DISCARD}",
        ),
        (
            {"a3": "A01 red"},
            "D18",
            {},
            f"You can’t play, because no opponent has a marker in play. {DISCARD}",
        ),
        (
            {"e3": "E01 red"},
            "E17",
            {"strips": "AEB", "hands": {"blue": []}},
            f"You can’t play, because no opponent has a card to take. {DISCARD}",
        ),
    ],
)
def test_who_can_play_nothing_is_told_why(
    board: dict[str, str], hand: str, more: dict[str, Any], why: str
) -> None:
    state = given(board, hand, **more)
    found = fields(state)
    assert [choice.word for part in found.values() for choice in part.choices] == ["discard"]
    assert asked(state) == why


def test_a_prompt_asks_for_what_is_open() -> None:
    state = given(BOARD, "A04 A10 A14 B16")
    assert asked(state) == "Play up to four cards, or discard."
    assert asked(state, "A04") == "Place Lamp keeper. It can then add 1 marker to a neighbour."
    assert asked(state, "A04 a4") == "Act with Lamp keeper, play another card, or end your turn."
    assert asked(state, "A04 a4 +a3") == "Play up to 3 more cards, or end your turn."
    assert asked(state, "A04 a4 A14") == ("Choose the target that Harpoon hits.")
    assert asked(state, "B16") == "Move up to 2 of your markers with Shore leave. Choose the first."
    assert asked(state, "B16 move a3") == "Choose where the marker from a3 goes."
    assert asked(state, "A04 a4 B") == "You draw a card from B."
    assert asked(given(BOARD, "A04 A10"), "A04 a4 end BB") == "You draw 2 cards from B and B."
    assert asked(state, "discard") == "Choose the cards to discard, then draw back to four."
    assert asked(state, "discard A10 A04") == (
        "You discard Lamp keeper (A04) and Smuggler (A10). Discard more, or draw 2 cards."
    )
    last = given(BOARD, "A04")
    assert asked(last, "A04 a4") == "Act with Lamp keeper, or end your turn."
    assert asked(last, "A04 a4 +a3") == "You can’t play anything else, so draw or end your turn."


def test_an_armed_carriage_is_asked_for_by_itself() -> None:
    quests = {"E": {"train": 4, "left": 9, "faces": ["armed", "armed", "armed", *"111222"]}}
    state = given({"e3": "E01 red", "e2": "E02 blue"}, "E04 E05", strips="EAD", quests=quests)
    state = say(state, "play E05 e4 hit train")
    assert "shot" in fields(state)
    assert asked(state) == "Hit once with the armed carriage, or continue."


def test_labels_say_what_they_are() -> None:
    state = given(BOARD, "A04 A10 A16 D18")
    assert labelled(state, "", "A04") == ("Lamp keeper · A04", "Adds 1 marker to a neighbour.")
    exchange = "Change of cabins: swap two characters and their markers"
    assert labelled(state, "", "A16") == (exchange, "")
    assert labelled(state, "A10", "a4") == ("a4", "")
    assert labelled(state, "A10 a4", "+a3") == ("a3 · Harbour pilot", "Red 1")
    assert labelled(state, "A10 a4", "-a5:blue") == ("a5 · Island trader: Blue loses a marker", "Blue 2")
    assert labelled(state, "A10 a4", "kill:b4") == ("b4: kill Oracle", "")
    assert labelled(state, "A16", "d4")[1] == "Red 1 and Blue 1"
    assert labelled(state, "A16", "b4")[1] == "no marker"
    assert labelled(state, "A04 a4", "B")[0] == "Draw B"
    assert labelled(given(BOARD, "A04"), "A04 a4 end", "BD")[0] == "B + D"


def test_squares_are_a_grid_of_buttons() -> None:
    state = given(BOARD, "A04 A17")
    assert fields(state, "A04")["place"].widget is Widget.GRID
    assert fields(state, "A17")["go"].widget is Widget.GRID
    assert labelled(state, "A17", "a3") == ("a3", "Harbour pilot: Red 1")


def test_the_public_is_told_how_much_gold_everybody_would_have() -> None:
    state = given({"a3": "A01 red", "a4": "A02 red", "b1": "B01 blue"}, "A04 A05", seal={"blue": 1})
    found = GAME.summary(view(state))
    assert found is not None
    assert SPEAKER.text(found) == "Gold if the match ended now: Red 4 and Blue 1"
    assert GAME.summary(GAME.view(state, None)) == found
    later = GAME.summary(GAME.view(say(state, "play A04 a5 end enough"), None))
    assert later is not None
    assert SPEAKER.text(later) == "Gold if the match ended now: Red 6 and Blue 1"


def test_nothing_is_counted_before_the_first_turn_and_after_the_last() -> None:
    begun = Match.start(GAME, complete(GAME.manifest, 2, {}), bytes(32))
    assert GAME.summary(begun.view(None)) is None
    state = given({"a3": "A01 red"}, "A04")
    over = GAME.agree(state, rng()).state
    assert GAME.summary(GAME.view(over, None)) is None
