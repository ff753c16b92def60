"""A full house: ``python -m bench.load``, 1,000 open matches and 50 clicks a second for five minutes.

The whole bot, in a process of its own, serves a sandbox over HTTP and WebSocket, with Discord's rate limits.
All matches stand in its database before it starts, as many of each game, in the channels of twenty servers;
once their boards are shown, people take their turns by what boards and panels offer, at an even pace; one
press in ten comes twice. Measured: from the click to its acknowledgement (that is what Discord waits for) and
to the answer, the memory of the bot's processes, how many boards are due and how long they wait, what the bot
asks of Discord, and how long after the last click all screens are true. How long pictures wait, the bot's own
log says; how late the bench itself is, stands beside its figures. What it leaves out (``NOT_MEASURED``) it
prints last.
With ``--spam`` one person opens tables and asks for pictures all the time, beside the others; ``bench.spam``
compares both. With ``--overload`` more is clicked than the machine can do, such as ``--pace 100`` on two
cores: clicks may be answered late and boards be due, but none may go without its acknowledgement.
At last the simulation's witness judges the evening (``bench.witness``).
The exit status is 1 where a bound is missed, or where people said so little that it measured nothing.
``--seconds 60 --matches 100`` is a shorter run.
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
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from bench.crowd import PATIENCE_S, Crowd, open_matches
from bench.matches import MIB, descendants, lies, proportional, verdict, worked
from bench.spammer import Spammer
from bench.traffic import LOOK_INTERVAL_S, Lag, Traffic, Waits, spread
from bot.app import GLOBAL_REQUESTS_PER_S
from bot.domain.jobs import JobKind
from bot.runtime.memory import rare_full_collections
from sandbox.server import Sandbox
from tests.e2e.kills.books import LATER
from tests.kit.environment import KEPT
from tests.kit.waiting import eventually
from tests.kit.witness import journal
from tests.kit.witness.report import judge

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

BOARDS = 50
"""Boards that are due at any look."""

SAID = 8.0
"""Sentences of 100 clicks, at least: a crowd that says less does not play, and its figures mean nothing."""

THINKS = 5.0
"""Seconds between two clicks of one person, about: so many people are at a panel at a time, half of all."""

SPARE_S = 20.0
"""Seconds after the last click that all screens may take to be true, beside what Discord's limit takes."""

REFUSED = 1.0
"""Requests of 100 that may be one too many: 10,000 in ten minutes, and Discord bans the machine."""

PROGRESS = 30.0
BEHIND = 600.0
"""Seconds that the outbox is waited for."""

START = 1_800.0
"""Seconds until all boards must be shown, and until the painters must be warm."""

TRANSCRIPT = "transcript"
"""The journal of the sandbox, beside the database."""

ANSWERS = """
SELECT log.at - before.at FROM log JOIN log AS before ON before.match = log.match AND before.seq = log.seq - 1
WHERE log.request LIKE 'computer:%'
"""

WARM = "warm-up complete"
"""The log line of finished painters. A bot that has never painted here takes long to get there."""


NOT_MEASURED = f"""\
Not in these figures:
- the way to Discord and back: all is on loopback; pictures are uploaded there, and nobody downloads them
- what Discord itself takes, and its faults: but for rate limits it answers at once, and no connection breaks
- a machine of its own for the bot: sandbox and people work on the same cores, which makes the figures worse
- clicks that nobody made because all were waiting; answers later than {PATIENCE_S:.0f} s, which count as that
- commands, typed moves, modals, direct messages, lessons: people press buttons and choose from menus
- larger tables and long matches: all have the fewest seats, and a few sentences when the clicks begin
- a cold start: clicks begin once scenes and sprites are painted (with --spam: once all boards are shown)
- several shards, PostgreSQL, an old database; a slow disk, unless the temporary folder is on one"""
"""What the figures leave out, as printed below them."""


