"""Objects, the train and its armed carriages. Rules page: *Object*, *Quests*, E."""

from __future__ import annotations

import pytest

from engines.corto.state import State
from tests.games.corto.turns import at, empty, given, kinds, offered, refused, say

BOARD = {"a3": "A01 red", "a5": "A02 blue blue", "b4": "B01", "d4": "D01 red blue"}


def test_an_object_needs_a_character_or_figurine_of_this_turn() -> None:
    state = given(BOARD, "A14 A05 D19")
    assert refused(state, "use A14 kill b4") == "object_first"
    assert "A14" not in offered(state)
    assert empty(say(state, "play A05 a4 use A14 kill b4"), "b4")
    assert empty(say(state, "corto D19 b3 use A14 kill b4"), "b4")


def test_an_object_acts_beside_the_one_played_last() -> None:
    state = given(BOARD, "A05 D05 A14")
    assert refused(state, "play A05 a4 play D05 d5 use A14 kill b4") == "reach"
    assert at(say(state, "play A05 a4 play D05 d5 use A14 -d4:blue"), "d4").markers == (1, 0)


def test_a_figurine_lends_its_four_neighbours_not_its_area() -> None:
    state = given(BOARD, "D19 A14 A04", figurines={"corto": "a5"})
    words = offered(state, "corto D19 a4 use A14")
    assert {"-a3:red", "-a5:blue", "kill:b4"} == set(words)
    diagonal = given({"a3": "A01 red", "b4": "B01"}, "D19 A14", figurines={"corto": "a6"})
    assert refused(diagonal, "corto D19 a5 use A14 kill b4") == "object_target"


def test_an_object_acts_on_who_stands_under_its_figurine() -> None:
    """The rulebook: "you can act on a character card placed under a figurine"."""
    board = {"a3": "A01 red blue", "d6": "D01"}
    assert refused(given(board, "D19 A14", ruleset="1"), "corto D19 a3 use A14 -a3:blue") == "object_target"
    for figurine in ("corto D19", "rasputin A19"):
        state = say(given(board, f"{figurine[-3:]} A14 A13 A15"), f"{figurine} a3")
        assert set(offered(state, "A14")) == {"-a3:red", "-a3:blue"}
        assert set(offered(state, "A13")) == {"+a3"}
        assert set(offered(state, "A15")) == {"-a3:red", "-a3:blue"}, "with long range, too"
        assert at(say(state, "use A13 +a3 +a3"), "a3").markers == (3, 1)
    state = given({"a3": "A01"}, "D19 A14")
    killed = say(state, "corto D19 a3 use A14 kill a3")
    assert empty(killed, "a3")
    assert killed.public.corto == "a3", "the figurine stays"


def test_who_was_brought_under_a_figurine_does_not_act_on_itself() -> None:
    board = {"a3": "A01 blue", "d5": "D01 blue"}
    state = given(board, "D05 A16 A14", figurines={"corto": "a3"})
    swapped = say(state, "play D05 d6 adv A16 a3 d6")
    assert refused(swapped, "use A14 -a3:red") == "object_target"


def test_an_exchange_under_a_figurine_changes_whom_it_reaches() -> None:
    state = given({"a3": "A01 red", "d6": "D01 blue"}, "D19 A16 A14")
    assert set(offered(say(state, "corto D19 a3 adv A16 a3 d6"), "A14")) == {"-a3:blue"}


def test_an_object_adds_or_hits_as_often_as_it_says() -> None:
    state = given(BOARD, "A05 A13 D16")
    after = say(state, "play A05 a4 use A13 +a3 +a3")
    assert at(after, "a3").markers == (3, 0)
    assert refused(after, "+a3") == "no_adds"
    twice = say(state, "play A05 a4 use D16 -a5:blue -a5:blue")
    assert at(twice, "a5").markers == (0, 0)
    assert refused(twice, "kill a5") == "no_hits"


