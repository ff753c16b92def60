"""The quests of pieces to take: tiles, leopards, the train."""

from __future__ import annotations

import pytest

from engines.corto.cards import ADVENTURES
from engines.corto.quests import quest_of
from engines.corto.table import Reveals
from engines.corto.view import PieceView, look, table_of
from tests.games.corto.positions import pieces, position, rng, table, told
from tests.games.corto.test_quests_places import quest_gold

RED, BLUE, YELLOW, GREEN = range(4)

# --- C: tiles -------------------------------------------------------------------------------------

TILES = {"c2": "ingot", "c3": "crow", "c4": "crow", "c5": "ingot", "c6": "crow", "c7": "ingot"}


def test_six_tiles_lie_face_down_on_columns_2_to_7() -> None:
    tiles = quest_of("C").begin(ADVENTURES["C"])
    assert [(piece.kind, piece.column) for piece in tiles] == [("tile", column) for column in range(2, 8)]
    assert sorted(quest_of("C").faces(ADVENTURES["C"], rng().stream("c"))) == ["crow"] * 3 + ["ingot"] * 3


def test_tiles_are_shuffled() -> None:
    found = {quest_of("C").faces(ADVENTURES["C"], rng().stream("c", number)) for number in range(40)}
    assert len(found) > 10


@pytest.mark.parametrize("square", sorted(TILES))
def test_who_places_over_a_tile_takes_the_one_that_lies_there(square: str) -> None:
    found = table(position({}, quests={"C": {"face_down": TILES}}), BLUE)
    assert quest_of("C").reveals(found, "C", square)
    quest_of("C").placed(found, "C", square)
    assert [p.kind for p in pieces(found, "C") if p.holder == BLUE] == [TILES[square]]
    left = [face for place, face in TILES.items() if place != square]
    assert found.hidden().faces["C"] == left
    assert dict(found.events[0].fact.data)["what"] == TILES[square]


def test_a_tile_is_taken_once() -> None:
    found = table(position({}, quests={"C": {"face_down": TILES}}))
    quest_of("C").placed(found, "C", "c4")
    assert not quest_of("C").reveals(found, "C", "c4")
    quest_of("C").placed(found, "C", "c4")
    assert told(found) == ["tile"]


def test_no_tile_lies_on_column_1() -> None:
    found = table(position({}))
    assert not quest_of("C").reveals(found, "C", "c1")
    quest_of("C").placed(found, "C", "c1")
    assert told(found) == []


def test_a_draft_knows_no_tile() -> None:
    found = table_of(look(position({}), RED))
    with pytest.raises(Reveals):
        quest_of("C").placed(found, "C", "c4")


@pytest.mark.parametrize(
    ("taken", "gold"),
    [
        (["ingot"], 3),
        (["ingot", "ingot", "crow"], 5),
        (["crow"], 0),
        (["crow", "crow", "crow"], 0),
        (["ingot", "crow", "crow", "crow"], 0),
        (["ingot", "ingot", "ingot"], 9),
    ],
)
def test_tiles_pay_together_and_never_below_0(taken: list[str], gold: int) -> None:
    state = position({}, quests={"C": {"taken": {"green": taken}, "face_down": {}}})
    assert quest_gold(state, "C") == (0, 0, 0, gold)


def test_anybody_can_tell_what_lies_face_down_but_not_where() -> None:
    state = position(
        {}, quests={"C": {"taken": {"red": ["crow"]}, "face_down": dict(list(TILES.items())[2:])}}
    )
    views = state.public.quests[2].pieces
    assert quest_of("C").unseen(ADVENTURES["C"], views) == ("crow", "crow", "ingot", "ingot")


# --- D: leopards ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("acting", "taken"), [("d4", True), ("d0", True), ("a4", False)])
def test_a_kill_from_the_strip_takes_a_leopard(acting: str, taken: bool) -> None:
    found = table(position({}, strips="ABCD"), BLUE)
    quest_of("D").killed(found, "D", acting)
    assert sum(piece.holder == BLUE for piece in pieces(found, "D")) == taken
    assert told(found) == (["leopard"] if taken else [])


