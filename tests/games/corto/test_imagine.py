"""Imagined truths: what a viewer knows stays, all else may be otherwise."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engines.core.contract import Viewer
from engines.corto import GAME
from engines.corto.cards import CARDS
from engines.corto.imagine import imagine
from engines.corto.state import State
from engines.corto.verbs import could_begin, unplayable
from engines.corto.view import HandCard, Phase, look, record, table_of
from tests.games.corto.positions import of, places, position, rng
from tests.games.corto.turns import say

RED, BLUE, YELLOW, GREEN = range(4)
VIEWERS: tuple[Viewer, ...] = (RED, BLUE, YELLOW, GREEN, None)


def truths(state: State, viewer: Viewer, number: int = 30) -> list[State]:
    """Return imagined truths; each gives the same view."""
    view = look(state, viewer)
    found = [imagine(view, rng("imagine").child(n)) for n in range(number)]
    assert all(look(truth, viewer) == view for truth in found)
    return found


def beginning(seats: int = 4) -> State:
    colours = ["red", "blue", "yellow", "green"][:seats]
    return of({"seats": colours, "strips": list("ABCE" if seats > 2 else "ACE"), "first": "red"})


@pytest.mark.parametrize("viewer", VIEWERS)
def test_cards_are_conserved_and_differ(viewer: Viewer) -> None:
    state = position({"a1": {"red": 1}, "b4": {}}, seal={"red": 2})
    found = truths(state, viewer)
    assert all(places(truth) == places(state) for truth in found)
    assert len({str(record(truth)) for truth in found}) == len(found)
    if viewer is not None:
        assert all(truth.hands[viewer] == state.hands[viewer] for truth in found)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_beginning_can_be_imagined(viewer: Viewer) -> None:
    state = beginning()
    assert len({truth.decks for truth in truths(state, viewer)}) > 1
    assert len({truth.faces for truth in truths(state, viewer)}) > 1


def test_every_unseen_card_may_be_anywhere() -> None:
    state = position({}, hands={"red": ["A01", "A02"], "blue": ["A03"]})
    hands = [truth.hands[BLUE] for truth in truths(state, RED, 400)]
    unseen = {card for card in CARDS if card[0] == "A"} - {"A01", "A02"}
    assert {card for (card,) in hands} == unseen


def test_backs_keep_their_decks() -> None:
    state = position({}, hands={"blue": ["E03", "A03", "E05"]})
    for truth in truths(state, RED):
        assert sorted(card[0] for card in truth.hands[BLUE]) == ["A", "E", "E"]


def test_a_face_that_was_taken_stays_known_to_both() -> None:
    state = position({}, hands={"red": ["A01", "B02"], "blue": ["A03", "A04"]})
    state = replace(state, seen=((), ("A01",), (), ()))
    view = look(state, BLUE)
    assert view.players[RED].hand == (HandCard("A", "A01"), HandCard("B", None))
    assert look(state, YELLOW).players[RED].hand == (HandCard("A", None), HandCard("B", None))
    assert all("A01" in truth.hands[RED] and truth.seen[BLUE] == ("A01",) for truth in truths(state, BLUE))
    assert not all("A01" in truth.hands[RED] for truth in truths(state, YELLOW))


def test_who_has_left_knows_the_bottoms_of_decks() -> None:
    state = position({}, ("red", "blue", "yellow"), hands={"red": []}, decks={"A": ["A05", "A01", "A07"]})
    state = replace(state, under=(("A01",), (), ()), public=replace(state.public, left=(RED,)))
    assert look(state, RED).known_under == (HandCard("A", "A01"), HandCard("A", None))
    assert look(state, BLUE).known_under == ()
    found = truths(state, RED)
    assert all(truth.decks[0][1] == "A01" for truth in found)
    assert len({truth.decks[0] for truth in found}) > 1
    assert not all(truth.decks[0][1] == "A01" for truth in truths(state, BLUE))


def test_what_others_may_have_seen_is_imagined_anew() -> None:
    hands = {"red": ["A01", "B02"], "blue": ["A03", "A04"], "yellow": ["E17"]}
    state = say(position({}, hands=hands, turn="yellow"), "adv E17 blue", seat=YELLOW)
    assert all(truth.seen[GREEN] == () == truth.under[RED] for truth in truths(state, GREEN))
    assert len({truth.seen[BLUE] for truth in truths(state, GREEN)}) > 1
    assert {truth.seen[BLUE] for truth in truths(state, BLUE)} == {state.seen[BLUE]}
    left = GAME.withdraw(state, RED, rng()).state
    assert len({truth.under[RED] for truth in truths(left, GREEN)}) > 1
    assert {truth.under[RED] for truth in truths(left, RED)} == {("A01", "B02")}


EMPTY: dict[str, list[str]] = {strip: [] for strip in "ABCE"}


def test_what_a_skip_has_shown_of_a_hand_stays_true() -> None:
    state = position({}, hands={"red": ["A12"], "blue": ["A13", "B14"], "yellow": ["A01"], "green": []})
    state = _with_empty_decks(state)
    limits = unplayable(table_of(look(state, None), BLUE))
    assert {"A13", "B14"} <= set(limits)
    assert "A01" not in limits
    limited: Any = (None, limits, None, None)
    state = replace(state, public=replace(state.public, limited=limited))
    assert any(truth.hands[BLUE] != state.hands[BLUE] for truth in truths(state, GREEN))
    for viewer in VIEWERS:
        for truth in truths(state, viewer):
            assert set(truth.hands[BLUE]) <= set(limits)


def _with_empty_decks(state: State) -> State:
    """Put what is left of the decks on the discards, but for a few cards: Green holds them."""
    shown = tuple(tuple(card for card in deck if card not in HIDDEN_AMONG) for deck in state.decks)
    hidden = tuple(card for deck in state.decks for card in deck if card in HIDDEN_AMONG)
    public = replace(state.public, discards=shown)
    hands = (*state.hands[:GREEN], hidden)
    return replace(state, public=public, decks=((),) * len(state.decks), hands=hands)


HIDDEN_AMONG = ("A14", "A17", "B13", "B01")


def test_who_is_not_skipped_has_something_to_play() -> None:
    # Yellow is to move with one card, and only one of the cards that it may be can begin a turn.
    state = position(
        {},
        hands={"red": ["A12", "A13", "A14"], "blue": ["A15"], "yellow": ["A01"], "green": []},
        turn="yellow",
    )
    public = replace(state.public, discards=state.decks)
    state = replace(state, public=public, decks=((),) * len(state.decks))
    for viewer in (BLUE, GREEN, None):
        for truth in truths(state, viewer):
            table = table_of(look(truth, YELLOW))
            assert could_begin(table, truth.hands[YELLOW][0])
    found = [truth.hands[YELLOW] for truth in truths(state, BLUE)]
    assert set(found) == {("A01",)}, "nothing else is left that could begin"


def test_a_situation_with_nothing_to_play_can_be_imagined_too() -> None:
    state = position({}, hands={"red": ["A12"], "blue": ["A13"], "yellow": [], "green": []}, decks=EMPTY)
    assert state.public.turn is not None
    assert state.public.turn.seat == RED
    assert len(truths(state, BLUE)) == 30


def test_nothing_is_hidden_once_it_is_over() -> None:
    state = position({"a1": {"red": 1}})
    over = replace(
        state.public, phase=Phase.OVER, turn=None, ranks=((RED,), (BLUE, YELLOW, GREEN)), reason="boards"
    )
    ended = replace(state, public=over).revealed()
    for viewer in VIEWERS:
        assert all(truth == ended for truth in truths(ended, viewer, 3))
