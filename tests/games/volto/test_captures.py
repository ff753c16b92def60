"""What a capture removes, reveals and ends: the rules page, *Turn*, and its worked examples."""

from __future__ import annotations

import pytest

from engines.core.contract import facts_for
from engines.volto import GAME
from engines.volto.board import Kind
from engines.volto.view import Reason
from tests.games.volto.support import (
    MOON,
    RNG,
    SUN,
    by_the_first_ruleset,
    english,
    go,
    mask,
    place,
    result,
    text,
    told,
    won,
)

NAMES = {"N": "Noble", "A": "Advisor", "S": "Soldier"}
ONE = {"N": "a Noble", "A": "an Advisor", "S": "the Soldier"}


@pytest.mark.parametrize("letter", "nas")
def test_noble_advisor_soldier_leave_and_the_capturer_stays_hidden(letter: str) -> None:
    before = place(SUN, a7="c", c4=letter, c3="N", e1="C")
    after = go(before, "c3c4")
    assert text(after) == text(place(MOON, a7="c", c4="N", e1="C"))
    assert result(after) is None
    for viewer in (MOON, None):
        capturer = mask(GAME.view(after, viewer), "c4")
        assert (capturer.kind, capturer.revealed) == (None, False)
    assert told(before, "c3c4") == [
        (
            "captured",
            f"Sun moves c3 to c4 and takes {ONE[letter.upper()]}.",
        )
    ]


@pytest.mark.parametrize("viewer", [SUN, MOON, None])
def test_a_captured_symbol_is_public_for_good(viewer: int | None) -> None:
    state = go(place(SUN, a7="c", c4="a", c3="N", e1="C"), "c3c4")
    for later in ("a7a6", "e1e2", "a6a5"):
        view = GAME.view(state, viewer)
        assert [(gone.id, gone.kind, gone.revealed, gone.square) for gone in view.gone] == [
            ("1c4", Kind.ADVISOR, True, None)
        ]
        state = go(state, later)


@pytest.mark.parametrize("letter", "NAS")
def test_a_lady_takes_her_capturer_with_her(letter: str) -> None:
    origin = "b3" if letter == "A" else "c3"
    before = place(SUN, a7="c", c4="l", e7="l", e1="C", **{origin: letter})
    after = go(before, f"{origin}c4")
    assert text(after) == text(place(MOON, a7="c", e7="l", e1="C"))
    assert result(after) is None
    taken = f"Sun moves {origin} to c4 and takes a Lady!"
    gone = f"{taken} She and the {NAMES[letter]} leave the mat."
    unseen = f"{taken} The mask that took her leaves with her, unseen."
    for viewer in (MOON, None):
        assert told(before, f"{origin}c4", viewer) == [("left_unseen", unseen)]
    secret = ("left_in_secret", f"{gone[:-1]}, but the rival sees only the Lady.")
    assert told(before, f"{origin}c4", SUN) == [secret]
    for viewer in (SUN, MOON, None):
        assert told(by_the_first_ruleset(before), f"{origin}c4", viewer) == [("lady_taken", gone)]


@pytest.mark.parametrize("viewer", [SUN, MOON, None])
def test_the_capturer_of_a_lady_leaves_unseen(viewer: int | None) -> None:
    before = place(SUN, a7="c", c4="l", e7="l", c3="N", e1="C")
    view = GAME.view(go(before, "c3c4"), viewer)
    assert [(gone.seat, gone.kind, gone.revealed) for gone in view.gone] == [
        (MOON, Kind.LADY, True),
        (SUN, Kind.NOBLE if viewer == SUN else None, False),
    ]
    assert view.plies[-1].lost is None
    view = GAME.view(go(by_the_first_ruleset(before), "c3c4"), viewer)
    assert [(gone.kind, gone.revealed) for gone in view.gone] == [(Kind.LADY, True), (Kind.NOBLE, True)]
    assert view.plies[-1].lost is Kind.NOBLE


@pytest.mark.parametrize("viewer", [SUN, MOON, None])
def test_what_left_unseen_is_shown_and_told_at_the_end(viewer: int | None) -> None:
    state = go(place(SUN, a7="c", c4="l", e7="l", c3="N", d3="A", e1="C"), "c3c4")
    was = ("unseen_was", "Sun: the mask that left unseen on c4 was a Noble.")
    for step in (GAME.withdraw(state, MOON, RNG), GAME.agree(state, RNG)):
        assert next((one.kind, english(one)) for one in facts_for(step.events, viewer)) == was
        view = GAME.view(step.state, viewer)
        assert [(gone.kind, gone.revealed) for gone in view.gone] == [(Kind.LADY, True), (Kind.NOBLE, True)]
        assert (view.unseen, view.plies[-1].lost) == ((), Kind.NOBLE)


