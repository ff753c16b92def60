"""Runs the simulation of tests/kit/simulation over many seeds, as fast as it goes.

    python -m bench.simulation --seeds 20000 [--first N] [--processes K] [--tree PATH] [--show SEED]

It prints every seed that failed with the end of its trace, the first seed of each kind of failure, and the
rate. ``--tree`` takes the house from another checkout: what an older version got wrong is found there.
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
from pathlib import Path
from typing import TypeAlias

from tests.kit.simulation import KNOWN_LIMITS, simulate

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
        for seed, found, report, taken in _outcomes(seeds, arguments.processes):
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
    return parser.parse_args()


def _line(done: int, failed: int, begun: float) -> str:
    seconds = time.perf_counter() - begun
    return f"{done} seeds, {failed} failed, {seconds:.0f} s, {done / seconds:.1f} a second"


def _outcomes(seeds: Iterator[int] | range | list[int], processes: int) -> Iterator[_Outcome]:
    if processes <= 1:
        yield from map(_outcome, seeds)
        return
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from pool.imap_unordered(_outcome, seeds, chunksize=10)


def _outcome(seed: int) -> _Outcome:
    result = simulate(seed)
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
