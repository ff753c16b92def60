"""Runs the simulation of tests/kit/simulation over many seeds, as fast as it goes.

    python -m bench.simulation --seeds 20000 [--postgresql] [--profile NAME] [--first N] [--processes K]

It prints every seed that failed with its plan and the end of its trace, the first seed of each kind of
failure, how many runs each profile had, and the rate. ``--profile`` plays one kind of trouble alone; several
take turns. ``--tree`` takes the house from another checkout: what an older version got wrong is found there.
``--postgresql`` stores each house in PostgreSQL, where it is installed, and starts a server for that.

``--show SEED`` plays one seed and prints the end of its trace in any case; ``--shrink SEED`` cuts its plan
down as long as it finds the same. ``--plan`` takes the plan of another report instead of the profile's.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tests.kit.simulation import KNOWN_LIMITS, simulate
from tests.kit.simulation.database import Storage
from tests.kit.simulation.plan import Plan, read
from tests.kit.simulation.profiles import POSTGRESQL, SQLITE, Profile
from tests.kit.simulation.shrinking import shrink
from tests.kit.simulation.sqlite import in_sqlite

if TYPE_CHECKING:
    from tests.kit.postgresql import Cluster

ROOT = Path(__file__).parents[1]
HOUSE = ("bot", "engines", "renderers", "sandbox")
"""What ``--tree`` takes from elsewhere; tests and bench stay ours."""

REPORTS = 10
"""Failures that are printed with their trace."""


@dataclass(frozen=True, slots=True)
class _Choice:
    """What is played: of each seed its own profile, or one of those that are named, or a plan."""

    profiles: tuple[str, ...]
    plan: Plan | None


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What became of a seed."""

    seed: int
    profile: str
    kinds: frozenset[str]
    report: str
    steps: int
    tally: dict[str, int]

    @property
    def has_failed(self) -> bool:
        return bool(self.kinds - KNOWN_LIMITS)


@dataclass(slots=True)
class _Summary:
    """What became of all seeds."""

    begun: float = field(default_factory=time.perf_counter)
    done: int = 0
    failed: int = 0
    steps: int = 0
    profiles: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    """By profile."""
    tallies: dict[str, Counter[str]] = field(default_factory=dict)
    kinds: Counter[str] = field(default_factory=Counter)
    firsts: dict[str, str] = field(default_factory=dict)

    def add(self, one: _Outcome) -> None:
        self.done += 1
        self.failed += one.has_failed
        self.steps += one.steps
        self.profiles[one.profile] += 1
        self.failures[one.profile] += one.has_failed
        self.tallies.setdefault(one.profile, Counter()).update(one.tally)
        for kind in one.kinds:
            self.kinds[kind] += 1
            self.firsts.setdefault(kind, f"{one.seed} of {one.profile}")

    def line(self) -> str:
        seconds = time.perf_counter() - self.begun
        rate = f"{self.done / seconds:.1f} a second"
        return f"{self.done} seeds, {self.failed} failed, {seconds:.0f} s, {rate}"

    def tell(self) -> None:
        print(self.line(), f"{self.steps / max(self.done, 1):.0f} steps a run")
        for name, runs in sorted(self.profiles.items()):
            met = ", ".join(f"{count} {what}" for what, count in sorted(self.tallies[name].items()))
            print(f"  profile {name}: {runs} runs, {self.failures[name]} failed; {met or 'nothing happened'}")
        for kind, number in self.kinds.most_common():
            known = " (a known limit)" if kind in KNOWN_LIMITS else ""
            print(f"  {kind}{known}: {number} runs, the first with seed {self.firsts[kind]}")


