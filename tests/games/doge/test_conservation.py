"""No card is ever lost or doubled: at every moment of whole matches, and in every truth imagined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from engines.core.base import fields_of
from engines.core.contract import Words
from engines.core.match import Entry, EntryKind, Match
from engines.core.player import walk
from engines.core.rng import Rng
from engines.doge import GAME
from engines.doge.components import CARD_SQUARES, GHOST_CARDS, LOCATIONS
from engines.doge.state import State
from engines.doge.view import Public
from tests.games.doge.support import start


def at_random(seats: int, number: int) -> Iterator[Match]:
    """Yield the moments of a match that is played by lot: asides, guesses and resignations now and then."""
    rng = Rng(bytes([number] * 32)).child("conservation", seats)
    match = start(seats, "ahead" if number % 2 else "asked", rng.secret("seed"))
    yield match
    for count in range(2_000):
        if not match.waiting:
            return
        stream = rng.stream("who", count)
        seat = stream.below(seats) if stream.chance(1, 6) else min(match.waiting)
        if seat in match.state.public.resigned:
            continue
        if stream.chance(1, 80):
            match = match.apply(Entry(EntryKind.WITHDRAW, seat))
        else:
            words = by_lot(match, seat, rng.child("words", count))
            # Wrong guesses would end most matches before they have begun.
            if words[0] == "guess" and stream.chance(4, 5):
                continue
            match = match.act(seat, words)
        yield match
    raise AssertionError("the match does not end")


def by_lot(match: Match, seat: int, rng: Rng) -> Words:
    menu = match.menu(seat)
    assert menu is not None
    return walk(GAME, match.view(seat), menu, rng, asides=True)


def check_cards(state: State) -> None:
    """Each colour has each of its cards once: in the hand, in a pile, or discarded."""
    public = state.public
    in_play = (*public.crafts, *public.institutions)
    where = [number for pile in public.piles for number in pile]
    where += [discard.gift for discard in public.discards]
    assert sorted(where) == list(range(len(public.gifts))), "each gift lies in one place"
    assert len(state.faces) == len(public.gifts)
    assert not any(pile for square, pile in enumerate(public.piles) if square not in CARD_SQUARES)
    for seat in range(public.seats):
        given = [state.faces[number] for number, gift in enumerate(public.gifts) if gift.giver == seat]
        hand = [*state.false_hand(seat), *state.pairs[seat].cards]
        assert Counter([*hand, *given]) == Counter(in_play)
        assert not set(given) & set(state.pairs[seat].cards), "a true card never leaves the hand"
        assert public.cards_in_hand(seat) == len(hand)
        assert public.false_cards(seat) == len(hand) - 2


def check_ghosts(state: State) -> None:
    """The deck and what was drawn are what there was at the start, at most two of a location."""
    public = state.public
    assert len(state.ghosts) == public.deck
    started = public.deck + len(public.drawn)
    assert started in {by_seats[public.seats] for by_seats in GHOST_CARDS.values()}
    found = Counter([*state.ghosts, *public.drawn])
    assert set(found) <= set(LOCATIONS)
    assert max(found.values()) <= 2
    assert public.ghost == (public.drawn[-1] if public.drawn else None)


def check_pawns(state: State) -> None:
    """Who is out has no pawn, no gift in advance and no turn; all others stand on the ring once begun."""
    public = state.public
    assert len(set(public.out)) == len(public.out)
    assert set(public.resigned) <= set(public.out)
    finder = [guess.seat for guess in public.guesses if guess.right]
    for seat, square in enumerate(public.pawns):
        if seat in finder:
            assert square is None, "it stands on the slot of the treasure"
        elif seat in public.out:
            assert square is None
            assert state.ahead[seat] is None
            assert seat not in (public.turn, public.owes)
        elif public.turns:
            assert square in range(10)


@pytest.mark.parametrize("seats", [4, 3, 2])
def test_all_cards_ghosts_and_pawns_are_there_at_every_moment(seats: int) -> None:
    met = Counter[str]()
    for number in range(6):
        moments = list(at_random(seats, number))
        for count, match in enumerate(moments):
            truths = [match.state]
            if count % 8 == 0:
                views = [match.view(viewer) for viewer in (None, 0)]
                assert all(fields_of(Public, view) == fields_of(Public, match.state.public) for view in views)
                truths += [GAME.imagine(view, Rng(bytes(32))) for view in views]
            for state in truths:
                check_cards(state)
                check_ghosts(state)
                check_pawns(state)
        public = moments[-1].state.public
        met.update(gift.source for gift in public.gifts)
        met["out"] += len(public.out)
        met["discards"] += len(public.discards)
    assert min(met[each] for each in ("meeting", "ghost", "out", "discards")) > 0


def test_ten_eight_or_six_cards_of_every_colour() -> None:
    for seats, cards in ((4, 10), (3, 8), (2, 6)):
        state = start(seats).state
        assert len(state.public.crafts) + len(state.public.institutions) == cards
        check_cards(state)
