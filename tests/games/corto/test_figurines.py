"""Corto and Rasputin. Rules page: *Figurine*; the seed's *Corto example*."""

from __future__ import annotations

from engines.corto.state import State
from tests.games.corto.turns import at, empty, given, kinds, offered, refused, say

BOARD = {
    "a3": "A01 blue",
    "a4": "A02 red blue",
    "b3": "B01 blue blue red",
    "b5": "B05 blue",
    "d3": "D05 blue",
}


def ways(state: State, card: str) -> set[str]:
    return {word for word in offered(state, card) if len(word) == 2}


def test_a_figurine_appears_on_any_deck_then_goes() -> None:
    state = given(BOARD, "D19 A18")
    assert ways(state, "D19") == {f"{strip}{column}" for strip in "abd" for column in range(4)}
    assert len(ways(state, "A18")) == 21, "a vehicle goes 6 steps: all but column 7"
    after = say(state, "corto D19 b3")
    assert after.public.corto == "b3"
    assert after.public.discards[2] == ("D19",)
    assert refused(state, "corto D19 b4") == "too_far_entry"


def test_a_figurine_goes_three_steps_or_six_over_anything() -> None:
    state = given(BOARD, "D19 A18 A19", figurines={"corto": "b3"})
    assert "a3" in ways(state, "D19"), "squares with characters are no obstacle"
    assert {"b0", "b3", "b6", "a1", "d5"} <= ways(state, "D19")
    assert not {"b7", "a0", "a6"} & ways(state, "D19")
    assert refused(state, "corto D19 b7") == "too_far"
    assert "a6" in ways(state, "A18")
    assert refused(state, "corto A19 a3") == "wrong_verb"


def test_no_step_and_no_action_is_a_play() -> None:
    state = given(BOARD, "D19", figurines={"corto": "b3"})
    after = say(state, "corto D19 b3 end enough")
    assert after.public.corto == "b3"
    assert after.public.corto_gold == (0, 0)


def test_both_may_share_a_square() -> None:
    state = given(BOARD, "D19", figurines={"corto": "b3", "rasputin": "b4"})
    assert say(state, "corto D19 b4").public.corto == "b4"


# --- Corto ----------------------------------------------------------------------------------------


def test_each_friend_around_corto_earns_for_who_has_most_markers() -> None:
    state = given(BOARD, "D19")
    after = say(state, "corto D19 b3 gold")
    assert after.public.corto_gold == (0, 2), "a3 and b3; a4 is even, d3 no friend, b5 too far"
    assert kinds(state, "corto D19 b3 gold") == ["travelled", "earned", "earned"]


def test_the_gold_comes_before_the_markers_and_is_not_optional() -> None:
    state = given(BOARD, "D19")
    after = say(state, "corto D19 b3 +a4 +a4")
    assert after.public.corto_gold == (0, 2), "red's new majority on a4 earns nothing now"
    assert at(after, "a4").markers == (3, 1)
    assert refused(after, "gold") == "no_gold"
    assert refused(after, "+a4") == "no_adds"


def test_corto_adds_in_his_area_diagonals_and_his_own_square_too() -> None:
    words = offered(given(BOARD, "D19"), "corto D19 b3")
    assert {word for word in words if word[0] == "+"} == {"+a3", "+a4", "+b3", "+d3"}


def test_corto_may_earn_where_nobody_gains() -> None:
    state = given({"d7": "D05"}, "D19")
    after = say(state, "corto D19 b3 gold")
    assert after.public.corto_gold == (0, 0)
    assert refused(state, "corto D19 b3 +d7") == "reach"


def test_the_rulebooks_corto_example() -> None:
    """Two steps; yellow earns for two friends, none for the third; green's two markers; the train is hit."""
    board = {
        "e3": "E01 yellow",
        "a3": "A02 yellow yellow green",
        "a4": "A01 green yellow",
        "a5": "A05 green",
        "e5": "E02 yellow",
    }
    quests = {"E": {"train": 4, "left": 9, "faces": list("111222") + ["armed"] * 3}}
    state = given(
        board, "D19 E12", seats="green yellow", strips="AED", figurines={"corto": "e2"}, quests=quests
    )
    after = say(state, "corto D19 e4 +a4 +a4")
    assert after.public.corto_gold == (0, 2)
    assert at(after, "a4").controller == 0
    hit = say(after, "use E12 hit train")
    quest = next(quest for quest in hit.public.quests if quest.strip == "E")
    assert [(piece.holder, piece.number) for piece in quest.pieces if piece.kind == "carriage"] == [(0, 1)]


# --- Rasputin -------------------------------------------------------------------------------------


def test_rasputin_eliminates_whoever_it_is_and_markers_go_home() -> None:
    state = given(BOARD, "A19")
    after = say(state, "rasputin A19 b2 kill b3")
    assert empty(after, "b3")
    assert after.public.seal[0] == ("B01",)
    assert after.public.stock == (state.public.stock[0] + 1, state.public.stock[1] + 2)


def test_rasputin_takes_no_markers_and_kills_once() -> None:
    state = given(BOARD, "A19")
    assert refused(state, "rasputin A19 b2 -b3:blue") == "rasputin_kills"
    assert refused(state, "rasputin A19 b2 kill b5") == "reach"
    assert refused(state, "rasputin A19 b2 kill b3 kill a3") == "no_hits"


def test_a_figurine_stays_when_who_stands_under_it_goes() -> None:
    after = say(given(BOARD, "A19"), "rasputin A19 b3 kill b3")
    assert after.public.rasputin == "b3"
    assert empty(after, "b3")
