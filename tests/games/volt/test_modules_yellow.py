"""The yellow deck, alone and where it meets others. Rules page, *Modules*."""

from __future__ import annotations

from tests.games.volt.support import Scene, order

# --- Knockback --------------------------------------------------------------------------------------------


def test_knockback_pushes_whom_the_shot_hits() -> None:
    scene = Scene(["b5", "e5", "f5"]).do(0, "r1E+knockback")
    assert scene.at == ["b5", "f5", "g5"]
    assert scene.damage == [0, 1, 0]


def test_knockback_pushes_shielded_robots_too() -> None:
    scene = Scene(["b5", "e5"], orders={1: ["shield"]}).do(0, "r1E+knockback")
    assert scene.at == ["b5", "f5"]
    assert scene.damage == [0, 0]


def test_knockback_pushes_neither_who_reflects_nor_the_reflected_shots_victim() -> None:
    scene = Scene(["e5", "g3"], orders={1: ["reflector"]}).do(0, "r1NE+knockback")
    assert scene.at == ["e5", "g3"]
    assert scene.damage == [1, 0]


def test_knockback_does_not_push_the_destroyed() -> None:
    scene = Scene(["b5", "e5"], damage=(0, 2)).do(0, "r1E+knockback")
    assert scene.told("pushed", "blocked") == []


def test_knockback_into_a_pit_scores() -> None:
    scene = Scene(["a4", "c4"]).do(0, "r1E+knockback")
    assert scene.scores == [1, 0]


# --- Shield -----------------------------------------------------------------------------------------------


def test_a_shield_cancels_one_damage_once() -> None:
    scene = Scene(["b5", "e5"], orders={1: ["shield"]}).do(0, "r1E", "r1E")
    assert scene.damage == [0, 1]
    assert scene.turned_up() == [(1, "shield")]


def test_a_shield_cancels_a_mine_and_a_core() -> None:
    mined = Scene(["b5", "i1"], orders={0: ["shield"]}, mines={"c5": 1}).do(0, "b2E")
    assert mined.damage == [0, 0]
    core = Scene(["b5", "e5", "e4"], damage=(0, 2, 0), orders={1: ["explosive"], 2: ["shield"]})
    assert core.do(0, "r1E").damage == [0, 3, 0]


def test_a_shield_does_not_help_against_a_fall() -> None:
    assert Scene(["b4", "c4"], orders={1: ["shield"]}).do(0, "b1E").at == ["c4", None]


# --- Mine Layer ---------------------------------------------------------------------------------------------


def test_mine_layer_leaves_a_mine_where_the_robot_stood() -> None:
    scene = Scene(["b5"]).do(0, "b2E+mine")
    assert scene.battle.mines == {"b5": 0}
    assert scene.battle.mines_left == [3]


def test_no_mine_without_a_move_or_off_plain_spaces() -> None:
    assert Scene(["h9"]).do(0, "b2E+mine").battle.mines == {}
    assert Scene(["c1"]).do(0, "b2S+mine").battle.mines == {}, "a start space"
    assert Scene(["c3"]).do(0, "b1N+mine").battle.mines == {}, "a repair space"
    assert Scene(["c4"]).do(0, "b1E+mine").battle.mines == {}, "the robot fell"


def test_no_mine_where_four_are_out() -> None:
    scene = Scene(["b5"])
    scene.battle.mines_left[0] = 0
    assert scene.do(0, "b2E+mine").battle.mines == {}


def test_a_recoiling_path_leaves_no_second_mine() -> None:
    scene = Scene(["b5"]).do(0, "b1E+mine", "b1W+mine")
    assert scene.battle.mines == {"c5": 0}, "its own mine went off as it came back"
    assert scene.damage == [1]
    assert scene.battle.mines_left == [3]


# --- Reflector ----------------------------------------------------------------------------------------------


def test_a_reflector_sends_a_diagonal_shot_back() -> None:
    scene = Scene(["e5", "g3"], orders={1: ["reflector"]}).do(0, "r1NE")
    assert scene.damage == [1, 0]


