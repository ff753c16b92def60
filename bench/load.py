"""A full house: ``python -m bench.load``, 1,000 open matches and 50 clicks a second for five minutes.

The whole bot, in a process of its own, serves a sandbox over HTTP and WebSocket. All matches stand in its
database before it starts, half of them of each game; once their boards are shown, people click what boards
and panels offer, at an even pace, whatever the answers take; one click in ten comes twice. Measured: from
the click to its acknowledgement (that is what Discord waits for) and to the answer, the memory of the
bot's processes, and how much is left in the outbox. How long pictures wait, the bot's own log says.
The exit status is 1 where a bound is missed. ``--seconds 60 --matches 100`` is a shorter run.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from bench.crowd import Crowd, open_matches
from bench.matches import MIB, descendants, proportional, verdict, worked
from sandbox.server import Sandbox

ACKNOWLEDGED = 300.0
"""Milliseconds from click to acknowledgement, at most, of 99 in 100."""

GROWTH = 5.0
"""Per cent that the bot's memory may grow once it has served for some minutes."""

SETTLED = 300.0
"""Seconds after which it should have all that it keeps; of a shorter run, half."""

MEMORY = 600.0
"""MiB that all processes of the bot may take together, pages that they share counted once."""

SAMPLES = 2.0
"""Seconds between two looks at the memory."""

PROGRESS = 30.0
BEHIND = 120.0
"""Seconds that the outbox may take to be worked off once nobody clicks any more."""

START = 1_800.0
"""Seconds until all boards must be shown."""


