"""Hands and a face-down deck: everybody sees how many, each seat its own hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from engines.core.contract import Seat, Viewer
from engines.core.rng import Rng, Stream

C = TypeVar("C")


@dataclass(frozen=True, slots=True, repr=False)
class Cards(Generic[C]):
    """The part of the state: the deck from the top, and the hands by seat; a game may have no hands."""

    deck: tuple[C, ...]
    hands: tuple[tuple[C, ...], ...]

    @classmethod
    def deal(cls, pack: Sequence[C], seats: int, each: int, stream: Stream) -> Cards[C]:
        """Return the pack shuffled and dealt; raises ``ValueError`` if it is too small."""
        if seats * each > len(pack):
            raise ValueError("there are not enough cards")
        cards = stream.shuffled(pack)
        hands = tuple(cards[seat * each : (seat + 1) * each] for seat in range(seats))
        return cls(cards[seats * each :], hands)

    def draw(self, seat: Seat, number: int = 1) -> tuple[Cards[C], tuple[C, ...]]:
        """Return the cards after ``seat`` has drawn, and what it drew: fewer if the deck runs out."""
        drawn = self.deck[:number]
        return replace(self._with_hand(seat, (*self.hands[seat], *drawn)), deck=self.deck[number:]), drawn

    def turn_up(self) -> tuple[Cards[C], C]:
        """Return the cards without the top of the deck, and that card; raises ``IndexError`` for no deck."""
        return replace(self, deck=self.deck[1:]), self.deck[0]

    def play(self, seat: Seat, *cards: C) -> Cards[C]:
        """Return the cards without some of a hand; raises ``ValueError`` for one that is not there."""
        hand = list(self.hands[seat])
        for card in cards:
            hand.remove(card)
        return self._with_hand(seat, tuple(hand))

    def _with_hand(self, seat: Seat, hand: tuple[C, ...]) -> Cards[C]:
        return replace(self, hands=(*self.hands[:seat], hand, *self.hands[seat + 1 :]))

    def view(self, viewer: Viewer, *, over: bool = False) -> CardsView[C]:
        """Return what ``viewer`` knows: its hand, the numbers; everything once the match is over."""
        hand = () if viewer is None or not self.hands else self.hands[viewer]
        return CardsView(len(self.deck), tuple(map(len, self.hands)), hand, self if over else None)


@dataclass(frozen=True, slots=True, repr=False)
class CardsView(Generic[C]):
    """The part of a view: how many cards are in the deck and in each hand, and the viewer's own hand.

    ``revealed``: all cards, once the match is over; ``None`` before.
    """

    deck: int
    counts: tuple[int, ...]
    hand: tuple[C, ...]
    revealed: Cards[C] | None = None

    def imagine(self, viewer: Viewer, pack: Iterable[C], open_cards: Iterable[C], rng: Rng) -> Cards[C]:
        """Return cards that ``viewer`` could not tell from the real ones: it deals those that it cannot see.

        ``pack`` are all cards of the game, ``open_cards`` those that lie face up, in neither hand nor deck.
        Raises ``ValueError`` if the numbers do not fit: a card is forgotten, or counted twice.
        """
        if self.revealed is not None:
            return self.revealed
        # Counted, not subtracted as a set: a pack may have equal cards.
        unknown = list((Counter(pack) - Counter(open_cards) - Counter(self.hand)).elements())
        others = [0 if seat == viewer else count for seat, count in enumerate(self.counts)]
        if len(unknown) != sum(others) + self.deck:
            raise ValueError(f"{len(unknown)} cards are unseen, not {sum(others) + self.deck}")
        cards = rng.stream("unseen cards").shuffled(unknown)
        hands = [cards[sum(others[:seat]) :][:count] for seat, count in enumerate(others)]
        if viewer is not None and hands:
            hands[viewer] = self.hand
        return Cards(cards[sum(others) :], tuple(hands))
