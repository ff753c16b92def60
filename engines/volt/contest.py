"""Programs against programs: what seats may have in mind, and how they learn to answer each other.

It is regret matching: round after round each seat draws one of its programs, and then leans to those that it
would rather have played. What it leans to on average is a mixed answer, which nobody can foresee.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from engines.core.contract import Seat
from engines.core.rng import Stream
from engines.volt.outlook import Outlook
from engines.volt.plans import Plan, Planner, Worth
from engines.volt.view import ProgramView

_PARTS = 1 << 24
"""Into how many parts a draw by shares divides what is shared."""


def shares(weights: Sequence[float]) -> list[float]:
    """Return weights as shares of their sum; all alike where they sum up to nothing."""
    total = sum(weights)
    return [weight / total for weight in weights] if total > 0 else [1 / len(weights)] * len(weights)


def drawn(found: Sequence[float], stream: Stream) -> int:
    """Return the place of one of some shares, drawn by them."""
    left = stream.below(_PARTS) / _PARTS
    for place, share in enumerate(found):
        left -= share
        if left < 0:
            return place
    return max(range(len(found)), key=found.__getitem__)  # the shares were rounded


@dataclass(slots=True)
class Pool:
    """The plans that a seat has in mind. ``regrets``: how much it would rather have played each.

    ``leanings``: how much it has leaned to each, over all rounds.
    """

    plans: list[Plan]
    regrets: list[float] = field(init=False)
    leanings: list[float] = field(init=False)

    def __post_init__(self) -> None:
        self.regrets = [0.0] * len(self.plans)
        self.leanings = [0.0] * len(self.plans)

    def add(self, plan: Plan) -> None:
        """Have one more plan in mind, unless its program is known."""
        if all(plan.program != known.program for known in self.plans):
            self.plans.append(plan)
            self.regrets.append(0.0)
            self.leanings.append(0.0)

    def favourites(self, most: int) -> list[Plan]:
        """Return the plans that the seat leans to, the one most leaned to first."""
        places = sorted(range(len(self.plans)), key=lambda place: (-self.leanings[place], place))
        return [self.plans[place] for place in places[:most]]

    def learn(self, worths: Sequence[float], mix: Sequence[float], weight: int) -> None:
        """Learn what each plan would have come to in a round in which it leaned to ``mix``."""
        mean = sum(worth * share for worth, share in zip(worths, mix, strict=True))
        for place, worth in enumerate(worths):
            # No regret falls below zero: what was bad at first is soon tried again (regret matching+).
            self.regrets[place] = max(0.0, self.regrets[place] + worth - mean)
            self.leanings[place] += weight * mix[place]

    def leaning(self, plan: Plan) -> float:
        """Return how much the seat has leaned to one of its plans."""
        return self.leanings[self.plans.index(plan)]

    def draw(self, stream: Stream) -> Plan:
        """Return a plan as the seat leans to it on average; any one before it has learned something."""
        return self.plans[drawn(shares(self.leanings), stream)]


@dataclass(frozen=True, slots=True)
class World:
    """What a seat may be up against: rivals with modules as guessed, and the number tile left for itself."""

    tile: int
    rivals: dict[Seat, Pool]
    planners: dict[Seat, Planner]
    """Who draws plans for each rival, with its modules and its tile."""


@dataclass(frozen=True, slots=True)
class Encounter:
    """One program of each other seat, and the tile that is left for a seat of its own."""

    tile: int
    others: dict[Seat, ProgramView]


class Contest:
    """A seat's own plans against those of its rivals in several worlds."""

    def __init__(self, outlook: Outlook, seat: Seat, own: Pool, worlds: Sequence[World]) -> None:
        self.own = own
        self._outlook = outlook
        self._seat = seat
        self.worlds = worlds
        self._known: dict[tuple[int, ...], tuple[float, ...]] = {}

    def play(self, number: int, stream: Stream) -> None:
        """Play the round with a number, from 0: all seats learn from it. Later rounds weigh more."""
        place = number % len(self.worlds)
        pools = {self._seat: self.own, **self.worlds[place].rivals}
        mixes = {seat: shares(pool.regrets) for seat, pool in pools.items()}
        chosen = {seat: drawn(mix, stream) for seat, mix in mixes.items()}
        for seat, pool in pools.items():
            worths = [self._chances(place, {**chosen, seat: plan})[seat] for plan in range(len(pool.plans))]
            pool.learn(worths, mixes[seat], number + 1)

    def _chances(self, place: int, chosen: dict[Seat, int]) -> tuple[float, ...]:
        key = (place, *chosen.values())
        found = self._known.get(key)
        if found is None:
            world = self.worlds[place]
            rivals = {seat: pool.plans[chosen[seat]].program for seat, pool in world.rivals.items()}
            own = self.own.plans[chosen[self._seat]].program
            found = self._known[key] = self._met(self._seat, Encounter(world.tile, rivals), own)
        return found

    def _met(self, seat: Seat, encounter: Encounter, program: ProgramView) -> tuple[float, ...]:
        return self._outlook.together({**encounter.others, seat: replace(program, tile=encounter.tile)})

    def encounters(self, count: int, stream: Stream) -> list[Encounter]:
        """Return what the seat may meet, from all worlds in turn, as the rivals lean on average."""
        worlds = [self.worlds[number % len(self.worlds)] for number in range(count)]
        return [
            Encounter(world.tile, {seat: pool.draw(stream).program for seat, pool in world.rivals.items()})
            for world in worlds
        ]

    def worth_to(self, rival: Seat, world: World, count: int, stream: Stream) -> Worth:
        """Return how likely a rival in a world is to win with a plan, as all others lean on average."""
        tile = world.planners[rival].tile
        assert tile is not None
        met: list[Encounter] = []
        for _ in range(count):
            others = {seat: pool.draw(stream).program for seat, pool in world.rivals.items() if seat != rival}
            own = replace(self.own.draw(stream).program, tile=world.tile)
            met.append(Encounter(tile, {**others, self._seat: own}))
        return lambda plan: self._mean(rival, plan, met)

    def mean(self, plan: Plan, encounters: Sequence[Encounter]) -> float:
        """Return how likely the seat is to win with a plan, on average over encounters."""
        return self._mean(self._seat, plan, encounters)

    def _mean(self, seat: Seat, plan: Plan, encounters: Sequence[Encounter]) -> float:
        chances = [self._met(seat, encounter, plan.program)[seat] for encounter in encounters]
        return sum(chances) / len(chances)
