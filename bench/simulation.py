"""Runs the simulation of tests/kit/simulation over many seeds, as fast as it goes.

    python -m bench.simulation --seeds 20000 [--postgresql] [--first N] [--processes K] [--tree PATH]

It prints every seed that failed with the end of its trace, the first seed of each kind of failure, and the
rate. ``--tree`` takes the house from another checkout: what an older version got wrong is found there.
``--postgresql`` stores each house in PostgreSQL, where it is installed, and starts a server for that.
``--show SEED`` plays one seed and prints the end of its trace in any case.
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
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from tests.kit.simulation import KNOWN_LIMITS, simulate
from tests.kit.simulation.database import Storage
from tests.kit.simulation.sqlite import in_sqlite

if TYPE_CHECKING:
    from tests.kit.postgresql import Cluster

ROOT = Path(__file__).parents[1]
HOUSE = ("bot", "engines", "renderers", "sandbox")
"""What ``--tree`` takes from elsewhere; tests and bench stay ours."""

REPORTS = 10
"""Failures that are printed with their trace."""

_Outcome: TypeAlias = "tuple[int, tuple[str, ...], str, int]"


def main() -> int:
    """Run seeds; returns 1 where one has failed."""
    arguments = _arguments()
    if arguments.tree is not None:
        return _elsewhere(arguments.tree)
    begun = time.perf_counter()
    seeds = (
        [arguments.show]
        if arguments.show is not None
        else range(arguments.first, arguments.first + arguments.seeds)
    )
    kinds: Counter[str] = Counter()
    firsts: dict[str, int] = {}
    done = failed = steps = 0
    try:
        with _server(wanted=arguments.postgresql) as cluster:
            for seed, found, report, taken in _outcomes(seeds, arguments.processes, cluster):
                done, steps = done + 1, steps + taken
                failed += bool(set(found) - KNOWN_LIMITS)
                for kind in found:
                    kinds[kind] += 1
                    firsts.setdefault(kind, seed)
                if (set(found) - KNOWN_LIMITS and failed <= arguments.reports) or arguments.show is not None:
                    print(report, "\n", flush=True)
                if done % 500 == 0:
                    print(_line(done, failed, begun), flush=True)
    except KeyboardInterrupt:
        print("stopped")
    print(_line(done, failed, begun), f"{steps / max(done, 1):.0f} steps a run")
    for kind, number in kinds.most_common():
        known = " (a known limit)" if kind in KNOWN_LIMITS else ""
        print(f"  {kind}{known}: {number} runs, the first with seed {firsts[kind]}")
    return 1 if failed else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=1_000, help="how many runs")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--processes", type=int, default=1, help="processes at once")
    parser.add_argument("--reports", type=int, default=REPORTS, help="failures that are printed whole")
    parser.add_argument("--show", type=int, help="run this seed alone and print the end of its trace")
    parser.add_argument("--tree", type=Path, help="take the house from another checkout")
    parser.add_argument("--postgresql", action="store_true", help="store the houses in PostgreSQL")
    return parser.parse_args()


def _line(done: int, failed: int, begun: float) -> str:
    seconds = time.perf_counter() - begun
    return f"{done} seeds, {failed} failed, {seconds:.0f} s, {done / seconds:.1f} a second"


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
    seeds: Iterator[int] | range | list[int], processes: int, cluster: Cluster | None
) -> Iterator[_Outcome]:
    if processes <= 1:
        with _storage(cluster) as storage:
            for seed in seeds:
                yield _outcome(seed, storage)
        return
    parts = multiprocessing.get_context("spawn")
    with parts.Pool(processes, initializer=_begin, initargs=(cluster,)) as pool:
        yield from pool.imap_unordered(_outcome_here, seeds, chunksize=10)


_HERE = ExitStack()
_STORAGES: list[Storage] = []
"""Of a process among several: where its houses are stored, for as long as it lives."""


def _begin(cluster: Cluster | None) -> None:
    _STORAGES.append(_HERE.enter_context(_storage(cluster)))


def _outcome_here(seed: int) -> _Outcome:
    return _outcome(seed, _STORAGES[0])


def _outcome(seed: int, storage: Storage) -> _Outcome:
    result = simulate(seed, storage)
    return seed, tuple(sorted({one.kind for one in result.findings})), result.report(), result.steps


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
