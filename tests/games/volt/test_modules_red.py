"""The red deck, alone and where it meets others. Rules page, *Modules*."""

from __future__ import annotations

import pytest

from tests.games.volt.support import Scene


def test_a_shot_hits_the_first_robot() -> None:
    scene = Scene(["b5", "e5", "g5"]).do(0, "r1E")
    assert scene.damage == [0, 1, 0]
    assert scene.told("shot")[0]["target"] == "e5"


def test_walls_and_solids_stop_shots_and_pits_do_not() -> None:
    assert Scene(["b2", "e2"], "B").do(0, "r1E").damage == [0, 0]
    assert Scene(["c4", "e4"]).do(0, "r1E").damage == [0, 1], "d4 is a pit"
    assert Scene(["g1", "g4"], "C").do(0, "r1S").damage == [0, 0], "g2 is solid"


def test_worked_check_5_shot_down_by_the_third_damage() -> None:
    scene = Scene(["b5", "e5"], damage=(0, 2)).do(0, "r1E")
    assert scene.at == ["b5", None]
    assert scene.scores == [1, 0]
    assert scene.damage == [0, 3]


# --- Crossfire --------------------------------------------------------------------------------------


def test_crossfire_shoots_clockwise_from_the_arrow() -> None:
    scene = Scene(["e5", "e2", "h5", "c5"]).do(0, "r4E+crossfire")
    assert [fact["arrow"] for fact in scene.told("shot")] == ["E", "S", "W", "N"]
    assert scene.damage == [0, 1, 1, 1]


def test_crossfire_on_a_diagonal_shoots_the_diagonals() -> None:
    scene = Scene(["e5"]).do(0, "r5SW+crossfire")
    assert [fact["arrow"] for fact in scene.told("shot")] == ["SW", "NW", "NE", "SE"]


def test_crossfire_is_finished_though_its_robot_is_destroyed() -> None:
    scene = Scene(["e5", "g3", "c7"], damage=(2, 0, 0), orders={1: ["reflector"]}).do(0, "r4NE+crossfire")
    assert scene.at[0] is None
    assert scene.damage == [3, 0, 1]
    assert scene.scores == [0, 1, 0]


def test_crossfire_and_knockback_push_after_all_shots() -> None:
    scene = Scene(["e5", "e3", "g5"]).do(0, "r4N+crossfire+knockback")
    assert scene.at == ["e5", "e2", "h5"]
    kinds = [fact.kind for fact in scene.told("shot", "pushed")]
    assert kinds == ["shot"] * 4 + ["pushed"] * 2


# --- Saw Blade --------------------------------------------------------------------------------------


def test_saw_blade_cuts_the_first_robot_that_would_be_pushed() -> None:
    scene = Scene(["b5", "c5", "e5"]).do(0, "b3E+saw")
    assert scene.damage == [0, 1, 0], "once a die"
    assert scene.at == ["e5", "f5", "g5"]


def test_a_robot_destroyed_by_the_saw_frees_its_space() -> None:
    scene = Scene(["b5", "c5"], damage=(0, 2)).do(0, "b3E+saw")
    assert scene.at == ["e5", None]
    assert scene.scores == [1, 0]


def test_the_saw_cuts_a_robot_that_cannot_move() -> None:
    scene = Scene(["g9", "h9"]).do(0, "b2E+saw")
    assert scene.at == ["g9", "h9"]
    assert scene.damage == [0, 1]


def test_an_anchor_directly_ahead_stops_the_saw() -> None:
    scene = Scene(["b5", "c5"], orders={1: ["anchor"]}).do(0, "b3E+saw")
    assert scene.at == ["b5", "c5"]
    assert scene.damage == [0, 0]


def test_an_anchor_further_on_does_not_save_the_first() -> None:
    scene = Scene(["b5", "c5", "d5"], orders={2: ["anchor"]}).do(0, "b3E+saw")
    assert scene.at == ["b5", "c5", "d5"]
    assert scene.damage == [0, 1, 0]


def test_the_saw_cuts_in_the_strafe_too() -> None:
    scene = Scene(["b5", "c6"]).do(0, "b1E+saw+strafe-right")
    assert scene.at == ["c6", "c7"]
    assert scene.damage == [0, 1]


def test_a_wall_between_keeps_the_saw_off() -> None:
    assert Scene(["b2", "c2"], "B").do(0, "b1E+saw").damage == [0, 0]


def test_the_saw_meets_an_explosive_core() -> None:
    scene = Scene(["b5", "c5"], damage=(2, 2), orders={1: ["explosive"]}).do(0, "b3E+saw")
    assert scene.at == [None, None]
    assert scene.scores == [1, 1], "the kill's point first, then the Core's"
    assert [f.kind for f in scene.told("scored", "blast")] == ["scored", "blast", "scored"]


# --- Bomb -------------------------------------------------------------------------------------------


def test_a_bomb_hits_the_centre_and_its_neighbours() -> None:
    scene = Scene(["e5", "h5", "g5", "h6"]).do(0, "r3E+bomb")
    assert scene.damage == [0, 1, 1, 1]


def test_a_bomb_falls_short_at_the_rim_and_hits_its_own_robot() -> None:
    scene = Scene(["h5", "i4"]).do(0, "r4E+bomb")
    assert scene.told("blast")[0]["space"] == "i5"
    assert scene.damage == [1, 1]


def test_a_bomb_in_a_pit_does_nothing() -> None:
    scene = Scene(["b4", "d5"]).do(0, "r2E+bomb")
    assert scene.damage == [0, 0]
    assert [fact["space"] for fact in scene.told("dud")] == ["d4"]


