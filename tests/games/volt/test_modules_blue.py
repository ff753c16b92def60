"""The blue deck, alone and where it meets others. Rules page, *Modules*."""

from __future__ import annotations

import pytest

from tests.games.volt.support import Scene


@pytest.mark.parametrize(
    ("die", "target"), [("b4E+turbo-1", "g5"), ("b4E+turbo-2", "h5"), ("b6E+brakes-2", "d5")]
)
def test_turbo_and_brakes(die: str, target: str) -> None:
    assert Scene(["b5"]).do(0, die).at == [target]


def test_a_module_turns_up_whatever_comes_of_it() -> None:
    scene = Scene(["h9"]).do(0, "b4E+turbo-1")
    assert scene.at == ["h9"]
    assert scene.turned_up() == [(0, "turbo")]


def test_brakes_and_saw_blade_go_together() -> None:
    scene = Scene(["b5", "c5"]).do(0, "b3E+brakes-1+saw")
    assert scene.at == ["c5", "d5"]
    assert scene.damage == [0, 1]


def test_diagonal_drive_moves_and_pushes_diagonally() -> None:
    assert Scene(["b7", "c6"]).do(0, "b2NE").at == ["d5", "e4"]


# --- Jump Jets ------------------------------------------------------------------------------------------


def test_jump_jets_leap_over_everything() -> None:
    scene = Scene(["c4", "e4"]).do(0, "b4E+jump")
    assert scene.at == ["g4", "e4"]
    assert Scene(["b2"], "B").do(0, "b2E+jump").at == ["d2"], "over the wall b2|c2"


def test_jump_jets_land_on_the_last_legal_space() -> None:
    assert Scene(["g5"]).do(0, "b4E+jump").at == ["i5"]
    assert Scene(["g9"]).do(0, "b4E+jump").at == ["h9"], "i9 is solid"
    assert Scene(["h9"]).do(0, "b2E+jump").at == ["h9"]


def test_jump_jets_push_whom_they_land_on() -> None:
    assert Scene(["b5", "d5"]).do(0, "b2E+jump").at == ["d5", "e5"]


def test_jump_jets_land_shorter_where_the_robot_does_not_move() -> None:
    assert Scene(["f5", "i5"]).do(0, "b3E+jump").at == ["h5", "i5"]
    assert Scene(["g5", "i5", "h5"], orders={2: ["anchor"]}).do(0, "b2E+jump").at == ["g5", "i5", "h5"]
    anchored = Scene(["b5", "d5"], orders={1: ["anchor"]}).do(0, "b2E+jump")
    assert anchored.at == ["c5", "d5"]


def test_jump_jets_into_a_pit() -> None:
    assert Scene(["b4"]).do(0, "b2E+jump").at == [None]
    clamped = Scene(["b4"], orders={0: ["pit"]}).do(0, "b2E+jump")
    assert clamped.at == ["b4"]
    assert clamped.turned_up() == [(0, "jump"), (0, "pit")]


def test_jump_jets_set_off_a_mine_and_lay_one() -> None:
    scene = Scene(["b5", "i1"], mines={"d5": 1}).do(0, "b2E+jump+mine")
    assert scene.at[0] == "d5"
    assert scene.damage[0] == 1
    assert scene.battle.mines == {"b5": 0}


def test_jump_jets_push_a_robot_over_an_edge() -> None:
    scene = Scene(["b3", "b1"], "D").do(0, "b2N+jump")
    assert scene.at == ["b1", None]
    assert scene.scores == [1, 0]


# --- Strafe, Recall ---------------------------------------------------------------------------------------


def test_strafe_left_is_counter_clockwise() -> None:
    assert Scene(["b5"]).do(0, "b1E+strafe-left").at == ["c4"]
    assert Scene(["b5"]).do(0, "b1E+strafe-right").at == ["c6"]


def test_strafe_follows_a_blocked_move_but_not_a_fall() -> None:
    assert Scene(["h9"]).do(0, "b2E+strafe-left").at == ["h8"]
    assert Scene(["c4", "d5"]).do(0, "b1E+strafe-right").at == [None, "d5"]


def test_strafe_comes_before_mine_layer() -> None:
    scene = Scene(["e5"]).do(0, "b1E+mine+strafe-left")
    assert scene.battle.mines == {"e5": 0}
    assert scene.at == ["f4"]


