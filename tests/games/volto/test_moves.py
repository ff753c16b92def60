"""How each mask moves, and what stops it."""

from __future__ import annotations

import pytest

from engines.volto import GAME
from tests.games.volto.support import MOON, START, SUN, at, go, moves, place, targets, text

# A Candidate a side that is out of the way, and a Moon mask that can always move.
ALONE = "c4/5/5/{row}/5/5/4C 0"

ROUND = {
    "N": "b4 c3 c5 d4",
    "A": "b3 b5 d3 d5",
    "L": "b3 b4 b5 c3 c5 d3 d4 d5",
    "C": "b3 b4 b5 c3 c5 d3 d4 d5",
    "S": "c5 c6 c7",
}


@pytest.mark.parametrize("letter", sorted(ROUND))
def test_a_mask_alone_in_the_middle(letter: str) -> None:
    position = ALONE.format(row=f"2{letter}2")
    if letter == "C":
        position = position.replace("/4C", "/5")
    assert targets(at(position), "c4") == ROUND[letter]


@pytest.mark.parametrize("letter", sorted(ROUND))
def test_both_sides_move_alike_but_the_soldier(letter: str) -> None:
    position = f"c4/5/5/2{letter.lower()}2/5/5/4C 1"
    if letter == "C":
        position = position.replace("c4/", "5/")
    expected = "c1 c2 c3" if letter == "S" else ROUND[letter]
    assert targets(at(position), "c4") == expected


@pytest.mark.parametrize(
    ("letter", "others"), [("N", "AAAL"), ("A", "NNNL"), ("L", "NNNAAALS"), ("C", "NNNAAALL")]
)
def test_own_masks_are_in_the_way(letter: str, others: str) -> None:
    around = dict(zip(ROUND[letter].split(), others, strict=True))
    state = place(SUN, a7="c", c4=letter, **around, **({} if letter == "C" else {"e1": "C"}))
    assert targets(state, "c4") == ""


@pytest.mark.parametrize(
    ("letter", "rivals"), [("N", "aaal"), ("A", "nnnl"), ("L", "nnnaaals"), ("C", "nnnaaals")]
)
def test_only_a_lady_does_not_take(letter: str, rivals: str) -> None:
    around = dict(zip(ROUND[letter].split(), rivals, strict=True))
    state = place(SUN, a7="c", c4=letter, **around, **({} if letter == "C" else {"e1": "C"}))
    assert targets(state, "c4") == ("" if letter == "L" else ROUND[letter])


@pytest.mark.parametrize(
    ("rival", "expected"), [("c7", "c4 c5 c6 c7"), ("c6", "c4 c5 c6"), ("c5", "c4 c5"), ("c4", "c4")]
)
def test_a_soldier_takes_at_the_end_of_its_way(rival: str, expected: str) -> None:
    assert targets(place(SUN, a7="c", c3="S", e1="C", **{rival: "n"}), "c3") == expected


def test_a_soldier_stops_before_its_own() -> None:
    assert targets(at("c4/5/2N2/5/2S2/5/4C 0"), "c3") == "c4"
    assert targets(at("c4/5/5/2N2/2S2/5/4C 0"), "c3") == ""


def test_a_soldier_goes_neither_back_nor_sideways_nor_diagonally() -> None:
    around = dict(zip(ROUND["C"].split(), "nnnaaals", strict=True))
    assert targets(place(SUN, a7="c", c4="S", e1="C", **around), "c4") == "c5"
    around = {square: letter.upper() for square, letter in around.items()}
    assert targets(place(MOON, a7="c", c4="s", e1="C", **around), "c4") == "c3"


def test_a_soldier_in_the_rival_palace_cannot_move_but_be_taken() -> None:
    assert targets(at("c1S2/2n2/5/5/5/5/4C 0"), "c7") == ""
    state = go(at("c1S2/2n2/5/5/5/5/4C 1"), "c6c7")
    assert text(state) == "c1n2/5/5/5/5/5/4C 0"


@pytest.mark.parametrize(
    ("position", "move"),
    [
        ("c4/5/5/5/5/2N2/4C 0", "c2c1"),  # into the own palace
        ("c4/2N2/5/5/5/5/4C 0", "c6c7"),  # into the rival palace
        ("c4/5/5/5/5/2A2/4C 0", "c2b1"),  # across the border diagonally
        ("c4/5/5/5/5/5/2A1C 0", "c1d2"),
        ("c4/2A2/5/5/5/5/4C 0", "c6d7"),
        ("c1A2/5/5/5/5/5/4C 0", "c7b6"),
        ("c1L2/5/5/5/5/5/4C 0", "c7b6"),
        ("c4/2L2/5/5/5/5/4C 0", "c6b7"),
        ("c4/2S2/5/5/5/5/4C 0", "c6c7"),
        ("c4/5/5/5/5/5/2S1C 0", "c1c2"),
    ],
)
def test_the_palace_border_is_no_obstacle(position: str, move: str) -> None:
    assert move in moves(at(position))
    assert move[2:] in GAME.view(go(at(position), move), None).owners()


def test_the_edge_ends_the_mat() -> None:
    assert targets(at("c4/5/5/5/5/5/N3C 0"), "a1") == "a2 b1"
    assert targets(at("c4/5/5/5/5/5/A3C 0"), "a1") == "b2"
    assert targets(at("c4/5/5/5/5/5/N3C 0"), "e1") == "d1 d2 e2"


def test_nothing_jumps() -> None:
    assert not [move for move in moves(at(f"{START} 0")) if move.startswith(("a1", "b1", "c1", "d1", "e1"))]
