"""Computer players of VOLTO: a search over imagined worlds, in which the rival is in the dark, too.

All playouts share one tree, so that no move of it goes by a symbol that its player cannot see. Two things
that such a tree gets wrong are put right here. What a capture shows is a step of its own: who took the mask
goes on knowing it. And each side values the same world by what *it* may believe: a rival takes a mask to be
worth what all have seen of it, so that a Lady can be offered, and a Candidate walk unnoticed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import exp

from engines.core.contract import Seat, Words
from engines.core.optional_methods import Level, Skill
from engines.core.rng import Rng, Stream
from engines.core.search import Node, Search
from engines.volto.appraisal import (
    DECIDES,
    SURE,
    TEMPO,
    VALUE,
    danger,
    exposed,
    may_lose,
    rivals_beside,
    seeming,
    stakes,
)
from engines.volto.beliefs import Belief, Reading, Weights, aimless, beliefs, setup_weights
from engines.volto.board import MUSTER, homes, rival
from engines.volto.notation import SETUP
from engines.volto.view import Phase, View
from engines.volto.worlds import (
    CANDIDATE,
    LADY,
    NOWHERE,
    SIZE,
    Move,
    World,
    after,
    earlier,
    moves_of,
    strayed,
    winning_move,
    words_of,
    world_of,
)

BUDGETS = {Level.FIRST: 3_000, Level.MIDDLE: 10_000, Level.BEST: 40_000}
"""Playouts: ten thousand of them take a second or so."""

LOOKS = 90
"""Moves that are compared for each playout, at most. Only where many masks may go far there would be more.

How many there are depends on what is hidden: so it is bounded, and the time with it.
"""

WORLDS, USES = 1_000, 4
"""Worlds that are imagined for a decision, at most; and the playouts that each serves, at least."""

SHARP = 2.5
"""How much likelier the better of two moves is thought to be the best one, before any is tried."""

TEMPTS = 1.0
"""What a capture is thought worth at most before it is tried: more, and nothing else would be looked at."""

EASY = 1.5
"""What it is worth, in logits, that the rival has no plan: who has one need not gamble."""

SUSPICION = {Level.FIRST: 0.0, Level.MIDDLE: 0.3, Level.BEST: 0.3}
"""How likely a level thinks its rival to see through a Candidate in reach, beyond what all have seen."""

READINGS = {
    Level.FIRST: Reading(setup=0.0, moves=0.0, deeds=0.0),
    Level.MIDDLE: Reading(setup=0.5, moves=0.5, deeds=0.25),
    Level.BEST: Reading(setup=1.0, moves=1.0, deeds=1.0),
}
"""What a level makes of where masks were set up, how often they moved, and what else they did."""

SEES_WANDERERS = {Level.FIRST: False, Level.MIDDLE: True, Level.BEST: True}
"""Whether a level thinks of rivals without a plan. The first one takes everybody for its like."""

UNREAD = Reading(setup=0.0, moves=0.0, deeds=0.0)
"""What is made of the masks of a rival without a plan: nothing."""

WHIMS = 1 << 32
"""In how many ways a rival without a plan may wander."""

OVERLOOKS = (1, 3)
"""How often the first level does not think of what the rival will do."""

FANCIED = 0.3
"""It then makes one of the moves that seem at least so likely as the likeliest one.

Even so it sees what nobody misses who has read the rules: what its own move may lose by, and that its
Candidate stands beside a rival mask. Only where there is nothing else it does not mind.
"""

EQUAL = 0.9
"""Moves that were tried at least so often as the best one are as good: nobody meets the same match again."""

PATIENT, RISK = 0.5, 0.1
"""Who wins at least so often without it takes nothing that loses more often than the risk, being a Lady.

