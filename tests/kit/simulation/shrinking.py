"""Shrinking: reduces a plan with findings as long as the same kind of finding remains."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, TypeVar

from bot.domain.clocks import Pace
from tests.kit.simulation.database import Storage
from tests.kit.simulation.faults import CALM, Faults
from tests.kit.simulation.findings import KNOWN_LIMITS
from tests.kit.simulation.loop import QUICK, USUAL
from tests.kit.simulation.plan import Plan
from tests.kit.simulation.run import Result, simulate

T = TypeVar("T", Plan, Faults)

MOST_RUNS = 300
"""The maximum number of runs to try."""

TRIES = 3
"""The number of seeds per smaller plan, because races are not found with every seed."""

APART = 1_000_003
"""The distance between two of these seeds."""

LEAST = {"people": 2, "acts": 1, "tables": 1, "processes": 1}
QUIET = Plan()


@dataclass(frozen=True, slots=True)
class Shrunk:
    """The smallest run with the same kind of finding. ``first``: the original plan."""

    result: Result
    first: Plan
    runs: int
    """The number of tried runs."""

    def report(self) -> str:
        """Return how to repeat it, its findings, and the end of its trace."""
        return f"cut down in {self.runs} runs from --plan '{self.first.written()}'\n{self.result.report()}"


def shrink(first: Result, storage: Storage, *, most: int = MOST_RUNS) -> Shrunk:
    """Return the smallest run with a finding of the same kind as a run.

    Known limits count only if nothing else was found. ``most``: the maximum number of tried runs.
    """
    kinds = first.kinds - KNOWN_LIMITS or first.kinds
    search = _Search(first, kinds, storage, most)
    before = None
    while before is not search.best and search.runs < most:
        before = search.best
        for calmer in REDUCTIONS:
            while search.finds_in(calmer(search.best.plan)):
                pass
    return Shrunk(search.best, first.plan, search.runs)


@dataclass(slots=True)
class _Search:
    best: Result
    """The smallest run so far with the finding."""
    kinds: Set[str]
    storage: Storage
    most: int
    runs: int = 0

    def finds_in(self, plans: Iterable[Plan]) -> bool:
        """Return whether one of these plans has the finding too, and becomes the best."""
        first = self.best.seed
        for plan in plans:
            for seed in range(first, first + TRIES * APART, APART):
                if self.runs >= self.most:
                    return False
                self.runs += 1
                result = simulate(seed, self.storage, plan=plan)
                if result.kinds & self.kinds:
                    self.best = result
                    return True
        return False


def explain(results: Iterable[Result], storage: Storage, *, known: Set[str] = KNOWN_LIMITS) -> str:
    """Return the findings of runs, the first one shrunk; empty: none."""
    failed = [result for result in results if result.kinds - known]
    if not failed:
        return ""
    others = "\n".join(f"also seed {one.seed}: {sorted(one.kinds)}" for one in failed[1:])
    return f"{shrink(failed[0], storage).report()}\n{others}"


def _with(value: T, changes: Mapping[str, Any]) -> T:
    """Return a plan, or its faults, with other values in some fields."""
    return replace(value, **changes)


# --- smaller plans: for each kind of trouble, much smaller ones first ----------------------------------


def _without_clocks(plan: Plan) -> Iterator[Plan]:
    if plan.pace is not Pace.NONE:
        yield replace(plan, pace=Pace.NONE, days=False, leavers=0)
    if plan.days:
        yield replace(plan, days=False, leavers=0)


def _less(name: str, plan: Plan) -> Iterator[Plan]:
    """Yield plans with a smaller number, or with the quiet value of other fields."""
    value, quiet = getattr(plan, name), getattr(QUIET, name)
    least = LEAST.get(name, 0)
    less: list[Any] = [quiet] if value != quiet else []
    if isinstance(value, int) and not isinstance(value, bool):
        less = sorted({max(least, count) for count in (least, value // 2, value - 1)} - {value})
    yield from (_with(plan, {name: each}) for each in less)


def _shorter(plan: Plan) -> Iterator[Plan]:
    if plan.longest > QUIET.longest:
        yield replace(plan, longest=QUIET.longest)
        yield replace(plan, longest=max(QUIET.longest, plan.longest / 2))


def _fewer_games(plan: Plan) -> Iterator[Plan]:
    if len(plan.games) > 1:
        different = [game for place, game in enumerate(plan.games) if game not in plan.games[:place]]
        yield from (replace(plan, games=(game,)) for game in different)


def _fewer_faults(plan: Plan) -> Iterator[Plan]:
    for share in fields(Faults):
        calm = getattr(CALM, share.name)
        if getattr(plan.faults, share.name) != calm:
            yield replace(plan, faults=_with(plan.faults, {share.name: calm}))


def _quicker(plan: Plan) -> Iterator[Plan]:
    if plan.pauses not in (QUICK, USUAL):
        yield replace(plan, pauses=USUAL)


_KEPT = ("people", "acts", "tables", "games", "pace", "days", "processes")
"""The fields that are not faults."""


def _in_peace(plan: Plan) -> Iterator[Plan]:
    """Yield the plan without faults."""
    quiet = _with(QUIET, {name: getattr(plan, name) for name in _KEPT})
    if quiet != plan:
        yield quiet


_APART = ("pace", "days", "games", "longest")
"""The fields with special reductions."""

REDUCTIONS: tuple[Callable[[Plan], Iterator[Plan]], ...] = (
    _in_peace,
    _without_clocks,
    *(partial(_less, each.name) for each in fields(Plan) if each.name not in (*_APART, *LEAST)),
    *(partial(_less, name) for name in LEAST),
    _fewer_games,
    _fewer_faults,
    _quicker,
    _shorter,
)
"""Functions that yield smaller plans."""
