"""The computer player: it deduces exactly, goes where it learns most, and shows what tells most.

What it may learn is measured in bits: by how many halvings the deals that fit become fewer. It knows no
more than its view.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import log2

from engines.core.contract import Seat, Words
from engines.core.rng import Rng
from engines.doge.components import CARD_SQUARES, COLOURS, DIE, LOCATIONS, Card, Pair, Square, Way, landing
from engines.doge.deduction import Deals, DealSet, Evidence, Identity, Met, SeenFalse, expected_bits
from engines.doge.imagine import fitting
from engines.doge.rules import with_true
from engines.doge.view import Phase, Source, View
from engines.doge.words import proposed_square

GHOST = 1.0
"""Bits that a ghost card is worth: each that is turned up brings defeat nearer."""

LAST_GHOSTS = 4.0
"""The same for the deck's last card; shared among the cards left."""

DEFEAT = 100.0

NEAR = 0.2
"""Bits that it is worth to stand where another player may come in the next turn."""


@dataclass(frozen=True, slots=True, repr=False)
class Mind:
    """What a seat knows, and what it could learn."""

    view: View
    seat: Seat
    table: Deals
    deals: DealSet

    @classmethod
    def of(cls, view: View) -> Mind:
        """Return the mind of the viewer's seat."""
        if view.viewer is None:
            raise ValueError("the public does not play")
        return cls(view, view.viewer, *fitting(view))

    # --- what could be learned --------------------------------------------------------------------

    def meeting(self, other: Seat) -> float:
        """Return the bits expected from two cards of another seat."""
        view = self.view
        kinds = (view.institutions, view.crafts)
        given = self._given_by(other)
        pairs = (Pair(i, c) for i in kinds[0] for c in kinds[1] if not {i, c} & given)
        return expected_bits(self.deals, (self.table.fitting(Met(other, pair)) for pair in pairs))

    def false_card(self, other: Seat) -> float:
        """Return the bits expected from one false card of another seat."""
        view, given = self.view, self._given_by(other)
        cards = (card for card in (*view.institutions, *view.crafts) if card not in given)
        return expected_bits(self.deals, (self.table.fitting(SeenFalse(other, card)) for card in cards))

    def top_card(self, square: Square) -> float:
        """Return the bits expected from a look at the top of a pile."""
        number = self.view.piles[square][0]
        owner = self.view.gifts[number].giver
        if owner == self.seat or number in dict(self.view.faces):
            return 0.0
        pair = dict(self.view.shown).get(number)
        if pair is None:
            return self.false_card(owner)
        return expected_bits(self.deals, (self.table.fitting(SeenFalse(owner, card)) for card in pair.cards))

    def _given_by(self, other: Seat) -> set[Card]:
        gifts = self.view.gifts
        return {card for number, card in self.view.faces if gifts[number].giver == other}

    # --- where to go ------------------------------------------------------------------------------

    def landing_worth(self, square: Square) -> float:
        """Return what a move to a square is worth."""
        return self.found_at(square) + NEAR * self._chance_to_be_met(square)

    def found_at(self, square: Square) -> float:
        """Return what a seat finds at once where it goes, in bits."""
        view = self.view
        others = [seat for seat in view.pawns_at(square) if seat != self.seat]
        meetable = [seat for seat in others if view.false_cards(seat)]
        worth = max((self.meeting(seat) for seat in meetable), default=0.0)
        if view.piles[square]:
            worth = max(worth, self.top_card(square))
        if square in LOCATIONS and not others:
            worth = self._ghost_worth()
        return worth

    def _ghost_worth(self) -> float:
        view = self.view
        if not view.deck:
            return -DEFEAT
        left = Counter([*LOCATIONS, *LOCATIONS]) - Counter(view.drawn)
        found = 0.0
        for place, number in left.items():
            seats = [s for s in view.pawns_at(place) if s != self.seat and view.false_cards(s)]
            found += number * max((self.false_card(seat) for seat in seats), default=0.0)
        return found / left.total() - GHOST - LAST_GHOSTS / view.deck

    def _chance_to_be_met(self, square: Square) -> float:
        view = self.view
        if not view.false_cards(self.seat):
            return 0.0
        others = [view.pawns[seat] for seat in view.still_in if seat != self.seat]
        reached = (
            sum(
                square in (landing(place, Way.CLOCKWISE, die), landing(place, Way.COUNTER_CLOCKWISE, die))
                for die in DIE
            )
            for place in others
            if place is not None
        )
        return sum(reached) / len(DIE)

    # --- what to show -----------------------------------------------------------------------------

    def clearest(self, receiver: Seat) -> Card:
        """Return the false card that tells a receiver most of this seat, as far as this seat can judge."""
        return min(self.view.false_hand, key=lambda card: self.left_open(receiver, card))

    def left_open(self, receiver: Seat, card: Card) -> float:
        """Return how uncertain a receiver stays of this seat's identity, in bits, over all that it may be."""
        view, own = self.view, self.view.own
        if own is None:
            return 0.0
        by_ghost = view.phase is Phase.GIVE
        pair = with_true(own, card)
        shown: Evidence = SeenFalse(self.seat, card) if by_ghost else Met(self.seat, pair)
        known = self.table.fitting_all([*self.told(receiver), shown])
        total = 0.0
        for identity in self.table.pairs_of(receiver, self.deals):
            weight = (self.deals & self.table.with_pair(receiver, identity)).bit_count()
            thought = known
            for each in identity.cards:
                thought &= self.table.fitting(Identity(receiver, each))
            total += weight * log2(max(1, len(self.table.pairs_of(self.seat, thought))))
        return total

    def told(self, receiver: Seat) -> list[Evidence]:
        """Return what a receiver has been shown by this seat."""
        faces, own, found = dict(self.view.faces), self.view.own, list[Evidence]()
        for number, gift in enumerate(self.view.gifts):
            if gift.giver == self.seat and gift.receiver == receiver and own is not None:
                card = faces[number]
                by_ghost = gift.source is Source.GHOST
                found.append(SeenFalse(self.seat, card) if by_ghost else Met(self.seat, with_true(own, card)))
        return found

    # --- the treasure -----------------------------------------------------------------------------

    def best_guess(self) -> tuple[Pair, float]:
        """Return the likeliest treasure, and how likely it is."""
        sizes = {
            pair: (self.deals & self.table.with_pair(self.table.treasure, pair)).bit_count()
            for pair in self.table.pairs_of(self.table.treasure, self.deals)
        }
        best = max(sizes, key=lambda pair: sizes[pair])
        return best, sizes[best] / self.deals.bit_count()


