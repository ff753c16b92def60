"""Another character or figurine in the ending turn, if its own action frees a square (ruleset 2).

Rules page: *The end*, rulings *The ending turn* and *Freeing a square*.
"""

from __future__ import annotations

from typing import Any

import pytest

from engines.core.contract import Seat
from engines.core.optional_methods import Level, Skill
from engines.corto import GAME
from engines.corto.imagine import imagine
from engines.corto.state import State
from engines.corto.view import Phase, describe, look, record
from tests.games.corto.positions import rng
from tests.games.corto.test_ending import filled
from tests.games.corto.turns import empty, kinds, offered, refusal, refused, say, view, words


def bound(**value: Any) -> State:
    """Return a position in which the Card sharp on b7, the second of the turn, must kill b6 or a7."""
    return say(filled("b7", hand="D05 B06 B15 A09", **value), "play D05 d1 play B06 b7")


def on_a_tile(**value: Any) -> State:
    """Return one in which the Dock rebel has turned up the tile on c7, and must kill a7 or c6."""
    state = filled("c7", hand="B05 C05 B06", strips="ACB", full="ac", **value)
    return say(state, "play B05 b1 play C05 c7")


def lapse(state: State, seat: Seat = 0) -> str:
    said = GAME.lapse(view(state, seat), rng())
    assert said is not None
    return GAME.write(said)


def kills(*squares: str) -> set[str]:
    return {f"kill:{square}" for square in squares}


# --- which cards ----------------------------------------------------------------------------------


def test_a_second_character_may_fill_a_strip_where_its_own_action_frees_a_square() -> None:
    state = say(filled("b7", hand="D05 B06"), "play D05 d1")
    assert "B06" in offered(state)
    assert set(offered(state, "B06")) == {"b7"}
    freed = say(state, "play B06 b7 kill b6")
    assert empty(freed, "b6")
    assert freed.public.seal[0] == ("B07",), "the card is gold, as ever"
    assert say(freed, "end enough").public.phase is Phase.TURN, "the match goes on"


def test_one_more_may_follow_while_two_strips_are_full() -> None:
    state = say(filled("b7", hand="B05 D05"), "play B05 b7")
    assert set(offered(say(state, "play D05 d1"))) == kills("b1")
    assert refused(state, "play D05 d1 end") == "must_free"


def test_a_third_is_judged_like_a_second() -> None:
    state = say(filled("b7", hand="D05 B06 B07"), "play D05 d1 play B06 b7 kill b6")
    assert set(offered(say(state, "play B07 b6"))) == kills("a6", "b5")


def test_a_white_border_frees_nothing_and_checks_do() -> None:
    state = say(filled("b7", hand="D05 B05 B09", marked="b6:red"), "play D05 d1")
    assert refused(state, "play B05 b7") == "none_freed_fills"
    after = say(state, "play B09 b7")
    assert set(offered(after)) == kills("a7"), "it may not add a marker instead"
    assert refused(after, "+b6") == "must_free"


def test_taking_a_marker_off_frees_nothing() -> None:
    state = say(filled("b7", hand="D05 B06", marked="b6:blue a7:blue"), "play D05 d1")
    assert refused(state, "play B06 b7 -b6:blue") == "none_freed_fills"
    assert "B06" not in offered(state)


def test_who_stands_under_a_figurine_leaves_no_free_square() -> None:
    state = filled("b7", hand="D05 B06", marked="a7:blue", figurines={"corto": "b6"})
    assert refused(say(state, "play D05 d1"), "play B06 b7") == "none_freed_fills"


def test_long_range_reaches_far() -> None:
    marked = " ".join(f"b{column}:blue" for column in range(2, 7))
    state = say(filled("b7", hand="D05 B08", marked=f"{marked} a7:blue"), "play D05 d1")
    assert set(offered(say(state, "play B08 b7"))) == kills("b1")


def test_an_object_that_could_free_a_square_does_not_count() -> None:
    state = say(filled("b7", hand="D05 B05 B15"), "play D05 d1")
    assert refused(state, "play B05 b7 use B15 kill b6") == "none_freed_fills"


def test_a_train_does_not_count_whatever_its_carriages() -> None:
    quests = {"E": {"train": 7, "left": 3, "faces": ["armed"] * 3, "lost": list("111222")}}
    marked = "e6:blue a7:blue"
    state = filled("e7", hand="B05 E03", strips="AEB", full="ae", marked=marked, quests=quests)
    assert refused(say(state, "play B05 b1"), "play E03 e7") == "none_freed_fills"
    bare = filled("e7", hand="B05 E03", strips="AEB", full="ae", marked="a7:blue", quests=quests)
    after = say(bare, "play B05 b1 play E03 e7")
    assert set(offered(after)) == kills("e6")
    assert refused(after, "hit train") == "must_free"


def test_a_safe_conduct_would_be_spent_and_frees_nothing() -> None:
    value: dict[str, Any] = {"strips": "ABC", "figurines": {"rasputin": "c6"}, "kept": {"blue": ["C18"]}}
    marked = "a6:blue a7:blue b6:blue"
    guarded = say(filled("b7", hand="C01 A19", marked=marked, **value), "play C01 c1")
    assert refused(guarded, "rasputin A19 b7") == "none_freed_fills"
    shared = say(filled("b7", hand="C01 A19", marked=f"{marked} b6:red", **value), "play C01 c1")
    assert set(offered(say(shared, "rasputin A19 b7"))) == kills("b6"), "nobody controls that one"
    value["kept"] = {"red": ["C18"]}
    own = say(filled("b7", hand="C01 A19", marked=marked, **value), "play C01 c1")
    assert set(offered(say(own, "rasputin A19 b7"))) == kills("a6", "a7", "b6")


