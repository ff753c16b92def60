"""VOLTO in numbers, for a search: squares, masks and moves of worlds in which every symbol is known.

Squares are counted as :data:`~engines.volto.board.SQUARES`, symbols as :data:`~engines.volto.board.KINDS`,
masks as the view has them. The rules are those of :mod:`engines.volto.rules`, but for the draws.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from engines.core.contract import Seat
from engines.volto.board import KINDS, SEATS, SQUARES, Kind, palace, paths, rival
from engines.volto.candidates import Kinds
from engines.volto.view import View

Move: TypeAlias = int
"""From and to: the origin's number times the number of squares, and the target's."""

SIZE = len(SQUARES)
NOWHERE = 255
"""The square of a mask that has left the mat, and the mask of an empty square."""

NOBLE, ADVISOR, LADY, CANDIDATE, SOLDIER = (
    KINDS.index(kind) for kind in (Kind.NOBLE, Kind.ADVISOR, Kind.LADY, Kind.CANDIDATE, Kind.SOLDIER)
)

_NUMBER = {square: number for number, square in enumerate(SQUARES)}

STEPS: tuple[tuple[tuple[bytes, ...], ...], ...] = tuple(
    tuple(
        tuple(bytes(_NUMBER[target] for target in paths(kind, seat, square)) for square in SQUARES)
        for kind in KINDS
    )
    for seat in SEATS
)
"""For a seat, a symbol and a square: the squares to go to on an empty mat; a Soldier's from near to far."""

MIXES = (1 << 31) - 1
"""A prime number: what is left of a mat's number by it differs between mats that look much alike."""

PALACES = tuple(frozenset(_NUMBER[square] for square in palace(seat)) for seat in SEATS)


@dataclass(frozen=True, slots=True)
class World:
    """A match as it may be. ``kinds``: the symbol of each mask, those of seat 0 first, ``split`` of them.

    ``mat``: the mask on each square; ``places``: the square of each mask. ``winner``: of a match that is
    over; ``drawn``: it is over without one. ``shown``: the symbol of the mask that the last move has taken.
    ``hopes``: what the rival of who thinks hopes of its captures beyond the masks taken, in logits.
    ``whim``: what the rival goes by if it wanders about without a plan; 0: it has one.
    """

    kinds: bytes
    split: int
    mat: bytes
    places: bytes
    mover: Seat
    winner: Seat | None = None
    drawn: bool = False
    shown: int | None = None
    hopes: float = 0.0
    whim: int = 0

    def masks(self, seat: Seat) -> range:
        """Return the masks of a seat, those that have left the mat too."""
        return range(self.split) if seat == 0 else range(self.split, len(self.kinds))

    def owner(self, mask: int) -> Seat:
        """Return whose mask it is."""
        return int(mask >= self.split)


def world_of(view: View, kinds: tuple[Kinds, Kinds]) -> World:
    """Return the world that a view in play shows, with these symbols for the masks of both sides."""
    assert view.turn is not None
    mat, places = bytearray([NOWHERE] * SIZE), bytearray()
    for number, mask in enumerate(view.masks):
        places.append(NOWHERE if mask.square is None else _NUMBER[mask.square])
        if mask.square is not None:
            mat[places[-1]] = number
    numbers = bytes(KINDS.index(kind) for kind in kinds[0] + kinds[1])
    return World(numbers, len(kinds[0]), bytes(mat), bytes(places), view.turn)


def words_of(move: Move) -> tuple[str, str]:
    """Return the words of a move."""
    origin, target = divmod(move, SIZE)
    return SQUARES[origin], SQUARES[target]


def moves_of(world: World) -> Iterator[tuple[int, int, int]]:
    """Yield the moves of the side to move: the mask, the target, and the mask taken there or ``NOWHERE``."""
    mover, mat, kinds, places, split = world.mover, world.mat, world.kinds, world.places, world.split
    steps = STEPS[mover]
    for mask in world.masks(mover):
        square = places[mask]
        if square == NOWHERE:
            continue
        kind = kinds[mask]
        for target in steps[kind][square]:
            other = mat[target]
            if other == NOWHERE:
                yield mask, target, other
                continue
            if (other >= split) != mover and kind != LADY:
                yield mask, target, other
            if kind == SOLDIER:
                break


def winning_move(world: World) -> Move | None:
    """Return a move of the Candidate to an empty square of the rival palace, if the side to move has one."""
    goal = PALACES[1 - world.mover]
    for mask in world.masks(world.mover):
        square = world.places[mask]
        if world.kinds[mask] == CANDIDATE and square != NOWHERE:
            for target in STEPS[world.mover][CANDIDATE][square]:
                if target in goal and world.mat[target] == NOWHERE:
                    return square * SIZE + target
    return None


def strayed(world: World) -> Move:
    """Return the move of a side without a plan: any one, always the same for a ``whim`` and a mat."""
    moves = [world.places[mask] * SIZE + target for mask, target, _ in moves_of(world)]
    return moves[(int.from_bytes(world.mat, "big") % MIXES ^ world.whim) % len(moves)]


def after(world: World, move: Move, hopes: float) -> World:
    """Return the world after a legal move, with the ``hopes`` there are then. Nothing is drawn here."""
    origin, target = divmod(move, SIZE)
    mover, kinds = world.mover, world.kinds
    mat, places = bytearray(world.mat), bytearray(world.places)
    mask, taken = mat[origin], mat[target]
    mat[origin] = NOWHERE
    mat[target], places[mask] = mask, target
    shown = None
    winner = mover if kinds[mask] == CANDIDATE and target in PALACES[1 - mover] else None
    if taken != NOWHERE:
        places[taken] = NOWHERE
        shown = kinds[taken]
        if shown == CANDIDATE:
            winner = mover
        elif shown == LADY:
            mat[target] = places[mask] = NOWHERE
            winner = _after_a_lady(world, mask, places)
    found = World(
        kinds=kinds,
        split=world.split,
        mat=bytes(mat),
        places=bytes(places),
        mover=1 - mover,
        winner=winner,
        shown=shown,
        hopes=hopes,
        whim=world.whim,
    )
    stuck = winner is None and next(moves_of(found), None) is None
    return replace(found, winner=mover) if stuck else found


def _after_a_lady(world: World, capturer: int, places: bytearray) -> Seat | None:
    """Return who has won since a Lady was taken: her owner, if it was the last one or by the Candidate."""
    owner = rival(world.mover)
    ladies = sum(world.kinds[mask] == LADY and places[mask] != NOWHERE for mask in world.masks(owner))
    return owner if not ladies or world.kinds[capturer] == CANDIDATE else None


def earlier(view: View) -> frozenset[tuple[bytes, Seat]]:
    """Return the mats that have stood since the last capture, each with who was to move."""
    numbers = {mask.id: number for number, mask in enumerate(view.masks)}
    mat = bytearray([NOWHERE] * SIZE)
    for mask in view.masks:
        mat[_NUMBER[mask.track[0]]] = numbers[mask.id]
    stood: set[tuple[bytes, Seat]] = set()
    for ply in view.plies:
        stood.add((bytes(mat), ply.seat))
        mat[_NUMBER[ply.target]] = NOWHERE if ply.left else numbers[ply.mask]
        mat[_NUMBER[ply.origin]] = NOWHERE
        if ply.taken is not None:
            stood.clear()
    return frozenset(stood)