def test_a_reflector_leaves_straight_shots_alone() -> None:
    assert Scene(["b5", "e5"], orders={1: ["reflector"]}).do(0, "r1E").damage == [0, 1]


def test_the_reflected_shot_has_the_same_damage_and_its_owners_credit() -> None:
    scene = Scene(["e5", "g3"], damage=(1, 0), orders={1: ["reflector"]}).do(0, "r6NE+overcharge")
    assert scene.at == [None, "g3"]
    assert scene.scores == [0, 1]


def test_reflector_goes_before_shield() -> None:
    scene = Scene(["e5", "g3"], orders={1: ["reflector", "shield"]}).do(0, "r1NE", "r1NE")
    assert scene.damage == [1, 0]
    assert scene.turned_up() == [(1, "reflector"), (1, "shield")]


def test_a_reflected_shot_may_be_reflected_again() -> None:
    scene = Scene(["e5", "g3"], orders={0: ["reflector"], 1: ["reflector"]}).do(0, "r1NE")
    assert scene.damage == [0, 1]


# --- Pit Clamps ---------------------------------------------------------------------------------------------


def test_pit_clamps_end_the_own_movement_once() -> None:
    scene = Scene(["b4"], orders={0: ["pit"]}).do(0, "b4E")
    assert scene.at == ["c4"]
    assert scene.do(0, "b1E").at == [None]


def test_pit_clamps_of_the_front_robot_hold_the_chain() -> None:
    scene = Scene(["a4", "b4", "c4"], orders={2: ["pit"]}).do(0, "b3E")
    assert scene.at == ["a4", "b4", "c4"]
    assert scene.scores == [0, 0, 0]


def test_pit_clamps_hold_at_an_open_edge() -> None:
    assert Scene(["i2"], "D", orders={0: ["pit"]}).do(0, "b1E").at == ["i2"]


def test_an_anchor_in_the_chain_comes_before_the_clamps_in_front() -> None:
    scene = Scene(["a4", "b4", "c4"], orders={1: ["anchor"], 2: ["pit"]}).do(0, "b1E")
    assert scene.turned_up() == [(1, "anchor")]


# --- Repair Bot, Reverse Gear, Priority Chip ------------------------------------------------------------


def test_repair_bot_removes_one_damage_instead_of_moving() -> None:
    scene = Scene(["b5"], damage=(2,)).do(0, "b1E+repair")
    assert scene.damage == [1]
    assert scene.at == ["b5"]
    assert Scene(["b5"], damage=(2,)).do(0, "b1E+repair+strafe-left").at == ["b4"]


def test_worked_check_4_the_order_of_dice() -> None:
    filler = ["II:r6N III:r6N", "II:r6N III:r6N", "II:r6N III:r6N", "II:r6N III:r6N"]
    dice = ["I:b2N", "I:r2W", "I:b2N", "I:b3N"]
    found = order([f"{d} {f}" for d, f in zip(dice, filler, strict=True)], ["b5", "d5", "f5", "h5"])
    assert found[:4] == ["0:I", "2:I", "1:I", "3:I"]


def test_reverse_gear_turns_the_units_round() -> None:
    found = order(
        ["I:r1N II:r2N III:b1W order:reverse", "I:r3N II:r3S III:b1W"],
        ["b5", "e5"],
    )
    assert found == ["0:III", "1:I", "0:II", "1:II", "1:III", "0:I"]


def test_a_priority_chip_wins_ties() -> None:
    tie = "I:r1N II:r2N III:b1W"
    assert order([tie, f"{tie} order:priority"], ["b5", "e5"])[:2] == ["1:I", "0:I"]
    both = [f"{tie} order:priority"] * 2
    assert order(both, ["b5", "e5"])[:2] == ["0:I", "1:I"], "of two Chips the lower tile"


def test_a_chip_that_changes_nothing_stays_unseen() -> None:
    tie = "I:r1N II:r2N III:b1W"
    plain = order([tie, tie], [None, "e5"])
    assert order([tie, f"{tie} order:priority"], [None, "e5"]) == plain
    assert plain[:2] == ["-0:I", "1:I"]