def main() -> int:
    """Run seeds; returns 1 where one has failed."""
    arguments = _arguments()
    if arguments.tree is not None:
        return _elsewhere(arguments.tree)
    choice = _Choice(tuple(arguments.profile), arguments.plan)
    if arguments.shrink is not None:
        return _shrink(arguments.shrink, choice, wanted=arguments.postgresql)
    seeds = (
        [arguments.show]
        if arguments.show is not None
        else range(arguments.first, arguments.first + arguments.seeds)
    )
    summary = _Summary()
    try:
        with _server(wanted=arguments.postgresql) as cluster:
            for one in _outcomes(seeds, choice, arguments.processes, cluster):
                summary.add(one)
                if (one.has_failed and summary.failed <= arguments.reports) or arguments.show is not None:
                    print(one.report, "\n", flush=True)
                if summary.done % 500 == 0:
                    print(summary.line(), flush=True)
    except KeyboardInterrupt:
        print("stopped")
    summary.tell()
    return 1 if summary.failed else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=f"{__doc__}\n{_listed('SQLite', SQLITE)}\n{_listed('PostgreSQL', POSTGRESQL)}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--seeds", type=int, default=1_000, help="how many runs")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--processes", type=int, default=1, help="processes at once")
    parser.add_argument("--reports", type=int, default=REPORTS, help="failures that are printed whole")
    parser.add_argument("--profile", action="append", default=[], metavar="NAME",
                        help="play this kind of trouble: see above; may be given several times")  # fmt: skip
    parser.add_argument("--plan", type=read, help="play this plan, as a report has it")
    parser.add_argument("--show", type=int, help="run this seed alone and print the end of its trace")
    parser.add_argument("--shrink", type=int, help="cut this seed's plan down while it finds the same")
    parser.add_argument("--tree", type=Path, help="take the house from another checkout")
    parser.add_argument("--postgresql", action="store_true", help="store the houses in PostgreSQL")
    arguments = parser.parse_args()
    names = {each.name for each in (POSTGRESQL if arguments.postgresql else SQLITE)}
    if unknown := sorted(set(arguments.profile) - names):
        parser.error(f"no profile {unknown[0]!r} here: there are {', '.join(sorted(names))}")
    return arguments


def _listed(where: str, profiles: Sequence[Profile]) -> str:
    lines = "".join(f"  {each.name:12} {each.about}\n" for each in profiles)
    return f"profiles over {where}:\n{lines}"


def _shrink(seed: int, choice: _Choice, *, wanted: bool) -> int:
    """Cut a seed's plan down, and print what is left; returns 1 where it has found anything."""
    with _server(wanted=wanted) as cluster, _storage(cluster) as storage:
        result = simulate(seed, storage, profile=_profile(seed, choice), plan=choice.plan)
        if not result.kinds:
            print(f"seed {seed} finds nothing")
            return 0
        print(shrink(result, storage).report())
    return 1


def _profile(seed: int, choice: _Choice) -> str | None:
    return choice.profiles[seed % len(choice.profiles)] if choice.profiles else None


@contextmanager
def _server(*, wanted: bool) -> Iterator[Cluster | None]:
    if not wanted:
        yield None
        return
    # Who does without need not have psycopg; neither has an older checkout's house.
    from tests.kit.postgresql import MISSING, binaries, running  # noqa: PLC0415

    programs = binaries()
    if programs is None:
        sys.exit(MISSING)
    with running(programs) as cluster:
        yield cluster


@contextmanager
def _storage(cluster: Cluster | None) -> Iterator[Storage]:
    if cluster is None:
        yield in_sqlite
        return
    from tests.kit.simulation.postgresql import in_postgresql  # noqa: PLC0415

    with in_postgresql(cluster) as storage:
        yield storage


def _outcomes(
    seeds: range | list[int], choice: _Choice, processes: int, cluster: Cluster | None
) -> Iterator[_Outcome]:
    if processes <= 1:
        with _storage(cluster) as storage:
            for seed in seeds:
                yield _outcome(seed, choice, storage)
        return
    parts = multiprocessing.get_context("spawn")
    with parts.Pool(processes, initializer=_begin, initargs=(cluster,)) as pool:
        yield from pool.imap_unordered(partial(_outcome_here, choice=choice), seeds, chunksize=10)


_HERE = ExitStack()
_STORAGES: list[Storage] = []
"""Of a process among several: where its houses are stored, for as long as it lives."""


def _begin(cluster: Cluster | None) -> None:
    _STORAGES.append(_HERE.enter_context(_storage(cluster)))


def _outcome_here(seed: int, choice: _Choice) -> _Outcome:
    return _outcome(seed, choice, _STORAGES[0])


def _outcome(seed: int, choice: _Choice, storage: Storage) -> _Outcome:
    result = simulate(seed, storage, profile=_profile(seed, choice), plan=choice.plan)
    profile = result.profile or "of its own"
    return _Outcome(seed, profile, result.kinds, result.report(), result.steps, dict(result.tally))


def _elsewhere(tree: Path) -> int:
    """Run the same with the house of another checkout: a folder of links stands in for the root."""
    with tempfile.TemporaryDirectory() as folder:
        for name in (*HOUSE, "tests", "bench"):
            (Path(folder) / name).symlink_to((tree if name in HOUSE else ROOT).resolve() / name)
        ours = sys.argv[1:]
        place = next(i for i, argument in enumerate(ours) if argument.startswith("--tree"))
        del ours[place : place + (1 if "=" in ours[place] else 2)]
        environment = {**os.environ, "PYTHONPATH": folder, "PYTHONSAFEPATH": "1"}
        command = [sys.executable, "-m", "bench.simulation", *ours]
        return subprocess.run(command, cwd=folder, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