@dataclass(slots=True)
class Bot:
    """The bot in a process of its own, and what is known of it from outside."""

    process: asyncio.subprocess.Process
    database: Path
    log: Path
    sizes: list[int] = field(default_factory=list)
    """Bytes that all of its processes take together, at each look."""
    largest: dict[str, int] = field(default_factory=dict)
    """Bytes that each process has taken, at most."""
    worked: list[float] = field(default_factory=list)
    """Seconds on a core, at each look: of the bot itself, and of its painters together."""
    painted: list[float] = field(default_factory=list)

    @classmethod
    async def start(
        cls,
        sandbox: Sandbox,
        folder: Path,
        program: Sequence[str] = ("-m", "bot", "serve"),
        *,
        real: bool = False,
    ) -> Bot:
        """Start the bot beside a sandbox; ``program`` is what the interpreter runs.

        ``real``: with its user's picture cache and warming up, which tests go without.
        """
        kept = {name: value for name, value in os.environ.items() if not name.startswith("DISCORD_")}
        for name in KEPT if real else ():
            kept.pop(name, None)
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

    def line(self) -> str:
        """Return how it is, on one line."""
        return f"{self.sizes[-1] / MIB:.0f} MiB; {self.unshown()} jobs to be done"

    def jobs(self, matches: frozenset[str] | None = None) -> int:
        """Return how many jobs of the outbox are due; of some matches, or of all."""
        return sum(due <= time.time() for _, due in self._jobs(matches))

    def unshown(self, matches: frozenset[str] | None = None) -> int:
        """Return how many jobs have something to show yet, those that wait for another try too."""
        return sum(kind not in LATER for kind, _ in self._jobs(matches))

    def _jobs(self, matches: frozenset[str] | None) -> list[tuple[JobKind, float]]:
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            rows = connection.execute("SELECT match, kind, due FROM job").fetchall()
        return [(JobKind(kind), due) for match, kind, due in rows if matches is None or match in matches]

    def sentences(self, matches: frozenset[str]) -> Counter[str]:
        """Return how many sentences people have said in these matches, by game."""
        said: Counter[str] = Counter()
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            query = (
                "SELECT match.id, match.game, count(log.seq) FROM match"
                " LEFT JOIN log ON log.match = match.id AND log.kind = 'act'"
                " AND log.request NOT LIKE 'computer:%' GROUP BY match.id"
            )
            for match, game, count in connection.execute(query):
                if match in matches:
                    said[game] += count
        return said

    def answers(self) -> list[float]:
        """Return the seconds from each row before a computer player's to its own: it was asked by then."""
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            return [seconds for (seconds,) in connection.execute(ANSWERS)]

    def processes(self) -> list[str]:
        """Return the ids of all of its processes, its own first."""
        return [str(self.process.pid), *descendants(self.process.pid)]

    def look(self) -> None:
        """Note its memory, and how long its processes have worked."""
        own, *others = self.processes()
        taken = {process: proportional(process) for process in (own, *others)}
        self.sizes.append(sum(taken.values()))
        for process, size in taken.items():
            self.largest[process] = max(size, self.largest.get(process, 0))
        alone, ended = worked(own)
        self.worked.append(alone)
        # A painter is renewed now and then: what it has worked is not lost with it.
        self.painted.append(ended + sum(sum(worked(process)) for process in others))

    def forget(self) -> None:
        """Begin to look anew."""
        for looks in (self.sizes, self.worked, self.painted, self.largest):
            looks.clear()
        self.look()

    async def watch(self) -> None:
        """Look at it now and then, until cancelled."""
        while True:
            self.look()
            await asyncio.sleep(SAMPLES)

    async def warm(self, patience: float) -> bool:
        """Wait until its painters are warm; return whether that came in time."""
        end = time.monotonic() + patience
        while not (warm := WARM in self.log.read_text("utf-8", "replace")) and time.monotonic() < end:  # noqa: ASYNC110
            await asyncio.sleep(1.0)
        return warm

    async def settled(self, patience: float, matches: frozenset[str] | None = None) -> bool:
        """Wait until nothing is due, of some matches or of all; return whether that came in time."""
        end = time.monotonic() + patience
        while (left := self.jobs(matches)) and time.monotonic() < end:  # noqa: ASYNC110 - another process works
            await asyncio.sleep(LOOK_INTERVAL_S)
        return not left

    async def kill(self) -> None:
        """End it as a power cut would, and wait."""
        self.process.kill()
        await self.process.wait()

    async def stop(self) -> None:
        """Ask it to stop, and wait."""
        if self.process.returncode is None:
            self.process.terminate()
        await self.process.wait()


@dataclass(frozen=True, slots=True)
class Evening:
    """What the people of one evening met."""

    kept: bool
    """Whether all bounds were kept."""
    shown: float
    """Seconds from the bot's start until all their boards were there."""
    late: float
    """Seconds within which 99 of 100 boards came."""
    boards: int
    acknowledged: float
    """Milliseconds within which 99 of 100 of their clicks were acknowledged."""
    asked: Mapping[str, int]
    """How often the spammer has done something, by kind."""
    answers: Sequence[float] = ()
    """Seconds that each answer of a computer player took, from when it was asked."""


