"""Regions: who flies away after a flight, and who says so."""

from __future__ import annotations

from engines.volo import GAME
from engines.volo.state import State
from tests.games.volo.support import at, ending, flights, kinds, legal, played, refusal

WALL = "c1 c2 c3 c4 c6 c7 c8 c9 d5"
"""Row c with a gap at c5, which d5 may fill."""


def gap(orange: str = "l7 k2", blue: str = "a3 b5 f2 h9 m4") -> State:
    return at(f"{WALL} {orange}", blue)


def test_the_mover_says_which_region_stays() -> None:
    assert flights(gap(), "d5") >= {"SE1/a2", "SE1/d1"}
    assert "SE1" not in flights(gap(), "d5")
    assert refusal(gap(), "d5-SE1") == (
        "This flight splits your opponent’s birds. Name the lowest point of the region to keep."
        " Regions: a2 and d1."
    )


def test_birds_outside_the_region_fly_away_to_the_supply() -> None:
    low = GAME.view(played(gap(), "d5-SE1/a2"), None)
    assert low.birds[1] == ("a3", "b5")
    assert low.supply[1] == 58
    assert low.last is not None
    assert low.last.gone == ("f2", "h9", "m4")
    assert low.last.kept[0] == "a2"
    high = GAME.view(played(gap(), "d5-SE1/d1"), None)
    assert high.birds[1] == ("f2", "h9", "m4")
    assert kinds(gap(), "d5-SE1/d1") == ["flew", "kept", "gone"]


def test_a_region_is_named_by_its_lowest_point_alone() -> None:
    refused = refusal(gap(), "d5-SE1/a3")
    assert refused == "a3 isn’t the lowest point of a region. Choose one of these: a2 and d1."
    taken = gap(blue="a2 b5 f2 h9")
    assert "SE1/a2" in flights(taken, "d5"), "it may be taken as well as vacant"


def test_no_region_is_named_where_there_is_one() -> None:
    one = gap(blue="f2 h9 m4")
    assert "SE1" in flights(one, "d5"), "nobody is below"
    assert refusal(one, "d5-SE1/d1") == "This flight cuts nothing off, so leave the region out."
    assert kinds(one, "d5-SE1") == ["flew"]


def test_nothing_is_removed_when_the_mover_is_one_flock() -> None:
    united = gap(orange="")
    after = played(united, "d5-SE1")
    assert ending(after) == ("united", 0)
    assert len(GAME.view(after, None).birds[1]) == 5
    assert refusal(united, "d5-SE1/a2") == "This flight cuts nothing off, so leave the region out."


def test_three_regions() -> None:
    state = at("a4 b4 c1 c2 c3 c4 c6 c7 c8 c9 d5 l7", "a3 a6 h9 f2 k2")
    assert {line for line in flights(state, "d5") if line.startswith("SE1")} == {"SE1/a2", "SE1/a5", "SE1/d1"}
    assert GAME.view(played(state, "d5-SE1/a5"), None).birds[1] == ("a6",)
    told = GAME.preview(GAME.view(state, 0), ("d5", "SE1")).regions
    assert [(region.word, region.birds) for region in told] == [
        ("a2", ("a3",)),
        ("a5", ("a6",)),
        ("d1", ("f2", "h9", "k2")),
    ]
    assert told[0].points == ("a2", "a3", "b1", "b2", "b3")


def test_an_add_removes_nobody() -> None:
    walled = at("c1 c2 c3 c4 c5 c6 c7 c8 c9 l7 k2", "a3 b5 f2 h9 m4")
    assert len(GAME.view(played(walled, "i5"), None).birds[1]) == 5


def test_a_position_set_up_in_two_regions_is_sorted_out_by_the_first_flight() -> None:
    walled = at("c1 c2 c3 c4 c5 c6 c7 c8 c9 l7 l5 k2", "a3 b5 f2 h9 m4")
    assert {"l5-E1/a2", "l5-E1/d1"} <= legal(walled)


def test_the_opponents_own_birds_are_part_of_the_way() -> None:
    through = at("b5 c1 c2 c3 c4 c7 c8 c9 d5 l7 k2", "a3 b3 c6 f2 h9")
    assert "SE1" in flights(through, "d5"), "the region goes on through c6"
    assert not any("/" in line for line in legal(through))