def test_one_effect_is_enough_and_at_least_one_is_due() -> None:
    state = given(BOARD, "A05 A13 A04")
    assert refused(state, "play A05 a4 use A13") == "unfinished_card"
    assert refused(state, "play A05 a4 use A13 end") == "half"
    assert refused(state, "play A05 a4 use A13 play A04 a2") == "half"
    assert at(say(state, "play A05 a4 use A13 +a3 play A04 a2"), "a3").markers == (2, 0)


def test_hits_may_meet_ones_own_markers_and_kill() -> None:
    state = given(BOARD, "A05 D16")
    after = say(state, "play A05 a4 use D16 -a3:red kill a3")
    assert after.public.seal[0] == ("A01",)
    assert after.public.stock[0] == state.public.stock[0], "one placed, one come home"


def test_without_a_target_an_object_cannot_be_played() -> None:
    state = given({"a3": "A01 red"}, "D05 A14")
    assert refused(state, "play D05 d1 use A14 kill a3") == "object_target"
    assert "A14" not in offered(state, "play D05 d1")


def test_the_origin_itself_is_no_target() -> None:
    state = given(BOARD, "A05 D16 A13")
    assert refused(state, "play A05 a4 use D16 -a4:red") == "reach"
    assert refused(state, "play A05 a4 use A13 +a4") == "reach"


def test_long_range_belongs_to_the_card_that_has_it() -> None:
    far = {"a1": "A01 blue", "a3": "A02", "d4": "D01 blue"}
    state = given(far, "A07 A14 A05 A15")
    assert refused(state, "play A07 a4 use A14 -a1:blue") == "reach"
    assert at(say(state, "play A05 a4 use A15 -a1:blue -d4:blue"), "a1").markers == (0, 0)
    assert refused(state, "play A05 a4 +a1") == "reach"


def test_the_border_of_the_character_does_not_matter() -> None:
    state = given(BOARD, "A06 A13")
    assert at(say(state, "play A06 a4 use A13 +b4"), "b4").markers == (1, 0)


def test_who_is_killed_since_leaves_the_origin_where_it_stood() -> None:
    quests = {"E": {"train": 5, "left": 1, "faces": ["armed"], "lost": list("111222") + ["armed"] * 2}}
    state = given({"e3": "E01 red"}, "E03 E16 E12", strips="AED", quests=quests, stock={"red": 0})
    armed = say(state, "play E03 e4<e3 hit train", "shot -e4:red")
    assert at(armed, "e4").markers == (0, 0)
    assert armed.public.turn is not None
    assert armed.public.turn.origin == "e4"
    assert refused(armed, "use E12 kill e4") == "reach"
    assert empty(say(armed, "use E12 kill e3"), "e3")


# --- swap carries the origin ----------------------------------------------------------------------


def test_swap_carries_the_origin_of_objects() -> None:
    state = given({"a3": "A01 red", "d6": "D01", "d7": "D02"}, "A05 A16 A14")
    assert refused(state, "play A05 a4 use A14 kill d7") == "reach"
    assert empty(say(state, "play A05 a4 adv A16 a4 d6 use A14 kill d7"), "d7")


def test_swap_leaves_a_figurine_and_its_origin() -> None:
    board = {"a3": "A01", "a2": "A02", "d6": "D01", "d7": "D02"}
    state = given(board, "D19 A16 A14")
    assert refused(state, "corto D19 a3 adv A16 a3 d6 use A14 kill d7") == "reach"
    assert empty(say(state, "corto D19 a3 adv A16 a3 d6 use A14 kill a2"), "a2")


# --- leopards: whose square acts --------------------------------------------------------------------


def leopards(state: State) -> int:
    quest = next(quest for quest in state.public.quests if quest.strip == "D")
    return sum(piece.holder == 0 for piece in quest.pieces)


