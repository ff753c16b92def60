"""Sentences and positions as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.core.contract import InvalidAction
from engines.core.texts import load
from engines.volto import GAME
from engines.volto.board import MUSTER, SQUARES
from engines.volto.view import Reason
from tests.games.volto.support import MOON, START, SUN, at, go, moves, result, text, won

LETTERS = "NALANCSNLA"
squares = st.sampled_from(SQUARES)
arrangements = st.permutations([kind.value for kind in MUSTER]).map("".join)


# --- sentences ------------------------------------------------------------------------------------


@given(st.lists(squares, max_size=2).map(tuple))
def test_moves_and_their_beginnings_come_back(words: tuple[str, ...]) -> None:
    assert GAME.read(GAME.write(words)) == words
    assert GAME.write(words) == "".join(words)


@given(st.booleans(), arrangements, st.lists(squares, max_size=3))
def test_arrangements_and_their_drafts_come_back(head: bool, letters: str, swaps: list[str]) -> None:
    words = (*(("setup",) if head else ()), letters, *swaps)
    assert GAME.read(GAME.write(words)) == words


def test_the_notation_of_the_rules_page() -> None:
    assert GAME.write(("b2", "b3")) == "b2b3"
    assert GAME.write(("setup", LETTERS)) == "setup NALANCSNLA"
    assert GAME.read("setup") == ("setup",)


@pytest.mark.parametrize(
    "typed",
    ["b2b3", "B2B3", " b2 b3 ", "b2-b3", "b2–b3", "b2xb3", "b2 x b3", "b2 -> b3", "b2 → b3", "b2 to b3"],
)
def test_moves_as_people_type_them(typed: str) -> None:
    assert GAME.read(typed) == ("b2", "b3")


@pytest.mark.parametrize(
    "typed",
    [
        "setup NALANCSNLA",
        "SETUP nalancsnla",
        "setup: nalan csnla",
        "setup nalan/csnla",
        "setup N A L A N, C S N L A",
        "  setup\tNALAN\nCSNLA ",
    ],
)
def test_arrangements_as_people_type_them(typed: str) -> None:
    assert GAME.read(typed) == ("setup", LETTERS)


def test_the_letters_alone_will_do() -> None:
    assert GAME.read("nalan csnla") == (LETTERS,)
    assert GAME.read("nalancsnla b1c2") == (LETTERS, "b1", "c2")


@pytest.mark.parametrize(
    "typed", ["hello", "b2b", "b2b3b4", "f1f2", "a0a1", "a8", "b2 setup", "setup b2", "42", "!", "setup 1"]
)
def test_other_text_is_no_sentence(typed: str) -> None:
    with pytest.raises(InvalidAction) as caught:
        GAME.read(typed)
    reason = load("engines.volto").render(caught.value.msg, str)
    assert "`b2b3`" in reason
    assert "`setup NALANCSNLA`" in reason


@pytest.mark.parametrize(
    ("typed", "part"),
    [
        ("setup NALANCSNL", "you gave 9"),
        ("nalancsnl", "you gave 9"),
        ("setup NALANCSNLX", "“X” isn’t a mask"),
        ("setup NNNNNNNNNN", "Nobles: 10 instead of 3"),
    ],
)
def test_a_wrong_arrangement_is_explained(typed: str, part: str) -> None:
    with pytest.raises(InvalidAction) as caught:
        GAME.read(typed)
    assert part in load("engines.volto").render(caught.value.msg, str)


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(typed: str) -> None:
    try:
        words = GAME.read(typed)
    except InvalidAction:
        return
    assert GAME.read(GAME.write(words)) == words


# --- positions ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "position",
    [
        f"{START} 0",
        f"{START} 1",
        "c4/5/5/5/5/5/4C 0",
        "1c3/n1s1a/5/2L2/ALA2/5/4C 1",
        "c1C2/5/5/5/5/5/N4 1",
    ],
)
def test_positions_come_back(position: str) -> None:
    assert text(at(position)) == position


def test_a_position_is_the_same_for_the_state_and_its_owner_sees_x_for_the_rest() -> None:
    state = go(at("c4/5/5/2a2/2N2/5/A3C 0"), "c3c4")
    assert text(state) == "c4/5/5/2N2/5/5/A3C 1"
    assert GAME.view(state, SUN).position == "x4/5/5/2N2/5/5/A3C 1"
    assert GAME.view(state, MOON).position == "c4/5/5/2X2/5/5/X3X 1"
    assert GAME.view(state, None).position == "x4/5/5/2X2/5/5/X3X 1"


def test_a_loaded_position_counts_no_earlier_moves() -> None:
    view = GAME.view(at(f"{START} 1"), MOON)
    assert (view.turn, view.first, view.step, view.quiet, view.plies) == (MOON, MOON, 0, 0, ())
    assert all(len(mask.track) == 1 for mask in view.masks)
    assert len(moves(at(f"{START} 1"))) > 0


@pytest.mark.parametrize(
    ("position", "part"),
    [
        ("", "seven rows"),
        ("c4/5/5/5/5/5/4C", "seven rows"),
        ("c4/5/5/5/5/5/4C -", "seven rows"),
        ("c4/5/5/5/5/5/4C 2", "seven rows"),
        ("c4/5/5/5/5/4C 0", "seven rows"),
        ("c4/5/5/5/5/5/5/4C 0", "seven rows"),
        ("c4/5/5/5/5/6/4C 0", "“6” in row 2 isn’t a mask"),
        ("c4/5/5/5/5/41/3C 0", "Row 1 has 4 squares"),
        ("c5/5/5/5/5/5/4C 0", "Row 7 has 6 squares"),
        ("c4/5/5//5/5/4C 0", "Row 4 has 0 squares"),
        ("c4/5/5/2X2/5/5/4C 0", "“X” in row 4 isn’t a mask"),
        ("c4/5/NNNN1/5/5/5/4C 0", "Sun has too many Nobles: 4, and the most allowed is 3."),
        ("c4/5/5/ss3/5/5/4C 0", "Moon has too many Soldiers: 2, and the most allowed is 1."),
        ("5/5/5/2N2/5/5/5 0", "Both sides would have won"),
        ("C4/5/5/5/5/5/4c 0", "Both sides would have won"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(position: str, part: str) -> None:
    with pytest.raises(InvalidAction) as caught:
        at(position)
    reason = load("engines.volto").render(caught.value.msg, str)
    assert part in reason


@pytest.mark.parametrize(
    ("position", "winner", "reasons"),
    [
        ("5/n4/5/5/5/5/4C 0", SUN, (Reason.CANDIDATE,)),
        ("c4/5/5/5/5/5/N4 0", MOON, (Reason.CANDIDATE,)),
        ("c3C/5/5/5/5/5/N4 1", SUN, (Reason.PALACE,)),
        ("4n/5/5/5/5/5/C1c2 0", MOON, (Reason.PALACE,)),
        ("5/5/5/1NAs1/1Nlna/1Nlnc/1ACaa 1", SUN, (Reason.IMMOBILE,)),
    ],
)
def test_a_position_may_be_the_last_one(position: str, winner: int, reasons: tuple[Reason, ...]) -> None:
    state = at(position)
    assert result(state) == won(winner, *reasons)
    assert text(state) == position
    assert "X" not in GAME.view(state, None).position.upper()
    assert moves(state, SUN) == moves(state, MOON) == []


def test_masks_that_are_missing_count_as_gone() -> None:
    lone_lady = "c4/5/5/2l2/2N2/5/4C 0"
    assert result(at(lone_lady)) is None
    assert result(go(at(lone_lady), "c3c4")) == won(MOON, Reason.LADIES)
    assert result(at("c4/5/5/5/5/5/4C 0")) is None
