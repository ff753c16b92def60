"""Attack the house: ``python -m bench.hostile --count 100000 --seed 1``.

Prints the seed and the failing interaction, and returns 1, where something does not hold; the same seed
gives the same run again.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import sys
import time

from bench.hostile.run import attack
from bench.hostile.watch import Broken, Watch

IN_TIME = 3.0
"""Seconds after which Discord takes no acknowledgement any more."""


def main() -> int:
    """Run, and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2_000, help="interactions")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--every", type=int, default=10_000, help="interactions between two lines of progress"
    )
    options = parser.parse_args()
    begun = time.perf_counter()
    seen = [0]

    def progress(done: int, watch: Watch) -> None:
        if done // options.every > seen[0]:
            seen[0] = done // options.every
            grown = {name: size for name, size in watch.census().items() if size}
            seconds = time.perf_counter() - begun
            print(
                f"{done}: {seconds:.0f} s, {_mib():.0f} MiB at most, {dict(watch.counts)}, {grown}",
                flush=True,
            )

    try:
        report = asyncio.run(attack(options.seed, options.count, progress))
    except Broken as error:
        print(error)
        return 1
    seconds = time.perf_counter() - begun
    print(f"seed {report.seed}: {report.interactions} interactions in {seconds:.0f} s, all invariants hold")
    print(f"delivered: {dict(report.kinds)}; unreadable for discord.py: {report.unreadable}")
    print(f"written: {dict(report.written)}")
    print(f"slowest acknowledgement: {1e3 * report.slowest:.0f} ms; memory: {_mib():.0f} MiB at most")
    print(f"kept in memory: {report.census}")
    return 0 if report.slowest < IN_TIME else 1


def _mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    sys.exit(main())