def growth(sizes: Sequence[int]) -> float:
    """Return how many per cent the memory has grown from when it had settled to the end of the run."""
    settled = min(round(SETTLED / SAMPLES), len(sizes) // 2)
    tenth = max(1, (len(sizes) - settled) // 10)
    first, last = sizes[settled : settled + tenth] or sizes, sizes[-tenth:]
    return 100 * (statistics.mean(last) / statistics.mean(first) - 1)


async def clicking(crowd: Crowd, tell: Callable[[], str], pace: float, seconds: float) -> None:
    """Let people click at an even pace; print now and then how it goes, with what ``tell`` says."""
    begun = told = time.monotonic()
    async with asyncio.TaskGroup() as group:
        count = 0
        while (now := time.monotonic()) < begun + seconds:
            while count < (now - begun) * pace:
                count += 1
                group.create_task(crowd.click())
            if now > told + PROGRESS:
                told = now
                print(f"  {now - begun:4.0f} s: {crowd.line()}; {tell()}", flush=True)
            await asyncio.sleep(0.005)


async def evening(
    options: argparse.Namespace,
    folder: Path,
    *,
    spam: bool = False,
    with_computers: int = 0,
    overload: bool = False,
    kinds: Sequence[str] = (),
) -> Evening:
    """Fill the house, let people play, print the figures; return what the evening was like.

    ``with_computers``: in how many matches one person plays with computers; how long their boards wait does
    not count. ``overload``: more is clicked than the machine can do. ``kinds``: what is done by who spams.
    """
    sandbox = Sandbox(page=False, transcript=folder / TRANSCRIPT)
    await sandbox.start()
    traffic, lag = Traffic(sandbox), Lag()
    at_once = max(8, round(THINKS * options.pace))
    people = [sandbox.records.add_person(f"Person {number}").user for number in range(2 * at_once)]
    somebody, victim = (sandbox.records.add_person(name).user for name in ("Somebody", "Their victim"))
    channels = [sandbox.records.add_channel(f"spam-{number}") for number in range(3)]
    spammer = Spammer(sandbox, somebody, victim, people, channels, Random(options.seed), kinds)
    # Theirs are the first in the outbox.
    if spam:
        await spammer.open_tables(folder / "bauta.db")
    begun = time.monotonic()
    tables = await open_matches(
        folder / "bauta.db",
        sandbox,
        people,
        options.matches,
        with_computers=with_computers,
        places=spread(sandbox, people),
    )
    opened = f"{len(tables)} matches opened in {time.monotonic() - begun:.0f} s"
    print(f"{opened}; the machine's load is {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    everywhere = frozenset(table.id for table in tables)
    waits = Waits(folder / "bauta.db", frozenset(table.id for table in tables if not table.with_computers))
    waits.everybody = everywhere  # who spams may wait for their own
    begun = time.monotonic()
    traffic.begin()
    bot = await Bot.start(sandbox, folder, real=True)
    spamming = [asyncio.create_task(spammer.go_on())] if spam else []
    tasks = spamming + [asyncio.create_task(each.watch()) for each in (bot, waits, lag)]
    try:
        crowd = Crowd(sandbox, people, tables, Random(options.seed), at_once)
        await crowd.gathered(START)
        shown = time.monotonic() - begun
        print(f"all boards shown after {shown:.0f} s; {traffic.line()}", flush=True)
        # What a first start brings is no part of what people meet later. Who spams never comes to rest.
        settled = await bot.settled(BEHIND, waits.matches)
        print(f"their outbox is empty: {settled}, after {time.monotonic() - begun:.0f} s", flush=True)
        if not spam:  # whoever spams leaves no pause to warm up in
            print(f"warm: {await bot.warm(START)}", flush=True)
        for each in (crowd, waits, traffic, lag):
            each.begin()
        bot.forget()
        before = bot.sentences(everywhere)
        async with rare_full_collections():  # nobody waits for the bench itself
            await clicking(crowd, bot.line, options.pace, options.seconds)
        for task in spamming:
            task.cancel()
        wanted = options.pace * options.seconds
        made = len(crowd.acknowledged) + crowd.failed
        print(f"{made} clicks made of {wanted:.0f} that were wanted; the bench was late by {lag.line()}")
        print(f"{traffic.line()}; {traffic.done() / max(1, crowd.confirmed):.1f} for each Confirm")
        refused = 100 * traffic.refused() / max(1, len(traffic.seen()))
        true = await screens(bot, traffic, everywhere)
        if true:
            sandbox.mark(journal.SETTLED)
        after = bot.sentences(everywhere)
        said = {game: count - before[game] for game, count in after.items()}
        kept = report(crowd, bot, waits, said, overload=overload)
        kept &= verdict("requests of 100 that were one too many", refused, REFUSED, "")
        await bot.stop()
        lying = await lies(sandbox, bot.database, everywhere)
        kept &= verdict("boards that lie", lying, 0, "boards") and true
        findings, lines = await asyncio.to_thread(judge, bot.database, folder / TRANSCRIPT)
        print("\n".join(lines), flush=True)
        kept &= verdict("findings of the witness", len(findings), 0, "findings")
        print(f"the machine's load is {os.getloadavg()[0]:.1f} now, this bench's part included")
        clicks = sorted(crowd.acknowledged) or [0.0]
        late = 1e3 * clicks[len(clicks) * 99 // 100]
        return Evening(
            kept, shown, waits.late(), len(waits.seconds), late, dict(spammer.asked), bot.answers()
        )
    finally:
        for task in tasks:
            task.cancel()
        await bot.stop()
        await sandbox.stop()
        tell_log(bot.log)


async def screens(bot: Bot, traffic: Traffic, matches: frozenset[str]) -> bool:
    """Wait until all screens of these matches are true, now that nobody clicks any more.

    Print how long that took beside what Discord's limit takes for it; return whether it is in bounds.
    """
    left, begun = bot.unshown(matches), time.monotonic()
    traffic.begin()
    with suppress(TimeoutError):
        await eventually(lambda: not bot.unshown(matches), BEHIND)
    seconds, owed = time.monotonic() - begun, traffic.done()
    print(f"{left} jobs were left, {owed} requests owed; {traffic.line()}", flush=True)
    return verdict("until all screens were true", seconds, owed / GLOBAL_REQUESTS_PER_S + SPARE_S, "s")


def report(crowd: Crowd, bot: Bot, waits: Waits, said: Mapping[str, int], *, overload: bool = False) -> bool:
    """Print the figures beside their bounds; ``said``: sentences that people have said, by game.

    Where there is more to do than the machine can, what people wait for has no bound.
    """
    acknowledged, shown = sorted(crowd.acknowledged), sorted(crowd.shown)
    print(
        f"{len(acknowledged)} clicks acknowledged, {crowd.confirmed} of them Confirm; {said} sentences said"
    )
    for name, times in (("acknowledged", acknowledged), ("answered", shown)):
        middle, late = times[len(times) // 2], times[len(times) * 99 // 100]
        print(
            f"{name}: median {1e3 * middle:.0f} ms, 99% {1e3 * late:.0f} ms, longest {1e3 * times[-1]:.0f} ms"
        )
    bots, paints = (1e3 * (each[-1] - each[0]) / len(acknowledged) for each in (bot.worked, bot.painted))
    print(f"a click kept a core busy for {bots:.1f} ms in the bot, {paints:.1f} ms in its painters")
    each = ", ".join(f"{size / MIB:.0f}" for size in bot.largest.values())
    print(
        f"memory: {bot.sizes[0] / MIB:.0f} to {bot.sizes[-1] / MIB:.0f} MiB; each process at most {each} MiB"
    )
    print(f"boards: {len(waits.seconds)} shown, 99% of them within {waits.late():.2f} s")
    late = 1e3 * acknowledged[len(acknowledged) * 99 // 100]
    kept = [
        verdict(
            "sentences of 100 clicks", 100 * sum(said.values()) / len(acknowledged), SAID, "", least=True
        ),
        verdict("games in which nobody said anything", list(said.values()).count(0), 0, "games"),
        verdict("clicks that were not acknowledged", crowd.failed, 0, "clicks"),
        verdict("memory of all processes together, at most", max(bot.sizes) / MIB, MEMORY, "MiB"),
    ]
    if not overload:
        kept += [
            verdict("click to acknowledgement, 99%", late, ACKNOWLEDGED, "ms"),
            verdict("boards due at any look", waits.most, BOARDS, "boards"),
            verdict("growth of the memory after the fifth minute", growth(bot.sizes), GROWTH, "%"),
        ]
    return all(kept)


def tell_log(log: Path) -> None:
    """Print what the bot's log says of its pictures, and of anything that went wrong."""
    lines = log.read_text("utf-8", "replace").splitlines()
    wrong = [line for line in lines if is_wrong(line)]
    for line in [line for line in lines if "pictures: " in line] + wrong[:20]:
        print(f"  log: {line}")
    print(f"  log: {len(wrong)} warnings and errors")


def is_wrong(line: str) -> bool:
    """Return whether a line of a log is a warning or an error."""
    return " WARNING " in line or " ERROR " in line


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    parser.add_argument("--matches", type=int, default=1_000, help="matches that are open")
    parser.add_argument("--pace", type=float, default=50.0, help="clicks a second")
    parser.add_argument("--seconds", type=float, default=300.0, help="how long people click")
    parser.add_argument("--seed", type=int, default=1, help="of what is clicked")
    parser.add_argument("--spam", action="store_true", help="one person wants everything meanwhile")
    parser.add_argument("--overload", action="store_true", help="more is clicked than the machine can do")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        played = evening(options, Path(folder), spam=options.spam, overload=options.overload)
        kept = asyncio.run(played).kept
    print(NOT_MEASURED)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
