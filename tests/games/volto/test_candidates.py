"""What masks may be: exact matching, against trying every way there is."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.core.contract import Viewer
from engines.core.rng import Rng
from engines.volto import GAME
from engines.volto.board import KINDS, MUSTER, Kind, fits_after
from engines.volto.candidates import Fits, Kinds, Matchings, possible
from engines.volto.state import State
from tests.games.volto.support import MOON, SUN, at, by_the_first_ruleset, go, letters, may_be, place

subsets = st.sets(st.sampled_from(KINDS), min_size=1).map(lambda some: tuple(k for k in KINDS if k in some))


@st.composite
def sides(draw: st.DrawFn) -> tuple[Fits, Kinds]:
    """Draw a side of at most seven masks with tracks that allow their true symbols and some others."""
    size = draw(st.integers(1, 7))
    truth = draw(st.permutations(MUSTER))[:size]
    fits = tuple(
        tuple(k for k in KINDS if k is kind or k in draw(subsets) or draw(st.booleans())) for kind in truth
    )
    return fits, tuple(sorted(truth, key=MUSTER.index))


def every_way(fits: Fits, kinds: Kinds) -> set[Kinds]:
    """Return all ways of giving the symbols to the masks, by trying all orders."""
    return {
        way for way in permutations(kinds) if all(kind in fit for kind, fit in zip(way, fits, strict=True))
    }


@given(sides())
def test_possible_symbols_are_those_of_some_way(side: tuple[Fits, Kinds]) -> None:
    fits, kinds = side
    ways = every_way(fits, kinds)
    expected = tuple(tuple(k for k in KINDS if k in {way[i] for way in ways}) for i in range(len(fits)))
    assert possible(fits, kinds) == expected


@given(sides())
def test_matchings_are_all_the_ways(side: tuple[Fits, Kinds]) -> None:
    fits, kinds = side
    ways = every_way(fits, kinds)
    matchings = Matchings(fits, kinds)
    listed = list(matchings)
    assert len(matchings) == len(listed) == len(ways)
    assert set(listed) == ways
    stream = Rng(bytes(32)).stream("test")
    assert all(matchings.draw(stream) in ways for _ in range(5))


def test_draws_are_all_alike() -> None:
    few = (Kind.NOBLE, Kind.ADVISOR)
    fits: Fits = ((Kind.NOBLE, Kind.ADVISOR), few, few, (Kind.ADVISOR,))
    matchings = Matchings(fits, (Kind.NOBLE, Kind.NOBLE, Kind.ADVISOR, Kind.ADVISOR))
    stream = Rng(bytes(32)).stream("test")
    drawn = [matchings.draw(stream) for _ in range(3_000)]
    assert [abs(drawn.count(way) - 1_000) < 120 for way in matchings] == [True] * 3


def test_the_full_side_has_50400_arrangements() -> None:
    assert len(Matchings((KINDS,) * 10, MUSTER)) == 50_400


def test_no_way_at_all_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="no symbols"):
        possible(((Kind.NOBLE,), (Kind.NOBLE,)), (Kind.NOBLE, Kind.ADVISOR))
    with pytest.raises(ValueError, match="0 < n"):
        Matchings(((Kind.NOBLE,),), (Kind.ADVISOR,)).draw(Rng(bytes(32)).stream("test"))
    with pytest.raises(ValueError, match="as many"):
        Matchings((KINDS,), MUSTER)


# --- what a track tells ---------------------------------------------------------------------------

FULL = "nalan/csnla/5/5/5/CSNLA/NALAN"


@pytest.mark.parametrize(
    ("origin", "target", "taken", "expected"),
    [
        ("c3", "c4", None, "NLCS"),  # one step forward
        ("c3", "c2", None, "NLC"),  # backward
        ("c3", "d3", None, "NLC"),  # sideways
        ("c3", "d4", None, "ALC"),  # diagonally
        ("c3", "b2", None, "ALC"),
        ("c3", "c5", None, "S"),  # two steps
        ("c3", "c7", None, "S"),
        ("c3", "c4", Kind.NOBLE, "NCS"),  # a Lady takes nothing
        ("c3", "d4", Kind.NOBLE, "AC"),
        ("c6", "c7", None, "NLS"),  # a Candidate would have won there
        ("c6", "d7", Kind.NOBLE, "A"),
        ("c3", "c4", Kind.LADY, "NS"),  # a Candidate that left with her would have lost
        ("c3", "d4", Kind.LADY, "A"),
    ],
)
def test_what_a_move_of_sun_tells(origin: str, target: str, taken: Kind | None, expected: str) -> None:
    assert letters(fits_after(KINDS, SUN, origin, target, taken)) == expected


def test_forward_is_down_for_moon() -> None:
    assert letters(fits_after(KINDS, MOON, "c5", "c4", None)) == "NLCS"
    assert letters(fits_after(KINDS, MOON, "c5", "c6", None)) == "NLC"
    assert letters(fits_after(KINDS, MOON, "c5", "c2", None)) == "S"
    assert letters(fits_after(KINDS, MOON, "c2", "c1", None)) == "NLS"


def test_a_track_narrows_more_and_more() -> None:
    state = go(at(f"{FULL} 0"), "a2b3", "a6a5", "b3b4", "a5a6")
    assert may_be(state, MOON, "b4") == may_be(state, None, "b4") == "LC", "diagonally, then straight"
    state = go(at("c3l/5/2a2/2C2/5/5/L4 0"), "c4b5", "e7e6", "b5c5")
    assert may_be(state, MOON, "c5") == "C", "it has taken something, too"


def test_the_owner_knows_and_all_others_deduce() -> None:
    state = go(at(f"{FULL} 0"), "b2b4", "e6d5")
    assert may_be(state, MOON, "b4") == may_be(state, None, "b4") == "S"
    assert may_be(state, MOON, "a1") == "NALC", "there is one Soldier, and it has shown itself"
    assert GAME.view(state, MOON).standing()["b4"].kind is None, "deduced, not revealed"
    assert may_be(state, SUN, "d5") == "ALC"
    assert may_be(state, SUN, "a7") == "NALCS"
    assert may_be(state, SUN, "b4") == "S"
    assert may_be(state, SUN, "a1") == "N", "one's own symbols are known"


def test_revealed_symbols_are_counted_off() -> None:
    state = go(place(SUN, a7="c", b7="n", c7="l", c4="a", c3="N", e1="C", a1="S"), "c3c4")
    assert may_be(state, SUN, "a7") == may_be(state, None, "b7") == "NLC", "the only Advisor is gone"
    assert may_be(state, MOON, "c4") == "NCS", "it has taken something"


def unseen(state: State, viewer: Viewer) -> Kinds:
    """Return what the one mask that has left unseen may be for a viewer."""
    [gone] = GAME.view(state, viewer).unseen
    return gone.may_be


def test_a_mask_that_left_unseen_counts_among_the_others() -> None:
    # Sun's Noble, Advisor and Soldier are left but for the one that went straight and took a Lady.
    before = place(SUN, a7="c", c4="l", e7="l", c3="N", a1="A", b1="S", e1="C")
    state = go(before, "c3c4")
    assert letters(unseen(state, MOON)) == "NS", "neither Lady nor Candidate, and no Advisor goes straight"
    assert may_be(state, MOON, "a1") == may_be(state, None, "a1") == "NACS"
    assert letters(unseen(state, SUN)) == "N", "its owner knows"
    state = go(state, "a7b6", "b1b3", "b6a7")
    assert letters(unseen(state, MOON)) == "N", "the Soldier has shown itself on the mat"
    assert may_be(state, MOON, "a1") == "AC"
    shown = go(by_the_first_ruleset(before), "c3c4")
    assert may_be(shown, MOON, "a1") == "ACS", "it was seen, and is counted off"


def test_two_that_can_only_be_two_things_leave_nothing_of_them_to_others() -> None:
    # Of Sun's Lady and Candidate, both moved diagonally and then straight: all others are Nobles.
    state = place(SUN, a7="c", e7="l", a1="L", c1="C", e1="N")
    state = go(state, "a1b2", "a7a6", "c1d2", "a6a7", "b2b3", "a7a6", "d2d3")
    assert (may_be(state, MOON, "b3"), may_be(state, MOON, "d3")) == ("LC", "LC")
    assert may_be(state, MOON, "e1") == "N"


def test_the_symbols_of_a_loaded_position_are_public_and_their_places_are_not() -> None:
    view = GAME.view(at("c3l/5/5/5/5/5/N3C 0"), None)
    assert [letters(kinds) for kinds in view.kinds] == ["NC", "LC"]
    assert [letters(mask.may_be) for mask in view.masks] == ["NC", "NC", "LC", "LC"]


def test_a_mask_loaded_inside_the_rival_palace_is_no_candidate() -> None:
    state = at("c2NL/5/5/5/5/5/4C 0")
    assert may_be(state, MOON, "d7") == "NL"
    assert may_be(state, MOON, "e1") == "C"