def sentence(view: View, rng: Rng) -> Words:
    """Return a whole sentence for the viewer's seat, which is asked, chosen from its own view alone."""
    mind = Mind.of(view)
    match view.phase:
        case Phase.PLACE:
            free = [square for square in CARD_SQUARES if not view.pawns_at(square)]
            return ("place", str(rng.stream("place").choice(free)))
        case Phase.MOVE | Phase.CHOOSE | Phase.HAUNT:
            worth = options(mind)
            return max(worth, key=worth.__getitem__)
        case Phase.SHOW | Phase.GIVE:
            return gift(view, mind.clearest(view.active), proposed_square(view))
        case Phase.LAST:
            # There is nothing to lose any more.
            return named(mind.best_guess()[0])
    return ("roll",)


def options(mind: Mind) -> dict[Words, float]:
    """Return which way, whom to meet or what to look at, and whom the ghost may ask: each with its worth."""
    view = mind.view
    if view.phase is Phase.MOVE:
        return {(way.value,): mind.landing_worth(square) for way, square in view.landings().items()}
    if view.phase is Phase.HAUNT:
        return {("haunt", COLOURS[seat]): mind.false_card(seat) for seat in view.hauntable()}
    worth: dict[Words, float] = {("meet", COLOURS[seat]): mind.meeting(seat) for seat in view.meetable()}
    place = view.square_of(mind.seat)
    if view.piles[place]:
        worth["look",] = mind.top_card(place)
        if not view.meetable():
            # A card that tells this seat nothing may still tell another one.
            worth["leave",] = 0.01
    return worth


def gift(view: View, card: Card, square: Square) -> Words:
    """Return the sentence that gives what the viewer's seat owes: in a meeting with its true card."""
    if view.phase is Phase.GIVE or view.own is None:
        return ("give", card.value, str(square))
    return ("show", *(each.value for each in with_true(view.own, card).cards), str(square))


def named(pair: Pair) -> Words:
    """Return the sentence that guesses a treasure."""
    return ("guess", pair.institution.value, pair.craft.value)


def may_guess(view: View) -> bool:
    """Return whether the viewer's seat may guess now."""
    return view.viewer in view.still_in and view.turns > 0 and view.owes is None


def interruption(view: View) -> Words | None:
    """Return a guess where it is time for one, in turn or out of turn; else ``None``."""
    if not may_guess(view):
        return None
    mind = Mind.of(view)
    pair, chance = mind.best_guess()
    return named(pair) if chance == 1 or is_lost(mind) else None


def is_lost(mind: Mind) -> bool:
    """Return whether it is this seat's turn, and all are lost whichever way it goes."""
    view = mind.view
    return view.turn == mind.seat and bool(view.landings()) and _only_defeat(mind)


def _only_defeat(mind: Mind) -> bool:
    squares = mind.view.landings().values()
    return all(mind.landing_worth(square) < -DEFEAT / 2 for square in squares)
