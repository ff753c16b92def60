"""Many servers, several processes: ``python -m bench.shards``, kills and restarts under load.

16 shards in 4 processes with PostgreSQL beside them serve a sandbox: 10,000 matches are open, people click
100 times a second for ten minutes, whatever the answers take; a process is killed each minute and started
again after 15 s, and PostgreSQL is restarted twice. Each sentence that somebody was told is said must stand
in its log, once and in its order; in the end each thread's board must show what is committed.
``--sqlite``: one process with SQLite, of which nothing is killed, under the same load. ``--against-sqlite``:
both, one after the other. The exit status is 1 where anything acknowledged was lost or doubled, or a thread
does not show the truth.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from itertools import pairwise
from pathlib import Path
from random import Random

from bench.databases import ask, durable
from bench.load import THINKS, clicking
from bench.matches import lies
from bench.shards.boards import Boards
from bench.shards.house import House, Plan, copy, found
from bench.shards.people import Witnesses
from bench.shards.report import Course, Figures, compare, figures, limited, read, tell, tell_logs
from bench.shards.trouble import Trouble, kill_each, restart_database
from bench.shards.work import Meter
from bot.domain.address import Address
from bot.domain.shards import Shards
from bot.runtime.memory import rare_full_collections
from tests.e2e.sharded import ShardedStage
from tests.kit.postgresql import Cluster

PATIENCE = 3_600.0
"""Seconds until all boards must be shown, and for what is due at the end."""

PROGRESS = 60.0
"""Seconds between two lines about a wait."""

FIRST_KILL, FIRST_RESTART = 1 / 3, 3 / 4
"""When the first of them comes, as a part of the time from one to the next: never both at once."""


class MeasuredCrowd(Witnesses):
    """Witnesses whose work is told from the sandbox's."""

    meter: Meter

    async def click(self) -> None:
        """Click once."""
        await self.meter.measured(super().click())


