"""The house under attack: ``python -m bench.kills --kills 500``.

Rounds of matches of every game over the sandbox, several at once, several people each, while the bot is
killed with SIGKILL at random moments and at those where a kill hurts most. After every restart people press
what was open when it died, and play on while it recovers; every screen must tell the truth within seconds.
At the end of a round no sentence may be lost or doubled, and nobody may have received what only somebody else
may know. The exit status is 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.e2e.kills.rounds import Report, play_round

EACH = 20
"""Kills of a round: a fresh sandbox and a fresh database every so often."""

AT_ONCE = 2


async def rounds(kills: int, seed: int, folder: Path, whole: Report) -> None:
    """Play rounds, some at once, until there were as many kills as wanted."""
    seeds = iter(range(seed, sys.maxsize))
    await asyncio.gather(*(_worker(kills, seeds, folder, whole) for _ in range(AT_ONCE)))


async def _worker(kills: int, seeds: Iterator[int], folder: Path, whole: Report) -> None:
    while whole.kills.total() < kills:
        seed = next(seeds)
        place = folder / str(seed)
        place.mkdir(parents=True)
        report = await play_round(place, seed, min(EACH, max(1, kills - whole.kills.total())))
        whole.add(report)
        print(f"round {seed}: {_figures(report)}; {whole.kills.total()} kills so far", flush=True)


def _figures(report: Report) -> str:
    seconds = sorted(report.seconds) or [0.0]
    return (
        f"{report.kills.total()} kills, {report.matches} matches ({report.ended} ended), "
        f"{report.said} rows, {report.acknowledged} sentences acknowledged, {report.doubtful} in doubt, "
        f"{report.lost} lost, {report.doubled} doubled, {report.lying} lying threads, "
        f"{report.secrets} secrets shown of {report.canaries}, {report.probes} old controls used, "
        f"{statistics.median(seconds):.1f} s to the truth (median), {seconds[-1]:.1f} s (at most)"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Kill as often as asked; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=500, help="how often the bot is killed")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first round")
    parser.add_argument("--folder", type=Path, help="where databases and logs are left; nowhere, if left out")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(message)s")
    warnings.filterwarnings("ignore", r"unread_data\(\) is deprecated", DeprecationWarning)
    whole, begun = Report(), time.perf_counter()
    with tempfile.TemporaryDirectory() as temporary:
        asyncio.run(rounds(options.kills, options.seed, options.folder or Path(temporary), whole))
    print(f"\n{_figures(whole)}; {time.perf_counter() - begun:.0f} s in all")
    print(f"{whole.missed} kills came before their moment was reached")
    for name, count in whole.kills.most_common():
        print(f"{count:4} × {name}")
    for fault in whole.faults:
        print(f"WRONG {fault}")
    return 0 if whole.clean else 1


if __name__ == "__main__":
    sys.exit(main())
