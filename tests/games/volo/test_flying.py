"""Flights of single birds and of rows."""

from __future__ import annotations

from engines.volo import GAME
from tests.games.volo.support import at, events, flights, kinds, legal, played, refusal

FAR = " l7 k2"
"""Two more birds, far from what is looked at, so that nobody is one flock."""


def test_a_single_bird_joins_another() -> None:
    state = at("d2 d6" + FAR, "h2 k9")
    assert "E3" in flights(state, "d2")
    after = GAME.view(played(state, "d2-E3"), None)
    assert ("d5", "d6") in after.flocks[0]
    assert after.last is not None
    assert (after.last.origins, after.last.landings, after.last.path) == (("d2",), ("d5",), ("d3", "d4"))


def test_it_must_end_in_a_larger_flock() -> None:
    state = at("d2 d6" + FAR, "h2 k9")
    assert "must end next to another of your birds" in refusal(state, "d2-E2")
    pair = at("d2 d3 d7" + FAR, "h2 k9")
    assert refusal(pair, "d2:d3-E1") == ("This flight must make a flock of more than 2 birds.")


def test_passing_beside_friends_without_stopping() -> None:
    state = at("d2 e4 d7" + FAR, "h2 k9")
    assert {"E1", "E2", "E4"} <= flights(state, "d2")
    assert "E3" not in flights(state, "d2")


def test_not_over_friends() -> None:
    state = at("d2 d4 d7" + FAR, "h2 k9")
    assert refusal(state, "d2-E4") == "d2 can’t fly over your own bird on d4."
    assert flights(state, "d2") >= {"E1"}


def test_not_over_opponents() -> None:
    state = at("d2 d7" + FAR, "d4 k9")
    assert refusal(state, "d2-E4") == "d2 can’t fly over your opponent’s bird on d4."


def test_not_over_the_edge() -> None:
    state = at("d2 c4" + FAR, "h2 k9")
    assert refusal(state, "d2-W2") == (
        "d2 can fly only 1 step west before reaching the edge or the centre of the board."
    )


def test_not_over_the_centre_or_a_corner() -> None:
    state = at("g4 g9 b2" + FAR, "h2 k9")
    assert "the centre of the board" in refusal(state, "g4-E4")
    assert "g4" not in {line.partition("-")[0] for line in legal(state)}
    corner = at("a4 d2 g2", "h5 k9")
    assert "the edge or the centre" in refusal(corner, "d2-SW3")
    assert "the edge or the centre" in refusal(corner, "a4-W3")


def test_a_row_flies_broadside_and_in_line() -> None:
    state = at("d4 d5 d6 d9 f6" + FAR, "h2 k9")
    assert "E2" in flights(state, "d4:d6"), "in line, beside d9"
    assert "NE1" in flights(state, "d4:d6"), "broadside, beside f6"
    after = GAME.view(played(state, "d4:d6-E2"), None)
    assert ("d6", "d7", "d8", "d9") in after.flocks[0]


def test_the_own_points_of_a_row_count_as_vacant() -> None:
    state = at("d4 d5 d6 d8" + FAR, "h2 k9")
    assert "E1" in flights(state, "d4:d6")


def test_every_bird_of_a_row_needs_its_way_free() -> None:
    state = at("d4 d5 d6 f6" + FAR, "e6 k9")
    assert refusal(state, "d4:d6-NE1") == "d4:d6 can’t fly over your opponent’s bird on e6."


def test_rows_in_every_direction() -> None:
    state = at("d4 e4 f4 d6" + FAR, "h2 k9")
    assert "E1" in flights(state, "d4:f4"), "along north-west, moved east"
    slanted = at("d4 e5 f6 d6" + FAR, "h2 k9")
    assert "E1" in flights(slanted, "d4:f6"), "along north-east, moved east"


def test_a_part_of_a_row_may_fly() -> None:
    state = at("d4 d5 d6 b4" + FAR, "h2 k9")
    assert "SW1" in flights(state, "d6"), "beside d5 and b4"
    assert "SW1" in flights(state, "d5:d6"), "beside d4 and b4"
    assert "SW1" in flights(state, "d4:d6"), "beside b4"


def test_a_flock_is_never_split() -> None:
    state = at("d4 d5 d6 d8" + FAR, "h2 k9")
    assert refusal(state, "d6-E1") == "That would split your flock and leave d4 behind."
    middle = at("d4 d5 d6 f6" + FAR, "h2 k9")
    assert refusal(middle, "d5-NW2") == "That would split your flock and leave d4 behind."


def test_a_split_is_refused_however_large_the_new_flock() -> None:
    state = at("d2 d3 e5 f5 f6 f7" + FAR, "h2 k9")
    assert refusal(state, "d3-E1") == "That would split your flock and leave d2 behind."


def test_the_landing_may_join_again_what_the_flight_parted() -> None:
    state = at("d4 d5 e6 f5" + FAR, "h2 k9")
    after = GAME.view(played(state, "d5-NW1"), None)
    assert ("d4", "e5", "e6", "f5") in after.flocks[0]


def test_a_flock_may_be_rearranged_while_it_grows() -> None:
    state = at("d4 d5 e4 f6" + FAR, "h2 k9")
    assert "NW1" in flights(state, "d5"), "e5 is beside e4 and f6"
    after = GAME.view(played(state, "d5-NW1"), None)
    assert ("d4", "e4", "e5", "f6") in after.flocks[0]
    assert refusal(state, "d5-NE1") == "That would split your flock and leave d4 behind."


def test_only_the_landing_is_checked() -> None:
    state = at("d3 d4 d8" + FAR, "h2 k9")
    assert "E3" in flights(state, "d3:d4"), "on its way the row is beside nobody"


def test_only_straight_rows_without_gaps() -> None:
    state = at("d4 d6 e8" + FAR, "h2 k9")
    assert refusal(state, "d4:d6-E1") == "You have no bird on d5."
    assert "aren’t the two ends of one straight row" in refusal(state, "d4:e6-E1")
    assert "No row crosses the empty centre" in refusal(at("g6 g8 b2", "h2 k9"), "g6:g8-NE1")


def test_not_with_opponents() -> None:
    state = at("d4 d6" + FAR, "d5 k9")
    assert refusal(state, "d5-E1") == "You have no bird on d5."


def test_what_is_told_of_a_flight() -> None:
    state = at("d4 d5 d6 d9" + FAR, "h2 k9")
    assert kinds(state, "d4:d6-E2") == ["flew"]
    fact = events(state, "d4:d6-E2")[0].fact
    assert dict(fact.data) == {
        "seat": 0, "unit": "d4:d6", "direction": "E", "steps": 2, "birds": 3, "flock": 4,
    }  # fmt: skip
