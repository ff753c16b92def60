"""The deal, the ghost deck, and the pawns that are placed. Rules page, *Set-up*."""

from __future__ import annotations

from collections import Counter

import pytest

from engines.core.match import Match
from engines.doge.components import CRAFTS, DIE, INSTITUTIONS, LOCATIONS, Card
from tests.games.doge.support import COLOURS, asked, hands, offered, play, public, refusal, start, story, view

SEATS = (4, 3, 2)
SILENCE = "Clues are secret: nobody talks about them, here or elsewhere."


def seeds(number: int) -> list[bytes]:
    return [bytes([n] * 32) for n in range(number)]


@pytest.mark.parametrize(("seats", "each", "deck", "out"), [(4, 10, 10, 0), (3, 8, 8, 2), (2, 6, 4, 4)])
def test_so_many_cards_each_two_of_them_true(seats: int, each: int, deck: int, out: int) -> None:
    match = start(seats)
    table = public(match)
    assert len(table.laid_out) == out
    assert sum(card in CRAFTS for card in table.laid_out) == out // 2
    assert [table.cards_in_hand(seat) for seat in range(seats)] == [each] * seats
    assert hands(match) == [each - 2] * seats
    for colour in COLOURS[:seats]:
        seen = view(match, colour)
        assert len(seen.hand) == each
        assert len(seen.false_hand) == each - 2
        assert not set(seen.hand) & set(table.laid_out), "what lies face up is taken from every colour"
    assert (table.deck, len(match.state.ghosts)) == (deck, deck)


@pytest.mark.parametrize("seats", SEATS)
def test_identities_and_treasure_are_all_different_and_random(seats: int) -> None:
    treasures = set()
    for seed in seeds(20):
        state = start(seats, seed=seed).state
        dealt = [card for pair in (*state.pairs, state.treasure) for card in pair.cards]
        assert sorted([*dealt, *state.public.laid_out]) == sorted(Card), "each card once"
        assert all(p.institution in INSTITUTIONS and p.craft in CRAFTS for p in state.pairs)
        treasures.add(state.treasure)
    assert len(treasures) > 5


def test_the_ghost_deck_has_two_cards_of_each_location() -> None:
    decks = {start(seed=seed).state.ghosts for seed in seeds(5)}
    assert len(decks) == 5, "shuffled"
    assert all(Counter(deck) == dict.fromkeys(LOCATIONS, 2) for deck in decks)


@pytest.mark.parametrize("seats", [3, 2])
def test_the_rest_of_the_ghost_deck_is_set_aside(seats: int) -> None:
    decks = [Counter(start(seats, seed=seed).state.ghosts) for seed in seeds(30)]
    assert all(max(deck.values()) <= 2 for deck in decks)
    assert len({tuple(sorted(deck.elements())) for deck in decks}) > 3, "any may be missing"


def test_each_learns_its_own_identity_and_all_what_is_out_of_play() -> None:
    match = start(3)
    one, other = public(match).laid_out
    laid_out = f"Out of play: {name(one)} and {name(other)}."
    assert story(match) == [SILENCE, laid_out]
    for seat, colour in enumerate(COLOURS[:3]):
        own = match.state.pairs[seat]
        identity = f"Identity: {name(own.institution)} and {name(own.craft)}."
        assert story(match, colour) == [SILENCE, laid_out, identity]
        assert view(match, colour).own == own


def test_it_is_said_once_that_nobody_talks_about_clues() -> None:
    assert story(start(4)) == [SILENCE]
    assert "silence" not in {fact.kind for _, fact in play(start(2), "blue place 1").facts(None, 1)}


def name(card: Card) -> str:
    return {"ascia": "Maestro d’ascia", "peril": "Venice in Peril"}.get(card.value, card.value.capitalize())


def test_the_die_has_the_faces_of_the_rulebook() -> None:
    assert DIE == (1, 2, 2, 3, 3, 4)
    match = play(start(2, seed=bytes([3] * 32)), "blue place 0", "yellow place 1")
    colour = COLOURS[public(match).turn or 0]
    rolls = {public(rolled(match, colour, seed)).die for seed in seeds(40)}
    assert rolls == {1, 2, 3, 4}


def rolled(match: Match, colour: str, seed: bytes) -> Match:
    return play(Match.at(match.game, match.setup, seed, match.state), f"{colour} roll")


# --- placing --------------------------------------------------------------------------------------


def test_all_place_their_pawns_in_whatever_order_they_answer() -> None:
    match = start()
    assert asked(match) == "place blue yellow red green"
    assert offered(match, "red") == "0 1 2 3 4 5 6 7 8 9"
    match = play(match, "green place 7", "blue place 0")
    assert asked(match) == "place yellow red"
    assert offered(match, "red") == "1 2 3 4 5 6 8 9"
    assert refusal(match, "red place 7") == "occupied"
    assert refusal(match, "blue place 1") == "not_asked", "a pawn stays where it is"
    match = play(match, "red place 8", "yellow place 2")
    assert public(match).pawns == (0, 2, 8, 7)
    assert public(match).phase == "roll"


def test_nothing_triggers_where_pawns_are_placed() -> None:
    match = play(start(2), "blue place 0", "yellow place 4")
    assert public(match).drawn == ()
    assert asked(match).startswith("roll ")


def test_the_number_alone_places_a_pawn() -> None:
    assert public(play(start(2), "blue 3")).pawns == (3, None)


def test_a_random_player_begins_whoever_was_the_last_to_place() -> None:
    first = set()
    for seed in seeds(24):
        match = play(start(3, seed=seed), "red place 3", "yellow place 1", "blue place 2")
        first.add(asked(match))
        assert story(match)[-1] == f"{COLOURS[public(match).turn or 0].capitalize()} goes first."
    assert first == {"roll blue", "roll yellow", "roll red"}


def test_who_begins_does_not_depend_on_the_order_of_the_answers() -> None:
    one = play(start(2), "blue place 3", "yellow place 1")
    other = play(start(2), "yellow place 1", "blue place 3")
    assert public(one).turn == public(other).turn


def test_the_chosen_square_is_marked_and_may_be_changed() -> None:
    match = start(3)
    for draft, chosen in ((("place",), ""), (("3",), "3"), (("place", "3", "5"), "5")):
        menu = match.menu(1, draft)
        assert menu is not None
        assert menu.fields[0].chosen == chosen
    assert public(play(match, "yellow place 3 5")).pawns[1] == 5
