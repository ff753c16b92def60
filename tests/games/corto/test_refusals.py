"""Each illegal step has a message of its own. The table: what is said, and the key of the refusal."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from typing import Any

import pytest

from engines.core.contract import ActionError, IllegalAction, InvalidAction, Words
from engines.corto import GAME
from engines.corto.cards import CARDS
from engines.corto.state import State
from engines.corto.turn import Duty, Progress
from engines.corto.verbs import PLAY
from engines.corto.view import table_of
from tests.games.corto.positions import of, rng
from tests.games.corto.turns import given, refusal, refused, say, view, words

BOARD = {
    "a3": "A01 red",
    "a5": "A02 blue blue",
    "b3": "B01 red",
    "d4": "D01",
    "d6": "D02 blue",
    "d1": "D03 blue",
}
HANDS = {"blue": ["B20"]}


def with_hand(hand: str, **value: Any) -> State:
    return given(BOARD, hand, hands=HANDS, figurines={"rasputin": "a7"}, **value)


TABLE = [
    ("A04", "hello", "unreadable"),
    ("A04", "play Z09 a4", "no_card"),
    ("A04", "play A04 z4", "no_strip"),
    ("A04", "play a4", "misplaced"),
    ("A04", "play A04 a4 a5", "misplaced"),
    ("A04", "play A04 a4 kill", "hits_spent"),
    ("A06", "play A06 a4 kill", "none_to_kill"),
    ("A04", "play A04 a4 +", "unreadable"),
    ("A04", "play", "unfinished"),
    ("A04", "play A04", "unfinished"),
    ("A04", "draw A", "duty_turn"),
    ("A04", "enough", "duty_turn"),
    ("A04", "start a1", "duty_turn"),
    ("A04", "end", "end_nothing"),
    ("A04", "play A05 a4", "not_in_hand"),
    ("A04", "use A04", "wrong_verb"),
    ("F01 A04", "play A04 f4", "colour"),
    ("A04", "play A04 a0", "deck_square"),
    ("A04", "play A04 b4", "colour"),
    ("A04", "play A04 a3", "occupied"),
    ("A04", "play A04 a7", "under_figurine"),
    ("A04", "play A04 a1", "not_adjacent"),
    ("A04", "play A04 a4<a3", "stock_left"),
    ("A04", "play A04 a4 +a3<b3", "stock_left"),
    ("A04", "+a3", "no_adds"),
    ("A06", "play A06 a4 +a3", "adds_spent"),
    ("A04", "play A04 a4 +d4", "reach"),
    ("A04", "play A04 a4 +a6", "nobody"),
    ("A04", "-a5:blue", "no_hits"),
    ("A04", "play A04 a4 -a5:blue", "hits_spent"),
    ("A06", "play A06 a4 -a5:green", "no_colour"),
    ("A06", "play A06 a4 -a3:red", "own_marker"),
    ("A10", "play A10 a4 -a3:blue", "no_such_marker"),
    ("A06", "play A06 a4 kill a5", "guarded"),
    ("A06", "play A06 a4 kill d4", "reach"),
    ("A06", "play A06 a4 hit train", "no_train"),
    ("A06", "play A06 a4 shot kill a5", "no_shot"),
    ("A04", "play A04 a4 sail left sail left", "no_sail"),
    ("A04", "play A04 a4 sail right", "sail_off"),
    ("D05", "play D05 d5 sail left", "no_sail"),
    ("A04", "gold", "no_gold"),
    ("A14", "use A14 kill d4", "object_first"),
    ("D05 B15", "play D05 d7 use B15 kill a5", "reach"),
    ("A04 A14", "play A04 a4 use A14 end", "half"),
    ("A04 A14", "play A04 a4 use A14", "unfinished_card"),
    ("A04 B15", "play A04 a1", "not_adjacent"),
    ("D19", "corto D19 c3", "off_board"),
    ("D19", "corto D19 b4", "too_far_entry"),
    ("A19", "rasputin A19 b1", "too_far"),
    ("A19", "rasputin A19 a6 -a5:blue", "rasputin_kills"),
    ("A19", "rasputin A19 a6 hit train", "rasputin_kills"),
    ("A16", "adv A16 a3 a3", "swap_same"),
    ("A16", "adv A16 a3 a1", "nobody"),
    ("B16", "move a3>a5", "no_moves"),
    ("B16", "adv B16 move a5>a3", "marker_from"),
    ("B16", "adv B16 move a3>a1", "move_to"),
    ("D18", "adv D18 a3:blue", "bribe_none"),
    ("A04", "play A04 a4 discard", "discard_played"),
    ("A04", "discard A05", "not_in_hand"),
    ("A04", "discard discard", "discard_once"),
    ("A04", "discard play A04 a4", "duty_toss"),
    ("A04", "discard draw A play A04 a4", "after_reveal"),
    ("A04 A05", "play A04 a4 end draw A B D", "draws_spent"),
    ("A04", "discard draw E", "no_deck"),
    ("A04", "discard draw A enough", "draw_all"),
    ("A04", "end a4", "end_nothing"),
    ("A14", "use", "none_to_use"),
    ("A14", "play", "none_to_play"),
    ("A14", "corto", "none_to_corto"),
    ("A14", "rasputin", "none_to_rasputin"),
    ("A14", "adv", "none_to_adv"),
    ("A04", "play A04 a4 end play A04 a5", "duty_draws"),
]
ELSEWHERE = {
    "object_target": "test_objects",
    "train_far": "test_objects",
    "single_full": "test_ending",
    "single_fills": "test_ending",
    "none_freed_full": "test_ending",
    "none_freed_fills": "test_ending",
    "single_from": "test_freeing",
    "must_free": "test_freeing",
    "frees_none": "test_freeing",
    "four_cards": "test_advantages",
    "no_marker_left": "test_characters",
    "marker_from": "test_characters",
    "need_swap": "test_advantages",
    "need_transfer": "test_advantages",
    "need_bribe": "test_advantages",
    "need_pickpocket": "test_advantages",
    "pick_whom": "test_advantages",
    "deck_empty": "test_turns",
    "duty_start": "test_turns",
    "duty_hand": "test_turns",
    "start_where": "test_turns",
    "not_asked": "test_turns",
}
"""Refusals that other modules bring about, where they are."""


@pytest.mark.parametrize(("hand", "text", "key"), TABLE)
def test_each_illegal_step_says_which_rule_forbids_it(hand: str, text: str, key: str) -> None:
    strips = "ABD"
    cards = " ".join(card for card in hand.split() if card[0] in strips)
    assert refused_text(with_hand(cards, strips=strips), text) == key


def refused_text(state: State, text: str) -> str:
    """Return the key of the refusal of a text, whether it can be read or not."""
    with pytest.raises(ActionError) as caught:
        say(state, text)
    assert words(caught.value)
    return caught.value.msg.key.removeprefix("error.")


def test_what_would_be_legal_is_named() -> None:
    state = with_hand("A04 A06")
    assert "a2, a4 and a6." in words(refusal(state, "play A04 a1"))
    assert "red and blue" in words(refusal(state, "play A06 a4 -a5:green"))
    assert "A04 and A06" in words(refusal(state, "play A05 a4"))


def test_where_nothing_would_be_legal_nothing_is_named() -> None:
    state = with_hand("A06 A10 A19")
    for text, told in (
        ("play A06 a4 kill a5", "so hit those first."),
        ("play A10 a4 -a3:blue", "There’s no marker to hit on a3."),
    ):
        assert words(refusal(state, text)).endswith(told)
    own = given({"a3": "A01 red"}, "A06")
    assert words(refusal(own, "play A06 a4 -a3:red")).endswith("but there are none in reach.")
    lone = given({"d7": "D05"}, "D19 A19", stock={"red": 0})
    assert words(refusal(lone, "corto D19 b3 +d7")).endswith("and so is every other character.")
    assert words(refusal(lone, "corto D19 b3 +a1")).endswith("and none in reach.")
    assert words(refusal(lone, "rasputin A19 b3 -d7:blue")).endswith("but there’s none in reach.")
    assert words(refusal(given({"a3": "A01 red"}, ""), "discard A05")).endswith("because your hand is empty.")
    sole = given({"a3": "A01 red"}, "B16 A17", stock={"red": 0})
    assert words(refusal(sole, "corto A17 a2 +a3<b2")).endswith("you have none on another character.")


def test_more_refusals() -> None:
    empty = given({"a3": "A01 red"}, "A04", decks={"A": [], "B": [], "D": []}, hands=HANDS)
    assert refused(empty, "discard draw A") == "no_draws"
    out = given({"d3": "D01"}, "D06 D05", strips="ABD")
    assert refused(out, "play D06 f3") == "colour"
    full = given({f"d{n}": f"D0{n}" for n in range(1, 8)}, "D08", strips="ABD")
    assert refused(full, "play D08") == "no_room"
    foreign = given({"a3": "A01"}, "E03", strips="AEB")
    assert refused(foreign, "play E03 b1") == "colour"
    assert refused(foreign, "end") == "end_nothing"
    sole = given({"a3": "A01 red"}, "A04", stock={"red": 0})
    assert refused(sole, "play A04 a4<a3 +a4") == "reach"
    over = say(
        given({"a3": "A01 red"}, "A04 A05 A02 A03", hands={"blue": ["A06", "A07", "A08", "A10"]}), "discard"
    )
    over = say(over, "discard", seat=1)
    assert refused(over, "discard") == "over"
    assert (
        refused(of({"seats": ["red", "blue"], "strips": ["A", "B", "D"], "first": "blue"}), "draw A")
        == "not_asked"
    )
    with pytest.raises(IllegalAction):
        GAME.withdraw(over, 0, rng())


def test_a_marker_that_would_come_from_nowhere() -> None:
    state = given({"a3": "A01 red"}, "D19", stock={"red": 0}, figurines={"corto": "a2"})
    assert refused(state, "corto D19 a2 +a3") == "no_markers"


def test_an_armed_hit_with_nobody_beside_the_train() -> None:
    quests = {"E": {"train": 6, "left": 1, "faces": ["armed"], "lost": [*"111222", "armed", "armed"]}}
    state = given({"e2": "E01 red"}, "E05", strips="AED", quests=quests, stock={"red": 0})
    armed = say(state, "play E05 e3<e2 hit train")
    assert refused(armed, "shot") == "none_to_shoot"
    assert refused(armed, "shot kill e3") == "reach"


def test_a_card_of_other_strips_and_a_seat_with_nothing_to_do() -> None:
    table = table_of(view(given(BOARD, "A04", hands=HANDS)))
    foreign = replace(CARDS["A04"], colours=("F",))
    with pytest.raises(IllegalAction) as caught:
        PLAY.check_begun(table, foreign, ())
    assert caught.value.msg.key == "error.no_strip_in_play"
    assert words(caught.value)
    with pytest.raises(IllegalAction) as caught:
        PLAY.check_now(Progress(table, Duty.NONE))
    assert caught.value.msg.key == "error.duty_none"


def test_nothing_may_follow_the_end_of_the_turn() -> None:
    state = with_hand("A04 A05")
    assert refused(state, "discard end") == "duty_toss"
    empty = given({"a3": "A01 red"}, "A04 A05", decks={"A": [], "B": [], "D": []}, hands=HANDS)
    assert refused(empty, "play A04 a4 end enough") == "duty_done"
    nobody: Words = ()
    with pytest.raises(InvalidAction):
        GAME.act(state, 0, nobody, rng())
    with pytest.raises(IllegalAction):
        GAME.act(state, 9, ("end",), rng())


def test_every_refusal_of_the_catalogue_is_brought_about() -> None:
    catalogue = json.loads((files("engines.corto") / "locale" / "en.json").read_text("utf-8"))
    known = {key.removeprefix("error.") for key in catalogue if key.startswith("error.")}
    here = {key for _, _, key in TABLE} | set(ELSEWHERE)
    more = {"empty", "seat", "over", "gone", "no_draws", "no_room", "no_markers", "none_to_shoot"}
    more |= {"no_strip_in_play", "duty_none", "duty_done"}
    assert known - here - more == set()
