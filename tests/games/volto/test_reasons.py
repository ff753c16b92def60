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


NEARER = (
    "Your mask on {} gets closer to the rival palace. "
    "Your rival can’t tell which of these it is: a Noble and the Candidate."
)
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
        (OPEN, "c6c7", "Your Candidate enters the rival palace on c7 and wins."),
        (
            OPEN,
            "c6d7",
            "Your Candidate enters the rival palace on d7 and wins, unless the mask there is a Lady.",
        ),
        (
            place(SUN, c4="N", a1="C", c5="c"),
            "c4c5",
            "The mask on c5 can only be the Candidate, and taking it wins.",
        ),
        (
            place(SUN, c4="N", c3="C", a1="L", b4="n", e7="c", d7="l"),
            "c4b4",
            "The mask on b4 may be able to take your Candidate on c3. This takes it first.",
        ),
        (
            place(SUN, c2="N", a4="C", c1="n", e7="c"),
            "c2c1",
            "The mask on c1 can only be a Noble, so your Noble takes it and stays.",
        ),
        (
            place(SUN, c2="N", a4="C", c1="l", e7="c"),
            "c2c1",
            "The mask on c1 can only be a Lady. She leaves the mat, and so does your Noble.",
        ),
        (
            place(SUN, c2="N", a4="C", c3="n", e7="c"),
            "c2c3",
            "The mask on c3 can’t be a Lady, so your Noble takes it and stays.",
        ),
        (
            place(SUN, c2="N", a1="C", c3="n", e7="c", d7="l"),
            "c2c3",
            "The mask on c3 might be the Candidate. If so, taking it wins.",
        ),
        (INSIDE, "c2c1", "You take the mask on c1, which could be any of these: a Noble and a Lady."),
        (NEAR, "c3b2", "Your Candidate gets away from the mask on d4, which may be able to take it."),
        (NEAR, "c3c4", "Your Candidate ends 3 rows from the rival palace."),
        (LADIES, "c3d4", "Your Lady tempts the mask on d5. If it takes her, it leaves the mat too."),
        (LAST, "c3d4", "Your last Lady tempts the mask on d5. If your rival takes her, you win."),
        (BACKED, "b1c2", "If the mask on d4 takes your Noble on d3, you can take it in return."),
        (
            place(SUN, c2="N", a1="C", c4="n", e7="c"),
            "c2c3",
            "Next, your Noble can take the mask on c4, which might be the Candidate.",
        ),
        (
            place(SUN, b3="N", a4="C", b1="n", e7="c"),
            "b3b2",
            "Your Noble can take the mask on b1 next.",
        ),
        (
            FAR,
            "d2d3",
            NEARER.format("d3"),
        ),
        (FAR, "d2d1", "Your rival can’t tell which of these your mask on d1 is: a Noble and the Candidate."),
        (PROVEN, "d3c4", "Your Advisor gets closer to the rival palace."),
        (
            SIDEWAYS,
            "c3b3",
            "Your rival can’t tell which of these your mask on b3 is: a Noble, a Lady and the Candidate.",
        ),
        (ALONE, "b2b1", "No rival mask can take your Candidate on b1."),
        (
            HUNTED,
            "b2b1",
            ("You can’t pass, so your Candidate moves and your other masks stay put."),
        ),
    ],
)
def test_what_speaks_for_a_move(state: State, move: str, text: str) -> None:
    assert told(state, move) == text


@pytest.mark.parametrize(
    ("move", "text"),
    [
        ("b6b5", "Your Candidate ends 4 rows from the rival palace."),
        ("b6c7", "No rival mask can take your Candidate on c7."),
        ("a7a6", NEARER.format("a6")),
        ("a7b7", "Your rival can’t tell which of these your mask on b7 is: a Noble and the Candidate."),
    ],
)
def test_the_rows_count_the_other_way_for_the_other_seat(move: str, text: str) -> None:
    assert told(UP_THERE, move, MOON) == text


def test_what_speaks_for_an_arrangement() -> None:
    state = GAME.start(SETUP, RNG).state
    assert told(state, "setup NALNCANSLA") == (
        "Your Candidate waits in the palace on e1, behind the Advisor on e2."
    )
    assert told(state, "setup NALANNCSLA", MOON) == (
        "Your Candidate starts in the front row on b6, one row closer to the rival palace."
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
