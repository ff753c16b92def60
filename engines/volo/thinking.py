"""Computer players of Volo: a search over turns, led by how far each side is from being one flock."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import TypeAlias

from engines.core.contract import Seat, Words
from engines.core.rng import Rng
from engines.core.search import Search
from engines.core.skill import Level, Skill
from engines.volo.board import Board
from engines.volo.movegen import PASS, Position
from engines.volo.notation import words_of
from engines.volo.sides import Side, Turn
from engines.volo.state import state_from
from engines.volo.view import VoloView

BUDGETS = {Level.FIRST: 250, Level.MIDDLE: 900, Level.BEST: 3_600}
"""Playouts: a thousand of them take a second or so."""

FLOCK, GAP, TEMPO = 0.45, 0.11, 0.25
"""What a flock less, a vacant step less between flocks, and being to move are worth: logits of winning."""

FAR = 12
"""Steps to a flock that cannot be reached over vacant points."""

SURE = 20.0
"""The logits of a match that is won."""

SHARP = 2.5
"""How much likelier the better of two turns is thought to be the best one, before any is tried."""

WIDTH = 40
"""Turns of a position that are looked at, the likeliest ones."""

OVERLOOKS = (1, 4)
"""How often the first level does not think of what the other will do."""

FANCIED = 0.2
"""It then takes one of the turns that seem at least so likely as the likeliest one."""

EQUAL = 0.9
"""Turns that were tried at least so often as the best one are as good: nobody meets the same match again."""

_Scored: TypeAlias = "tuple[tuple[Turn, float], ...]"


@dataclass(frozen=True, slots=True)
class World:
    """A position and whose turn it is. ``winner``: of a match that is ``over``; ``None``: nobody."""

    position: Position
    mover: Seat
    over: bool = False
    winner: Seat | None = None


class VoloModel:
    """Volo as a search sees it. It remembers the turns of all positions that it was asked about."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int, bool], tuple[_Scored, float]] = {}

    def mover(self, world: World) -> Seat:
        """Return whose turn it is."""
        return world.mover

    def after(self, world: World, move: Turn) -> World:
        """Return the world after a turn; a repetition ends none here."""
        position, mover = world.position.after(move), world.mover
        won = position.won()
        if won is not None:
            return World(position, 1 - mover, over=True, winner=mover if won else 1 - mover)
        return World(position, 1 - mover, over=move == PASS and world.position.passed)

    def moves(self, world: World) -> _Scored:
        """Return the likeliest turns."""
        return () if world.over else self._looked_at(world)[0]

    def worth(self, world: World) -> tuple[float, float]:
        """Return how well Orange and Blue stand, after the turn that seems to be the best."""
        if world.over:
            share = 0.5 if world.winner is None else float(world.winner == 0)
        else:
            share = 1 / (1 + exp(-self._looked_at(world)[1]))
            share = share if world.mover == 0 else 1 - share
        return share, 1 - share

    def _looked_at(self, world: World) -> tuple[_Scored, float]:
        """Return the likeliest turns of a position, and what the best one seems to be worth, in logits."""
        position = world.position
        key = (position.own.birds, position.other.birds, position.passed)
        found = self._known.get(key)
        if found is None:
            scored = [(self._score(world, turn), turn) for turn in position.turns()]
            scored.sort(key=lambda each: -each[0])
            best = scored[0][0]
            del scored[WIDTH:]
            weights = [exp(SHARP * (score - best)) for score, _ in scored]
            total = sum(weights)
            moves = tuple((turn, weight / total) for (_, turn), weight in zip(scored, weights, strict=True))
            found = self._known[key] = (moves, best)
        return found

    def _score(self, world: World, turn: Turn) -> float:
        after = self.after(world, turn)
        if not after.over:
            return -feeling(after.position)
        return 0.0 if after.winner is None else SURE if after.winner == world.mover else -SURE


def feeling(position: Position) -> float:
    """Return how well the mover seems to stand, in logits."""
    board, own, other = position.board, position.own, position.other
    return TEMPO + _distance(board, other, own.birds) - _distance(board, own, other.birds)


def _distance(board: Board, side: Side, blocked: int) -> float:
    """Return how far a side seems to be from being one flock, in logits."""
    flocks = len(side.flocks) + side.singles.bit_count()
    return FLOCK * flocks + GAP * gaps(board, side, blocked)


def gaps(board: Board, side: Side, blocked: int) -> int:
    """Return the steps over points that are not ``blocked`` which it takes to join all flocks of a side.

    The largest one goes for the nearest, both for the next, and so on.
    """
    start = max((flock.birds for flock in side.flocks), key=int.bit_count, default=side.birds & -side.birds)
    left, room, steps = side.birds & ~start, board.full & ~blocked, 0
    joined = front = start
    while left:
        wider = board.spread(front) & room
        if met := wider & left:
            met = board.flood(met, left)
            left &= ~met
            joined |= met
            front = joined
        elif wider == front:
            return steps + FAR * left.bit_count()
        else:
            front = wider
            steps += 1
    return steps


def sentence(view: VoloView, skill: Skill, rng: Rng) -> Words:
    """Return the turn of a computer player in the viewer's seat."""
    state = state_from(view)
    world, model, stream = World(state.position, state.mover), VoloModel(), rng.stream("thinking")
    if skill.level is Level.FIRST and stream.chance(*OVERLOOKS):
        moves = model.moves(world)
        turn = stream.choice([turn for turn, likely in moves if likely >= FANCIED * moves[0][1]])
    else:
        search = Search(model, lambda _: world)
        search.run(skill.playouts(BUDGETS))
        turn = stream.choice(search.best(EQUAL))
    return words_of(state.board, turn)
