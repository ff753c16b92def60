"""What the next round promises all seats, by how the board stands: meetings, piles to look at, forced ghosts.

A match is rarely lost by a wrong idea. It is lost because the ghost deck runs out while nobody knows enough
yet. So it matters as much what the others will find as what a seat finds itself, and everybody can count
that: it follows from what lies and stands on the board. All weights are in bits, and fitted to matches of
whole tables of the middle level.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from engines.core.contract import Seat
from engines.doge.components import DIE, LOCATIONS, SQUARES, Square, Way, landing
from engines.doge.state import replace_at
from engines.doge.view import Public

MEETING = 0.8
"""Bits that a roll is worth which leads to somebody who can show two cards."""

LOOK = 0.4
"""Bits that a roll is worth which leads to a pile and to no meeting: the top card may tell nothing."""

SUMMONING = 1.0
"""Bits that a roll costs which summons the ghost whichever way one goes."""

LAST_SUMMONINGS = 4.0
"""Bits that such a roll costs beyond that while one ghost card is left; shared among the cards left."""

EMPTY_DECK = 6.0
"""Bits that such a roll costs once the ghost deck is empty: then somebody has to guess, or all are lost."""

ROUND = 0.4
"""How much a bit counts that the next round promises, beside one that a seat finds at once."""

HIGHER = 0.001
"""Bits that each card already in a pile counts against it: of squares that are as good, the lowest pile."""

Squares = int
"""A set of squares: a bit for each."""


def squares_of(found: Iterable[Square | None]) -> Squares:
    """Return a set of squares; ``None``, where a pawn that is out stands, is in none."""
    squares = 0
    for square in found:
        if square is not None:
            squares |= 1 << square
    return squares


AROUND: Sequence[Sequence[Squares]] = [
    [squares_of(landing(square, way, die) for way in Way) for die in DIE] for square in SQUARES
]
"""The two squares to which each face of the die leads from a square."""


def is_near(place: Square, square: Square) -> bool:
    """Return whether a roll may lead from one square to another."""
    return any(both >> square & 1 for both in AROUND[place])


HAUNTED = squares_of(LOCATIONS)
"""Where the ghost is summoned by whoever comes alone."""


@dataclass(frozen=True, slots=True)
class Rolls:
    """How many of the die's faces let a seat meet somebody, else look at a pile, or force a summoning."""

    meeting: int
    look: int
    ghost: int


@dataclass(frozen=True, slots=True)
class Board:
    """What everybody sees of a match. ``givers``: the seats that have a false card left and are not out."""

    pawns: Sequence[Square | None]
    givers: Sequence[Seat]
    piles: Squares
    deck: int

    @classmethod
    def of(cls, public: Public) -> Board:
        """Return the board of a match."""
        givers = tuple(seat for seat in public.still_in if public.false_cards(seat))
        piles = squares_of(square for square in SQUARES if public.piles[square])
        return cls(public.pawns, givers, piles, public.deck)

    def with_pawn(self, seat: Seat, square: Square) -> Board:
        """Return the board once a pawn stands on a square."""
        return replace(self, pawns=replace_at(tuple(self.pawns), seat, square))

    def with_pile(self, square: Square) -> Board:
        """Return the board once a card lies on a square."""
        return replace(self, piles=self.piles | 1 << square)

    def gift_worth(self, square: Square, height: int) -> float:
        """Return what it is worth to lay a card on a square where so many lie: somebody may find it there."""
        return self.with_pile(square).promise() - HIGHER * height

    def promise(self) -> float:
        """Return what all seats together may expect of their next rolls, in bits."""
        meetings = looks = ghosts = 0
        for seat, place in enumerate(self.pawns):
            if place is not None:
                rolls = self._rolls(seat, place)
                meetings += rolls.meeting
                looks += rolls.look
                ghosts += rolls.ghost
        return (MEETING * meetings + LOOK * looks - self._price() * ghosts) / len(DIE)

    def _rolls(self, seat: Seat, place: Square) -> Rolls:
        people = givers = 0
        for other, square in enumerate(self.pawns):
            if square is not None and other != seat:
                people |= 1 << square
                if other in self.givers:
                    givers |= 1 << square
        return _rolls(place, givers, people, self.piles)

    def _price(self) -> float:
        return SUMMONING + LAST_SUMMONINGS / self.deck if self.deck else EMPTY_DECK


@lru_cache(maxsize=1 << 16)
def _rolls(place: Square, givers: Squares, people: Squares, piles: Squares) -> Rolls:
    # Moving one pawn or adding one pile leaves the rolls of most seats as they were.
    meeting = look = ghost = 0
    lonely = HAUNTED & ~people
    for both in AROUND[place]:
        if both & givers:
            meeting += 1
        elif both & piles:
            look += 1
        elif not both & ~lonely:
            ghost += 1
    return Rolls(meeting, look, ghost)