def test_rasputin_must_eliminate_even_if_his_move_alone_freed_a_square() -> None:
    """Two strips were full when he was played; his action counts, not his move."""
    state = filled("a3", "b7", hand="B05 A19 D19", figurines={"rasputin": "a3", "corto": "d7"})
    state = say(state, "play B05 b7")
    assert refused(state, "corto D19 d6") == "none_freed_full"
    assert set(offered(say(state, "rasputin A19 d3"))) == kills("b2", "b3", "b4")


def test_the_marker_may_come_from_who_is_killed_then() -> None:
    state = filled("b7", hand="D05 B06", marked="b6:red a7:blue a1:red a1:red", stock={"red": 1})
    state = say(state, "play D05 d1")
    assert set(offered(state, "B06")) == {"b7"}
    assert set(offered(state, "B06 b7")) == {"<b6"}
    assert refused(state, "play B06 b7<a1") == "single_from"
    assert "Allowed: b6." in words(refusal(state, "play B06 b7<a1"))
    assert set(offered(say(state, "play B06 b7<b6"))) == kills("b6")


# --- until the square is free ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("end", "must_free"),
        ("end draw A", "must_free"),
        ("discard", "must_free"),
        ("draw A", "must_free"),
        ("use B15 kill b6", "must_free"),
        ("play A09 a7", "must_free"),
        ("-a7:red", "must_free"),
        ("hit train", "must_free"),
        ("+b6", "must_free"),
        ("gold", "must_free"),
        ("kill b5", "frees_none"),
        ("kill b7", "frees_none"),
        ("shot kill b6", "no_shot"),
    ],
)
def test_nothing_else_may_be_said(text: str, key: str) -> None:
    assert refused(bound(), text) == ("duty_turn" if text == "draw A" else key)


def test_only_what_frees_a_square_is_offered_in_the_same_line_and_after_it() -> None:
    before = say(filled("b7", hand="D05 B06 B15 A09"), "play D05 d1")
    assert set(offered(before, "play B06 b7")) == set(offered(bound())) == kills("a7", "b6")
    assert "Allowed: a7 and b6." in words(refusal(bound(), "kill b5"))
    freed = offered(bound(), "kill b6")
    assert {"end", "B15"} <= set(freed), "then the turn goes on"


def test_the_vessel_does_not_sail_then() -> None:
    state = filled("a7", hand="D05 A06")
    after = say(state, "play D05 d1 play A06 a7")
    assert set(offered(after)) == kills("a6", "b7")
    assert refused(after, "sail left") == "must_free"


def test_a_tile_that_is_turned_up_in_between_changes_nothing() -> None:
    state = filled("c7", hand="B05 C05", strips="ACB", full="ac")
    assert refused(state, "play B05 b1 play C05 c7 kill c6") == "after_reveal"
    after = on_a_tile()
    assert set(offered(after)) == kills("a7", "c6")
    assert refused(after, "end") == "must_free"
    assert kinds(after, "kill c6") == ["killed"]


def test_at_a_deadline_the_topmost_goes_and_the_turn_ends() -> None:
    state = on_a_tile(seats="red blue green")
    text = lapse(state)
    assert text.startswith("kill a7 end draw ")
    after = say(state, text)
    assert empty(after, "a7")
    assert after.public.turn is not None
    assert after.public.turn.seat == 1
    assert len(after.hands[0]) == 3


def test_who_withdraws_before_it_ends_the_turn_and_the_match() -> None:
    over = GAME.withdraw(on_a_tile(seats="red blue green"), 0, rng()).state
    assert over.public.reason == "boards"
    assert over.public.ranks is not None
    assert over.public.ranks[-1] == (0,)
    assert GAME.withdraw(on_a_tile(), 0, rng()).state.public.ranks == ((1,), (0,))


def test_another_seat_that_withdraws_changes_nothing() -> None:
    state = GAME.withdraw(on_a_tile(seats="red blue green"), 1, rng()).state
    assert set(offered(state)) == kills("a7", "c6")


# --- who else minds it ----------------------------------------------------------------------------


def test_computer_players_free_a_square() -> None:
    state = on_a_tile()
    menu = GAME.menu(view(state))
    assert menu is not None
    found = [GAME.player(view(state), menu, rng(f"player {number}")) for number in range(8)]
    found += [GAME.think(view(state), menu, Skill(level, 0.05), rng(level.value)) for level in Level]
    for said in found:
        assert GAME.write(said).startswith(("kill a7", "kill c6"))
        say(state, GAME.write(said))


def test_a_truth_that_is_imagined_asks_for_it_too() -> None:
    state = on_a_tile()
    for viewer in (0, 1, None):
        seen = look(state, viewer)
        truth = imagine(seen, rng("imagine"))
        assert truth.public.turn == state.public.turn
        assert look(truth, viewer) == seen


def test_records_of_ruleset_1_say_nothing_of_it() -> None:
    value: dict[str, Any] = {"hand": "D05 B06", "ruleset": "1"}
    for data in (record(filled("b7", **value)), describe(look(filled("b7", **value), 0))):
        assert "ruleset" not in data
        assert "must_free" not in data["turn"]
    for data in (record(bound()), describe(look(bound(), None))):
        assert data["ruleset"] == "2"
        assert data["turn"]["must_free"] is True
