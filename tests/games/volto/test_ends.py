"""Ends that no capture and no palace brings: no move, draws, agreements; and which comes first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.core.contract import IllegalAction
from engines.volto import GAME
from engines.volto.board import Kind
from engines.volto.notation import read_position
from engines.volto.rules import ways_to_win
from engines.volto.state import State
from engines.volto.view import QUIET_LIMIT, Reason
from tests.games.volto.support import (
    MOON,
    RNG,
    SETUP,
    SUN,
    arranged,
    at,
    drawn,
    go,
    moves,
    place,
    refusal,
    result,
    text,
    told,
    won,
)

# Moon's masks are wedged in the corner; only the Lady on c3 can still slip out to b4.
WEDGED = "5/5/1N3/2As1/1Nlna/1Nlnc/1ACaa 0"

QUIET_PAIR = "c3l/5/5/5/5/5/L3C 0"
TO_AND_FRO = ("e1e2", "a7a6", "e2e1", "a6a7")
MOON_BEGINS = ("a7a6", "e1e2", "a6a7", "e2e1")


def quiet(state: State, plies: int) -> State:
    """Return the state as if so many plies had gone by without a capture."""
    return replace(state, public=replace(state.public, quiet=plies))


# --- no legal move --------------------------------------------------------------------------------


def test_a_rival_without_a_move_has_lost_at_once() -> None:
    state = at(WEDGED)
    assert moves(state, MOON) == []  # it is not Moon's turn
    assert moves(at(WEDGED.replace(" 0", " 1"))) == ["c3b4"]
    after = go(state, "b5b4")
    assert result(after) == won(SUN, Reason.IMMOBILE)
    assert told(state, "b5b4") == [
        ("moved", "Sun moves b5 to b4."),
        ("ended", "Sun wins: Moon can’t move."),
    ]


def test_having_no_move_on_the_rivals_turn_is_no_end() -> None:
    assert result(go(at(WEDGED), "b5a5")) is None


def test_a_win_of_the_rival_comes_before_its_want_of_moves() -> None:
    mat, _ = read_position("5/5/5/1NAs1/1Nlna/1Nlnc/1AAaa 1")
    assert ways_to_win(mat, SUN) == {MOON: (Reason.CANDIDATE,)}
    mat = {**mat, "b5": (SUN, Kind.CANDIDATE)}
    assert ways_to_win(mat, SUN) == {SUN: (Reason.IMMOBILE,)}


def test_two_ways_to_win_are_both_told() -> None:
    state = at("5/3C1/5/1NAs1/1Nlna/1Nlnc/1ASaa 0")
    assert result(go(state, "d6d7")) == won(SUN, Reason.PALACE, Reason.IMMOBILE)
    assert [kind for kind, _ in told(state, "d6d7")] == ["moved", "unmasked", "ended", "ended"]
    last = place(SUN, c7="c", c6="C", a1="L")
    assert result(go(last, "c6c7")) == won(SUN, Reason.CANDIDATE, Reason.PALACE, Reason.IMMOBILE)


# --- the third standing ---------------------------------------------------------------------------


def test_a_loaded_position_that_stands_for_the_third_time_is_a_draw() -> None:
    state = go(at(QUIET_PAIR), *TO_AND_FRO, *TO_AND_FRO[:3])
    assert result(state) is None
    assert result(go(state, "a6a7")) == drawn(Reason.REPETITION)
    assert told(state, "a6a7")[1:] == [("ended", "A draw: the same position came up for the third time.")]


def test_the_start_counts_as_the_first_standing() -> None:
    state = arranged("NALACNSNLA", "NALACNSNLA")
    swing = ("a2a3", "a6a5", "a3a2", "a5a6")
    if state.public.turn == MOON:
        swing = ("a6a5", "a2a3", "a5a6", "a3a2")
    state = go(state, *swing, *swing[:3])
    assert result(state) is None
    assert result(go(state, swing[3])) == drawn(Reason.REPETITION)


def test_any_position_counts_not_the_first_alone() -> None:
    state = go(at(QUIET_PAIR), "a1b1", *MOON_BEGINS, *MOON_BEGINS[:3])
    assert result(state) is None
    assert result(go(state, MOON_BEGINS[3])) == drawn(Reason.REPETITION)


def test_like_masks_are_alike() -> None:
    # The Nobles on a2 and b1 change places by way of a1 and b2; the symbols stand as before.
    state = go(
        at("c3l/5/5/5/5/N4/1N2C 0"),
        *("a2b2", "a7a6", "b1a1", "a6a7"),
        *("a1a2", "a7a6", "b2b1", "a6a7"),  # second standing, Nobles exchanged
    )
    assert text(state) == "c3l/5/5/5/5/N4/1N2C 0"
    state = go(state, *TO_AND_FRO[:3])
    assert result(state) is None
    assert result(go(state, TO_AND_FRO[3])) == drawn(Reason.REPETITION)


def test_true_symbols_count_and_not_the_squares_alone() -> None:
    # A Lady and a Candidate change places: the same squares are held, but it is another position.
    state = go(
        at("c3l/5/5/5/5/L4/1C3 0"),
        *("a2b2", "a7a6", "b1a1", "a6a7"),
        *("a1a2", "a7a6", "b2b1", "a6a7"),
    )
    assert text(state) == "c3l/5/5/5/5/C4/1L3 0"
    swing = ("b1c1", "a7b7", "c1b1", "b7a7")
    state = go(state, *swing)
    assert result(state) is None, (
        "the squares are held for the third time, the position stands for the second"
    )
    assert result(go(state, *swing)) == drawn(Reason.REPETITION)


def test_the_side_to_move_is_part_of_a_position() -> None:
    # Sun goes round a triangle in three moves, Moon to and fro in two: sides swap what they face.
    state = at("c3l/5/5/5/5/5/L3C 0")
    state = go(state, "e1e2", "a7a6", "e2d1", "a6a7", "d1e1")
    assert text(state) == "c3l/5/5/5/5/5/L3C 1"
    state = go(state, "a7a6", "e1e2", "a6a7", "e2e1")
    assert text(state) == "c3l/5/5/5/5/5/L3C 1"
    assert result(state) is None, "with Sun to move it stood once, with Moon to move twice"


def test_a_capture_begins_the_count_anew() -> None:
    state = go(at("c3l/5/5/5/2n2/2N2/L3C 0"), "c2c3", "a7a6", *TO_AND_FRO[:1])
    assert len(state.standings) == 3


# --- a hundred plies ------------------------------------------------------------------------------


def wander(state: State, plies: int) -> State:
    """Return the state after so many plies without a capture or an end, found by looking."""
    for number in range(plies):
        owners = GAME.view(state, None).owners()
        for move in moves(state)[number % 3 :] + moves(state):
            after = go(state, move)
            if move[2:] not in owners and after.public.result is None:
                state = after
                break
        else:
            raise AssertionError("no way to go on")
    return state


def test_a_hundred_plies_without_a_capture_are_a_draw() -> None:
    state = wander(at("c3l/5/5/5/5/5/LL2C 0"), QUIET_LIMIT - 1)
    assert (state.public.quiet, result(state)) == (99, None)
    ends = [go(state, move) for move in moves(state)]
    reasons = [end.public.result for end in ends]
    assert drawn(Reason.QUIET) in reasons
    assert None not in reasons, "every move without a capture ends it"


def test_the_count_is_public_and_a_capture_resets_it() -> None:
    state = quiet(at("c4/5/5/2a2/2N2/5/4C 0"), 99)
    assert GAME.view(state, None).quiet == 99
    after = go(state, "c3c4")
    assert (result(after), GAME.view(after, MOON).quiet) == (None, 0)
    assert told(state, "c3d3")[1:] == [("ended", "A draw: 100 moves and no mask taken.")]


def test_a_win_comes_before_a_draw() -> None:
    assert result(go(quiet(at("c4/3C1/5/5/5/5/L4 0"), 99), "d6d7")) == won(SUN, Reason.PALACE)
    assert result(go(quiet(at(WEDGED), 99), "b5b4")) == won(SUN, Reason.IMMOBILE)


def test_both_ways_of_a_draw_are_told() -> None:
    state = quiet(go(at(QUIET_PAIR), *TO_AND_FRO, *TO_AND_FRO[:3]), 99)
    assert result(go(state, "a6a7")) == drawn(Reason.REPETITION, Reason.QUIET)


# --- by word of the players -----------------------------------------------------------------------


@pytest.mark.parametrize("seat", [SUN, MOON])
@pytest.mark.parametrize("stage", ["setup", "half", "play"])
def test_who_leaves_has_lost(seat: int, stage: str) -> None:
    state = GAME.start(SETUP, RNG).state
    if stage != "setup":
        state = GAME.act(state, SUN, ("setup", "NALANCSNLA"), RNG).state
    if stage == "play":
        state = arranged()
    done = GAME.withdraw(state, seat, RNG)
    assert result(done.state) == won(1 - seat, Reason.WITHDRAWN)
    assert all(mask.kind and mask.revealed for mask in GAME.view(done.state, None).masks)
    assert done.state.public.step == state.public.step + 1


@pytest.mark.parametrize("position", [QUIET_PAIR, None])
def test_the_players_may_agree_a_draw(position: str | None) -> None:
    state = GAME.start(SETUP, RNG).state if position is None else at(position)
    outcome = GAME.outcome(GAME.view(GAME.agree(state, RNG).state, None))
    assert outcome is not None
    assert (outcome.ranks, outcome.drawn) == (((0, 1),), True)


def test_nothing_follows_the_end() -> None:
    state = go(place(SUN, a7="c", c6="C", a1="N"), "c6c7")
    assert refusal(state, MOON, ("a7", "a6")) == ("illegal", "The match is over.")
    with pytest.raises(IllegalAction):
        GAME.withdraw(state, SUN, RNG)
    with pytest.raises(IllegalAction):
        GAME.agree(state, RNG)
    view = GAME.view(state, MOON)
    assert (GAME.waiting(view), GAME.menu(view), list(GAME.legal(view) or ())) == (frozenset(), None, [])


def test_the_winner_ranks_first() -> None:
    outcome = GAME.outcome(GAME.view(go(place(SUN, a7="c", c6="C", a1="N"), "c6c7"), MOON))
    assert outcome is not None
    assert outcome.ranks == ((SUN,), (MOON,))


def test_nothing_is_said_of_deadlines() -> None:
    assert GAME.lapse(GAME.view(at(QUIET_PAIR), SUN), RNG) is None
