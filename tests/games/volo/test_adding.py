"""Adding a bird."""

from __future__ import annotations

import pytest

from engines.core.setups import complete
from engines.volo import GAME
from engines.volo.state import State
from tests.games.volo.support import RNG, adds, at, kinds, legal, played, refusal


def start(board: str = "standard") -> State:
    return GAME.start(complete(GAME.manifest, options={"board": board}), RNG).state


def test_the_start_has_ninety_nine_turns_all_adds() -> None:
    assert len(legal(start())) == len(adds(start())) == 99


def test_the_small_start_has_sixty_three_turns_all_adds() -> None:
    assert len(legal(start("small"))) == len(adds(start("small"))) == 63


def test_the_start_is_as_published() -> None:
    view = GAME.view(start(), None)
    assert [set(names) for names in view.birds] == [{"b2", "g12", "l2"}, {"b7", "g2", "l7"}]
    assert (view.mover, view.supply, view.passed, view.last) == (0, (57, 57), False, None)
    small = GAME.view(start("small"), None)
    assert [set(names) for names in small.birds] == [{"b2", "f10", "j2"}, {"b6", "f2", "j6"}]


def test_not_beside_a_friend() -> None:
    assert refusal(start(), "c3") == "You can’t add a bird next to your own: c3 is next to b2."


def test_beside_an_opponent_is_allowed() -> None:
    assert {"c7", "c8", "b6"} <= adds(start())


@pytest.mark.parametrize("point", ["b2", "b7"])
def test_not_on_a_bird(point: str) -> None:
    assert point not in legal(start())
    assert "You already have a bird on b2." in refusal(start(), "b2")
    assert refusal(start(), "b7") == "There’s already a bird on b7."


def test_an_added_bird_comes_from_the_supply_and_the_other_side_is_next() -> None:
    after = played(start(), "c5")
    view = GAME.view(after, None)
    assert "c5" in view.birds[0]
    assert (view.supply, view.mover, view.ply) == ((56, 57), 1, 1)
    assert kinds(start(), "c5") == ["added"]


WALL = "a3 b3 c3 c2 c1"
"""It shuts off a2, b1 and b2."""


def test_not_inside_a_region_of_the_opponent() -> None:
    state = at("h5 k8", f"{WALL} m4")
    assert not {"a2", "b1", "b2"} & adds(state)
    assert refusal(state, "a2") == (
        "a2 is in your opponent’s region: your birds can’t reach it over free points."
    )


def test_a_bird_inside_reaches_what_is_inside() -> None:
    assert {"a2", "b1", "b2"} & adds(at("b1 h5 k8", f"{WALL} m4")) == {"a2"}


def test_a_gap_in_the_wall_is_a_way() -> None:
    assert {"a2", "b1", "b2"} <= adds(at("h5 k8", f"{WALL.removeprefix('a3 ')} m4"))


def test_ones_own_wall_bars_nothing() -> None:
    state = at(f"{WALL} m4", "h5 k8")
    assert "b1" not in adds(state), "next to your own"
    assert "a2" not in adds(state), "next to your own"
    ring = at("a4 b4 c4 d3 d2 d1 m4", "h5 k8")
    assert {"a2", "b1", "b2"} <= adds(ring)


def test_nothing_left_to_add() -> None:
    rows = ["a2 a3 a4 a5 a6"]
    for row, number in (("b", 8), ("c", 9), ("d", 10), ("e", 11), ("f", 12)):
        rows.append(" ".join(f"{row}{n}" for n in range(1, number + 1)))
    state = at(" ".join((*rows, "m2 m4 k5 k2 k8")), "g2 h2 j9")
    assert GAME.view(state, 0).supply[0] == 0
    assert adds(state) == set()
    assert refusal(state, "i5") == "You have no birds left to add."
