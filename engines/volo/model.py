"""Volo as a search sees it: what is plain at first sight, what is likely, and who seems to stand better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import TypeAlias

from engines.core.contract import Seat
from engines.volo.evaluation import answers, distances, evaluation, winning
from engines.volo.movegen import PASS, Position
from engines.volo.sides import Turn

SHARP = 1.0
"""By how much likelier it makes a turn to be the best one that it leaves its side nearer to one flock: logits
of likelihood to a logit of winning."""

LOST = 20.0
"""The logits of a match that a turn loses."""

WIDTH = 40
"""Turns of a position that are searched, the likeliest ones."""

Moves: TypeAlias = "tuple[tuple[Turn, float], ...]"
"""Turns, each with how likely it is to be the best one, likeliest first."""


@dataclass(frozen=True, slots=True)
class World:
    """A position and whose turn it is. ``winner``: of a match that is ``over``; ``None``: nobody."""

    position: Position
    mover: Seat
    over: bool = False
    winner: Seat | None = None

    def after(self, turn: Turn) -> World:
        """Return the world after a turn; a repetition ends none here."""
        position, mover = self.position.after(turn), self.mover
        won = position.won()
        if won is not None:
            return World(position, 1 - mover, over=True, winner=mover if won else 1 - mover)
        return World(position, 1 - mover, over=position.passed and self.position.passed)


@dataclass(slots=True)
class Look:
    """What is plain at first sight of a position.

    ``turns``: all that win at once, else all after which the other seat does not win with a flight that it
    has already, else all. ``chance``: how likely the mover is to win; in between it is an estimate.
    ``moves``: the likeliest of the turns, once somebody has asked for them.
    """

    turns: list[Turn]
    chance: float
    moves: Moves = ()

    @property
    def decided(self) -> bool:
        """Return whether the mover wins at once, or cannot prevent that the other seat does."""
        return self.chance in (0.0, 1.0)


def look(position: Position) -> Look:
    """Return what is plain at first sight of a position that is not over."""
    turns = position.turns()
    wins = winning(position, turns)
    if wins:
        return Look(wins, 1.0)
    passed = position.after(PASS)
    others = passed.turns()
    threats = winning(passed, others)
    saving = answers(position, turns, threats) if threats else turns
    if not saving:
        return Look(turns, 0.0)
    return Look(saving, 1 / (1 + exp(-evaluation(position, turns, others))))


def likeliest(world: World, turns: Sequence[Turn]) -> Moves:
    """Return the likeliest of some turns."""
    scored = sorted(((_score(world, turn), turn) for turn in turns), key=lambda each: -each[0])
    del scored[WIDTH:]
    weights = [exp(SHARP * (score - scored[0][0])) for score, _ in scored]
    total = sum(weights)
    return tuple((turn, weight / total) for (_, turn), weight in zip(scored, weights, strict=True))


def _score(world: World, turn: Turn) -> float:
    after = world.after(turn)
    if after.over:
        return 0.0 if after.winner is None else LOST if after.winner == world.mover else -LOST
    return distances(after.position)


class VoloModel:
    """Volo as :class:`~engines.core.search.Model`. It remembers its look at each position of a search."""

    def __init__(self) -> None:
        self._looks: dict[tuple[int, int, bool], Look] = {}

    def mover(self, world: World) -> Seat:
        """Return whose turn it is."""
        return world.mover

    def after(self, world: World, move: Turn) -> World:
        """Return the world after a turn."""
        return world.after(move)

    def moves(self, world: World) -> Moves:
        """Return the likeliest turns; none where the match is decided."""
        if world.over or (seen := self.look(world)).decided:
            return ()
        if not seen.moves:
            seen.moves = likeliest(world, seen.turns)
        return seen.moves

    def worth(self, world: World) -> tuple[float, float]:
        """Return how likely Orange and Blue are to win; a draw is half a win."""
        if world.over:
            orange = 0.5 if world.winner is None else float(world.winner == 0)
        else:
            chance = self.look(world).chance
            orange = chance if world.mover == 0 else 1 - chance
        return orange, 1 - orange

    def look(self, world: World) -> Look:
        """Return what is plain at first sight of a world that is not over."""
        position = world.position
        key = (position.own.birds, position.other.birds, position.passed)
        found = self._looks.get(key)
        if found is None:
            found = self._looks[key] = look(position)
        return found
