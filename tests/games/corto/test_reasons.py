"""What speaks for a sentence: true of the position, in the game's terms, the weightiest first."""

from __future__ import annotations

import pytest

from engines.core import texts
from engines.corto import GAME
from engines.corto.state import State
from engines.corto.view import look
from tests.games.corto.positions import of
from tests.games.corto.test_advantages import pick
from tests.games.corto.test_objects import train
from tests.games.corto.test_thinking import one_short
from tests.games.corto.test_turns import BEGINNING
from tests.games.corto.turns import Board, given, say

TEXTS = texts.load("engines.corto")

GROUPS: Board = {
    "a2": "A03 red blue",
    "a3": "A01 red",
    "a4": "A02 red red blue",
    "b4": "B05",
    "d3": "D05 blue red red",
}
TILES = {"c2": "ingot", "c4": "crow", "c5": "ingot", "c6": "crow", "c7": "ingot"}


def why(state: State, text: str, seat: int = 0) -> str:
    return TEXTS.render(GAME.reason(look(state, seat), GAME.read(text)), "seat {}".format)


# --- turns ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "corto D19 b3 +a4 +a4 end",
            "brings you 2 gold, mostly from Corto’s friends",
        ),
        (
            "corto D19 b3 +b4 +a3 end",
            "brings you 4 gold, mostly from your groups",
        ),
    ],
)
def test_what_a_turn_brings(text: str, reason: str) -> None:
    assert why(given(GROUPS, "D19"), text) == f"This {reason}."


def test_gold_of_both_sides() -> None:
    state = given({"a1": "A01 red", "a3": "A02 blue", "b3": "B01 blue"}, "A06")
    text = why(state, "play A06 a2 -a3:blue end draw A")
    assert text == "This brings you 4 gold and costs seat 1 4 gold."


def test_control_without_gold() -> None:
    board = {"a3": "A01 red", "a4": "A02 blue", "b4": "B05", "d3": "D05 blue red red"}
    assert why(given(board, "A04"), "play A04 a5 +a4 end") == (
        "This brings 1 more character under your control."
    )


def test_a_marker_where_somebody_else_leads_makes_no_hold_firmer() -> None:
    state = given({"a4": "A02 blue blue blue red", "a7": "A03 red"}, "D19 A04")
    assert why(state, "corto D19 b3 +a4 end") == "This brings no gold yet, but leaves you 1 card."


def test_a_firmer_hold_without_gold_or_control() -> None:
    board = {"a3": "A05 red red blue", "d3": "D05 red red blue"}
    assert why(given(board, "D19 A04"), "corto D19 b3 +a3 end") == (
        "This strengthens your control of 1 character."
    )


def test_lost_control_of_somebody_else() -> None:
    board = {"a5": "A05 red", "a3": "A04 blue"}
    assert why(given(board, "D19 A14"), "corto D19 a2 use A14 -a3:blue end") == (
        "This makes seat 1 lose control of 1 character."
    )


def test_a_guard() -> None:
    state = given({"a3": "A01 red", "c1": "C01"}, "C18", strips="ABC")
    assert why(state, "adv C18 end draw A") == "This protects your characters from the next hit."


def test_what_brings_nothing_says_what_is_left() -> None:
    swap = given({"a3": "A01 red", "d3": "D05 red"}, "A16 A04 B17")
    assert why(swap, "adv A16 a3 d3 end") == "This brings no gold yet, but leaves you 2 cards."
    assert why(given({"a3": "A01 red", "d3": "D05 red"}, "A16 A04"), "adv A16 a3 d3 end") == (
        "This brings no gold yet, but leaves you 1 card."
    )


# --- what is turned up ----------------------------------------------------------------------------


def test_tiles_that_lie_face_down() -> None:
    board = {"c1": "C05 red"}
    whole = given(board, "C03", strips="CAB")
    assert why(whole, "play C03 c2") == (
        "This reveals the tile on c2. Of the 6 face-down tiles, 3 are ingots."
    )
    quests = {"C": {"face_down": TILES, "taken": {"blue": ["crow"]}}}
    fewer = given(board, "C03", strips="CAB", quests=quests)
    assert why(fewer, "play C03 c2") == (
        "This reveals the tile on c2. Of the 5 face-down tiles, 3 are ingots."
    )
    taken = {"blue": ["crow", "crow", "crow"], "red": ["ingot", "ingot"]}
    last = {"C": {"face_down": {"c2": "ingot"}, "taken": taken}}
    assert "Of the 1 face-down tiles, 1 is an ingot." in why(
        given(board, "C03", strips="CAB", quests=last), "play C03 c2"
    )


@pytest.mark.parametrize(("face", "left", "bring"), [("2", 9, 6), ("armed", 5, 4)])
def test_carriages_that_are_left(face: str, left: int, bring: int) -> None:
    assert why(train(face, column=5, left=left), "play E03 e4 hit train") == (
        f"This takes one of the {left} carriages left. Of these, {bring} bring gold."
    )


@pytest.mark.parametrize(("colour", "seat"), [("blue", 1), ("green", 2)])
def test_whose_hand_a_card_comes_from(colour: str, seat: int) -> None:
    state = pick({"blue": ["A05", "D06"], "green": ["B05"]})
    assert why(state, f"adv E17 {colour}") == f"This takes a card from seat {seat}."


# --- set-up, draws, discards ----------------------------------------------------------------------


def test_where_to_begin() -> None:
    state = of(BEGINNING)
    assert why(state, "start a1", 1) == ("a1 has no marker yet and is next to another starting character.")
    assert why(state, "start b1 draw A A", 1) == (
        "b1 has no marker yet and is next to 2 other starting characters."
    )
    after = say(state, "start a1", seat=1)
    assert why(after, "start a1", 2) == (
        "Your marker means that seat 1 no longer controls the character on a1."
    )
    shared = say(after, "start a1", seat=2)
    assert why(shared, "start a1", 0) == (
        "a1 is next to another starting character, so your group can grow there."
    )


@pytest.mark.parametrize(("text", "deck", "bring"), [("draw A A B", "A", 14), ("draw A B B", "B", 13)])
def test_the_deck_that_most_is_drawn_from(text: str, deck: str, bring: int) -> None:
    state = say(of(BEGINNING), "start a1", seat=1)
    assert why(state, text, 1) == (
        f"Of the 19 unseen cards of deck {deck}, {bring} are figurines or characters with a free square."
    )


@pytest.mark.parametrize(
    ("hand", "text", "reason"),
    [
        ("B10 A14 A15 B15", "discard", "You pass and keep your cards."),
        ("B10 A14 A15", "discard", "You draw 1 fresh card for your next turn."),
        (
            "B10 A14 A15 B15",
            "discard B10 draw D",
            "You discard 1 and draw 1 fresh card for your next turn.",
        ),
        (
            "B10 A14 A15",
            "discard B10 draw D A",
            "You discard 1 and draw 2 fresh cards for your next turn.",
        ),
        ("A14 A15", "discard", "You can’t play any of your cards now."),
    ],
)
def test_a_turn_without_a_card(hand: str, text: str, reason: str) -> None:
    assert why(one_short(hand), text) == reason


# --- the end --------------------------------------------------------------------------------------


def test_how_the_match_ends() -> None:
    assert why(one_short("B10"), "play B10 b7 end").startswith("This ends the match, and you win with")
    assert why(one_short("B10", own="blue"), "play B10 b7 end").startswith(
        "This ends the match, and you lose with"
    )
