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
from engines.volt.plans import Plan
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

    plans: Sequence[Plan]
    regrets: list[float] = field(init=False)
    leanings: list[float] = field(init=False)

    def __post_init__(self) -> None:
        self.regrets = [0.0] * len(self.plans)
        self.leanings = [0.0] * len(self.plans)

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


@dataclass(frozen=True, slots=True)
class Encounter:
    """One program of each rival, and the tile that is left for the own one."""

    tile: int
    rivals: dict[Seat, ProgramView]


class Contest:
    """A seat's own plans against those of its rivals in several worlds."""

    def __init__(self, outlook: Outlook, seat: Seat, own: Pool, worlds: Sequence[World]) -> None:
        self.own = own
        self._outlook = outlook
        self._seat = seat
        self._worlds = worlds
        self._known: dict[tuple[int, ...], tuple[float, ...]] = {}

    def play(self, number: int, stream: Stream) -> None:
        """Play the round with a number, from 0: all seats learn from it. Later rounds weigh more."""
        place = number % len(self._worlds)
        pools = {self._seat: self.own, **self._worlds[place].rivals}
        mixes = {seat: shares(pool.regrets) for seat, pool in pools.items()}
        chosen = {seat: drawn(mix, stream) for seat, mix in mixes.items()}
        for seat, pool in pools.items():
            worths = [self._chances(place, {**chosen, seat: plan})[seat] for plan in range(len(pool.plans))]
            pool.learn(worths, mixes[seat], number + 1)

    def _chances(self, place: int, chosen: dict[Seat, int]) -> tuple[float, ...]:
        key = (place, *chosen.values())
        found = self._known.get(key)
        if found is None:
            world = self._worlds[place]
            rivals = {seat: pool.plans[chosen[seat]].program for seat, pool in world.rivals.items()}
            own = self.own.plans[chosen[self._seat]].program
            found = self._known[key] = self._met(Encounter(world.tile, rivals), own)
        return found

    def _met(self, encounter: Encounter, program: ProgramView) -> tuple[float, ...]:
        return self._outlook.together({**encounter.rivals, self._seat: replace(program, tile=encounter.tile)})

    def encounters(self, count: int, stream: Stream) -> list[Encounter]:
        """Return what the seat may meet, from all worlds in turn, as the rivals lean on average."""
        worlds = [self._worlds[number % len(self._worlds)] for number in range(count)]
        return [
            Encounter(world.tile, {seat: pool.draw(stream).program for seat, pool in world.rivals.items()})
            for world in worlds
        ]

    def mean(self, plan: Plan, encounters: Sequence[Encounter]) -> float:
        """Return how likely the seat is to win with a plan, on average over encounters."""
        chances = [self._met(encounter, plan.program)[self._seat] for encounter in encounters]
        return sum(chances) / len(chances)
