"""Plans: whole programs that a seat may have in mind, drawn or changed a little, the best ones kept."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from engines.core.rng import Stream
from engines.volt.draft import Basis, Draft
from engines.volt.modules import MODULES, Use, in_order
from engines.volt.notation import COLOURS, program_of
from engines.volt.player import random_draft, random_part
from engines.volt.view import UNITS, ProgramView

_CHANGED_OVER = (1, 4)
"""How often two units are changed over where a plan is changed; else a unit gets another die."""

_HARMFUL = "reverse"
"""The one standing order that does not only help."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A draft with all its dice, and the program that it is."""

    draft: Draft
    program: ProgramView

    @classmethod
    def of(cls, draft: Draft) -> Plan:
        """Return the plan of a draft."""
        return cls(draft, program_of(draft.words()))


Worth = Callable[[Plan], float]


@dataclass(slots=True)
class Shortlist:
    """The best plans so far, at most ``size``; no program twice."""

    worth: Worth
    size: int
    ranking: list[tuple[float, int, Plan]] = field(default_factory=list)
    """Of each: its worth with the sign changed, its number, the plan; the best one first."""
    _seen: set[ProgramView] = field(default_factory=set)

    def add(self, plan: Plan) -> None:
        """Look at a plan, unless it is known."""
        if plan.program not in self._seen:
            self._seen.add(plan.program)
            insort(self.ranking, (-self.worth(plan), len(self._seen), plan))
            del self.ranking[self.size :]

    @property
    def plans(self) -> list[Plan]:
        """Return the plans, the best one first."""
        return [plan for _, _, plan in self.ranking]

    def close(self, share: float) -> list[Plan]:
        """Return the plans that are worth at least a share of the best one's worth."""
        return [plan for worth, _, plan in self.ranking if worth <= share * self.ranking[0][0]]


@dataclass(frozen=True, slots=True)
class Planner:
    """Draws plans for a seat. ``forgetful``: some standing orders that would help are left out.

    ``tile``: the number tile of all its plans; ``None`` where it is dealt at the reveal.
    """

    basis: Basis
    tile: int | None
    stream: Stream
    forgetful: bool = False

    def fresh(self) -> Plan:
        """Return any plan."""
        return self._plan(random_draft(self.basis, self.stream))

    def changed(self, plan: Plan) -> Plan:
        """Return a plan with another die, or with two units changed over."""
        draft, stream = plan.draft, self.stream
        unit = stream.below(len(UNITS))
        if stream.chance(*_CHANGED_OVER):
            other = (unit + 1 + stream.below(len(UNITS) - 1)) % len(UNITS)
            one, two = draft.parts[unit], draft.parts[other]
            return self._plan(draft.with_part(unit, two).with_part(other, one))
        colours = [colour for colour in COLOURS.values() if draft.dice_left(colour, unit)]
        part = random_part(draft, unit, stream.choice(colours), stream)
        return self._plan(draft.with_part(unit, part))

    def best(self, worth: Worth, looks: int, size: int) -> Shortlist:
        """Return the best of ``looks`` plans: half of them are fresh, the others change the best so far."""
        found = Shortlist(worth, size)
        for number in range(max(1, looks)):
            fresh = number <= looks // 2
            found.add(self.fresh() if fresh else self.changed(self.stream.choice(found.plans)))
        return found

    def _plan(self, draft: Draft) -> Plan:
        orders = draft.orders if self.forgetful else helpful_orders(draft)
        return Plan.of(replace(draft, orders=orders, tile=self.tile))


def helpful_orders(draft: Draft) -> tuple[str, ...]:
    """Return the standing orders of a draft, and all others that can only help."""
    standing = {name for name in draft.active if MODULES[name].use is Use.STANDING}
    return in_order((standing - {_HARMFUL}) | set(draft.orders))
