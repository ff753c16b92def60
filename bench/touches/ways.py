"""The cheapest way through whatever controls a panel offers, found by trying them."""

from __future__ import annotations

import heapq
from collections.abc import Hashable
from dataclasses import dataclass, field
from itertools import count
from typing import Protocol, TypeAlias

from bench.touches.controls import Step

Way: TypeAlias = tuple[Step, ...]

LAST = 1_000
"""Touches that a step counts for which is taken only where nothing else leads on."""

TRIES = 400
"""Steps that are tried before the first way that is found is good enough."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A panel as it is shown: ``steps`` that lead on from it, of which ``early`` ones only if they must.

    ``key``: equal for panels from which the same can be done. ``least``: touches that are still needed at
    least. ``said``: parts of the turn that are said for good; once it is not 0, the way is at its end.
    """

    key: Hashable
    steps: Way
    least: int = 0
    said: int = 0
    early: frozenset[Step] = field(default_factory=frozenset)


class Panel(Protocol):
    """A panel that can be tried out until something is said."""

    async def reset(self) -> Shown:
        """Take everything back, and return the panel."""
        ...

    async def take(self, step: Step) -> Shown:
        """Touch a control, and return the panel after it."""
        ...


class NoWay(Exception):  # noqa: N818 - it is what was found out
    """The panel does not lead to what is to be said."""


async def cheapest(panel: Panel, tries: int = TRIES) -> tuple[Way, Shown]:
    """Say something for good with as few touches as can be; return the steps, and the panel after them.

    Ways are tried in the order of the touches that they take at least, so the first one that says something
    takes the fewest. Raises :class:`NoWay`.
    """
    start = await panel.reset()
    here: Way = ()
    fewest: dict[Hashable, int] = {start.key: 0}
    # Of ways that seem as good those that go on from here come first, and of these what is offered first.
    numbers = count(0, -1)
    queue: list[tuple[int, int, Way, Step]] = []
    for step in reversed(start.steps):
        heapq.heappush(queue, (_touches((), step, start), next(numbers), (), step))
    while queue:
        _, _, before, step = heapq.heappop(queue)
        if before != here:
            await panel.reset()
            for again in before:
                await panel.take(again)
        shown = await panel.take(step)
        here = (*before, step)
        tries -= 1
        if shown.said:
            return here, shown
        taken = sum(each.touches for each in here)
        if fewest.get(shown.key, taken + 1) <= taken:
            continue
        fewest[shown.key] = taken
        for following in reversed(shown.steps):
            bound = _touches(here, following, shown) if tries > 0 else -len(here)
            heapq.heappush(queue, (bound, next(numbers), here, following))
    raise NoWay


def _touches(before: Way, step: Step, shown: Shown) -> int:
    """Return how many touches a way takes at least that goes on with a step."""
    taken = sum(each.touches for each in before) + step.touches
    return taken + max(0, shown.least - 1) + (LAST if step in shown.early else 0)
