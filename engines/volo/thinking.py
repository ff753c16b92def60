"""Computer players of Volo: what is plain they see at once, and all else they search for.

A search sees Volo as positions: what is plain at first sight, what is likely, and who seems to stand better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import TypeAlias

from engines.core.contract import Seat, Words
from engines.core.optional_methods import Judgement, Level, Skill
from engines.core.rng import Rng
from engines.core.search import Search
from engines.volo.evaluation import answers, distances, evaluation, winning
from engines.volo.judge import judge
from engines.volo.movegen import PASS, Position
from engines.volo.notation import parse, words_of
from engines.volo.sides import Turn
from engines.volo.state import state_from
from engines.volo.view import VoloView

SHARP = 1.0
"""By how much likelier it makes a turn to be the best one that it leaves its side nearer to one flock: logits
of likelihood to a logit of winning."""

LOST = 20.0
"""The logits of a match that a turn loses."""

WIDTH = 40
"""Turns of a position that are searched, the likeliest ones."""

Moves: TypeAlias = "tuple[tuple[Turn, float], ...]"
"""Turns, each with how likely it is to be the best one, likeliest first."""

BUDGETS = {Level.FIRST: 300, Level.MIDDLE: 1_500, Level.BEST: 6_000}
"""Playouts: two thousand of them take a second or so."""

OVERLOOKS = (1, 4)
"""How often the first level does not think of what the other will do."""

FANCIED = 0.2
"""It then takes one of the turns that seem at least so likely as the likeliest one."""

EQUAL = 0.9
"""Turns that were tried at least so often as the best one are as good: nobody meets the same match again."""


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


def sentence(view: VoloView, skill: Skill, rng: Rng) -> Words:
    """Return the turn of a computer player in the viewer's seat."""
    state = state_from(view)
    world, model, stream = World(state.position, state.mover), VoloModel(), rng.stream("thinking")
    seen = model.look(world)
    if skill.level is Level.FIRST and not seen.decided and stream.chance(*OVERLOOKS):
        turns = _fancied(world, world.position.turns())
    elif seen.chance == 1 or len(seen.turns) == 1:
        turns = seen.turns
    elif seen.decided:
        turns = _fancied(world, seen.turns)
    else:
        search = Search(model, lambda _: world)
        search.run(skill.playouts(BUDGETS))
        turns = search.best(EQUAL)
    return words_of(state.board, stream.choice(turns))


def _fancied(world: World, turns: list[Turn]) -> list[Turn]:
    """Return the turns that one might take without a thought of the answer."""
    moves = likeliest(world, turns)
    return [turn for turn, likely in moves if likely >= FANCIED * moves[0][1]]


def judged(view: VoloView, words: Words, skill: Skill) -> Judgement:
    """Return how good a turn of the viewer's seat seems beside the best one.

    Half of the playouts look for the best turn. The others are shared alike by what may follow that one and
    what may follow the turn that was taken: neither seems better for having been looked at more closely.
    """
    state = state_from(view)
    world, model = World(state.position, state.mover), VoloModel()
    playouts = skill.playouts(BUDGETS)
    turn = judge(state.position, parse(state.board, words))
    other = _best(model, world, playouts // 2)
    played = _chance(model, world.after(turn), world.mover, playouts // 4)
    best = _chance(model, world.after(other), world.mover, playouts // 4)
    if best <= played:
        return Judgement(played, played, words)
    return Judgement(played, best, words_of(state.board, other))


def _best(model: VoloModel, world: World, playouts: int) -> Turn:
    """Return the turn that seems to be the best one."""
    seen = model.look(world)
    if seen.decided or len(seen.turns) == 1:
        return seen.turns[0]
    search = Search(model, lambda _: world)
    search.run(max(1, playouts))
    return search.ranking()[0][0]


def _chance(model: VoloModel, world: World, seat: Seat, playouts: int) -> float:
    """Return how likely ``seat``, which has moved, is to win: what the best answer leaves to it."""
    if not model.moves(world):
        return model.worth(world)[seat]
    search = Search(model, lambda _: world)
    search.run(max(1, playouts))
    return 1 - search.ranking()[0][1].mean
