"""The quests of places: the vessel, the four aces, the big gold."""

from __future__ import annotations

from typing import Any

import pytest

from engines.corto.quests import quest_of
from engines.corto.state import State
from engines.corto.view import describe
from tests.games.corto.positions import Held, pieces, position, public, table, told

RED, BLUE, YELLOW, GREEN = range(4)


def quest_gold(state: State, strip: str) -> tuple[int, ...]:
    """Return each seat's gold from a strip's quest."""
    gold: dict[str, Any] = describe(public(state))["gold"]
    return tuple(line[f"quest {strip}"] for line in gold.values())


# --- A: the vessel --------------------------------------------------------------------------------


def test_the_vessel_starts_in_column_7() -> None:
    assert [piece.column for piece in public(position({})).quests[0].pieces] == [7]


@pytest.mark.parametrize(("column", "reached"), [(7, (6,)), (4, (3, 5)), (1, (2,))])
def test_the_vessel_sails_one_column_and_stays_on_the_board(column: int, reached: tuple[int, ...]) -> None:
    found = table(position({}, quests={"A": {"vessel": column}}))
    assert quest_of("A").sails(found, "A") == reached


def test_a_sailed_vessel_lies_where_it_went() -> None:
    found = table(position({}, quests={"A": {"vessel": 4}}))
    quest_of("A").sail(found, "A", 5)
    assert [piece.column for piece in pieces(found, "A")] == [5]
    assert dict(found.events[0].fact.data) == {"seat": RED, "strip": "A", "origin": 4, "target": 5}


@pytest.mark.parametrize(
    ("held", "gold"),
    [
        ({"a7": {"blue": 1}}, (0, 5, 0, 0)),
        ({"a7": {"blue": 2, "red": 2}}, (0, 0, 0, 0)),
        ({"a7": {}}, (0, 0, 0, 0)),
        ({"b7": {"blue": 1}, "a6": {"blue": 1}}, (0, 0, 0, 0)),
    ],
)
def test_the_vessel_pays_the_controller_of_its_square(held: Held, gold: tuple[int, ...]) -> None:
    assert quest_gold(position(held), "A") == gold


# --- B: the four aces -----------------------------------------------------------------------------

TWO_OF_RED: Held = {"b1": {"red": 1}, "b5": {"red": 1}}


@pytest.mark.parametrize(
    ("held", "holder", "taken"),
    [
        (TWO_OF_RED, None, True),
        (TWO_OF_RED, "green", True),
        ({"b1": {"red": 1}}, None, False),
        ({**TWO_OF_RED, "b2": {"blue": 1}}, None, True),
        ({**TWO_OF_RED, "b2": {"blue": 1}, "b3": {"blue": 1}}, None, False),
        ({"b1": {"red": 1, "blue": 1}, "b5": {"red": 1}}, None, False),
        ({"b1": {"red": 1}, "a1": {"red": 1}}, None, False),
    ],
)
def test_the_strongest_here_takes_the_aces_at_its_turns_end(
    held: Held, holder: str | None, taken: bool
) -> None:
    found = table(position(held, quests={"B": {"holder": holder}}), RED)
    quest_of("B").turn_ends(found, "B")
    assert (pieces(found, "B")[0].holder == RED) is taken
    assert told(found) == (["aces"] if taken else [])


def test_whose_turn_it_is_not_takes_no_aces() -> None:
    found = table(position(TWO_OF_RED), BLUE)
    quest_of("B").turn_ends(found, "B")
    assert pieces(found, "B")[0].holder is None


def test_the_holder_does_not_take_the_aces_again() -> None:
    found = table(position(TWO_OF_RED, quests={"B": {"holder": "red"}}), RED)
    quest_of("B").turn_ends(found, "B")
    assert told(found) == []


def test_the_holder_keeps_the_aces_without_any_character_here() -> None:
    state = position({}, quests={"B": {"holder": "yellow"}})
    assert quest_gold(state, "B") == (0, 0, 4, 0)
    found = table(state, YELLOW)
    quest_of("B").turn_ends(found, "B")
    assert pieces(found, "B")[0].holder == YELLOW


# --- F: the big gold ------------------------------------------------------------------------------


def test_big_gold_lies_on_columns_4_to_7() -> None:
    state = position({}, strips="ABCF")
    assert [piece.column for piece in public(state).quests[3].pieces] == [4, 5, 6, 7]


def test_big_gold_pays_2_for_each_square_controlled() -> None:
    held: Held = {
        "f3": {"red": 1},
        "f4": {"red": 1},
        "f5": {"red": 2, "blue": 1},
        "f6": {"red": 1, "blue": 1},
        "f7": {"green": 1},
    }
    assert quest_gold(position(held, strips="ABCF"), "F") == (4, 0, 0, 2)
