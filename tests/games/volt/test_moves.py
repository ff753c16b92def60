"""Movement: chains, walls, pits, open edges, corners, mines. Rules page, *Activation*."""

from __future__ import annotations

import pytest

from engines.volt.arena import OUT, SPACES, WALL, arena, arenas, beside, turned
from engines.volt.view import ARROWS
from tests.games.volt.support import Scene


def stops(scene: Scene) -> list[tuple[object, object, object]]:
    """Return who was stopped, by what, and who stood there or held it."""
    return [(fact["seat"], fact["why"], fact["who"]) for fact in scene.told("blocked")]


def test_a_robot_moves_exactly_its_number() -> None:
    assert Scene(["b2"]).do(0, "b3E").at == ["e2"]


def test_worked_check_1_push_over_plain() -> None:
    assert Scene(["b3", "d3"]).do(0, "b4E").at == ["f3", "g3"]


def test_worked_check_2_wall_behind_the_pushed_robot() -> None:
    scene = Scene(["h3", "h5"], "B").do(0, "b4S")  # between h5 and h6 stands a wall
    assert scene.at == ["h4", "h5"]
    assert len(scene.told("moved")) == 1


@pytest.mark.parametrize(
    ("robots", "arena_key", "die", "why", "who"),
    [
        (["h5"], "B", "b1S", "wall", 0),
        (["h3", "h5"], "B", "b4S", "wall", 1),
        (["h9"], "A", "b1E", "pillar", 0),
        (["b1"], "A", "b1N", "rim", 0),
        (["c9"], "A", "b2SE+diagonal", "rim", 0),
        (["g3"], "C", "b1NE", "corner", 0),
        (["b8"], "A", "b1SW", "pillar", 0),
    ],
)
def test_what_stops_a_robot_is_told(robots: list[str], arena_key: str, die: str, why: str, who: int) -> None:
    assert stops(Scene(robots, arena_key).do(0, die)) == [(0, why, who)]


@pytest.mark.parametrize(
    ("order", "die", "robots", "stopped"),
    [
        ("anchor", "b2E", ["b3", "c3"], (0, "anchor", 1)),
        ("anchor", "b2E+saw", ["b3", "c3"], (0, "anchor", 1)),
        ("anchor", "r1E+shockwave", ["b3", "c3"], (1, "anchor", 1)),
        ("anchor", "r3E+tractor", ["b5", "e5"], (1, "anchor", 1)),
        ("pit", "b2E", ["b4", "c4"], (0, "pit", 1)),
        ("pit", "r3W+tractor", ["e4", "c4"], (1, "pit", 1)),
    ],
)
def test_a_module_that_stops_a_robot_is_told(
    order: str, die: str, robots: list[str], stopped: tuple[int, str, int]
) -> None:
    assert stops(Scene(robots, orders={1: [order]}).do(0, die)) == [stopped]


def test_own_clamps_stop_the_own_robot() -> None:
    assert stops(Scene(["c4"], orders={0: ["pit"]}).do(0, "b2E")) == [(0, "pit", 0)]


def test_a_solid_behind_the_pushed_robot_stops_both() -> None:
    assert Scene(["e9", "g9"]).do(0, "b4E").at == ["g9", "h9"]


def test_chains_move_together() -> None:
    assert Scene(["a5", "b5", "c5"]).do(0, "b2E").at == ["c5", "d5", "e5"]
    assert Scene(["a5", "b5", "d5"]).do(0, "b2E").at == ["c5", "d5", "e5"], "the chain grows on the way"


def test_a_chain_of_three_into_a_pit() -> None:
    scene = Scene(["a4", "b4", "c4"]).do(0, "b1E")
    assert scene.at == ["b4", "c4", None]
    assert scene.scores == [1, 0, 0]
    again = Scene(["a4", "b4", "c4"]).do(0, "b3E")
    assert again.at == [None, None, None]
    assert again.scores == [2, 0, 0], "both points, and none for the own fall"


def test_a_chain_of_three_against_a_wall() -> None:
    scene = Scene(["f9", "g9", "h9"]).do(0, "b2E")
    assert scene.at == ["f9", "g9", "h9"]
    assert scene.told("moved", "pushed") == []
    assert stops(scene) == [(0, "pillar", 2)]


