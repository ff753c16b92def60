"""What masks seem to be: how people set them up and move them, and the symbols that this speaks for.

A belief weighs every way of giving a side its symbols that its tracks allow. The same beliefs are held of
both sides: of the rival's masks by a player, and of the player's own as its rival sees them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from math import prod
from typing import TypeAlias

from engines.core.contract import Seat
from engines.core.rng import Stream
from engines.volto.board import KINDS, ROWS, SEATS, Kind, Square, homes, paths
from engines.volto.candidates import Kinds
from engines.volto.view import Mask, MaskView, Ply, View


class Heading(Enum):
    """What all see of a move, whoever made it."""

    TAKES = auto()
    AHEAD = auto()
    ASIDE = auto()
    BACK = auto()


class Deed(Enum):
    """What all see a mask do on a turn of its side, by whether rival masks stand beside it."""

    WAITS = auto()
    """It stays where none does."""
    GOES = auto()
    """It moves, and none did or does."""
    COMES = auto()
    """It moves beside some, and none did."""
    STAYS = auto()
    """It stays beside some."""
    LEAVES = auto()
    """It moves away from all."""
    SIDLES = auto()
    """It moves, and some did and do."""
    TAKES = auto()


Weights: TypeAlias = tuple[float, ...]
"""How much speaks for each of :data:`KINDS`; 0 for what a mask cannot be."""

PALACE_ROW: Mapping[Kind, float] = {
    Kind.NOBLE: 0.8,
    Kind.ADVISOR: 1.0,
    Kind.LADY: 0.9,
    Kind.CANDIDATE: 2.0,
    Kind.SOLDIER: 0.6,
}
"""How much likelier than by chance a mask is set up in the palace: people keep their Candidate back."""

MOVED: Mapping[Kind, tuple[float, ...]] = {
    Kind.NOBLE: (1.0, 1.1, 1.0, 1.0),
    Kind.ADVISOR: (0.9, 1.2, 1.2, 1.0),
    Kind.LADY: (1.3, 0.7, 0.5, 0.4),
    Kind.CANDIDATE: (0.6, 1.0, 1.4, 1.4),
    Kind.SOLDIER: (1.0, 1.0, 1.0, 1.0),
}
"""What it says of a mask that it was moved so often; the last is for more, too.

Counted in matches between players like these, and taken for a little less: Ladies wait to be taken, and a
Candidate has the longest way.
"""

HOME_ROWS, READ_ROWS = 2, 4
"""Rows from a mask's own palace on: where it was set up, and where its deeds are read at all.

Nearer to the rival palace every mask runs its own risk.
"""

AT_HOME: Mapping[Deed, Weights] = {
    Deed.WAITS: (1.0, 1.0, 1.05, 0.8, 0.75),
    Deed.GOES: (0.7, 1.25, 0.45, 3.0, 0.3),
    Deed.COMES: (0.9, 1.1, 1.15, 0.4, 0.3),
    Deed.STAYS: (1.0, 1.0, 1.1, 0.6, 0.7),
    Deed.LEAVES: (0.55, 1.4, 0.75, 2.1, 0.3),
    Deed.SIDLES: (1.15, 1.1, 0.9, 0.75, 0.3),
    Deed.TAKES: (1.0, 0.9, 1.0, 3.0, 3.0),
}
"""What a deed says of a mask that stood where masks are set up, for each of :data:`KINDS`.

