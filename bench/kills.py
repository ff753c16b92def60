"""The house under attack: ``python -m bench.kills``, 250 kills over SQLite and as many over PostgreSQL.

Rounds of matches of every game over the sandbox, several at once, several people each, while the bot is
killed with SIGKILL at random moments and at those where a kill hurts most. After every restart people press
what was open when it died, and play on while it recovers; every screen must tell the truth within seconds.
At the end of a round no sentence may be lost or doubled, and nobody may have received what only somebody else
may know. A sentence is acknowledged once its person reads that it is said: then it must be in the log, once.
The exit status is 1 if anything is wrong. ``--kills 20 --database sqlite`` is a shorter run.
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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from bench.databases import durable
from bench.matches import verdict
from bot.domain.address import Address
from tests.e2e.kills.rounds import Report, play_round

EACH = 20
"""Kills of a round: a fresh sandbox and a fresh database every so often."""

AT_ONCE = 2

DATABASES = ("sqlite", "postgresql")


@contextmanager
def addresses(database: str) -> Iterator[Callable[[], Address | None]]:
    """Run what a database needs; yield what makes a round's address: ``None``, a file in its folder."""
    if database == "sqlite":
        yield lambda: None
        return
    numbers = count(1)

    def made() -> Address:
        # Locks are a database's: houses that are served at once need one each.
        name = f"round{next(numbers)}"
        cluster.execute(f"CREATE DATABASE {name}")
        return cluster.address(name)

    with durable() as cluster:
        yield made


async def rounds(
    kills: int, seed: int, folder: Path, whole: Report, address: Callable[[], Address | None]
) -> None:
    """Play rounds, some at once, until there were as many kills as wanted."""
    seeds = iter(range(seed, sys.maxsize))
    await asyncio.gather(*(_worker(kills, seeds, folder, whole, address) for _ in range(AT_ONCE)))


async def _worker(
    kills: int, seeds: Iterator[int], folder: Path, whole: Report, address: Callable[[], Address | None]
) -> None:
    while whole.kills.total() < kills:
        seed = next(seeds)
        place = folder / str(seed)
        place.mkdir(parents=True)
        wanted = min(EACH, max(1, kills - whole.kills.total()))
        report = await play_round(place, seed, wanted, address())
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


def judged(database: str, whole: Report, kills: int) -> bool:
    """Print what the rounds over a database came to; return whether nothing is wrong."""
    print(f"\n{database}: {_figures(whole)}")
    print(f"{whole.missed} kills came before their moment was reached")
    for name, times in whole.kills.most_common():
        print(f"{times:4} × {name}")
    for fault in whole.faults:
        print(f"WRONG {fault}")
    kept = [
        verdict(f"{database}: kills", whole.kills.total(), kills, "", least=True),
        verdict(f"{database}: sentences acknowledged", whole.acknowledged, 1, "", least=True),
        verdict(f"{database}: sentences lost", whole.lost, 0, ""),
        verdict(f"{database}: sentences doubled", whole.doubled, 0, ""),
        verdict(f"{database}: whatever else is wrong", len(whole.faults), 0, ""),
    ]
    return all(kept) and whole.clean


def main(arguments: Sequence[str] | None = None) -> int:
    """Kill as often as asked; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=250, help="how often the bot is killed, a database")
    parser.add_argument("--database", choices=DATABASES, help="one of them alone")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first round")
    parser.add_argument("--folder", type=Path, help="where databases and logs are left; nowhere, if left out")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(message)s")
    warnings.filterwarnings("ignore", r"unread_data\(\) is deprecated", DeprecationWarning)
    clean = True
    with tempfile.TemporaryDirectory() as temporary:
        for database in DATABASES if options.database is None else (options.database,):
            whole, begun = Report(), time.perf_counter()
            with addresses(database) as address:
                folder = (options.folder or Path(temporary)) / database
                asyncio.run(rounds(options.kills, options.seed, folder, whole, address))
            clean &= judged(database, whole, options.kills)
            print(f"{time.perf_counter() - begun:.0f} s in all", flush=True)
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
