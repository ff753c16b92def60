"""Views and tables: what a viewer sees, and the way from a state to a table and back."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from engines.core.base import fields_of
from engines.core.canonical_json import canonical
from engines.core.match import Match
from engines.core.player import walk
from engines.core.rng import Rng
from engines.core.setups import complete
from engines.corto import GAME
from engines.corto.state import Public, State
from engines.corto.table import Reveals, Table
from engines.corto.view import HandCard, Phase, describe, look, record, table_of
from tests.games.corto.positions import of, position, rng
from tests.games.corto.turns import say

RED, BLUE, YELLOW, GREEN = range(4)
COLOURS = ["red", "blue", "yellow", "green"]


def beginning(first: str = "yellow") -> State:
    return of({"seats": COLOURS, "strips": list("ABCE"), "first": first})


@cache
def states(seats: int, number: int = 3) -> list[State]:
    """Return the states of a few random matches."""
    found: list[State] = []
    for n in range(number):
        match = Match.start(GAME, complete(GAME.manifest, seats), bytes([n + 1]) * 32)
        while match.waiting and len(match.log) < 60:
            seat = max(match.waiting)
            menu = match.menu(seat)
            assert menu is not None
            view = match.view(seat)
            match = match.act(seat, walk(GAME, view, menu, Rng(match.seed).child(len(match.log))))
            found.append(match.state)
    return found


# --- who is asked ---------------------------------------------------------------------------------


def test_the_set_up_asks_who_places_and_who_owes_draws() -> None:
    state = beginning()
    assert state.public.asked == (YELLOW,)
    state = say(state, "start a1", seat=YELLOW)
    assert state.public.asked == (YELLOW, GREEN), "Yellow draws when it likes"
    state = say(state, "start a1 draw A A C E", seat=GREEN)
    assert state.public.asked == (RED, YELLOW)
    state = say(state, "start b1", seat=RED)
    state = say(state, "start b1", seat=BLUE)
    assert state.public.turn is not None
    assert state.public.turn.seat == YELLOW
    assert state.public.asked == (RED, BLUE, YELLOW)
    state = say(state, "draw A B C E", seat=BLUE)
    state = say(state, "draw A B C E", seat=YELLOW)
    assert state.public.asked == (RED, YELLOW)


def test_who_has_left_or_a_match_that_is_over_asks_nobody() -> None:
    public = position({}).public
    assert public.asked == (RED,)
    assert replace(public, left=(RED,)).asked == ()
    assert replace(public, phase=Phase.OVER, turn=None).asked == ()


# --- hands ----------------------------------------------------------------------------------------


def test_own_hands_are_as_drawn_and_others_are_backs_by_deck() -> None:
    state = position({}, hands={"red": ["E04", "A02", "B03"]})
    own = look(state, RED).players[RED].hand
    assert own == (HandCard("E", "E04"), HandCard("A", "A02"), HandCard("B", "B03"))
    backs = (HandCard("A", None), HandCard("B", None), HandCard("E", None))
    for viewer in (BLUE, None):
        assert look(state, viewer).players[RED].hand == backs


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_view_holds_a_card_that_its_viewer_may_not_know(seats: int) -> None:
    for state in states(seats):
        if state.public.phase is Phase.OVER:
            continue
        for viewer in (*range(seats), None):
            text = canonical(describe(look(state, viewer)))
            hidden = {card for deck in state.decks for card in deck}
            for seat, hand in enumerate(state.hands):
                if seat != viewer:
                    hidden.update(hand)
            if viewer is not None:
                hidden -= {*state.seen[viewer], *state.under[viewer]}
            shown = {card for limits in state.public.limited for card in limits or ()}
            assert not [card for card in hidden - shown if f'"{card}"' in text]


# --- tables ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_table_on_which_nothing_happens_leads_back(seats: int) -> None:
    for state in states(seats, 2):
        turn = state.public.turn
        if turn is None:
            continue
        after = Table.of_state(state, turn.seat, rng().stream("table")).state()
        assert record(after) == record(state)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_view_holds_the_public_part(seats: int) -> None:
    for state in states(seats, 2):
        for viewer in (*range(seats), None):
            again = replace(state, public=Public(**fields_of(Public, look(state, viewer))))
            assert record(again) == record(state)


def test_a_table_of_a_view_has_no_secrets() -> None:
    state = position({}, hands={"red": ["A02"], "blue": ["E03", "B01"]})
    table = table_of(look(state, RED))
    assert table.hand == ["A02"]
    assert table.backs[BLUE] == ["B", "E"]
    with pytest.raises(Reveals):
        table.hidden()
    assert table_of(look(state, RED), BLUE).hand == []
    with pytest.raises(ValueError, match="the public has no draft"):
        table_of(look(state, None))


def test_the_acting_seats_hand_is_one_with_the_secrets() -> None:
    state = position({}, hands={"blue": ["E03", "B01"]})
    table = Table.of_state(state, BLUE, rng().stream("table"))
    table.hand.remove("E03")
    assert table.state().hands[BLUE] == ("B01",)