def test_recall_goes_to_a_free_start_space() -> None:
    assert Scene(["e5"]).do(0, "b6S+recall-c1").at == ["c1"]
    taken = Scene(["e5", "c1"]).do(0, "b6S+recall-c1")
    assert taken.at == ["e5", "c1"]
    assert [fact["space"] for fact in taken.told("stayed")] == ["e5"]


# --- Anchor -----------------------------------------------------------------------------------------------


def test_the_first_anchor_in_the_chain_is_a_wall_for_the_die() -> None:
    scene = Scene(["a5", "b5", "c5"], orders={1: ["anchor"], 2: ["anchor"]}).do(0, "b2E")
    assert scene.at == ["a5", "b5", "c5"]
    assert scene.turned_up() == [(1, "anchor")], "the second one is still unused"


def test_an_anchor_holds_whatever_lies_beyond() -> None:
    scene = Scene(["g9", "h9"], orders={1: ["anchor"]}).do(0, "b1E")
    assert scene.turned_up() == [(1, "anchor")], "though a solid would have stopped the push"


def test_an_anchor_behind_a_wall_is_not_reached() -> None:
    assert Scene(["b2", "c2"], "B", orders={1: ["anchor"]}).do(0, "b1E").turned_up() == []


def test_an_anchor_is_used_up_after_its_die() -> None:
    scene = Scene(["a5", "b5"], orders={1: ["anchor"]}).do(0, "b1E", "b1E")
    assert scene.at == ["b5", "c5"]


def test_an_anchor_holds_for_the_whole_die() -> None:
    scene = Scene(["f5", "h5"], orders={1: ["anchor"]}).do(0, "b3E+jump")
    assert scene.at == ["i5", "h5"], "nothing was pushed yet"
    scene = Scene(["d5", "h5", "g5"], orders={1: ["anchor"]}).do(0, "b4E+jump")
    assert scene.at == ["f5", "h5", "g5"], "it holds on h5, and again behind g5"
    assert scene.turned_up() == [(0, "jump"), (1, "anchor")]


def test_an_anchor_holds_against_knockback() -> None:
    held = Scene(["c5", "d5"], orders={1: ["anchor"]}).do(0, "r1E+knockback")
    assert held.at == ["c5", "d5"]
    assert held.damage == [0, 1]


# --- Tractor Beam -------------------------------------------------------------------------------------------


def test_the_tractor_beam_pulls_until_adjacent() -> None:
    assert Scene(["b5", "g5"]).do(0, "r3E+tractor").at == ["b5", "d5"]
    assert Scene(["b5", "d5"]).do(0, "r3E+tractor").at == ["b5", "c5"]
    assert Scene(["b5", "d5"]).do(0, "r3E+tractor").damage == [0, 0]


def test_an_adjacent_robot_is_not_pulled_and_uses_no_anchor() -> None:
    scene = Scene(["b5", "c5"], orders={1: ["anchor"]}).do(0, "r2E+tractor")
    assert scene.turned_up() == [(0, "tractor")]


def test_an_anchor_holds_against_the_beam() -> None:
    scene = Scene(["b5", "f5"], orders={1: ["anchor"]}).do(0, "r2E+tractor")
    assert scene.at == ["b5", "f5"]


def test_the_beam_pulls_into_pits_and_over_mines() -> None:
    pulled = Scene(["b4", "f4"]).do(0, "r3E+tractor")
    assert pulled.at == ["b4", None]
    assert pulled.scores == [1, 0]
    assert Scene(["b4", "e4"], orders={1: ["pit"]}).do(0, "r3E+tractor").at == ["b4", "e4"]
    mined = Scene(["b5", "f5", "i1"], mines={"e5": 2}, damage=(0, 2, 0)).do(0, "r3E+tractor")
    assert mined.at[1] is None
    assert mined.scores == [0, 0, 1]


def test_the_beam_is_stopped_by_walls_and_not_reflected() -> None:
    assert Scene(["b2", "e2"], "B").do(0, "r3E+tractor").at == ["b2", "e2"]
    scene = Scene(["e5", "h8"], orders={1: ["reflector"]}).do(0, "r1SE+tractor")
    assert scene.at == ["e5", "g7"]