@dataclass(slots=True)
class Bot:
    """The bot in a process of its own, and what is known of it from outside."""

    process: asyncio.subprocess.Process
    database: Path
    log: Path
    sizes: list[int] = field(default_factory=list)
    """Bytes that all of its processes take together, at each look."""
    worked: list[float] = field(default_factory=list)
    """Seconds on a core, at each look: of the bot itself, and of its painters together."""
    painted: list[float] = field(default_factory=list)

    @classmethod
    async def start(
        cls, sandbox: Sandbox, folder: Path, program: Sequence[str] = ("-m", "bot", "serve")
    ) -> Bot:
        """Start the bot beside a sandbox; ``program`` is what the interpreter runs."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("DISCORD_")}
        environment = {
            **kept,
            "DISCORD_TOKEN": sandbox.token,
            "BAUTA_API_URL": sandbox.api,
            "BAUTA_GATEWAY_URL": sandbox.gateway,
            "BAUTA_DATABASE": str(folder / "bauta.db"),
        }
        with (folder / "bot.log").open("ab") as log:
            process = await asyncio.create_subprocess_exec(
                sys.executable, *program, env=environment, stdout=log, stderr=log
            )
        return cls(process, folder / "bauta.db", folder / "bot.log")

    def jobs(self) -> int:
        """Return how many jobs of the outbox are due."""
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            (count,) = connection.execute(
                "SELECT count(*) FROM job WHERE due <= ?", (time.time(),)
            ).fetchone()
        return int(count)

    def processes(self) -> list[str]:
        """Return the ids of all of its processes, its own first."""
        return [str(self.process.pid), *descendants(self.process.pid)]

    def look(self) -> None:
        """Note its memory, and how long its processes have worked."""
        own, *others = self.processes()
        self.sizes.append(sum(map(proportional, (own, *others))))
        self.worked.append(worked(own))
        self.painted.append(sum(map(worked, others)))

    def forget(self) -> None:
        """Begin to look anew."""
        for looks in (self.sizes, self.worked, self.painted):
            looks.clear()
        self.look()

    async def watch(self) -> None:
        """Look at it now and then, until cancelled."""
        while True:
            self.look()
            await asyncio.sleep(SAMPLES)

    async def settled(self, patience: float) -> bool:
        """Wait until the outbox is empty; return whether that came in time."""
        end = time.monotonic() + patience
        while self.jobs() and time.monotonic() < end:  # noqa: ASYNC110 - another process works it off
            await asyncio.sleep(0.5)
        return not self.jobs()

    async def kill(self) -> None:
        """End it as a power cut would, and wait."""
        self.process.kill()
        await self.process.wait()

    async def stop(self) -> None:
        """Ask it to stop, and wait."""
        if self.process.returncode is None:
            self.process.terminate()
        await self.process.wait()


def growth(sizes: Sequence[int]) -> float:
    """Return how many per cent the memory has grown from when it had settled to the end of the run."""
    settled = min(round(SETTLED / SAMPLES), len(sizes) // 2)
    tenth = max(1, (len(sizes) - settled) // 10)
    first, last = sizes[settled : settled + tenth] or sizes, sizes[-tenth:]
    return 100 * (statistics.mean(last) / statistics.mean(first) - 1)


async def clicking(crowd: Crowd, bot: Bot, pace: float, seconds: float) -> None:
    """Let people click at an even pace for so long; print now and then how it goes."""
    begun = told = time.monotonic()
    async with asyncio.TaskGroup() as group:
        count = 0
        while (now := time.monotonic()) < begun + seconds:
            while count < (now - begun) * pace:
                count += 1
                group.create_task(crowd.click())
            if now > told + PROGRESS:
                told = now
                size = bot.sizes[-1] / MIB
                print(
                    f"  {now - begun:4.0f} s: {crowd.line()}; {size:.0f} MiB; {bot.jobs()} jobs due",
                    flush=True,
                )
            await asyncio.sleep(0.005)


async def measure(options: argparse.Namespace, folder: Path) -> bool:
    """Fill the house, let people click, print the figures; return whether all bounds are kept."""
    sandbox = Sandbox(page=False, rate_limits=False)
    await sandbox.start()
    rng = Random(options.seed)
    people = [sandbox.records.add_person(f"Person {number}").user for number in range(options.people)]
    begun = time.monotonic()
    tables = await open_matches(folder / "bauta.db", sandbox, people, options.matches)
    opened = f"{len(tables)} matches opened in {time.monotonic() - begun:.0f} s"
    print(f"{opened}; the machine's load is {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    bot = await Bot.start(sandbox, folder)
    watch = asyncio.create_task(bot.watch())
    try:
        crowd = Crowd(sandbox, people, tables, rng)
        begun = time.monotonic()
        await crowd.gathered(START)
        print(f"all boards shown after {time.monotonic() - begun:.0f} s", flush=True)
        await bot.settled(BEHIND)
        crowd.begin()
        bot.forget()
        await clicking(crowd, bot, options.pace, options.seconds)
        left = bot.jobs()
        begun = time.monotonic()
        caught_up = await bot.settled(BEHIND)
        print(f"{left} jobs due at the end, worked off in {time.monotonic() - begun:.1f} s")
        print(f"the machine's load is {os.getloadavg()[0]:.1f} now, this bench's part included")
        return report(crowd, bot, caught_up=caught_up)
    finally:
        watch.cancel()
        await bot.stop()
        await sandbox.stop()
        tell_log(bot.log)


def report(crowd: Crowd, bot: Bot, *, caught_up: bool) -> bool:
    """Print the figures beside their bounds."""
    acknowledged = sorted(crowd.acknowledged)
    shown = sorted(crowd.shown)
    print(f"{len(acknowledged)} clicks acknowledged, of which {crowd.sentences} said a sentence")
    for name, times in (("acknowledged", acknowledged), ("answered", shown)):
        middle, late = times[len(times) // 2], times[len(times) * 99 // 100]
        print(
            f"{name}: median {1e3 * middle:.0f} ms, 99% {1e3 * late:.0f} ms, longest {1e3 * times[-1]:.0f} ms"
        )
    bots, paints = (1e3 * (each[-1] - each[0]) / len(acknowledged) for each in (bot.worked, bot.painted))
    print(f"a click kept a core busy for {bots:.1f} ms in the bot, {paints:.1f} ms in its painters")
    each = ", ".join(f"{proportional(process) / MIB:.0f}" for process in bot.processes())
    print(f"memory: {bot.sizes[0] / MIB:.0f} to {bot.sizes[-1] / MIB:.0f} MiB; by process {each} MiB")
    late = 1e3 * acknowledged[len(acknowledged) * 99 // 100]
    kept = [
        verdict("click to acknowledgement, 99%", late, ACKNOWLEDGED, "ms"),
        verdict("clicks that were not acknowledged", crowd.failed, 0, "clicks"),
        verdict("memory of all processes together, at most", max(bot.sizes) / MIB, MEMORY, "MiB"),
        verdict("growth of the memory after the fifth minute", growth(bot.sizes), GROWTH, "%"),
        verdict("outbox not worked off", float(not caught_up), 0, ""),
    ]
    return all(kept)


def tell_log(log: Path) -> None:
    """Print what the bot's log says of its pictures, and of anything that went wrong."""
    lines = log.read_text("utf-8", "replace").splitlines()
    wrong = [line for line in lines if " WARNING " in line or " ERROR " in line]
    for line in [line for line in lines if "pictures: " in line] + wrong[:20]:
        print(f"  log: {line}")
    print(f"  log: {len(wrong)} warnings and errors")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    parser.add_argument("--matches", type=int, default=1_000, help="matches that are open")
    parser.add_argument("--people", type=int, default=12, help="who play them")
    parser.add_argument("--pace", type=float, default=50.0, help="clicks a second")
    parser.add_argument("--seconds", type=float, default=300.0, help="how long people click")
    parser.add_argument("--seed", type=int, default=1, help="of what is clicked")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        kept = asyncio.run(measure(options, Path(folder)))
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