def test_a_bomb_against_a_solid_may_come_down_on_the_own_space() -> None:
    scene = Scene(["b9", "b8"]).do(0, "r2W+bomb")
    assert scene.told("blast")[0]["space"] == "b9"
    assert scene.damage == [1, 1]


def test_walls_keep_neighbours_safe_from_a_bomb() -> None:
    scene = Scene(["a4", "c2", "b2"], "B").do(0, "r2NE+bomb")
    assert scene.told("blast")[0]["space"] == "c2"
    assert scene.damage == [0, 1, 0], "b2|c2 is a wall"


# --- Shockwave --------------------------------------------------------------------------------------


def test_a_shockwave_pushes_all_neighbours_away() -> None:
    scene = Scene(["e5", "e4", "f4", "d6"]).do(0, "r1N+shockwave")
    assert scene.at == ["e5", "e3", "g3", "c7"]
    assert scene.damage == [0, 0, 0, 0]
    assert [fact["seat"] for fact in scene.told("pushed")] == [1, 2, 3], "clockwise from north"


@pytest.mark.parametrize(
    ("robots", "orders"),
    [(["b9", "b8"], {1: ["anchor"]}), (["g8", "g9"], {}), (["c5", "c6"], {1: ["anchor"]})],
)
def test_who_does_not_move_takes_damage(robots: list[str | None], orders: dict[int, list[str]]) -> None:
    scene = Scene(robots, orders=orders).do(0, "r2S+shockwave")
    assert scene.at == robots
    assert scene.damage == [0, 1]


def test_pit_clamps_hold_in_a_shockwave_and_cost_damage() -> None:
    scene = Scene(["b4", "c4"], orders={1: ["pit"]}).do(0, "r1S+shockwave")
    assert scene.at == ["b4", "c4"]
    assert scene.damage == [0, 1]


def test_a_shockwave_over_a_pit_scores() -> None:
    assert Scene(["b4", "c4"]).do(0, "r1S+shockwave").scores == [1, 0]


# --- Swivel Head, Overcharge, Piercing Beam ------------------------------------------------------------


def test_swivel_head_turns_the_shot() -> None:
    assert Scene(["e5", "g3"]).do(0, "r1N+swivel-right").damage == [0, 1]
    assert Scene(["e5", "c3"]).do(0, "r1N+swivel-left").damage == [0, 1]


def test_swivel_head_and_knockback_push_in_the_turned_direction() -> None:
    assert Scene(["e5", "f4"]).do(0, "r1N+swivel-right+knockback").at == ["e5", "g3"]


def test_overcharge_deals_two_and_a_shield_cancels_one() -> None:
    assert Scene(["b5", "e5"]).do(0, "r6E+overcharge").damage == [0, 2]
    assert Scene(["b5", "e5"], orders={1: ["shield"]}).do(0, "r6E+overcharge").damage == [0, 1]


def test_more_than_three_damage_is_ignored() -> None:
    scene = Scene(["b5", "e5"], damage=(0, 2)).do(0, "r6E+overcharge")
    assert scene.damage == [0, 3]
    assert scene.told("damaged")[0]["amount"] == 1


def test_piercing_beam_hits_all_up_to_the_wall() -> None:
    scene = Scene(["a5", "c5", "f5", "i5"]).do(0, "r5E+piercing")
    assert scene.damage == [0, 1, 1, 1]
    assert [fact["hit"] for fact in scene.told("shot")] == [1, 2, 3]


def test_a_used_reflector_ends_the_piercing_beam() -> None:
    scene = Scene(["b8", "c7", "e5", "g3"], orders={2: ["reflector"]}).do(0, "r5NE+piercing")
    assert scene.damage == [0, 2, 0, 0], "the plain shot back hits the nearest one again"
    assert [fact["reflected"] for fact in scene.told("shot")] == [False, False, True]


# --- Explosive Core -----------------------------------------------------------------------------------


def test_the_core_hits_all_unwalled_neighbours_clockwise() -> None:
    scene = Scene(["e2", "e5", "e4", "d6"], damage=(0, 2, 0, 0), orders={1: ["explosive"]})
    scene.do(2, "r1S")
    assert scene.damage == [0, 3, 1, 1]
    assert scene.turned_up() == [(1, "explosive")]


def test_the_core_is_credited_though_its_robot_is_gone() -> None:
    scene = Scene(["e2", "e5", "e4"], damage=(0, 2, 2), orders={1: ["explosive"]}).do(2, "r1S")
    assert scene.at == ["e2", None, None]
    assert scene.scores == [0, 1, 1]


def test_a_fall_does_not_set_the_core_off() -> None:
    scene = Scene(["b4", "c4", "d5"], orders={1: ["explosive"]}).do(0, "b1E")
    assert scene.at == ["c4", None, "d5"]
    assert scene.told("blast") == []


def test_cores_set_each_other_off_at_once() -> None:
    scene = Scene(["a1", "c5", "d5", "e5"], damage=(0, 2, 2, 2), orders={1: ["explosive"], 2: ["explosive"]})
    scene.battle.hurt(1, 1, 0)
    assert scene.at[1:] == [None, None, None]
    assert scene.scores == [1, 1, 1, 0]


def test_the_last_point_stops_the_core() -> None:
    scene = Scene(["b5", "e5", "e4"], damage=(0, 2, 2), scores=(4, 0, 0), orders={1: ["explosive"]})
    scene.do(0, "r1E")
    assert scene.won == 0
    assert scene.damage == [0, 3, 2]
    assert scene.told("blast") == []
