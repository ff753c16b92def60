"""What masks seem to be: how people set them up and move them, and the symbols that this speaks for.

A belief weighs every way of giving a side its symbols that its tracks allow. The same beliefs are held of
both sides: of the rival's masks by a player, and of the player's own as its rival sees them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from engines.core.contract import Seat
from engines.core.rng import Stream
from engines.volto.board import KINDS, SEATS, Kind, Owners, Square, homes, paths, rival
from engines.volto.candidates import Kinds
from engines.volto.rules import mask_after
from engines.volto.state import Mask, new_mask
from engines.volto.view import Ply, View

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

DARES: Mapping[Kind, float] = {Kind.CANDIDATE: 0.5, Kind.LADY: 1.3}
"""What it says of a mask that it went next to a rival mask by itself."""

DECLINES = 0.85
"""What it says of each symbol with which a mask could have taken something, that it did not."""

MOST_SIGNS = 3
"""Signs of one sort that are counted of a mask: its owner does the same again for the same reason."""

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
        self._totals: dict[tuple[int, ...], float] = {}

    def draw(self, stream: Stream) -> Kinds:
        """Return one of the ways, as often as it is likely; there must be one."""
        chosen: list[Kind] = []
        counts = self._counts
        for index in range(len(self._weights)):
            rest = self._total(index, counts) * stream.below(_FINENESS) / _FINENESS
            for place, weight, left in self._next(index, counts):
                share = weight * self._total(index + 1, left)
                if share:
                    kind, after = KINDS[place], left
                    rest -= share
                    if rest < 0:
                        break
            chosen.append(kind)
            counts = after
        return tuple(chosen)

    def shares(self) -> tuple[Weights, ...]:
        """Return for each mask how likely it is to have each of :data:`KINDS`."""
        whole = self._total(0, self._counts)
        reached = {self._counts: 1.0}
        found: list[Weights] = []
        for index in range(len(self._weights)):
            shares = [0.0] * len(KINDS)
            following: dict[tuple[int, ...], float] = {}
            for counts, so_far in reached.items():
                for place, weight, left in self._next(index, counts):
                    shares[place] += so_far * weight * self._total(index + 1, left) / whole
                    following[left] = following.get(left, 0.0) + so_far * weight
            found.append(tuple(shares))
            reached = following
        return tuple(found)

    def _next(self, index: int, counts: tuple[int, ...]) -> Iterator[tuple[int, float, tuple[int, ...]]]:
        for place, weight in enumerate(self._weights[index]):
            if counts[place] and weight:
                yield place, weight, (*counts[:place], counts[place] - 1, *counts[place + 1 :])

    def _total(self, index: int, counts: tuple[int, ...]) -> float:
        if index == len(self._weights):
            return 1.0
        if counts not in self._totals:  # the counts tell the index: one symbol a mask is gone
            self._totals[counts] = sum(
                weight * self._total(index + 1, left) for _, weight, left in self._next(index, counts)
            )
        return self._totals[counts]


# --- what the course of a match says ----------------------------------------------------------------


@dataclass(slots=True)
class _Signs:
    """What was seen of a mask: how often it dared, and how often it took nothing with each symbol."""

    dared: int = 0
    declined: dict[Kind, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))

    def weight(self, kind: Kind) -> float:
        """Return what these signs say for a symbol."""
        dares = DARES.get(kind, 1.0) ** min(self.dared, MOST_SIGNS)
        return float(dares * DECLINES ** min(self.declined[kind], MOST_SIGNS))


def public_masks(view: View) -> tuple[Mask, ...]:
    """Return the masks as everybody knows them, in the view's order."""
    masks = tuple(new_mask(mask.seat, mask.track[0]) for mask in view.masks)
    for ply in view.plies:
        masks = tuple(mask_after(mask, ply) for mask in masks)
    return masks


def beliefs(view: View, *, reads_signs: bool) -> tuple[Belief, Belief]:
    """Return what everybody may believe of each side: by its tracks alone, unless one ``reads_signs``."""
    masks = public_masks(view)
    signs = _signs(view) if reads_signs else {}
    weights = tuple(_weights(mask, signs.get(mask.id)) for mask in masks)
    sides = tuple(
        Belief([one for mask, one in zip(masks, weights, strict=True) if mask.seat == seat], view.kinds[seat])
        for seat in SEATS
    )
    return sides[0], sides[1]


def _weights(mask: Mask, signs: _Signs | None) -> Weights:
    if signs is None:
        return tuple(float(kind in mask.fits) for kind in KINDS)
    at_first = setup_weights(mask.seat, mask.track[0])
    return tuple(
        weight * signs.weight(kind) if kind in mask.fits else 0.0
        for kind, weight in zip(KINDS, at_first, strict=True)
    )


def _signs(view: View) -> dict[str, _Signs]:
    """Return the signs of every mask, by its id."""
    signs = {mask.id: _Signs() for mask in view.masks}
    where = {mask.track[0]: mask.id for mask in view.masks}
    seats = {mask.id: mask.seat for mask in view.masks}
    for ply in view.plies:
        owners = {square: seats[mask] for square, mask in where.items()}
        if ply.taken is None:
            signs[ply.mask].dared += _meets(ply, owners)
            for square, mask in where.items():
                if seats[mask] == ply.seat and mask != ply.mask:
                    _declined(signs[mask], ply.seat, square, owners)
        where[ply.target] = where.pop(ply.origin)
        if ply.lost is not None:
            del where[ply.target]
    return signs


def _meets(ply: Ply, owners: Owners) -> bool:
    """Return whether a move led next to a rival mask."""
    return any(owners.get(near) == rival(ply.seat) for near in paths(Kind.CANDIDATE, ply.seat, ply.target))


def _declined(signs: _Signs, seat: Seat, square: Square, owners: Owners) -> None:
    """Note with which symbols the mask on ``square`` could have taken a mask beside it, and has not."""
    for kind in (Kind.NOBLE, Kind.ADVISOR, Kind.CANDIDATE):
        signs.declined[kind] += any(owners.get(near) == rival(seat) for near in paths(kind, seat, square))