Counted and taken for less as :data:`MOVED`. A Candidate looks for a safe way, the others for what they
can take.
"""

ON_THE_SQUARE: Mapping[Deed, Weights] = {
    Deed.WAITS: (1.0, 1.0, 0.9, 1.0, 0.9),
    Deed.GOES: (0.65, 0.6, 0.7, 1.5, 0.9),
    Deed.COMES: (1.0, 1.5, 1.85, 0.4, 0.9),
    Deed.STAYS: (1.0, 1.1, 1.3, 0.85, 0.9),
    Deed.LEAVES: (0.25, 0.35, 0.5, 2.0, 0.9),
    Deed.SIDLES: (1.5, 0.9, 1.0, 0.7, 0.9),
    Deed.TAKES: (1.0, 1.0, 1.0, 1.2, 1.4),
}
"""The same of a mask that stood further on."""

TELLS = 1_000.0
"""By how much all deeds of a mask make a symbol likelier or less likely, at most."""

AIMLESS, AIMLESS_AT_MOST = 0.1, 0.8
"""How likely a rival is to wander about without a plan, before it has moved; and whatever it does."""

WITHOUT_AIM: Mapping[Heading, float] = {
    Heading.TAKES: 0.25,
    Heading.AHEAD: 1.1,
    Heading.ASIDE: 2.0,
    Heading.BACK: 2.5,
}
"""How much likelier a move is of somebody without a plan. Counted and taken for less as :data:`MOVED`."""

_Counts: TypeAlias = tuple[int, ...]
_Branch: TypeAlias = tuple[int, float, _Counts]
"""A symbol by its place in :data:`KINDS`, all that speaks for it, and how many of each symbol are left."""

_FINENESS = 1 << 32
"""Into how many parts the whole is divided for a draw."""


def setup_weights(seat: Seat, square: Square, habit: float = 1.0) -> Weights:
    """Return what speaks for each symbol on a square at first; the more, the stricter the ``habit``."""
    if square not in homes(seat):
        return (1.0,) * len(KINDS)
    in_palace = homes(seat).index(square) < len(homes(seat)) // 2
    return tuple((PALACE_ROW[kind] if in_palace else 1 / PALACE_ROW[kind]) ** habit for kind in KINDS)


class Belief:
    """The ways of giving a side's symbols to its masks, each with the product of its weights."""

    def __init__(self, weights: Sequence[Weights], kinds: Kinds) -> None:
        self._weights = weights
        self._counts = tuple(kinds.count(kind) for kind in KINDS)
        self._branches: dict[_Counts, tuple[_Branch, ...]] = {}

    def draw(self, stream: Stream) -> Kinds:
        """Return one of the ways, as often as it is likely; there must be one."""
        chosen: list[Kind] = []
        counts = self._counts
        for index in range(len(self._weights)):
            rest = self._total(index, counts) * stream.below(_FINENESS) / _FINENESS
            branches = self._next(index, counts)
            place, _, counts = next((one for one in branches if (rest := rest - one[1]) < 0), branches[-1])
            chosen.append(KINDS[place])
        return tuple(chosen)

    def shares(self) -> tuple[Weights, ...]:
        """Return for each mask how likely it is to have each of :data:`KINDS`."""
        reached = {self._counts: 1.0}
        found: list[Weights] = []
        for index in range(len(self._weights)):
            shares = [0.0] * len(KINDS)
            following: dict[_Counts, float] = {}
            for counts, likely in reached.items():
                whole = self._total(index, counts)
                for place, share, left in self._next(index, counts):
                    shares[place] += likely * share / whole
                    following[left] = following.get(left, 0.0) + likely * share / whole
            found.append(tuple(shares))
            reached = following
        return tuple(found)

    def _total(self, index: int, counts: _Counts) -> float:
        if index == len(self._weights):
            return 1.0
        return sum(share for _, share, _ in self._next(index, counts))

    def _next(self, index: int, counts: _Counts) -> tuple[_Branch, ...]:
        """Return what the mask at ``index`` may be, if so many symbols are left for it and those after it."""
        if counts not in self._branches:  # the counts tell the index: one symbol a mask is gone
            branches: list[_Branch] = []
            for place, weight in enumerate(self._weights[index]):
                if counts[place] and weight:
                    left = (*counts[:place], counts[place] - 1, *counts[place + 1 :])
                    branches.append((place, weight * self._total(index + 1, left), left))
            self._branches[counts] = tuple(one for one in branches if one[1])
        return self._branches[counts]


