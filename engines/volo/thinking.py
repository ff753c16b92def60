"""Computer players of Volo: what is plain they see at once, and all else they search for."""

from __future__ import annotations

from engines.core.contract import Seat, Words
from engines.core.optional_methods import Judgement, Level, Skill
from engines.core.rng import Rng
from engines.core.search import Search
from engines.volo.judge import judge
from engines.volo.model import VoloModel, World, likeliest
from engines.volo.notation import parse, words_of
from engines.volo.sides import Turn
from engines.volo.state import state_from
from engines.volo.view import VoloView

BUDGETS = {Level.FIRST: 300, Level.MIDDLE: 1_500, Level.BEST: 6_000}
"""Playouts: two thousand of them take a second or so."""

OVERLOOKS = (1, 4)
"""How often the first level does not think of what the other will do."""

FANCIED = 0.2
"""It then takes one of the turns that seem at least so likely as the likeliest one."""

EQUAL = 0.9
"""Turns that were tried at least so often as the best one are as good: nobody meets the same match again."""


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
