"""Where effects of different decks meet, and matches that end in the middle of one. *Where effects meet*."""

from __future__ import annotations

from engines.volt.view import Lost
from tests.games.volt.support import Scene, facts, programs, situation


def test_pit_clamps_hold_against_knockback() -> None:
    scene = Scene(["a4", "c4"], orders={1: ["pit"]}).do(0, "r1E+knockback")
    assert scene.at == ["a4", "c4"]
    assert scene.damage == [0, 1]


def test_pit_clamps_end_a_push_but_not_the_die() -> None:
    scene = Scene(["a4", "c4"], orders={1: ["pit"]}).do(0, "b3E+strafe-right")
    assert scene.at == ["b5", "c4"], "one step, the clamps, then the strafe"


def test_own_pit_clamps_save_the_pusher_who_follows_into_the_pit() -> None:
    scene = Scene(["b4", "c4"], orders={0: ["pit"]}).do(0, "b3E")
    assert scene.at == ["c4", None]
    assert scene.scores == [1, 0]


def test_a_diagonal_push_over_the_corner_of_an_open_edge() -> None:
    scene = Scene(["a2", "b1"], "D").do(0, "b1NE")
    assert scene.at == ["b1", None]
    assert scene.scores == [1, 0]


def test_diagonal_drive_saw_blade_and_mine_layer() -> None:
    scene = Scene(["b7", "c6"]).do(0, "b1NE+saw+mine")
    assert scene.at == ["c6", "d5"]
    assert scene.damage == [0, 1]
    assert scene.battle.mines == {"b7": 0}


def test_a_core_on_a_mine_destroys_the_pusher_and_its_movement_ends() -> None:
    robots: list[str | None] = ["b5", "c5", "i1"]
    scene = Scene(robots, damage=(2, 2, 0), orders={1: ["explosive"]}, mines={"d5": 2})
    scene.do(0, "b3E+strafe-left")
    assert scene.at[1:] == [None, "i1"]
    assert scene.scores == [0, 0, 1], "the pusher stood two spaces away"


def test_cores_reach_a_robot_that_was_about_to_follow() -> None:
    robots: list[str | None] = ["b5", "c5", "d5", "d6"]
    orders = {2: ["explosive"], 3: ["explosive"]}
    scene = Scene(robots, damage=(0, 2, 2, 2), orders=orders, mines={"e5": 0}).do(0, "b1E")
    assert scene.at == ["c5", None, None, None], "the mover still takes its step"
    assert scene.scores == [1, 0, 1, 1], "the mine's kill, then the two Cores'"


def test_a_pulled_robots_core_hits_its_puller() -> None:
    scene = Scene(["b5", "e5"], damage=(2, 2), orders={1: ["explosive"]}, mines={"c5": 0})
    scene.do(0, "r3E+tractor")
    assert scene.at == [None, None]
    assert scene.scores == [1, 1]


def test_a_shield_saves_from_the_saw_and_the_push_goes_on() -> None:
    scene = Scene(["b5", "c5"], damage=(0, 2), orders={1: ["shield"]}).do(0, "b2E+saw")
    assert scene.at == ["d5", "e5"]
    assert scene.damage == [0, 2]


def test_a_shockwave_uses_anchor_then_shield() -> None:
    scene = Scene(["e5", "e4"], orders={1: ["anchor", "shield"]}).do(0, "r1N+shockwave")
    assert scene.damage == [0, 0]
    assert scene.turned_up() == [(0, "shockwave"), (1, "anchor"), (1, "shield")]


def test_a_bomb_on_a_core_reaches_further() -> None:
    scene = Scene(["e9", "e6", "d5"], damage=(0, 2, 0), orders={1: ["explosive"]}).do(0, "r3N+bomb")
    assert scene.damage == [0, 3, 1]
    assert scene.scores == [1, 0, 0]


def test_jump_jets_push_an_anchored_row_nowhere() -> None:
    scene = Scene(["b5", "d5", "e5"], orders={2: ["anchor"]}).do(0, "b2E+jump")
    assert scene.at == ["c5", "d5", "e5"]


def test_repair_bot_leaves_no_mine() -> None:
    assert Scene(["b5"], damage=(1,)).do(0, "b1E+repair+mine").battle.mines == {}


# --- ends in mid-effect -----------------------------------------------------------------------------------


def test_crossfire_stops_at_the_last_point() -> None:
    scene = Scene(["e5", "e3", "g5"], damage=(0, 2, 2), scores=(4,)).do(0, "r4N+crossfire")
    assert scene.won == 0
    assert scene.at == ["e5", None, "g5"]
    assert scene.damage == [0, 3, 2]


def test_a_piercing_beam_stops_at_the_last_point() -> None:
    scene = Scene(["a5", "c5", "f5"], damage=(0, 2, 2), scores=(4,)).do(0, "r5E+piercing")
    assert (scene.won, scene.at) == (0, ["a5", None, "f5"])


def test_a_mine_may_win_the_match_for_who_is_not_moving() -> None:
    scene = Scene(["b5", "i1"], damage=(2, 0), scores=(0, 4), mines={"d5": 1}).do(0, "b4E+mine")
    assert scene.won == 1
    assert scene.battle.mines == {}, "no mine is laid after it"


def test_a_core_may_win_the_match_for_who_is_gone() -> None:
    scene = Scene(["b5", "e5", "e4"], damage=(0, 2, 2), scores=(0, 4, 0), orders={1: ["explosive"]})
    assert scene.do(0, "r1E").won == 1
    assert scene.scores == [1, 5, 0], "the kill's point comes first"


def test_a_token_may_win_before_a_later_tile_is_hurt() -> None:
    match = situation([{"pos": "d4", "score": 4}, {"pos": "d7", "damage": 2}], "C", tokens=[1])
    match = programs(match, "I:b1E II:r1N III:r1W", "I:b1E II:r6E III:r6E")
    assert match.outcome is not None
    assert match.outcome.ranks == ((0,), (1,))
    assert match.view(None).robots[1].damage == 2, "the shock plate on e7 comes too late"
    assert [fact["reason"] for fact in facts(match, "ended")] == ["points"]


def test_a_lower_tile_may_stand_before_the_winner() -> None:
    match = situation([{"pos": "d4", "score": 4}, {"pos": "d7", "damage": 2}], "C", tokens=[1])
    dice = ("I:b1E II:r1N III:r1W tile:2", "I:b1E II:r6E III:r6E tile:1")
    match = programs(match, *dice)
    assert match.view(None).robots[1].lost is Lost.DAMAGE