Whoever waits wins in time against a rival that wanders about, and loses little by it against its like.
"""

HABITS = {Level.FIRST: 3.0, Level.MIDDLE: 1.5, Level.BEST: 1.0}
"""How strictly a level sets its masks up as people do: the better ones are harder to see through."""

WARY = {Level.FIRST: 1.0, Level.MIDDLE: 0.5, Level.BEST: 0.5}
"""By how much less a Candidate is drawn to a square beside a rival mask. The first level has to try it."""

URGES = tuple(tuple(tuple(exp(SHARP * worth) for worth in squares) for squares in side) for side in VALUE)
"""For a seat, a symbol and a square: how much draws a mask there."""


class VoltoModel:
    """VOLTO as the search of one seat sees it.

    ``shares``: what everybody may believe of each mask. ``stood``: the mats that count as drawn if they come
    again, each with who is to move. ``suspicion``: see :data:`SUSPICION`. ``wary``: see :data:`WARY`.
    """

    def __init__(
        self,
        seat: Seat,
        root: World,
        shares: Sequence[Weights],
        stood: frozenset[tuple[bytes, Seat]],
        suspicion: float,
        wary: float,
    ) -> None:
        self._seat = seat
        self._suspicion = suspicion
        self._wary = wary
        self._stood = stood
        masks = range(len(shares))
        self._seeming = tuple(seeming(root.owner(mask), shares[mask]) for mask in masks)
        self._stakes = tuple(stakes(root, mask, shares) for mask in masks)
        self._urges = tuple(
            tuple(
                exp(SHARP * min(TEMPTS, stake + self._seeming[mask][root.places[mask]]))
                for stake in self._stakes[mask]
            )
            if root.places[mask] != NOWHERE
            else ()
            for mask in masks
        )

    def mover(self, world: World) -> Seat:
        """Return whose move it is; who has taken a mask looks at it first."""
        return self._seat if self._looks(world) else world.mover

    def moves(self, world: World) -> Sequence[tuple[Move, float]]:
        """Return the moves, each as likely as it seems to who makes it."""
        if world.winner is not None or world.drawn:
            return ()
        if self._looks(world):
            assert world.shown is not None
            return ((~world.shown, 1.0),)
        if world.whim and world.mover != self._seat:
            return ((strayed(world), 1.0),)
        wins = winning_move(world)
        return self._weighed(world) if wins is None else ((wins, 1.0),)

    def after(self, world: World, move: Move) -> World:
        """Return the world after a move, or after the look at a mask that was taken."""
        if move < 0:
            return replace(world, shown=None)
        found = after(world, move, world.hopes + self._hope(world, move))
        return replace(found, drawn=True) if (found.mat, found.mover) in self._stood else found

    def worth(self, world: World) -> tuple[float, float]:
        """Return how well each side stands, by what it may believe."""
        mine, theirs = self._mine(world), self._theirs(world)
        if world.drawn:
            mine = theirs = 0.0
        elif world.winner is None:
            mine += EASY if world.whim else 0.0
        else:
            mine = SURE if world.winner == self._seat else -SURE
            # What the rival has taken decides more than it could know before.
            if world.shown is None or world.mover != self._seat:
                theirs = -mine
        own, other = 1 / (1 + exp(-mine)), 1 / (1 + exp(-theirs))
        return (own, other) if self._seat == 0 else (other, own)

    def _looks(self, world: World) -> bool:
        # Of its own masks the seat learns nothing: in all worlds they are the same.
        return world.shown is not None and world.mover != self._seat and world.winner is None

    def _weighed(self, world: World) -> list[tuple[Move, float]]:
        places, kinds, urges = world.places, world.kinds, URGES[world.mover]
        found: list[tuple[Move, float]] = []
        total = 0.0
        for mask, target, other in moves_of(world):
            kind, origin = kinds[mask], places[mask]
            if other == NOWHERE:
                weight = urges[kind][target] / urges[kind][origin]
                if kind == CANDIDATE and next(rivals_beside(world, world.mover, target), None) is not None:
                    weight *= self._wary
            else:
                weight = self._urges[other][kind]
            total += weight
            found.append((origin * SIZE + target, weight))
        return [(move, weight / total) for move, weight in found]

    def _hope(self, world: World, move: Move) -> float:
        """Return what the rival hopes of a capture of its own, beyond the mask that is gone."""
        origin, target = divmod(move, SIZE)
        taken = world.mat[target]
        if taken == NOWHERE or world.mover == self._seat:
            return 0.0
        kind = world.kinds[world.mat[origin]]
        # Where it was a Lady, the captor is gone too, which was not more likely than its stakes say.
        gone = VALUE[world.mover][kind][target] if world.kinds[taken] == LADY else 0.0
        suspected = self._suspicion * DECIDES if world.kinds[taken] == CANDIDATE else 0.0
        return self._stakes[taken][kind] + gone + suspected

    def _mine(self, world: World) -> float:
        """Return how well who thinks stands in a world, in logits."""
        score = TEMPO if world.mover == self._seat else -TEMPO
        for mask, square in enumerate(world.places):
            if square != NOWHERE:
                seat = int(mask >= world.split)
                value = VALUE[seat][world.kinds[mask]][square]
                score += value if seat == self._seat else -value
        return score - danger(world, self._seat) + danger(world, 1 - self._seat)

    def _theirs(self, world: World) -> float:
        """Return how well the rival may think that it stands in a world, in logits."""
        score = world.hopes + (-TEMPO if world.mover == self._seat else TEMPO)
        for mask, square in enumerate(world.places):
            if square != NOWHERE:
                seat = int(mask >= world.split)
                score += (
                    -self._seeming[mask][square]
                    if seat == self._seat
                    else VALUE[seat][world.kinds[mask]][square]
                )
        return score - danger(world, 1 - self._seat)


def sentence(view: View, skill: Skill, rng: Rng) -> Words:
    """Return the arrangement or the move of a computer player in the viewer's seat."""
    assert view.viewer is not None
    stream = rng.stream("thinking")
    if view.phase is Phase.SETUP:
        return SETUP, arrangement(view.viewer, skill.level, stream)
    return words_of(_move(view, view.viewer, skill, stream))


