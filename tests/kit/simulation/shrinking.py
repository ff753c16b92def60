"""A plan that finds something, cut down while the same kind of finding remains."""

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
"""Runs that are tried until what is found by then is told."""

TRIES = 3
"""Seeds that each smaller plan is tried with: it takes another course, and a race is not found in each."""

APART = 1_000_003
"""Between two of these seeds."""

LEAST = {"people": 2, "acts": 1, "tables": 1, "processes": 1}
QUIET = Plan()


@dataclass(frozen=True, slots=True)
class Shrunk:
    """The smallest run that still finds the same. ``first``: the plan that it was cut down from."""

    result: Result
    first: Plan
    runs: int
    """How many were tried."""

    def report(self) -> str:
        """Return how to play it again, what it finds, and the end of its trace."""
        return f"cut down in {self.runs} runs from --plan '{self.first.written()}'\n{self.result.report()}"


def shrink(first: Result, storage: Storage, *, most: int = MOST_RUNS) -> Shrunk:
    """Return the smallest run that finds one of the kinds of what a run has found.

    Known limits count only where nothing else was found. ``most``: the runs that are tried.
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
    """The smallest run so far that finds it."""
    kinds: Set[str]
    storage: Storage
    most: int
    runs: int = 0

    def finds_in(self, plans: Iterable[Plan]) -> bool:
        """Return whether one of some plans finds it too: it is the best then."""
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
    """Return what some runs have found, the first of it cut down; empty where nothing is wrong."""
    failed = [result for result in results if result.kinds - known]
    if not failed:
        return ""
    others = "\n".join(f"also seed {one.seed}: {sorted(one.kinds)}" for one in failed[1:])
    return f"{shrink(failed[0], storage).report()}\n{others}"


def _with(value: T, changes: Mapping[str, Any]) -> T:
    """Return a plan, or its faults, with other values in some fields."""
    return replace(value, **changes)


# --- plans in which less happens: of each kind of trouble, those first in which much less does ---------


def _without_clocks(plan: Plan) -> Iterator[Plan]:
    if plan.pace is not Pace.NONE:
        yield replace(plan, pace=Pace.NONE, days=False, leavers=0)
    if plan.days:
        yield replace(plan, days=False, leavers=0)


def _less(name: str, plan: Plan) -> Iterator[Plan]:
    """Yield it with less of a number, or with the quiet value of anything else."""
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
"""What a run is about, whatever befalls it."""


def _in_peace(plan: Plan) -> Iterator[Plan]:
    """Yield it without any trouble."""
    quiet = _with(QUIET, {name: getattr(plan, name) for name in _KEPT})
    if quiet != plan:
        yield quiet


_APART = ("pace", "days", "games", "longest")
"""What is reduced in a way of its own."""

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
"""Each yields plans in which less happens."""
