"""What programs and short answers come to: how likely each seat then is to win the match.

A program is judged by a whole round carried out, a start space, a deck or a repair by the board after it.

The chances are those of a logistic model: a robot's standing is a sum of weights, and a seat's chance is the
share of its exponential. Most weights are fitted by their likelihood to a thousand positions of matches of
the middle level with itself, so that chances are those among players of one kind; what a robot off the board
is worth is set by hand. What had no clear weight is left out, such as pits beside a robot, and how many
modules its seat owns.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import exp
from typing import TypeAlias

from engines.core.contract import Seat, Words
from engines.volt.activation import forecast, run
from engines.volt.answers import Answer, Question, fold, sentences
from engines.volt.arena import OUT, STRAIGHT, WALL, Arena, arena
from engines.volt.battle import Battle, Piece, Won
from engines.volt.modules import ACTIVE
from engines.volt.preparation import NUMBERS, TOKENS
from engines.volt.view import Lost, ProgramView, RobotView, Space, View

LACKING = {1: 0.0, 2: -0.9, 3: -1.7, 4: -2.6, 5: -3.2}
"""What it is worth to lack so many points, in logits of winning; to lack more is worth no less."""

WOUNDED = (0.0, -0.22, -0.7)
"""What so much damage is worth."""

STEP = -0.08
"""What a step more to the nearest token is worth."""

OFF = -0.1
"""What it is worth to be off the board. Matches show next to nothing; who falls for nothing looks foolish."""

FAR = 20
"""Steps to a token that cannot be walked to, or where none lies."""

Robot: TypeAlias = "Piece | RobotView"

MODULE, SPARE = 0.1, 0.03
"""What a module is worth that can be active beside the others, and one that could replace another: logits."""


@dataclass(frozen=True, slots=True)
class Ground:
    """An arena as robots walk it.

    ``steps``: from each space to the space of each token, round the pits.
    """

    arena: Arena
    steps: dict[int, dict[Space, int]] = field(repr=False)


@cache
def ground(key: str) -> Ground:
    """Return the ground of the arena ``key``."""
    place = arena(key)
    return Ground(place, {number: _steps_to(place, space) for number, space in place.tokens.items()})


def _steps_to(place: Arena, goal: Space) -> dict[Space, int]:
    found, ahead = {goal: 0}, deque([goal])
    while ahead:
        space = ahead.popleft()
        for arrow in STRAIGHT:
            target = place.step(space, arrow)
            if target not in (WALL, OUT) and target not in place.pits and target not in found:
                found[target] = found[space] + 1
                ahead.append(target)
    return found


class Outlook:
    """A view as something to look ahead from.

    ``looked_at`` counts the programs that were carried out: what the budget of a computer player is spent on.
    """

    def __init__(self, view: View) -> None:
        self.looked_at = 0
        self._view = view
        self._ground = ground(view.arena)
        self._ways: dict[tuple[tuple[int, ...], Space], float] = {}

    def alone(self, seat: Seat, program: ProgramView) -> float:
        """Return how likely a seat is to win if nobody else moves in this round."""
        self.looked_at += 1
        battle = Battle.of(self._view, {seat: program})
        others = (other for other in range(len(battle.pieces)) if other != seat)
        try:
            forecast(battle, seat, program)
            return self._settled(battle, (seat, *others))[seat]
        except Won as won:
            return float(won.seat == seat)

    def together(self, programs: Mapping[Seat, ProgramView]) -> tuple[float, ...]:
        """Return how likely each seat is to win after a round of these programs, whose tiles differ."""
        self.looked_at += len(programs)
        battle = Battle.of(self._view, programs)
        try:
            run(battle)
            return self._settled(battle, sorted(programs, key=lambda seat: programs[seat].tile or 0))
        except Won as won:
            return tuple(float(won.seat == seat) for seat in range(len(battle.pieces)))

    def _settled(self, battle: Battle, order: Iterable[Seat]) -> tuple[float, ...]:
        return self.chances(battle.pieces, settle(battle, self._view.tokens, order))

    def chances(self, robots: Sequence[Robot], tokens: tuple[int, ...]) -> tuple[float, ...]:
        """Return how likely each seat is to win with robots that stand so, and these tokens on the board."""
        weights = [0.0 if robot.gone else exp(self._standing(robot, tokens)) for robot in robots]
        total = sum(weights)
        return tuple(weight / total for weight in weights)

    def _standing(self, robot: Robot, tokens: tuple[int, ...]) -> float:
        worth = LACKING[min(self._view.target - robot.score, max(LACKING))]
        if robot.pos is not None:
            return worth + WOUNDED[robot.damage] + STEP * self.way(robot.pos, tokens)
        # What damage destroyed comes back whole (rules page, Round, phase 0).
        damage = 0 if robot.lost is Lost.DAMAGE else robot.damage
        starts = self._ground.arena.start[robot.side]
        return worth + OFF + WOUNDED[damage] + STEP * min(self.way(space, tokens) for space in starts)

    def way(self, space: Space, tokens: tuple[int, ...]) -> float:
        """Return the steps to the nearest token, on average over those that may be laid next."""
        found = self._ways.get((tokens, space))
        if found is None:
            found = self._ways[tokens, space] = self._way(space, tokens)
        return found

    def _way(self, space: Space, tokens: tuple[int, ...]) -> float:
        steps = {number: self._ground.steps[number].get(space, FAR) for number in NUMBERS}
        nearest = min((steps[number] for number in tokens), default=FAR)
        supply = zip(NUMBERS, self._view.supply, strict=True)
        next_ones = [number for number, count in supply for _ in range(count) if number not in tokens]
        if len(tokens) >= TOKENS or not next_ones:
            return nearest
        return sum(min(nearest, steps[number]) for number in next_ones) / len(next_ones)


def settle(battle: Battle, tokens: Sequence[int], order: Iterable[Seat]) -> tuple[int, ...]:
    """Give what the spaces give, in an order of seats; return the tokens that are left. Raises :class:`Won`.

    On a repair space everybody is repaired: who draws a module instead is not foreseen.
    """
    place = battle.arena
    left = {place.tokens[number]: number for number in tokens}
    for seat in order:
        piece = battle.pieces[seat]
        if piece.pos is None:
            continue
        if left.pop(piece.pos, None) is not None:
            battle.score(seat, "token")
        elif piece.pos in place.repair:
            piece.damage = 0
        elif piece.pos in place.shock:
            battle.hurt(seat, 1, None)
    return tuple(left.values())


def weighed_answers(view: View) -> list[tuple[Words, float]]:
    """Return all answers to what the viewer's seat is asked, each with how likely it then is to win."""
    outlook = Outlook(view)
    answers = (fold(view, words) for words in sentences(Question.of(view)))
    return [(answer.words(), _chance(view, outlook, answer)) for answer in answers]


def _chance(view: View, outlook: Outlook, answer: Answer) -> float:
    seat = view.viewer
    assert seat is not None
    robot = view.robots[seat]
    if answer.space:
        robot = replace(robot, pos=answer.space, lost=None)
    if answer.other == "repair":
        robot = replace(robot, damage=0)
    robots = (*view.robots[:seat], robot, *view.robots[seat + 1 :])
    chance = outlook.chances(robots, view.tokens)[seat]
    if not answer.deck:
        return chance
    odds = exp(MODULE if is_missing(view, seat, answer.deck) else SPARE)
    return chance * odds / (chance * odds + 1 - chance)


def is_missing(view: View, seat: Seat, deck: str) -> bool:
    """Return whether one more module of a deck could be active beside all that a seat owns of it."""
    modules = view.modules[seat]
    owned = [card.deck for card in (*modules.active, *modules.spare)]
    # Never two red, never two blue (rules page, Round, phase 0).
    return owned.count(deck) < (ACTIVE if deck == "yellow" else 1)