@pytest.mark.parametrize("viewer", [SUN, MOON, None])
def test_a_capture_that_ends_the_match_shows_all(viewer: int | None) -> None:
    state = go(place(SUN, a7="c", b4="l", d4="l", b3="N", d3="S", e1="C"), "b3b4", "a7a6")
    assert told(state, "d3d4", viewer) == [
        (
            "lady_taken",
            "Sun moves d3 to d4 and takes a Lady! She and the Soldier leave the mat.",
        ),
        ("unseen_was", "Sun: the mask that left unseen on b4 was a Noble."),
        ("ended", "Moon wins: Sun took both Ladies."),
    ]
    lost = [ply.lost for ply in GAME.view(go(state, "d3d4"), viewer).plies]
    assert lost == [Kind.NOBLE, None, Kind.SOLDIER]


def test_the_second_lady_wins_for_her_owner_on_the_capturers_turn() -> None:
    before = place(SUN, a7="c", c4="l", c3="N", e1="C")
    assert result(go(before, "c3c4")) == won(MOON, Reason.LADIES)
    assert told(before, "c3c4")[1:] == [("ended", "Moon wins: Sun took both Ladies.")]


def test_both_ladies_one_after_the_other() -> None:
    state = go(place(SUN, a7="c", b4="l", d4="l", b3="N", d3="N", e1="C"), "b3b4")
    assert result(state) is None
    state = go(state, "a7a6")
    assert result(go(state, "d3d4")) == won(MOON, Reason.LADIES)


def test_losing_a_lady_each_ends_nothing() -> None:
    state = place(SUN, a7="c", b4="l", d7="l", b3="N", d3="L", a1="L", d4="n", e1="C")
    state = go(state, "b3b4", "d4d3")
    assert result(state) is None
    assert text(state) == "c2l1/5/5/5/5/5/L3C 0"


@pytest.mark.parametrize(("letter", "origin"), [("N", "c3"), ("A", "b3"), ("S", "c2"), ("C", "d3")])
def test_whoever_takes_the_candidate_wins(letter: str, origin: str) -> None:
    own = {origin: letter} if letter == "C" else {origin: letter, "e1": "C"}
    before = place(SUN, a7="l", c4="c", **own)
    after = go(before, f"{origin}c4")
    assert result(after) == won(SUN, Reason.CANDIDATE)
    assert text(after) == f"l4/5/5/2{letter}2/5/5/{'5' if letter == 'C' else '4C'} 1"
    assert told(before, f"{origin}c4")[1:] == [("ended", "Sun wins: Moon lost the Candidate.")]


def test_a_candidate_that_takes_a_lady_loses() -> None:
    before = place(SUN, a7="c", c4="l", e7="l", c3="C", a1="N")
    after = go(before, "c3c4")
    assert result(after) == won(MOON, Reason.CANDIDATE)
    assert text(after) == "c3l/5/5/5/5/5/N4 1"
    assert [kind for kind, _ in told(before, "c3c4")] == ["lady_taken", "ended"]


def test_a_candidate_that_takes_a_lady_in_the_palace_loses_too() -> None:
    state = go(place(SUN, a7="c", c7="l", e7="l", c6="C", a1="N"), "c6c7")
    assert result(state) == won(MOON, Reason.CANDIDATE)


def test_a_candidate_that_takes_the_second_lady_loses_both_ways() -> None:
    state = go(place(SUN, a7="c", c4="l", c3="C", a1="N"), "c3c4")
    assert result(state) == won(MOON, Reason.CANDIDATE, Reason.LADIES)


@pytest.mark.parametrize("target", ["b7", "c7", "d7"])
def test_a_candidate_on_a_palace_square_wins(target: str) -> None:
    before = place(SUN, a7="c", e7="n", c6="C", a1="N")
    assert result(go(before, f"c6{target}")) == won(SUN, Reason.PALACE)
    assert told(before, f"c6{target}")[1:] == [
        ("unmasked", f"Sun unmasks the Candidate on {target}!"),
        ("ended", "Sun wins: the Candidate reached the rival palace."),
    ]


@pytest.mark.parametrize("target", ["a1", "b1", "c1"])
def test_moons_candidate_wins_in_suns_palace(target: str) -> None:
    assert result(go(place(MOON, a7="n", b2="c", e1="C"), f"b2{target}")) == won(MOON, Reason.PALACE)


def test_a_candidate_that_takes_a_noble_in_the_palace_wins() -> None:
    state = go(place(SUN, a7="c", c7="n", c6="C", a1="N"), "c6c7")
    assert result(state) == won(SUN, Reason.PALACE)
    assert text(state) == "c1C2/5/5/5/5/5/N4 1"


def test_the_own_palace_is_no_goal() -> None:
    assert result(go(place(SUN, a7="c", c2="C", a1="N"), "c2c1")) is None


def test_other_masks_win_nothing_in_the_palace() -> None:
    for letter in "NAL":
        origin = "b6" if letter == "A" else "c6"
        assert result(go(place(SUN, a7="c", e1="C", **{origin: letter}), f"{origin}c7")) is None