def parts_of(shards: int, processes: int) -> tuple[Shards, ...]:
    """Return which shards each process serves."""
    bounds = [number * shards // processes for number in range(processes + 1)]
    return tuple(Shards(first, last - 1, shards) for first, last in pairwise(bounds))


def due(address: Address) -> int:
    """Return how many jobs of the outbox are due. Nobody waits for films."""
    return int(ask(address, "SELECT count(*) FROM job WHERE due <= ? AND kind <> 'film'", time.time())[0][0])


async def settled(address: Address, what: str) -> None:
    """Wait until nothing is due; print now and then how much is."""
    begun = told = time.monotonic()
    while (left := await asyncio.to_thread(due, address)) and time.monotonic() < begun + PATIENCE:
        if time.monotonic() > told + PROGRESS:
            told = time.monotonic()
            print(f"  {what}: {left} jobs are due", flush=True)
        await asyncio.sleep(0.5)
    print(f"{what}: {left} jobs are due after {time.monotonic() - begun:.0f} s", flush=True)


async def prepare(
    stage: ShardedStage, plan: Plan, at_once: int, seed: int
) -> tuple[House, MeasuredCrowd, Boards]:
    """Fill the house, let the bot show what is played, and copy the rest; all processes serve it then."""
    boards = Boards(stage.sandbox)
    begun = time.monotonic()
    house = await found(stage.address, stage.sandbox, plan)
    print(f"{len(house.tables)} matches begun in {time.monotonic() - begun:.0f} s", flush=True)
    crowd = MeasuredCrowd(stage.sandbox, house.people, house.tables, Random(seed), at_once, boards)
    await stage.start_all()
    await crowd.gathered(PATIENCE)
    await settled(stage.address, "all boards shown")
    await stage.kill_all()
    begun = time.monotonic()
    await copy(stage.address, stage.sandbox, house.tables, plan.matches - len(house.tables))
    print(f"{plan.matches} matches are open; copied in {time.monotonic() - begun:.0f} s", flush=True)
    begun = time.monotonic()
    await stage.start_all()
    print(f"all shards connected after {time.monotonic() - begun:.1f} s", flush=True)
    await settled(stage.address, "all matches looked at")
    return house, crowd, boards


async def load(
    options: argparse.Namespace,
    stage: ShardedStage,
    house: House,
    crowd: MeasuredCrowd,
    cluster: Cluster | None,
) -> Trouble:
    """Let people click while things go wrong."""
    trouble, meter, seconds = Trouble(), crowd.meter, float(options.seconds)
    kills = moments(seconds, options.kill_every, FIRST_KILL) if cluster is not None else []
    apart = seconds / max(1, options.database_restarts)
    restarts = moments(seconds, apart, FIRST_RESTART) if options.database_restarts else []
    meter.begin()
    async with asyncio.TaskGroup() as group, rare_full_collections():
        watch = group.create_task(meter.watch())
        wrong = [group.create_task(kill_each(stage, house, crowd, kills, meter.look, trouble))]
        if cluster is not None:
            wrong.append(group.create_task(restart_database(cluster, restarts, trouble)))

        def line() -> str:
            return f"{len(crowd.dead)} without an answer; {len(trouble.kills)} killed and back"

        await clicking(crowd, line, options.clicks, seconds)
        await asyncio.gather(*wrong)
        watch.cancel()
    return trouble


def moments(seconds: float, apart: float, first: float) -> list[float]:
    """Return when something happens: every so many seconds, the first time after a part of them."""
    count = int(seconds / apart - first) + 1 if apart > 0 and seconds > apart * first else 0
    return [apart * (number + first) for number in range(count)]


async def measure(
    options: argparse.Namespace, folder: Path, address: Address, cluster: Cluster | None
) -> Figures:
    """Measure one load, with PostgreSQL's ``cluster`` or with SQLite; print the figures."""
    parts = (None,) if cluster is None else parts_of(options.shards, options.processes)
    at_once = max(8, round(THINKS * options.clicks))
    live = options.live or min(options.matches, max(8 * options.shards, 2 * at_once))
    plan = Plan(options.shards, 2 * at_once, max(options.matches, live), live)
    async with AsyncExitStack() as stack:
        stage = ShardedStage(folder, address, (), shards=options.shards, people=(), checked=False)
        await stack.enter_async_context(stage)
        stage.parts = parts
        house, crowd, boards = await prepare(stage, plan, at_once, options.seed)
        crowd.meter = Meter(
            lambda: [program.pid for program in stage.programs.values()],
            lambda: [] if cluster is None or (pid := cluster.running_pid()) is None else [pid],
        )
        crowd.begin()
        begun, since = time.monotonic(), stage.sandbox.state.clock.now()
        trouble = await load(options, stage, house, crowd, cluster)
        seconds, shares = time.monotonic() - begun, crowd.meter.shares()
        requests = limited([each for each in stage.sandbox.requests if each.at >= since])
        print(f"the machine's load is {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
        await settled(address, "nobody clicks any more")
        await stage.kill_all()
        books = await read(address, [table.id for table in house.tables])
        wrong = await lies(stage.sandbox, address, (table.id for table in house.tables))
    return figures(books, crowd, boards, Course(options.clicks, seconds, trouble, shares, requests, wrong))


def run(options: argparse.Namespace, folder: Path, *, sqlite: bool) -> tuple[Figures, bool]:
    """Measure one load and print its figures; return them, and whether all bounds are kept."""
    name = "one process, SQLite" if sqlite else f"{options.processes} processes, PostgreSQL"
    print(f"\n{name}, {options.shards} shards, {options.clicks} clicks a second:", flush=True)
    folder.mkdir()
    if sqlite:
        result = asyncio.run(measure(options, folder, folder / "bauta.db", None))
    else:
        with durable() as cluster:
            result = asyncio.run(measure(options, folder, cluster.house(), cluster))
    print(f"\n{name}:")
    kept = tell(result)
    tell_logs(sorted(folder.glob("*.log")))
    return result, kept


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.shards", description=__doc__)
    parser.add_argument("--shards", type=int, default=16, help="shards of the bot")
    parser.add_argument("--processes", type=int, default=4, help="processes that serve them")
    parser.add_argument("--matches", type=int, default=10_000, help="matches that are open")
    parser.add_argument("--live", type=int, default=0, help="how many are played, if not as it takes")
    parser.add_argument("--clicks", type=float, default=100.0, help="clicks a second")
    parser.add_argument("--seconds", type=float, default=600.0, help="how long people click")
    parser.add_argument("--kill-every", type=float, default=60.0, help="seconds from kill to kill; 0: none")
    parser.add_argument("--database-restarts", type=int, default=2, help="restarts of PostgreSQL")
    parser.add_argument("--sqlite", action="store_true", help="one process with SQLite instead")
    parser.add_argument("--against-sqlite", action="store_true", help="both, and ratios")
    parser.add_argument("--seed", type=int, default=1, help="of what is clicked")
    parser.add_argument("--folder", type=Path, help="where databases and logs are left; nowhere, if left out")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.ERROR)
    # Painting ahead would take the cores from whoever plays, again after each kill.
    os.environ.setdefault("BAUTA_WARM_UP", "0")
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        kinds = [False, True] if options.against_sqlite else [options.sqlite]
        results = [
            run(options, folder / ("sqlite" if sqlite else "postgresql"), sqlite=sqlite) for sqlite in kinds
        ]
    if len(results) == 2:
        compare(results[0][0], results[1][0])
    return 0 if all(kept for _, kept in results) else 1


if __name__ == "__main__":
    sys.exit(main())
