"""What follows from what a seat has seen: exact, over all deals that fit (rules page, Clue sheet).

A deal says which institution and which craft each seat and the treasure has. The deals of a table are
numbered, and a set of deals is a whole number with one bit a deal: evidence is such a set, several
pieces of evidence together are their common bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from itertools import permutations
from math import log2
from operator import and_
from typing import TypeAlias

from engines.core.contract import Seat
from engines.doge.components import CRAFTS, INSTITUTIONS, Card, Pair

DealSet: TypeAlias = int
"""A set of deals: one bit for each."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The viewer's own card: it is one of its two true ones."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Met:
    """Two cards shown in a meeting: exactly one of them is the giver's."""

    giver: Seat
    pair: Pair


@dataclass(frozen=True, slots=True)
class SeenFalse:
    """A card looked at, or shown through the ghost: it is not its owner's."""

    owner: Seat
    card: Card
    by_ghost: bool = False


@dataclass(frozen=True, slots=True)
class Refuted:
    """A wrong guess: the pair is not the treasure, though half of it may be."""

    guesser: Seat
    pair: Pair


@dataclass(frozen=True, slots=True)
class SeenTreasure:
    """The treasure, which who guessed wrong has seen."""

    pair: Pair


Evidence: TypeAlias = Identity | Met | SeenFalse | Refuted | SeenTreasure


class Deals:
    """All deals of a table: of so many seats, with these cards laid out at the start."""

    def __init__(self, seats: int, laid_out: frozenset[Card]) -> None:
        self.seats = seats
        self.treasure = seats
        """The treasure's place among the holders, after the seats."""
        self._institutions = [card for card in INSTITUTIONS if card not in laid_out]
        self._crafts = [card for card in CRAFTS if card not in laid_out]
        holders = range(seats + 1)
        self._orders = tuple(permutations(holders))
        size = len(self._orders)
        self.all: DealSet = (1 << size * size) - 1
        self._holding: dict[tuple[Seat, Card], DealSet] = {}
        # Deal number a * size + b has the a-th order of institutions and the b-th order of crafts: an
        # institution's set is made of whole blocks of bits, a craft's repeats one pattern in each block.
        block, every = (1 << size) - 1, sum(1 << a * size for a in range(size))
        for holder in holders:
            for place, card in enumerate(self._institutions):
                blocks = (a * size for a, order in enumerate(self._orders) if order[holder] == place)
                self._holding[holder, card] = sum(block << start for start in blocks)
            for place, card in enumerate(self._crafts):
                pattern = sum(1 << b for b, order in enumerate(self._orders) if order[holder] == place)
                self._holding[holder, card] = pattern * every

    def with_card(self, holder: Seat, card: Card) -> DealSet:
        """Return the deals in which a seat, or ``treasure``, has a card; none for a card laid out."""
        return self._holding.get((holder, card), 0)

    def with_pair(self, holder: Seat, pair: Pair) -> DealSet:
        """Return the deals in which a seat, or ``treasure``, is this pair."""
        return self.with_card(holder, pair.institution) & self.with_card(holder, pair.craft)

    def fitting(self, evidence: Evidence) -> DealSet:
        """Return the deals that one piece of evidence allows."""
        match evidence:
            case Identity(seat, card):
                return self.with_card(seat, card)
            case Met(giver, pair):
                return self.with_card(giver, pair.institution) ^ self.with_card(giver, pair.craft)
            case SeenFalse(owner, card):
                return self.all & ~self.with_card(owner, card)
            case Refuted(_, pair):
                return self.all & ~self.with_pair(self.treasure, pair)
            case SeenTreasure(pair):
                return self.with_pair(self.treasure, pair)

    def fitting_all(self, evidence: Iterable[Evidence]) -> DealSet:
        """Return the deals that all of the evidence allows."""
        return reduce(and_, map(self.fitting, evidence), self.all)

    def pairs_of(self, holder: Seat, deals: DealSet) -> tuple[Pair, ...]:
        """Return the pairs that a seat, or ``treasure``, is in some of the deals, institutions first."""
        found = (
            Pair(institution, craft)
            for institution in INSTITUTIONS
            if (having := deals & self.with_card(holder, institution))
            for craft in CRAFTS
            if having & self.with_card(holder, craft)
        )
        return tuple(found)

    def verdict(self, holder: Seat, card: Card, deals: DealSet) -> bool | None:
        """Return whether a seat has a card in all of the deals, or in none of them; ``None``: in some."""
        having = deals & self.with_card(holder, card)
        if not having:
            return False
        return True if having == deals else None

    def deal(self, number: int) -> tuple[Pair, ...]:
        """Return the pairs of a deal: of each seat, and of the treasure."""
        institutions, crafts = (self._orders[part] for part in divmod(number, len(self._orders)))
        return tuple(
            Pair(self._institutions[i], self._crafts[c]) for i, c in zip(institutions, crafts, strict=True)
        )


@cache
def deals_of(seats: int, laid_out: frozenset[Card]) -> Deals:
    """Return all deals of a table; worked out once."""
    return Deals(seats, laid_out)


def nth_deal(deals: DealSet, n: int) -> int:
    """Return the number of the ``n``-th deal of a set, counted from 0."""
    number, width = 0, deals.bit_length()
    # By halves: a set of 14,400 deals is counted fourteen times, and not looked through bit by bit.
    while width > 1:
        half = width // 2
        low = deals & (1 << half) - 1
        before = low.bit_count()
        if n < before:
            deals, width = low, half
        else:
            deals, n, number, width = deals >> half, n - before, number + half, width - half
    return number


def expected_bits(deals: DealSet, outcomes: Iterable[DealSet]) -> float:
    """Return the bits that are learned on average of what is the likelier the more deals it leaves.

    A bit is a halving of the deals.
    """
    number = deals.bit_count()
    sizes = [size for outcome in outcomes if (size := (deals & outcome).bit_count())]
    whole = sum(sizes)
    return sum(size * log2(number / size) for size in sizes) / whole if whole else 0.0


def reasons(
    table: Deals, evidence: Sequence[Evidence], holder: Seat, card: Card
) -> tuple[Evidence, ...] | None:
    """Return the evidence from which it follows whether a seat has a card; ``None``: it does not follow.

    None of it could be left out. Of several such choices, the earlier evidence is kept.
    """
    answer = table.verdict(holder, card, table.fitting_all(evidence))
    if answer is None:
        return None
    needed = list(evidence)
    for piece in reversed(evidence):
        rest = [other for other in needed if other is not piece]
        if table.verdict(holder, card, table.fitting_all(rest)) is answer:
            needed = rest
    return tuple(needed)