def test_a_chain_of_three_over_an_open_edge() -> None:
    scene = Scene(["g2", "h2", "i2"], "D").do(0, "b2E")
    assert scene.at == ["i2", None, None]
    assert scene.scores == [2, 0, 0]
    assert [(f["space"], f["arrow"]) for f in scene.told("destroyed")] == [("i2", "E"), ("i2", "E")]


def test_the_front_robot_moves_first() -> None:
    scene = Scene(["a5", "b5", "c5"]).do(0, "b1E")
    assert [fact["seat"] for fact in scene.told("moved", "pushed")] == [2, 1, 0]


def test_worked_check_3_the_pusher_goes_on_into_the_pit() -> None:
    scene = Scene(["a4", "c4"], damage=(1, 0)).do(0, "b4E")
    assert scene.at == [None, None]
    assert scene.scores == [1, 0]
    assert scene.damage == [1, 0]
    assert [f["by"] for f in scene.told("destroyed")] == [0, None]


def test_own_moves_over_open_edges_destroy() -> None:
    scene = Scene(["b2"], "D").do(0, "b3N")
    assert scene.at == [None]
    assert scene.scores == [0]


def test_diagonals_leave_the_arena_if_one_way_does() -> None:
    d = arena("D")
    assert d.step("b1", "NE") == OUT
    assert d.step("c1", "NW") == OUT
    assert d.step("d1", "NE") == WALL
    assert d.step("a2", "NW") == OUT
    assert d.step("a3", "NW") == OUT
    assert d.step("a4", "NW") == WALL


def test_a_corner_is_passed_unless_both_ways_are_blocked() -> None:
    b = arena("B")
    # b2|c2, b2-b3: from b2 to SE both ways are blocked by a wall at once.
    assert b.step("b2", "SE") == WALL
    assert b.step("c3", "NW") == WALL
    assert b.step("a1", "SE") == "b2", "one way over a2, one over b1"
    c = arena("C")
    # g2 and h3 are solid: from g3 to NE both ways are blocked, though h2 is free.
    assert c.step("g3", "NE") == WALL
    assert c.step("h2", "SW") == WALL
    assert c.step("g1", "SE") == "h2"


def test_pits_and_robots_beside_a_diagonal_do_not_count() -> None:
    assert arena("A").step("c4", "NE") == "d3", "beside it are c3 and the pit d4"
    scene = Scene(["c4", "c5", "d3"]).do(0, "r1SE")
    assert [f["hit"] for f in scene.told("shot")] == [None]


@pytest.mark.parametrize("key", list(arenas()))
def test_steps_are_the_same_both_ways(key: str) -> None:
    place = arena(key)
    for space in set(SPACES) - place.solid:
        for arrow in ARROWS:
            target = place.step(space, arrow)
            if target not in (WALL, OUT):
                assert place.step(target, turned(arrow, 4)) == space
                assert beside(space, arrow) == target


@pytest.mark.parametrize("key", list(arenas()))
def test_arenas_are_whole(key: str) -> None:
    place = arena(key)
    starts = {space for side in place.start.values() for space in side}
    groups = [place.pits, place.repair, place.shock, place.solid, starts, set(place.tokens.values())]
    assert sum(map(len, groups)) + len(place.plain) == len(SPACES), "no space is two things"
    assert sorted(place.tokens) == [1, 2, 3, 4, 5, 6]
    assert all(len(side) == 3 for side in place.start.values())


def test_a_mine_goes_off_under_whoever_enters() -> None:
    scene = Scene(["a5", "b5"], mines={"c5": 1}).do(0, "b3E")
    assert scene.at == ["d5", "e5"], "the movement goes on"
    assert scene.damage == [0, 1]
    assert scene.battle.mines == {}
    assert scene.battle.mines_left == [4, 5]


def test_a_mines_kill_is_its_owners_whoever_pushed() -> None:
    scene = Scene(["a5", "b5", "i5"], damage=(0, 2, 0), mines={"c5": 2}).do(0, "b1E")
    assert scene.scores == [0, 0, 1]
    own = Scene(["a5", "b5"], damage=(0, 2), mines={"c5": 1}).do(0, "b1E")
    assert own.scores == [0, 0], "nobody scores if the victim is the owner"


def test_the_row_goes_on_where_a_mine_destroys_the_front_robot() -> None:
    scene = Scene(["a5", "b5", "c5"], damage=(0, 0, 2), mines={"d5": 0}).do(0, "b2E")
    assert scene.at == ["c5", "d5", None]
    assert scene.scores == [1, 0, 0]
