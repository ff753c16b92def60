"""A truth that a viewer could not tell from the real one."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from engines.core.base import fields_of
from engines.core.contract import Seat
from engines.core.rng import Rng
from engines.doge.components import CARD_SQUARES, LOCATIONS, Card, Pair, Square
from engines.doge.deduction import Deals, DealSet, Refuted, deals_of, nth_deal
from engines.doge.rules import with_true
from engines.doge.sheet import Knowledge
from engines.doge.state import State
from engines.doge.view import GiftAhead, Mark, Notes, PencilMark, Public, View

LEFT = (1, 3)
"""How often another seat is imagined to have left a gift in advance."""

UNAIDED = (1, 4)
"""How often another seat is imagined to play without the help of ``auto``."""


def imagine(view: View, rng: Rng) -> State:
    """Return a state consistent with this view."""
    public, truth = Public(**fields_of(Public, view)), view.truth
    if truth is not None:
        pairs, treasure, faces, ghosts = truth.pairs, truth.treasure, truth.faces, truth.ghosts
        ahead = truth.ahead
    else:
        *dealt, treasure = _deal(view, rng)
        pairs = tuple(dealt)
        faces = _faces(view, pairs, rng)
        ghosts = _ghosts(public, rng)
        ahead = tuple(_ahead(view, seat, pairs, faces, rng) for seat in range(public.seats))
    notes = tuple(_notes(view, seat, rng) for seat in range(public.seats))
    return State(public, pairs, treasure, faces, ghosts, ahead, notes)


def fitting(view: View) -> tuple[Deals, DealSet]:
    """Return all deals of the table, and those that fit what the viewer knows."""
    knowledge = Knowledge.of(view)
    if knowledge is not None:
        return knowledge.table, knowledge.deals()
    table = deals_of(view.seats, frozenset(view.laid_out))
    refuted = (Refuted(guess.seat, guess.pair) for guess in view.guesses)
    return table, table.fitting_all(refuted)


def _deal(view: View, rng: Rng) -> tuple[Pair, ...]:
    table, deals = fitting(view)
    return table.deal(nth_deal(deals, rng.stream("deal").below(deals.bit_count())))


def _faces(view: View, pairs: tuple[Pair, ...], rng: Rng) -> tuple[Card, ...]:
    known = dict(view.faces)
    for number, pair in view.shown:
        true = pairs[view.gifts[number].giver].cards
        known[number] = next(card for card in pair.cards if card not in true)
    for seat in range(view.seats):
        own = [number for number, gift in enumerate(view.gifts) if gift.giver == seat]
        gone = {*pairs[seat].cards, *(known[number] for number in own if number in known)}
        cards = [card for card in chain(view.crafts, view.institutions) if card not in gone]
        unknown = [number for number in own if number not in known]
        known |= zip(unknown, rng.stream("faces", seat).shuffled(cards), strict=False)
    return tuple(known[number] for number in range(len(view.gifts)))


def _ghosts(public: Public, rng: Rng) -> tuple[Square, ...]:
    left = Counter([*LOCATIONS, *LOCATIONS]) - Counter(public.drawn)
    return rng.stream("ghosts").shuffled(list(left.elements()))[: public.deck]


def _ahead(
    view: View, seat: Seat, pairs: tuple[Pair, ...], faces: tuple[Card, ...], rng: Rng
) -> GiftAhead | None:
    stream = rng.stream("ahead", seat)
    if seat == view.viewer:
        return view.ahead
    given = {faces[n] for n, gift in enumerate(view.gifts) if gift.giver == seat}
    gone = given.union(pairs[seat].cards)
    left = [card for card in (*view.crafts, *view.institutions) if card not in gone]
    if not view.can_leave_gifts or seat in view.out or not left or not stream.chance(*LEFT):
        return None
    return GiftAhead(with_true(pairs[seat], stream.choice(left)), stream.choice(CARD_SQUARES))


def _notes(view: View, seat: Seat, rng: Rng) -> Notes:
    if seat == view.viewer and view.notes is not None:
        return view.notes
    stream = rng.stream("notes", seat)
    other = stream.choice([one for one in range(view.seats) if one != seat])
    card = stream.choice((*view.crafts, *view.institutions))
    marks = (PencilMark(other, card, stream.choice(tuple(Mark))),) if stream.chance(1, 2) else ()
    return Notes(auto=not stream.chance(*UNAIDED), marks=marks)
