"""Stopping under load: ``python -m bench.stops --stops 50``, at most 8 seconds each.

The whole bot, in a process of its own, serves a sandbox, and people click as in :mod:`bench.load`. At a
random moment it is asked to stop (SIGTERM), in the middle of clicks and pictures; now and then a painting
process is killed (SIGKILL) or halted (SIGSTOP) just before. Then it is started again. Measured: how long each
stop takes, what the log says of failures, and whether every click that was acknowledged was answered, the
last one on each panel by an edit. The exit status is 1 where anything is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from bench.crowd import Crowd, Table, open_matches
from bench.load import Bot
from bench.matches import descendants, verdict
from bench.traffic import spread
from sandbox.model import Interaction, User
from sandbox.server import Sandbox

LONGEST = 8.0
"""Seconds that a stop may take."""

HANGS = 60.0
"""Seconds after which a stop is taken for one that never ends."""

SERVES = (1.0, 6.0)
"""Seconds of clicks before a stop, at least and at most."""

WORRIES = (" ERROR ", "Traceback", "never retrieved", "was destroyed but it is pending")
"""Words of a log that has something to say of a stop."""


class Witness(Crowd):
    """A crowd that remembers what it pressed."""

    def __init__(
        self, sandbox: Sandbox, people: Sequence[User], tables: Sequence[Table], rng: Random
    ) -> None:
        super().__init__(sandbox, people, tables, rng)
        self.pressed: list[Interaction] = []

    async def _acknowledged(self, act: Interaction) -> None:
        self.pressed.append(act)
        await super()._acknowledged(act)

    def unanswered(self) -> int:
        """Return how many clicks were acknowledged and never answered; forget them all."""
        pressed, self.pressed = self.pressed, []
        newest: dict[int, Interaction] = {}
        for act in pressed:
            # An edit that a newer one has overtaken is none that anybody misses.
            if act.original_id is not None and act.answer is not None:
                newest[act.original_id] = act
        return sum(act.pending and not act.dead for act in newest.values())


@dataclass(slots=True)
class Figures:
    """What the stops have shown so far."""

    seconds: list[float] = field(default_factory=list)
    unanswered: int = 0
    codes: list[int] = field(default_factory=list)
    worries: list[str] = field(default_factory=list)


async def clicking(crowd: Crowd, pace: float) -> None:
    """Let people click at an even pace until cancelled."""
    loop, tasks = asyncio.get_running_loop(), set()
    begun, count = loop.time(), 0
    try:
        while True:
            while count < (loop.time() - begun) * pace:
                count += 1
                task = loop.create_task(crowd.click())
                tasks.add(task)
                task.add_done_callback(tasks.discard)
            await asyncio.sleep(0.01)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def hurt(bot: Bot, rng: Random) -> str:
    """Do something to a painting process, sometimes; return what."""
    painters = descendants(bot.process.pid)
    what = rng.choice(["", "", "killed", "halted"])
    if what and painters:
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(rng.choice(painters)), signal.SIGKILL if what == "killed" else signal.SIGSTOP)
    return what


async def stop_once(bot: Bot, crowd: Witness, figures: Figures, rng: Random, pace: float) -> None:
    """Let people click, stop the bot in mid-click, and note how that went."""
    clicks = asyncio.create_task(clicking(crowd, pace))
    await asyncio.sleep(rng.uniform(*SERVES))
    what = hurt(bot, rng)
    begun = time.monotonic()
    bot.process.terminate()
    try:
        await asyncio.wait_for(bot.process.wait(), HANGS)
    except TimeoutError:
        bot.process.kill()
        await bot.process.wait()
    took = time.monotonic() - begun
    clicks.cancel()
    await asyncio.gather(clicks, return_exceptions=True)
    unanswered = crowd.unanswered()
    figures.seconds.append(took)
    figures.unanswered += unanswered
    figures.codes.append(bot.process.returncode or 0)
    print(f"stop {len(figures.seconds)}: {took:.1f} s, {unanswered} unanswered {what}", flush=True)


async def measure(options: argparse.Namespace, folder: Path) -> bool:
    """Stop as often as asked; return whether every stop was in order."""
    sandbox = Sandbox(page=False)
    await sandbox.start()
    rng, figures = Random(options.seed), Figures()
    people = [sandbox.records.add_person(f"Person {number}").user for number in range(12)]
    places = spread(sandbox, people)
    tables = await open_matches(folder / "bauta.db", sandbox, people, options.matches, places=places)
    crowd = Witness(sandbox, people, tables, rng)
    bot = await Bot.start(sandbox, folder)
    try:
        await crowd.gathered(600.0)
        await bot.settled(120.0)
        for number in range(options.stops):
            await stop_once(bot, crowd, figures, rng, options.pace)
            if number + 1 < options.stops:
                bot = await Bot.start(sandbox, folder)
                while not sandbox.state.gateway.online:  # noqa: ASYNC110 - another process comes online
                    await asyncio.sleep(0.05)
    finally:
        await bot.stop()
        await sandbox.stop()
    lines = bot.log.read_text("utf-8", "replace").splitlines()
    figures.worries = [line for line in lines if any(word in line for word in WORRIES)]
    return report(figures)


def report(figures: Figures) -> bool:
    """Print the figures beside their bounds."""
    for line in figures.worries[:20]:
        print(f"  log: {line}")
    seconds = sorted(figures.seconds)
    print(f"{len(seconds)} stops, median {seconds[len(seconds) // 2]:.1f} s")
    kept = [
        verdict("a stop, at most", seconds[-1], LONGEST, "s"),
        verdict("clicks that were acknowledged and not answered", figures.unanswered, 0, "clicks"),
        verdict("lines of the log about failures", len(figures.worries), 0, "lines"),
        verdict("stops with another exit code than 0", sum(map(bool, figures.codes)), 0, "stops"),
    ]
    return all(kept)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.stops", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--stops", type=int, default=50, help="how often the bot is stopped")
    parser.add_argument("--matches", type=int, default=60, help="matches that are open")
    parser.add_argument("--pace", type=float, default=20.0, help="clicks a second")
    parser.add_argument("--seed", type=int, default=1, help="of what is clicked, and when it stops")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        return 0 if asyncio.run(measure(options, Path(folder))) else 1


if __name__ == "__main__":
    sys.exit(main())