# --- what the course of a match says ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reading:
    """How much is read, beside the tracks of masks, from where they were set up and what they did.

    Each from 0 (nothing) to 1: all that :data:`PALACE_ROW` says of the ``setup``, :data:`MOVED` of the
    number of ``moves``, and :data:`AT_HOME` and :data:`ON_THE_SQUARE` of the ``deeds``.
    """

    setup: float
    moves: float
    deeds: float

    def weights(self, mask: Mask, done: Sequence[Weights]) -> Weights:
        """Return what speaks for each symbol of a mask; ``done``: what each of its deeds says of them."""
        at_first = setup_weights(mask.seat, mask.track[0], self.setup)
        moved = len(mask.track) - 1
        return tuple(
            at_first[place]
            * MOVED[kind][min(moved, len(MOVED[kind]) - 1)] ** self.moves
            * min(max(1 / TELLS, prod(deed[place] for deed in done)), TELLS) ** self.deeds
            if kind in mask.fits
            else 0.0
            for place, kind in enumerate(KINDS)
        )


def deeds(view: View) -> Mapping[str, Sequence[Weights]]:
    """Return by masks' ids what speaks for each symbol in what a mask did, on each turn of its side."""
    standing = {mask.track[0]: mask for mask in view.masks}
    found: dict[str, list[Weights]] = {mask.id: [] for mask in view.masks}
    for ply in view.plies:
        before = dict(standing)
        standing[ply.target] = standing.pop(ply.origin)
        if ply.left:
            del standing[ply.target]
        for square, mask in before.items():
            rows = _rows_from_home(mask.seat, square)
            if mask.seat == ply.seat and rows < READ_ROWS:
                said = AT_HOME if rows < HOME_ROWS else ON_THE_SQUARE
                found[mask.id].append(said[_deed(ply, square, before, standing)])
    return found


def _deed(
    ply: Ply, square: Square, before: Mapping[Square, MaskView], after: Mapping[Square, MaskView]
) -> Deed:
    """Return what a mask on a square of the side that moved has done."""
    beside = _has_rivals_beside(ply.seat, square, before)
    if square != ply.origin:
        return Deed.STAYS if beside else Deed.WAITS
    if ply.taken is not None:
        return Deed.TAKES
    if _has_rivals_beside(ply.seat, ply.target, after):
        return Deed.SIDLES if beside else Deed.COMES
    return Deed.LEAVES if beside else Deed.GOES


def _rows_from_home(seat: Seat, square: Square) -> int:
    return abs(ROWS.index(square[1]) - ROWS.index(homes(seat)[0][1]))


def _has_rivals_beside(seat: Seat, square: Square, standing: Mapping[Square, MaskView]) -> bool:
    near = (standing.get(other) for other in paths(Kind.CANDIDATE, seat, square))
    return any(mask is not None and mask.seat != seat for mask in near)


def heading(ply: Ply) -> Heading:
    """Return what all see of a move."""
    if ply.taken is not None:
        return Heading.TAKES
    ahead = ROWS.index(ply.target[1]) - ROWS.index(ply.origin[1])
    if not ahead:
        return Heading.ASIDE
    return Heading.AHEAD if (ahead > 0) is (ply.seat == 0) else Heading.BACK


def aimless(view: View, seat: Seat) -> float:
    """Return how likely it is that a seat wanders about without a plan, by all its moves."""
    odds = AIMLESS / (1 - AIMLESS)
    for ply in view.plies:
        if ply.seat == seat:
            odds *= WITHOUT_AIM[heading(ply)]
    return min(AIMLESS_AT_MOST, odds / (1 + odds))


def beliefs(view: View, reading: Reading) -> tuple[Belief, Belief]:
    """Return what everybody who reads so much may believe of each side."""
    done = deeds(view) if reading.deeds else {}
    sides = tuple(
        Belief(
            [reading.weights(mask, done.get(mask.id, ())) for mask in view.masks if mask.seat == seat],
            view.kinds[seat],
        )
        for seat in SEATS
    )
    return sides[0], sides[1]
