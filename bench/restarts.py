"""What a restart sends: ``python -m bench.restarts``, 1,000 live matches.

Matches of all games in turn stand on their screens, with dots for pictures: to paint them takes long. The bot
is stopped and started again with nothing changed: no message may be posted or edited, no picture uploaded.
Then it is killed, and in ten matches a sentence is committed that nobody has shown, as where a kill comes
between the two: started again, it must bring those ten boards in line within five seconds, and touch no
other. Discord's rate limits count. At the end every board is compared with what is committed. The exit status
is 1 where a bound is missed. ``--matches 100`` is a shorter run.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from bench.crowd import Table, open_matches
from bench.load import START, Bot, tell_log
from bench.matches import Position, asked, committed, lasting, lies, screen, verdict
from bench.traffic import spread
from bot.matches import Services
from bot.matches.table_cache import TableCache
from bot.store import open_store
from sandbox.server import Sandbox
from tests.kit.thinking_here import services_over
from tests.kit.waiting import eventually

WITHOUT_PICTURES = """
import runpy, sys
from bot.workers.painting_pool import RenderPool
from renderers.core.contract import Picture
async def dot(*_, **__): return Picture(b"GIF89a" + bytes(8), "image/gif", 1, 1, "a board")
async def nothing(*_, **__): return None
RenderPool.paint, RenderPool.reel = dot, nothing
sys.argv[:] = ["bauta", "serve"]
runpy.run_module("bot", run_name="__main__", alter_sys=True)
"""

CHANGED = 10
"""Matches in which something is committed that is not shown."""

SECONDS = 5.0
"""From the moment the bot is online until those are shown, at most."""

SENTENCES = 2
"""Sentences that are said in each match before."""


@dataclass(slots=True)
class Sent:
    """What the bot has sent to a sandbox since a mark was set."""

    sandbox: Sandbox
    requests: int = 0
    files: int = 0

    def mark(self) -> None:
        """Begin to count."""
        self.requests, self.files = len(self.sandbox.requests), len(self.sandbox.records.files)

    def messages(self) -> Counter[str]:
        """Return how many messages were posted and edited, by method."""
        since = self.sandbox.requests[self.requests :]
        return Counter(
            r.method for r in since if re.search(r"/messages(/\d+)?$", r.path) and r.method != "GET"
        )

    def looks(self) -> int:
        """Return how many other requests there were."""
        return len(self.sandbox.requests) - self.requests - self.messages().total()

    def pictures(self) -> int:
        """Return how many files were uploaded."""
        return len(self.sandbox.records.files) - self.files


async def go_on(services: Services, table: Table, requests: Iterator[str]) -> tuple[int, Position]:
    """Say sentences in a match until its board is another one; return where, and what it is then."""
    _, before = at, _ = await committed(services, table.id)
    while True:
        match = (await services.cache.get(table.id)).require_log().match
        seat = asked(match)
        if seat is None:
            raise RuntimeError("a match is over that was to go on")
        words, _after = lasting(match, seat)
        await services.actions.submit(table.id, seat, None, words, next(requests))
        at, after = await committed(services, table.id)
        if after != before:
            return at, after


async def restarted(sandbox: Sandbox, folder: Path, *program: str) -> tuple[Bot, float]:
    """Start the bot; return it, and when it was online."""
    bot = await Bot.start(sandbox, folder, program or ("-m", "bot", "serve"))
    await eventually(lambda: sandbox.state.gateway.online)
    return bot, time.monotonic()


async def measure(options: argparse.Namespace, folder: Path) -> bool:
    """Fill the house, restart it twice, print the figures; return whether all bounds are kept."""
    sandbox = Sandbox(page=False)
    await sandbox.start()
    people = [sandbox.records.add_person(f"Person {number}").user for number in range(12)]
    tables = await open_matches(
        folder / "bauta.db", sandbox, people, options.matches, SENTENCES, places=spread(sandbox, people)
    )
    begun = time.monotonic()
    bot, _ = await restarted(sandbox, folder, "-c", WITHOUT_PICTURES)
    try:
        await bot.settled(START)
        loaded = f"the machine's load is {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
        print(f"{len(tables)} matches shown after {time.monotonic() - begun:.0f} s; {loaded}", flush=True)
        await bot.stop()
        kept = await nothing_changed(sandbox, folder)
        kept &= await ten_changed(sandbox, folder, tables)
        lying = await lies(sandbox, folder / "bauta.db", (table.id for table in tables))
        kept &= verdict("boards that lie", lying, 0, "boards")
        return kept
    finally:
        await sandbox.stop()
        tell_log(folder / "bot.log")


async def nothing_changed(sandbox: Sandbox, folder: Path) -> bool:
    """Restart with nothing changed; print what was sent, and return whether it was nothing."""
    sent = Sent(sandbox)
    sent.mark()
    bot, online = await restarted(sandbox, folder)
    await bot.settled(START)
    print(f"nothing changed: looked through {time.monotonic() - online:.1f} s after it was online; "
          f"{sent.looks()} other requests", flush=True)  # fmt: skip
    await bot.kill()
    return all([
        verdict("nothing changed: messages posted or edited", sent.messages().total(), 0, "messages"),
        verdict("nothing changed: pictures uploaded", sent.pictures(), 0, "pictures"),
    ])  # fmt: skip


async def ten_changed(sandbox: Sandbox, folder: Path, tables: Sequence[Table]) -> bool:
    """Restart after ten commits that were not shown; print what was sent, and how soon."""
    changed = tables[:: max(1, len(tables) // CHANGED)][:CHANGED]
    requests = (f"meanwhile{number}" for number in count())
    store = await open_store(folder / "bauta.db")
    services = services_over(TableCache(store, wake=lambda: None))
    expected = [await go_on(services, table, requests) for table in changed]
    await store.close()
    threads = {str(thread) for thread, _ in expected}
    sent = Sent(sandbox)
    sent.mark()
    begun = time.monotonic()
    bot, online = await restarted(sandbox, folder)
    await eventually(lambda: all(screen(sandbox, thread) == board for thread, board in expected))
    seconds = time.monotonic() - online
    await bot.settled(START)
    written = [r for r in sandbox.requests[sent.requests :] if re.search(r"/messages(/\d+)?$", r.path)]
    others = [r for r in written if r.method != "GET" and r.path.split("/")[2] not in threads]
    print(f"{len(expected)} changed: {dict(sent.messages())}, {sent.pictures()} pictures uploaded, "
          f"{online - begun:.1f} s until it was online", flush=True)  # fmt: skip
    await bot.stop()
    return all([
        verdict(f"{len(expected)} changed: shown, from when it was online", seconds, SECONDS, "s"),
        verdict("messages sent to other matches", len(others), 0, "messages"),
    ])  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.restarts", description=__doc__)
    parser.add_argument("--matches", type=int, default=1_000, help="matches that are on")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        kept = asyncio.run(measure(options, Path(folder)))
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
