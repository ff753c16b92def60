"""Characters: where they may stand, their marker, what they do. Rules page: *Turn*, *Character*."""

from __future__ import annotations

from engines.corto.state import State
from tests.games.corto.turns import at, empty, given, offered, refused, say

BOARD = {"a3": "A01 red", "b3": "B01 blue", "d3": "D01"}


def squares(state: State, card: str) -> set[str]:
    return {word for word in offered(state, card) if len(word) == 2}


def test_a_character_stands_beside_another_on_a_strip_of_its_colour() -> None:
    state = given(BOARD, "A04")
    assert squares(state, "A04") == {"a2", "a4"}
    after = say(state, "play A04 a4")
    assert at(after, "a4").card == "A04"
    assert at(after, "a4").markers == (1, 0)
    assert after.public.stock[0] == state.public.stock[0] - 1


def test_edges_join_across_strips_but_corners_do_not() -> None:
    state = given({"a3": "A01", "d5": "D01"}, "B05")
    assert squares(state, "B05") == {"b3", "b5"}


def test_two_colours_may_stand_on_either_that_is_in_play() -> None:
    state = given(BOARD, "A02 D06")
    assert squares(state, "A02") == {"a2", "a4", "b2", "b4"}
    assert squares(state, "D06") == {"d2", "d4"}, "its other strip, F, is not in play"


def test_a_strip_that_nobody_touches_takes_its_first_free_square() -> None:
    state = given({"a3": "A01"}, "D05")
    assert squares(state, "D05") == {"d1"}
    beside_figurine = given({"a3": "A01"}, "D05", figurines={"corto": "d1"})
    assert squares(beside_figurine, "D05") == {"d2"}
    full = given({f"a{n}": f"A0{n}" for n in (1, 2, 3, 4, 5, 6, 7)}, "A08 B05")
    assert squares(full, "B05") == {f"b{n}" for n in range(1, 8)}


def test_where_one_free_square_touches_the_first_free_one_does_not_count() -> None:
    state = given({"d5": "D01"}, "D05")
    assert squares(state, "D05") == {"d4", "d6"}


def test_a_figurine_on_a_deck_touches_column_1() -> None:
    state = given({"a5": "A01"}, "A04", figurines={"rasputin": "a0"})
    assert squares(state, "A04") == {"a1", "a4", "a6"}


def test_nobody_is_placed_under_a_figurine_but_stays_a_target_there() -> None:
    state = given({"a3": "A01", "a4": "A05 blue"}, "A06", figurines={"corto": "a2", "rasputin": "a4"})
    assert "a2" not in squares(state, "A06")
    assert refused(state, "play A06 a2") == "under_figurine"
    after = say(state, "play A06 a5 -a4:blue")
    assert at(after, "a4").markers == (0, 0)
    assert after.public.rasputin == "a4"


# --- the action -----------------------------------------------------------------------------------


def test_a_white_border_adds_one_of_ones_own_markers_beside() -> None:
    after = say(given(BOARD, "A04"), "play A04 a4 +a3")
    assert at(after, "a3").markers == (2, 0)
    assert refused(after, "+a3") == "no_adds"


def test_the_action_is_optional_and_waived_by_the_next_card() -> None:
    state = given(BOARD, "A04 A05")
    assert refused(say(state, "play A04 a4", "play A05 a5"), "+a3") == "reach"
    assert at(say(state, "play A04 a4", "play A05 a5 +a4"), "a4").markers == (2, 0)


def test_a_black_border_sends_an_opponents_marker_home() -> None:
    after = say(given({**BOARD, "a5": "A05 blue red"}, "A06"), "play A06 a4 -a5:blue")
    assert at(after, "a5").markers == (1, 0)
    assert after.public.stock[1] == 13 - 1


def test_a_border_does_not_touch_ones_own_markers() -> None:
    state = given(BOARD, "A06")
    assert refused(state, "play A06 a4 -a3:red") == "own_marker"
    assert refused(state, "play A06 a4 kill a3") == "guarded"
    assert set(offered(state, "play A06 a4")) == {"end", "A", "B", "D", "left"}


def test_a_black_border_kills_who_has_no_marker_and_the_card_is_gold() -> None:
    state = given({"d3": "D01"}, "D05")
    after = say(state, "play D05 d4 kill d3")
    assert empty(after, "d3")
    assert after.public.seal[0] == ("D01",)


def test_a_black_and_white_border_does_either_but_once() -> None:
    state = given({"a3": "A01 blue"}, "A10")
    assert at(say(state, "play A10 a4 +a3"), "a3").markers == (1, 1)
    assert at(say(state, "play A10 a4 -a3:blue"), "a3").markers == (0, 0)
    assert refused(state, "play A10 a4 +a3 -a3:blue") == "no_hits"
    assert refused(state, "play A10 a4 -a3:blue +a3") == "no_adds"


def test_long_range_reaches_row_and_column_and_nothing_blocks() -> None:
    board = {"a1": "A01 blue", "a3": "A02 blue", "a5": "A03 blue", "b4": "B01"}
    board |= {"d4": "D01 blue", "d5": "D02 blue"}
    words = set(offered(given(board, "A07"), "play A07 a4")) - {"left"}
    assert words == {"-a1:blue", "-a3:blue", "-a5:blue", "kill:b4", "-d4:blue", "end", "A", "B", "D"}
    short = set(offered(given(board, "A06"), "play A06 a4")) - {"left"}
    assert short == {"-a3:blue", "-a5:blue", "kill:b4", "end", "A", "B", "D"}


# --- markers run out ------------------------------------------------------------------------------


def short_of_markers(hand: str) -> State:
    return given({"a3": "A01 red", "b3": "B01 red blue", "b4": "B02"}, hand, stock={"red": 0})


def test_without_stock_the_marker_comes_from_another_character() -> None:
    state = short_of_markers("A04")
    menu = offered(state, "play A04 a4")
    assert set(menu) == {"<a3", "<b3"}
    after = say(state, "play A04 a4<b3")
    assert at(after, "a4").markers == (1, 0)
    assert at(after, "b3").markers == (0, 1)
    assert refused(state, "play A04 a4") == "unfinished"
    assert refused(state, "play A04 a4<b4") == "marker_from"


def test_a_marker_moves_only_when_the_stock_is_empty() -> None:
    assert refused(given(BOARD, "A04"), "play A04 a4<a3") == "stock_left"


def test_an_added_marker_may_come_from_the_character_just_played_which_stays_bare() -> None:
    after = say(short_of_markers("A04"), "play A04 a4<a3 +a3<a4")
    assert at(after, "a4").markers == (0, 0)
    assert at(after, "a3").markers == (1, 0)


def test_who_is_left_bare_can_be_killed() -> None:
    state = given({"a3": "A01 red", "a2": "A02"}, "A04 A14", stock={"red": 0})
    after = say(state, "play A04 a4<a3 use A14 kill a3")
    assert after.public.seal[0] == ("A01",)


def test_without_any_marker_nobody_is_placed() -> None:
    state = given({"a3": "A01 blue"}, "A04", stock={"red": 0})
    assert refused(state, "play A04 a4") == "no_marker_left"
    assert "A04" not in offered(state)
