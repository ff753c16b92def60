"""Matches played on from an imagined truth, fast: what the best computer player weighs its turns by.

The rules are those of :mod:`engines.doge.rules`, but without events and notes, and a world is changed in
place. All seats play as the middle level does: each goes where it and the next round find most, by what it
knows in that world, and guesses once it is certain or there is no other way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile

from engines.core.contract import Seat
from engines.core.rng import Stream
from engines.doge.components import CARD_SQUARES, DIE, LOCATIONS, SQUARES, Card, Pair, Square, Way, landing
from engines.doge.deduction import DealSet, Met, SeenFalse, deals_of, expected_bits
from engines.doge.outlook import ROUND, Board, squares_of
from engines.doge.player import DEFEAT, GHOST, LAST_GHOSTS
from engines.doge.rules import with_true
from engines.doge.state import State
from engines.doge.view import Gift, Public, Source

AROUND: Mapping[Square, tuple[tuple[Square, Square], ...]] = {
    square: tuple(
        (landing(square, Way.CLOCKWISE, die), landing(square, Way.COUNTER_CLOCKWISE, die)) for die in DIE
    )
    for square in SQUARES
}
"""Where each face of the die leads from a square, either way."""


class Clues:
    """The deals that each piece of evidence allows to a seat that is a certain pair, worked out once.

    Its own two cards are gone for the others, and so is its seat: to it the deals are those of a table
    that has one seat fewer and these cards laid out. With four seats there are 576 of them, not 14,400.
    """

    def __init__(
        self, seat: Seat, own: Pair, seats: int, crafts: tuple[Card, ...], institutions: tuple[Card, ...]
    ) -> None:
        cards = (*crafts, *institutions)
        self.table = deals_of(seats - 1, frozenset(Card).difference(cards).union(own.cards))
        pairs = [Pair(institution, craft) for institution in institutions for craft in crafts]
        places = {other: place for place, other in enumerate(o for o in range(seats) if o != seat)}
        self.met = {
            other: {pair: self.table.fitting(Met(place, pair)) for pair in pairs}
            for other, place in places.items()
        }
        self.false = {
            other: {card: self.table.fitting(SeenFalse(place, card)) for card in cards}
            for other, place in places.items()
        }
        self.treasure = {pair: self.table.with_pair(self.table.treasure, pair) for pair in pairs}

    def treasures(self, deals: DealSet) -> dict[Pair, int]:
        """Return in how many of some deals each pair is the treasure."""
        return {pair: (deals & having).bit_count() for pair, having in self.treasure.items()}

    def doubt(self, deals: DealSet) -> float:
        """Return how uncertain the treasure is, in bits."""
        return expected_bits(deals, self.treasure.values())

    def likeliest(self, deals: DealSet) -> Pair:
        """Return the likeliest treasure, the first of equals."""
        numbers = self.treasures(deals)
        return max(numbers, key=numbers.__getitem__)


@lru_cache(maxsize=1 << 9)
def _clues(
    seat: Seat, own: Pair, seats: int, crafts: tuple[Card, ...], institutions: tuple[Card, ...]
) -> Clues:
    return Clues(seat, own, seats, crafts, institutions)


def clues_of(public: Public, seat: Seat, own: Pair) -> Clues:
    """Return what each piece of evidence tells a seat of a table that is a certain pair."""
    return _clues(seat, own, public.seats, public.crafts, public.institutions)


@dataclass(slots=True, repr=False)
class World:
    """A truth that a seat imagines, and what everybody knows in it. Who is out has no pawn.

    ``hands``: the false cards left. ``deck``: the ghost deck from the top. ``knows``: the deals that fit what
    each seat has seen, as its ``clues`` number them; whoever guessed wrong knows what it knew before.
    ``won``: ``None`` while the match runs.
    """

    clues: tuple[Clues, ...]
    pairs: tuple[Pair, ...]
    treasure: Pair
    pawns: list[Square | None]
    hands: list[list[Card]]
    gifts: list[Gift]
    faces: list[Card]
    piles: list[list[int]]
    deck: list[Square]
    knows: list[DealSet]
    won: bool | None = None

    @classmethod
    def of(cls, state: State) -> World:
        """Return a state as a world; nobody's pawn may be missing but those of seats that are out."""
        public = state.public
        world = cls(
            clues=tuple(clues_of(public, seat, pair) for seat, pair in enumerate(state.pairs)),
            pairs=state.pairs,
            treasure=state.treasure,
            pawns=list(public.pawns),
            hands=[list(state.false_hand(seat)) for seat in range(public.seats)],
            gifts=list(public.gifts),
            faces=list(state.faces),
            piles=[list(pile) for pile in public.piles],
            deck=list(state.ghosts),
            knows=[],
        )
        world.knows = [world._known(public, seat) for seat in range(public.seats)]
        return world

    def copy(self) -> World:
        """Return a world of its own, alike in all."""
        return replace(
            self,
            pawns=self.pawns.copy(),
            hands=[hand.copy() for hand in self.hands],
            gifts=self.gifts.copy(),
            faces=self.faces.copy(),
            piles=[pile.copy() for pile in self.piles],
            deck=self.deck.copy(),
            knows=self.knows.copy(),
        )

    def _known(self, public: Public, seat: Seat) -> DealSet:
        found = self.clues[seat].table.all
        for number, gift in enumerate(public.gifts):
            if gift.receiver == seat:
                found &= self._told_by(number)
        for discard in public.discards:
            if discard.looker == seat:
                found &= self._seen(seat, discard.gift)
        for guess in takewhile(lambda guess: guess.seat != seat, public.guesses):
            found &= ~self.clues[seat].treasure[guess.pair]
        return found

    def _told_by(self, number: int) -> DealSet:
        """Return what a gift tells its receiver."""
        gift = self.gifts[number]
        if gift.source is Source.GHOST:
            return self._seen(gift.receiver, number)
        return self.clues[gift.receiver].met[gift.giver][self._shown(number)]

    def _seen(self, seat: Seat, number: int) -> DealSet:
        """Return what the face of a gift tells a seat; its own face tells it nothing."""
        giver, clues = self.gifts[number].giver, self.clues[seat]
        return clues.table.all if giver == seat else clues.false[giver][self.faces[number]]

    def _shown(self, number: int) -> Pair:
        return with_true(self.pairs[self.gifts[number].giver], self.faces[number])

    # --- what could be learned --------------------------------------------------------------------

    def _meeting(self, seat: Seat, other: Seat) -> float:
        return expected_bits(self.knows[seat], self.clues[seat].met[other].values())

    def _false_card(self, seat: Seat, other: Seat) -> float:
        return expected_bits(self.knows[seat], self.clues[seat].false[other].values())

    def _top_card(self, seat: Seat, square: Square) -> float:
        number = self.piles[square][0]
        gift = self.gifts[number]
        if gift.giver == seat:
            return 0.0
        if gift.receiver != seat:
            return self._false_card(seat, gift.giver)
        if gift.source is Source.GHOST:
            return 0.0
        false = self.clues[seat].false[gift.giver]
        return expected_bits(self.knows[seat], (false[card] for card in self._shown(number).cards))

    def _found_at(self, seat: Seat, square: Square) -> float:
        """Return what a seat finds at once where it goes, in bits."""
        others = self._others_at(seat, square)
        worth = max((self._meeting(seat, other) for other in others if self.hands[other]), default=0.0)
        if self.piles[square]:
            worth = max(worth, self._top_card(seat, square))
        elif square in LOCATIONS and not others:
            worth = self._ghost(seat)
        return worth

    def board(self) -> Board:
        """Return what everybody sees of the world."""
        givers = tuple(seat for seat in self._still_in() if self.hands[seat])
        piles = squares_of(square for square in CARD_SQUARES if self.piles[square])
        return Board(tuple(self.pawns), givers, piles, len(self.deck))

    def _ghost(self, seat: Seat) -> float:
        if not self.deck:
            return -DEFEAT
        found = sum(
            self.deck.count(place) * self._false_card(seat, other)
            for other, place in enumerate(self.pawns)
            if other != seat and place in LOCATIONS and self.hands[other]
        )
        return (found - LAST_GHOSTS) / len(self.deck) - GHOST

    def _others_at(self, seat: Seat, square: Square) -> list[Seat]:
        return [other for other, place in enumerate(self.pawns) if place == square and other != seat]

    # --- what seats do ----------------------------------------------------------------------------

    def go(self, seat: Seat, square: Square) -> None:
        """Move a pawn, and do what awaits it."""
        self.pawns[seat] = square
        others = self._others_at(seat, square)
        worth = {other: self._meeting(seat, other) for other in others if self.hands[other]}
        other = max(worth, key=worth.__getitem__, default=None)
        if self.piles[square] and (other is None or self._top_card(seat, square) > worth[other]):
            self.look(seat)
        elif other is not None:
            self.meet(seat, other)
        elif square in LOCATIONS and not others:
            self._summon(seat)

    def look(self, seat: Seat) -> None:
        """Look at the top card of the pile where a pawn stands, and discard it."""
        square = self.pawns[seat]
        assert square is not None  # who looks is still in
        self._learn(seat, self._seen(seat, self.piles[square].pop(0)))

    def meet(self, seat: Seat, other: Seat) -> None:
        """Meet a player, who shows what tells most of the treasure."""
        met, own = self.clues[seat].met[other], self.pairs[other]
        self._give(
            other, seat, Source.MEETING, {card: met[with_true(own, card)] for card in self.hands[other]}
        )

    def haunt(self, seat: Seat, other: Seat) -> None:
        """Let the ghost ask a player, who gives the false card that tells most of the treasure."""
        false = self.clues[seat].false[other]
        self._give(other, seat, Source.GHOST, {card: false[card] for card in self.hands[other]})

    def _give(self, giver: Seat, receiver: Seat, source: Source, told: Mapping[Card, DealSet]) -> None:
        # Better than a giver could know: but that is alike for all turns that are compared.
        knows, doubt = self.knows[receiver], self.clues[receiver].doubt
        card = min(told, key=lambda each: doubt(knows & told[each]))
        square = self._gift_square()
        self.piles[square].append(len(self.gifts))
        self.gifts.append(Gift(source, giver, receiver, square, step=0))
        self.faces.append(card)
        self.hands[giver].remove(card)
        self._learn(receiver, told[card])

    def _gift_square(self) -> Square:
        board = self.board()
        return max(CARD_SQUARES, key=lambda square: board.gift_worth(square, len(self.piles[square])))

    def _summon(self, seat: Seat) -> None:
        if not self.deck:
            self.won = False
            return
        found = [other for other in self._others_at(seat, self.deck.pop(0)) if self.hands[other]]
        if found:
            self.haunt(seat, max(found, key=lambda other: self._false_card(seat, other)))

    def _learn(self, seat: Seat, deals: DealSet) -> None:
        """Let a seat know more: once it is certain, it names the treasure."""
        self.knows[seat] &= deals
        if self.is_certain(seat):
            self.won = True

    def is_certain(self, seat: Seat) -> bool:
        """Return whether a seat knows the treasure."""
        return not self.knows[seat] & ~self.clues[seat].treasure[self.treasure]

    def guess(self, seat: Seat) -> None:
        """Let a seat name the treasure that it thinks likeliest."""
        pair = self.clues[seat].likeliest(self.knows[seat])
        if pair == self.treasure:
            self.won = True
            return
        self.pawns[seat] = None
        for other in self._still_in():
            self._learn(other, ~self.clues[other].treasure[pair])
        if self.won is None and all(place is None for place in self.pawns):
            self.won = False

    def _still_in(self) -> Iterator[Seat]:
        return (seat for seat, place in enumerate(self.pawns) if place is not None)

    # --- playing on -------------------------------------------------------------------------------

    def play_on(self, seat: Seat, stream: Stream) -> bool:
        """Play to the end, with the turn of a seat, or of the next one still in; return whether it is won."""
        while self.won is None:
            if not any(self.hands[each] for each in self._still_in()):
                self._guess_last()
            elif self.pawns[seat] is not None:
                self._take_turn(seat, stream)
            seat = (seat + 1) % len(self.pawns)
        return self.won

    def _take_turn(self, seat: Seat, stream: Stream) -> None:
        square = self.pawns[seat]
        assert square is not None  # it is this seat's turn
        found = {target: self._found_at(seat, target) for target in stream.choice(AROUND[square])}
        if max(found.values()) <= -DEFEAT / 2:
            self.guess(seat)
            return
        board = self.board()
        worth = {each: found[each] + ROUND * board.with_pawn(seat, each).promise() for each in found}
        self.go(seat, max(worth, key=worth.__getitem__))

    def _guess_last(self) -> None:
        for seat in list(self._still_in()):
            if self.won is None:
                self.guess(seat)
        self.won = bool(self.won)
