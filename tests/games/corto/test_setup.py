"""The set-up: adventures chosen or drawn, decks, starting characters."""

from __future__ import annotations

import pytest

from engines.core.contract import Setup
from engines.corto.cards import CARDS, Kind
from engines.corto.setup import RANDOM, dealt, named
from engines.corto.state import MARKERS, State
from engines.corto.view import Phase
from tests.games.corto.positions import rng


def chosen(*slots: str, seats: int = 4) -> Setup:
    padded = (*slots, *(RANDOM,) * (4 - len(slots)))
    return Setup("corto", "1", seats, tuple((f"adventure{n}", key) for n, key in enumerate(padded, 1)))


def matches(setup: Setup, number: int = 40) -> list[State]:
    return [dealt(setup, rng(f"match {n}")) for n in range(number)]


@pytest.mark.parametrize(("seats", "strips"), [(2, 3), (3, 4), (4, 4)])
def test_two_seats_play_three_adventures_more_play_four(seats: int, strips: int) -> None:
    for state in matches(chosen(seats=seats), 5):
        assert len(set(state.public.strips)) == len(state.public.strips) == strips
        assert len(state.public.colours) == seats


def test_adventures_their_order_and_who_begins_are_random() -> None:
    found = matches(chosen())
    assert {strip for state in found for strip in state.public.strips} == set("ABCDEF")
    assert len({state.public.strips for state in found}) > 20
    assert {state.public.first for state in found} == {0, 1, 2, 3}


def test_named_adventures_are_in_and_their_order_is_random() -> None:
    found = matches(chosen("F", RANDOM, "B"))
    assert all({"B", "F"} <= set(state.public.strips) for state in found)
    assert {state.public.strips.index("F") for state in found} == {0, 1, 2, 3}


def test_an_adventure_named_twice_counts_once() -> None:
    assert named(chosen("C", "C", "C", "C")) == ("C",)
    assert {len(set(state.public.strips)) for state in matches(chosen("C", "C", "C", "C"), 10)} == {4}


def test_with_two_seats_the_first_three_that_are_named_count() -> None:
    assert named(chosen("F", "E", "D", "C", seats=2)) == ("F", "E", "D")
    assert {frozenset(state.public.strips) for state in matches(chosen("F", "E", "D", "C", seats=2), 5)} == {
        frozenset("FED")
    }


def test_each_strip_begins_with_a_character_of_its_own_deck() -> None:
    starts = set()
    for state in matches(chosen()):
        public = state.public
        assert [found.square for found in public.board] == [f"{strip.lower()}1" for strip in public.strips]
        for strip, found, deck in zip(public.strips, public.board, state.decks, strict=True):
            assert CARDS[found.card].kind is Kind.CHARACTER
            assert sorted((found.card, *deck)) == sorted(card for card in CARDS if card[0] == strip)
            assert not any(found.markers)
            starts.add(found.card)
    assert len(starts) > 40, "any character may begin"


def test_decks_are_shuffled_after_the_first_character() -> None:
    # Were the cards turned up before it left on top, no character would lie above them.
    tops = {CARDS[state.decks[0][0]].kind for state in matches(chosen("A", "B", "C", "D"))}
    assert Kind.CHARACTER in tops
    assert len(tops) > 2


def test_a_match_waits_for_the_first_marker() -> None:
    public = matches(chosen(), 1)[0].public
    assert public.phase is Phase.START
    assert public.place == public.first
    assert public.stock == (MARKERS,) * 4
    assert public.to_draw == (4, 4, 4, 4)