def test_leopards_follow_the_acting_square() -> None:
    board = {"d3": "D01", "b4": "B01", "d5": "D02 blue", "b1": "B02 red"}
    from_the_strip = given(board, "D05 A14 A19")
    assert leopards(say(from_the_strip, "play D05 d4 use A14 kill b4")) == 1, "the victim is elsewhere"
    assert leopards(say(from_the_strip, "play D05 d4 kill d3 use A14 kill b4")) == 2
    assert leopards(say(from_the_strip, "rasputin A19 d2 kill d3")) == 1
    assert leopards(say(given(board, "A19"), "rasputin A19 d0")) == 0
    assert leopards(say(given({**board, "d1": "D03"}, "A19"), "rasputin A19 d0 kill d1")) == 1, (
        "a deck counts"
    )
    elsewhere = given({"b3": "B01 red", "d4": "D01"}, "B05 A14")
    assert leopards(say(elsewhere, "play B05 b4 use A14 kill d4")) == 0


# --- the train ------------------------------------------------------------------------------------


def train(face: str, column: int = 4, hand: str = "E03 E14", left: int = 9) -> State:
    faces = ["1", "1", "1", "2", "2", "2", "armed", "armed", "armed"]
    faces.remove(face)
    rest, lost = faces[: left - 1], faces[left - 1 :]
    quests = {"E": {"train": column, "left": left, "faces": [face, *rest], "lost": lost}}
    return given({"e3": "E01 red", "d4": "D01 blue"}, hand, strips="DEA", quests=quests)


def carriages(state: State) -> list[tuple[str, int | None, int]]:
    quest = next(quest for quest in state.public.quests if quest.strip == "E")
    return [(piece.kind, piece.holder, piece.number) for piece in quest.pieces]


def test_a_placed_character_moves_the_train_before_it_acts() -> None:
    state = train("2", column=5)
    assert kinds(state, "play E03 e4") == ["played", "added", "train"]
    after = say(state, "play E03 e4")
    assert ("train", None, 9) in carriages(after)
    assert "train" in offered(after), "it has come under the character, whose own square counts"


@pytest.mark.parametrize("face", ["1", "2"])
def test_a_hit_takes_the_top_carriage_and_keeps_its_gold(face: str) -> None:
    state = train(face, column=4)
    assert offered(state, "play E03 e4")["train"] is True
    after = say(state, "play E03 e4 hit train")
    assert ("carriage", 0, int(face)) in carriages(after)
    assert ("train", None, 8) in carriages(after)


def test_an_object_may_hit_the_train_and_hits_are_given_one_by_one() -> None:
    state = train("1", column=4)
    after = say(state, "play E03 e4 use E14 hit train", "-d4:blue")
    assert at(after, "d4").markers == (0, 0)
    assert refused(state, "play E03 e4 use E14 hit train -d4:blue") == "after_reveal"


def test_a_train_out_of_reach_is_refused() -> None:
    assert refused(train("1", column=7), "play E03 e4 hit train") == "train_far"


def test_an_armed_carriage_hits_once_from_the_train() -> None:
    after = say(train("armed"), "play E03 e4 use E14 hit train")
    assert after.public.turn is not None
    assert after.public.turn.shot == "e3"
    assert "shot:-e3:red" in offered(after)
    hit = say(after, "shot -e3:red")
    assert at(hit, "e3").markers == (0, 0)
    assert refused(hit, "shot kill e3") == "no_shot"
    assert at(say(hit, "-d4:blue"), "d4").markers == (0, 0), "the object's second hit is left"


def test_any_other_step_waives_an_armed_hit() -> None:
    after = say(train("armed"), "play E03 e4 use E14 hit train", "-d4:blue")
    assert refused(after, "shot -e3:red") == "no_shot"


def test_the_train_leaves_with_its_last_carriage_but_an_armed_one_still_hits() -> None:
    after = say(train("armed", left=1), "play E03 e4 hit train")
    assert not any(kind == "train" for kind, _, _ in carriages(after))
    assert empty(say(say(after, "shot -e3:red"), "end enough"), "e2")
    assert at(say(after, "shot -e3:red"), "e3").markers == (0, 0)
    killing = train("armed", left=1)
    assert refused(killing, "play E03 e4 hit train shot -e3:red") == "after_reveal"