def arrangement(seat: Seat, level: Level, stream: Stream) -> str:
    """Return the letters of an arrangement such as a level makes."""
    weights = [setup_weights(seat, square, HABITS[level]) for square in homes(seat)]
    return "".join(Belief(weights, MUSTER).draw(stream))


def _move(view: View, seat: Seat, skill: Skill, stream: Stream) -> Move:
    playouts = skill.playouts(BUDGETS)
    believed = beliefs(view, READINGS[skill.level])
    wanders = aimless(view, rival(seat)) if SEES_WANDERERS[skill.level] else 0.0
    worlds = _imagined(view, believed, wanders, min(1 + playouts // USES, WORLDS), stream)
    shares = [share for belief in believed for share in belief.shares()]
    model = VoltoModel(seat, worlds[0], shares, earlier(view), SUSPICION[skill.level], WARY[skill.level])
    moves = model.moves(worlds[0])  # its own masks, and so its moves, are the same in all worlds
    if len(moves) == 1:
        return moves[0][0]
    if skill.level is Level.FIRST and stream.chance(*OVERLOOKS):
        return stream.choice(_fancied(worlds[0], moves, shares))
    search = Search(model, lambda number: worlds[number % len(worlds)])
    search.run(playouts, LOOKS * playouts)
    return _patient(stream.choice(search.best(EQUAL)), search.ranking(), worlds, shares)


def _patient(
    move: Move,
    ranking: Sequence[tuple[Move, Node[Move]]],
    worlds: Sequence[World],
    shares: Sequence[Weights],
) -> Move:
    """Return the move, or the best one that risks nothing where it gambles without need."""
    root = worlds[0]
    taken = root.mat[move % SIZE]
    if not may_lose(root, move, shares) or _often_lady(taken, worlds) < RISK:
        return move
    safe = (other for other, node in ranking if node.mean >= PATIENT and not may_lose(root, other, shares))
    return next(safe, move)


def _often_lady(mask: int, worlds: Sequence[World]) -> float:
    """Return in what share of the worlds a mask is a Lady."""
    return sum(world.kinds[mask] == LADY for world in worlds) / len(worlds)


def _fancied(root: World, moves: Sequence[tuple[Move, float]], shares: Sequence[Weights]) -> list[Move]:
    """Return the moves that seem good to who does not think of what the rival will do."""
    careful = [
        (move, likely)
        for move, likely in moves
        if not may_lose(root, move, shares) and not exposed(after(root, move, 0.0), root.mover)
    ]
    looked_at = careful or moves
    likeliest = max(likely for _, likely in looked_at)
    return [move for move, likely in looked_at if likely >= FANCIED * likeliest]


def _imagined(
    view: View, believed: tuple[Belief, Belief], wanders: float, count: int, stream: Stream
) -> list[World]:
    """Return worlds that look like the view; in some of them the rival wanders about without a plan.

    These are as many as it is likely to, by ``wanders``. Without them a side that is well ahead of such a
    rival would gamble, as it has to against its like.
    """
    seat = view.viewer
    assert seat is not None
    other = rival(seat)
    own = tuple(mask.kind for mask in view.masks if mask.seat == seat and mask.kind is not None)
    planned, unread = believed[other], beliefs(view, UNREAD)[other]
    found: list[World] = []
    for _ in range(count):
        strays = stream.below(WHIMS) < wanders * WHIMS
        drawn = (unread if strays else planned).draw(stream)
        world = world_of(view, (own, drawn) if seat == 0 else (drawn, own))
        found.append(replace(world, whim=1 + stream.below(WHIMS)) if strays else world)
    return found
