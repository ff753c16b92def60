"""The treasure count: groups, lines, ranks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engines.corto.scoring import gold, groups, ranks
from engines.corto.state import State
from engines.corto.view import describe
from tests.games.corto.positions import Held, position, public

RED, BLUE, YELLOW, GREEN = range(4)


def lines(state: State, seat: int) -> tuple[int, int]:
    """Return a seat's gold for its largest group and for its other groups."""
    line = gold(state.public)[seat]
    return line.largest, line.others


def owned(colour: str, *squares: str) -> Held:
    return {square: {colour: 1} for square in squares}


def test_the_treasure_count_of_the_rulebook() -> None:
    # Five connected, two connected, and four that bring nothing: no majority on the one that would join them.
    state = position(
        {
            **owned("green", "a1", "a2", "b2", "b3", "c3"),
            **owned("green", "a5", "a6"),
            **owned("green", "c6", "e5", "e7"),
            "e6": {"green": 1, "yellow": 1},
        },
        seal={"green": 5},
        quests={
            "C": {"taken": {"green": ["ingot", "ingot"]}, "face_down": {}},
            "E": {"carriages": {"green": [1]}, "left": 8},
        },
    )
    line: dict[str, int] = describe(public(state))["gold"]["green"]
    assert line["largest"] == 10
    assert line["others"] == 2
    assert line["seal"] == 5
    assert line["quest A"] + line["quest B"] + line["quest C"] + line["quest E"] == 7
    assert line["corto"] == 0
    assert line["total"] == 24


def test_an_isolated_character_brings_nothing() -> None:
    assert lines(position(owned("red", "a1", "c1", "e7")), RED) == (0, 0)


def test_of_two_equal_largest_groups_one_counts_double() -> None:
    assert lines(position(owned("red", "a1", "a2", "e6", "e7")), RED) == (4, 2)


def test_groups_reach_across_strips_but_not_diagonally() -> None:
    assert lines(position(owned("red", "a1", "b1", "c1")), RED) == (6, 0)
    assert lines(position(owned("red", "a1", "b2", "c3")), RED) == (0, 0)
    assert lines(position(owned("red", "a1", "c1")), RED) == (0, 0), "strip B lies between"


def test_strips_touch_in_their_order_on_the_table() -> None:
    assert lines(position(owned("red", "a1", "c1"), strips="BACE"), RED) == (4, 0)


def test_the_end_of_a_strip_does_not_touch_the_next_beginning() -> None:
    assert lines(position(owned("red", "a7", "b1")), RED) == (0, 0)


@pytest.mark.parametrize(
    ("markers", "holder"),
    [
        ({"red": 2, "blue": 1}, RED),
        ({"red": 2, "blue": 1, "green": 1}, RED),
        ({"red": 1, "blue": 1}, None),
        ({"red": 2, "blue": 2, "green": 1}, None),
        ({"green": 1}, GREEN),
        ({}, None),
    ],
)
def test_control_is_a_strict_majority(markers: dict[str, int], holder: int | None) -> None:
    state = position({"a1": markers, **owned("red", "a2"), **owned("green", "b1")})
    assert state.public.board[0].controller == holder
    for seat in (RED, GREEN):
        assert lines(state, seat) == ((4, 0) if seat == holder else (0, 0))


def test_characters_without_markers_join_nobody() -> None:
    state = position({**owned("red", "a1", "a3"), "a2": {}})
    assert groups(state.public) == ()


def test_groups_are_told_largest_first() -> None:
    state = position(owned("red", "a1", "a2", "c1", "c2", "c3"))
    found = [(group.squares, group.largest, group.gold) for group in groups(state.public)]
    assert found == [(("c1", "c2", "c3"), True, 6), (("a1", "a2"), False, 2)]


def test_lines_make_the_total() -> None:
    state = position(
        owned("blue", "a1", "a2", "a7"),
        seal={"blue": 3},
        corto_gold={"blue": 2},
        quests={"B": {"holder": "blue"}},
    )
    line: dict[str, Any] = describe(public(state))["gold"]["blue"]
    assert line == {
        "largest": 4,
        "others": 0,
        "seal": 3,
        "corto": 2,
        "quest A": 5,
        "quest B": 4,
        "quest C": 0,
        "quest E": 0,
        "total": 18,
    }


# --- ranks ----------------------------------------------------------------------------------------


def test_the_most_gold_wins() -> None:
    state = position(owned("red", "a1"), seal={"blue": 3, "green": 1})
    assert ranks(state.public) == ((BLUE,), (GREEN,), (YELLOW,), (RED,))


def test_of_equal_gold_the_larger_stock_wins() -> None:
    state = position({}, corto_gold={"blue": 2, "green": 2}, stock={"blue": 5, "green": 6})
    assert ranks(state.public)[:2] == ((GREEN,), (BLUE,))


def test_equal_gold_and_stock_share_a_rank() -> None:
    state = position({}, corto_gold={"blue": 2, "green": 2})
    assert ranks(state.public) == ((BLUE, GREEN), (RED, YELLOW))


def test_who_has_left_comes_last_with_any_gold() -> None:
    state = position({}, seal={"yellow": 5, "red": 1})
    left = replace(state.public, left=(YELLOW, BLUE))
    assert ranks(left) == ((RED,), (GREEN,), (BLUE,), (YELLOW,))
