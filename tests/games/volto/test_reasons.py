"""What speaks for a move: true of the position, and never more than its seat knows."""

from __future__ import annotations

import pytest

from engines.core.contract import Msg
from engines.core.match import Match
from engines.core.texts import load
from engines.volto import GAME
from engines.volto.state import State
from tests.games.volto.support import MOON, RNG, SETUP, SUN, go, place

ENGLISH = load("engines.volto")


def why(state: State, move: str, seat: int = SUN) -> Msg:
    return GAME.reason(GAME.view(state, seat), GAME.read(move))


def told(state: State, move: str, seat: int = SUN) -> str:
    return ENGLISH.render(why(state, move, seat), str)


NEARER = "One step nearer to the rival palace"
OPEN = place(SUN, c6="C", a1="N", d7="n", e5="c", e7="l")
INSIDE = place(SUN, c2="N", a3="C", a1="L", c1="n", e7="c", d7="l")
NEAR = place(SUN, c2="N", c3="C", a1="L", d4="n", e7="c", d7="l")
LADIES = place(SUN, c2="N", c3="L", a1="C", b1="L", d5="n", e7="c", d7="l")
LAST = place(SUN, c2="N", c3="L", a1="C", d5="n", e7="c", d7="l")
BACKED = place(SUN, b1="A", d3="N", a1="C", d4="n", e7="c", d7="l")
FAR = place(SUN, b1="A", d2="N", a1="C", d7="n", e7="c", c7="l")
ALONE = place(SUN, b2="C", d7="c")
HUNTED = place(SUN, b2="C", c2="n", d7="c")
SIDEWAYS = place(SUN, c2="N", c3="C", a1="L", d5="n", e7="c", d7="l")
UP_THERE = place(MOON, b6="c", a7="n", d1="N", e1="C")
PROVEN = go(place(SUN, c2="A", a1="C", d7="n", e7="c"), "c2d3", "d7c7", "a1a2", "c7d7")


@pytest.mark.parametrize(
    ("state", "move", "text"),
    [
        (OPEN, "c6c7", "Your Candidate enters the rival palace on c7: that wins."),
        (
            OPEN,
            "c6d7",
            "Your Candidate enters the rival palace on d7: that wins unless the mask there is a Lady.",
        ),
        (
            place(SUN, c4="N", a1="C", c5="c"),
            "c4c5",
            "The mask on c5 can only be the Candidate: taking it wins.",
        ),
        (
            place(SUN, c4="N", c3="C", a1="L", b4="n", e7="c", d7="l"),
            "c4b4",
            "The mask on b4 may be able to take your Candidate on c3: this takes it first.",
        ),
        (
            place(SUN, c2="N", a4="C", c1="n", e7="c"),
            "c2c1",
            "The mask on c1 can only be a Noble: your Noble takes it and stays.",
        ),
        (
            place(SUN, c2="N", a4="C", c1="l", e7="c"),
            "c2c1",
            "The mask on c1 can only be a Lady: she leaves the mat, and your Noble with her.",
        ),
        (
            place(SUN, c2="N", a4="C", c3="n", e7="c"),
            "c2c3",
            "The mask on c3 cannot be a Lady: your Noble takes it and stays.",
        ),
        (
            place(SUN, c2="N", a1="C", c3="n", e7="c", d7="l"),
            "c2c3",
            "The mask on c3 may be the Candidate, and taking it would win.",
        ),
        (INSIDE, "c2c1", "This takes the mask on c1, which can only be a Noble or a Lady."),
        (NEAR, "c3b2", "Your Candidate gets away from the mask on d4, which may be able to take it."),
        (NEAR, "c3c4", "Your Candidate is 3 rows from the rival palace then."),
        (LADIES, "c3d4", "Your Lady tempts the mask on d5: whatever takes her leaves the mat with her."),
        (LAST, "c3d4", "Your last Lady tempts the mask on d5: if your rival takes her, you win."),
        (BACKED, "b1c2", "If the mask on d4 takes your Noble on d3, you can take it in turn."),
        (
            place(SUN, c2="N", a1="C", c4="n", e7="c"),
            "c2c3",
            "Your Noble can take the mask on c4 next, which may be the Candidate.",
        ),
        (
            place(SUN, b3="N", a4="C", b1="n", e7="c"),
            "b3b2",
            "Your Noble can take the mask on b1 next.",
        ),
        (
            FAR,
            "d2d3",
            f"{NEARER}, and for your rival the mask on d3 can still be a Noble or the Candidate.",
        ),
        (FAR, "d2d1", "For your rival, the mask on d1 can still be a Noble or the Candidate."),
        (PROVEN, "d3c4", "Your Advisor comes nearer to the rival palace."),
        (
            SIDEWAYS,
            "c3b3",
            "For your rival, the mask on b3 can still be a Noble, a Lady or the Candidate.",
        ),
        (ALONE, "b2b1", "No rival mask can take your Candidate on b1."),
        (
            HUNTED,
            "b2b1",
            (
                "This leaves all your other masks where they are: "
                "your Candidate makes the move that you must make."
            ),
        ),
    ],
)
def test_what_speaks_for_a_move(state: State, move: str, text: str) -> None:
    assert told(state, move) == text


@pytest.mark.parametrize(
    ("move", "text"),
    [
        ("b6b5", "Your Candidate is 4 rows from the rival palace then."),
        ("b6c7", "No rival mask can take your Candidate on c7."),
        ("a7a6", f"{NEARER}, and for your rival the mask on a6 can still be a Noble or the Candidate."),
        ("a7b7", "For your rival, the mask on b7 can still be a Noble or the Candidate."),
    ],
)
def test_the_rows_count_the_other_way_for_the_other_seat(move: str, text: str) -> None:
    assert told(UP_THERE, move, MOON) == text


def test_what_speaks_for_an_arrangement() -> None:
    state = GAME.start(SETUP, RNG).state
    assert told(state, "setup NALNCANSLA") == (
        "Your Candidate waits in the palace on e1, with the Advisor on e2 before it."
    )
    assert told(state, "setup NALANNCSLA", MOON) == (
        "Your Candidate begins in front on b6, one row nearer to the rival palace."
    )


def test_every_sentence_of_matches_has_a_reason_and_its_text() -> None:
    for number in range(2):
        match = Match.start(GAME, SETUP, bytes([number]) * 32)
        while (step := match.play_on()) is not None:
            after, seat = step
            view = match.view(seat)
            for words in GAME.legal(view) or [after.log[-1].words]:
                assert ENGLISH.render(GAME.reason(view, words), str)
            match = after


@pytest.mark.parametrize("number", range(4))
def test_no_reason_tells_more_than_its_seat_sees(number: int) -> None:
    view = GAME.view(INSIDE, SUN)
    twin = GAME.imagine(view, RNG.child(number))
    assert [told(twin, "".join(words)) for words in GAME.legal(view) or ()] == [
        told(INSIDE, "".join(words)) for words in GAME.legal(view) or ()
    ]