def test_there_are_six_leopards() -> None:
    found = table(position({}, strips="ABCD", quests={"D": {"leopards": {"green": 5}}}), BLUE)
    for _ in range(3):
        quest_of("D").killed(found, "D", "d1")
    assert sum(piece.holder == BLUE for piece in pieces(found, "D")) == 1
    assert len(pieces(found, "D")) == 6
    assert [event.fact["left"] for event in found.events] == [0]


@pytest.mark.parametrize(
    ("held", "gold"),
    [
        ({}, (0, 0, 0, 0)),
        ({"red": 1}, (3, 0, 0, 0)),
        ({"red": 2, "blue": 2}, (2, 2, 0, 0)),
        ({"red": 3, "blue": 2, "green": 1}, (5, 2, 0, 1)),
    ],
)
def test_leopards_pay_1_each_and_2_for_the_strict_most(held: dict[str, int], gold: tuple[int, ...]) -> None:
    assert quest_gold(position({}, strips="ABCD", quests={"D": {"leopards": held}}), "D") == gold


# --- E: the train ---------------------------------------------------------------------------------

NINE = ["2", "armed", "1", "1", "2", "armed", "2", "armed", "1"]


def test_nine_carriages_of_three_kinds() -> None:
    faces = quest_of("E").faces(ADVENTURES["E"], rng().stream("e"))
    assert sorted(faces) == ["1"] * 3 + ["2"] * 3 + ["armed"] * 3


def test_the_train_turns_back_at_both_ends() -> None:
    found = table(position({}))
    columns = []
    for _ in range(14):
        quest_of("E").placed(found, "E", "e1")
        columns.append(pieces(found, "E")[0].column)
    assert columns == [6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7, 6, 5]
    assert told(found) == ["train"] * 14


def test_a_hit_takes_the_top_carriage_and_its_gold() -> None:
    found = table(position({}, quests={"E": {"train": 3, "faces": NINE}}), BLUE)
    assert quest_of("E").target(found, "E") == "e3"
    assert quest_of("E").struck(found, "E") is False
    assert PieceView("carriage", holder=BLUE, number=2) in pieces(found, "E")
    assert found.hidden().faces["E"] == NINE[1:]
    assert dict(found.events[0].fact.data) == {"seat": BLUE, "square": "e3", "gold": 2, "left": 8}


def test_an_armed_carriage_is_discarded_and_hits() -> None:
    found = table(position({}, quests={"E": {"faces": NINE}}), BLUE)
    assert [quest_of("E").struck(found, "E") for _ in range(3)] == [False, True, False]
    assert sum(piece.holder == BLUE for piece in pieces(found, "E")) == 2
    assert quest_of("E").unseen(ADVENTURES["E"], tuple(pieces(found, "E"))) == tuple(sorted(NINE[3:]))


def test_without_carriages_the_train_leaves() -> None:
    found = table(position({}, quests={"E": {"left": 1, "carriages": {"green": [1, 1, 1, 2, 2]}}}))
    quest_of("E").struck(found, "E")
    assert told(found) == ["carriage", "train_left"]
    assert quest_of("E").target(found, "E") is None
    quest_of("E").placed(found, "E", "e1")
    assert told(found) == ["carriage", "train_left"]


def test_a_draft_knows_no_carriage() -> None:
    found = table_of(look(position({}), RED))
    with pytest.raises(Reveals):
        quest_of("E").struck(found, "E")


def test_carriages_pay_what_they_show() -> None:
    state = position({}, quests={"E": {"carriages": {"red": [1, 2, 2], "blue": [1]}, "left": 2}})
    assert quest_gold(state, "E") == (5, 1, 0, 0)
