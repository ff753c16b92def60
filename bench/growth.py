"""What a house of years weighs: ``python -m bench.growth``, 100,000 finished matches and one that goes on.

A few matches of every game are played to their end, and copied under new ids among several hundred people.
With them in the database, the bot's start is measured, and how long a commit waits while a person is deleted,
another one's data are exported, the database is backed up, and requests of long ago are pruned: in SQLite,
and in PostgreSQL if its programs are installed. The exit status is 1 if a limit is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

from bench.databases import ask, durable
from bench.matches import begin, think, verdict
from bench.stores import Desk
from bot.clocks import build_clocks
from bot.clocks.outages import note_first_start
from bot.domain.address import Address
from bot.domain.jobs import Shown
from bot.domain.refusals import Refusal
from bot.domain.tables import HandledRequest, Person, snowflake_time
from bot.matches import Services
from bot.matches.limits import NO_LIMITS
from bot.matches.outbox import begin_after_restore
from bot.matches.table_cache import TableCache
from bot.store import Store, open_store
from bot.store.prepare import connect
from engines.core.registry import games
from tests.kit.postgresql import binaries
from tests.kit.thinking_here import services_over

START_LIMIT_MS = 3_000.0
COMMIT_LIMIT_MS = 500.0

SENTENCES = 16
"""Sentences of each match that is played, at most."""

PEOPLE = 600
FIRST_PERSON = 800_000_000_000_000_000
MATCH_EACH_S = 300.0
"""Seconds between the ends of two matches."""

LAST_END_S = 3 * 86_400.0
"""Seconds since the last match ended."""

COMMIT_EACH_S = 0.02
QUIET_S = 5.0
"""Seconds for which commits are measured with nothing beside them."""

STARTS = 3
REQUESTS = 500
"""Requests that are handled while those of long ago are pruned."""

BAUTA = "import sys; from bot.__main__ import main; sys.exit(main(sys.argv[1:]))"


async def play(address: Address) -> None:
    """Play a match of every game to its end, and begin one that goes on."""
    store = await open_store(address)
    services = services_over(TableCache(store, wake=lambda: None), limits=NO_LIMITS)
    requests = (str(FIRST_PERSON + number) for number in count())
    people = [Person(FIRST_PERSON + number, f"Player {number}") for number in range(6)]
    for game in games().values():
        match = await begin(services, game, people, requests)
        for seat, words in await think(services, match, SENTENCES):
            await services.actions.submit(match, seat, None, words, next(requests))
        table = await services.queries.table(match)
        for chair in table.chairs:
            with suppress(Refusal):  # the match ends with the last but one
                if chair.person is not None:
                    await services.actions.resign(match, chair.person, next(requests))
        for surface in ("board", "dm:0", "dm:1"):
            await services.outbox.set_shown(match, surface, Shown(1, 2, 3, 3, 3, "0" * 64))
    await begin(services, games()["volto"], people, requests)
    await store.close()


_COPIES = """
CREATE TEMP TABLE copy AS
WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < {matches}),
over (id, place) AS (SELECT id, row_number() OVER (ORDER BY id) - 1 FROM match WHERE status = 'over')
SELECT n, over.id AS match, {new_id} AS id FROM number JOIN over
ON over.place = n % (SELECT count(*) FROM over)
"""

_NEW_IDS = {"SQLite": "lower(hex(randomblob(6)))", "PostgreSQL": "substr(md5(random()::text), 1, 12)"}

_CHANGED = {
    "id": "copy.id",
    "match": "copy.id",
    "host": "{first} + copy.n * 7 % {people}",
    "host_name": "'Player ' || copy.n * 7 % {people}",
    "guild": "(1 + copy.n % 20) << 22",
    "thread": "NULL",
    "opened_at": "{last} - copy.n * {each} - 7200",
    "started_at": "{last} - copy.n * {each} - 3600",
    "changed_at": "{last} - copy.n * {each}",
    "ended_at": "{last} - copy.n * {each}",
    "at": "{last} - copy.n * {each}",
    "request": "old.request || '.' || copy.n",
}
_CHAIR = {
    "person": "{first} + (copy.n * 7 + old.ord) % {people}",
    "name": "'Player ' || (copy.n * 7 + old.ord) % {people}",
}
_REQUEST = {"id": "old.id || '.' || copy.n", "person": "{first} + copy.n * 7 % {people}"}
"""What is another in a copy, by table and column; everything else is the same."""


def multiply(address: Address, matches: int, now: float) -> None:
    """Copy the finished matches as often as asked; ``now``: a Unix time."""
    if isinstance(address, Path):
        with closing(connect(address)) as connection:
            _multiply(connection, matches, now, _NEW_IDS["SQLite"])
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    else:
        with closing(psycopg.connect(address.url, autocommit=True)) as line:
            _multiply(line, matches, now, _NEW_IDS["PostgreSQL"])
            line.execute("ANALYZE")


def _multiply(connection: Any, matches: int, now: float, new_id: str) -> None:
    given = {"last": now - LAST_END_S, "each": MATCH_EACH_S, "first": FIRST_PERSON, "people": PEOPLE}
    connection.execute(_COPIES.format(matches=matches, new_id=new_id))
    for table in ("match", "chair", "log", "draft", "request", "shown"):
        changed = _CHANGED | {"chair": _CHAIR, "request": _REQUEST}.get(table, {})
        columns = [column[0] for column in connection.execute(f"SELECT * FROM {table} LIMIT 0").description]
        values = ", ".join(changed.get(column, f"old.{column}").format(**given) for column in columns)
        key = "id" if table == "match" else "match"
        connection.execute(
            f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values}"
            f" FROM copy JOIN {table} AS old ON old.{key} = copy.match"
        )


@dataclass(slots=True)
class Side:
    """One database, and whether it kept all limits."""

    name: str
    address: Address
    programs: Path | None
    """Where PostgreSQL's programs are; ``None``: it is SQLite."""
    kept: bool = True

    def judge(self, what: str, found_ms: Sequence[float], limit_ms: float) -> None:
        """Print the median and the maximum of some durations, and note whether the limit is kept."""
        text = (
            f"{self.name}: {what}, median of {len(found_ms)}: {statistics.median(found_ms):,.1f} ms; longest"
        )
        self.kept &= verdict(text, max(found_ms), limit_ms, "ms")

    async def start(self) -> tuple[Store, Services]:
        """Open the database, and do what the bot does before it connects to Discord."""
        store = await open_store(self.address)
        cache = TableCache(store, wake=lambda: None)
        services = services_over(cache, limits=NO_LIMITS)
        await begin_after_restore(store, cache.clock())
        await note_first_start(store, cache.clock())
        await services.outbox.resume("bench")
        await services.privacy.resume()
        await build_clocks(services).loop.look()
        return store, services

    async def measure_starts(self) -> None:
        """Measure starts with nothing of the file in memory, as after the machine's own start."""
        found: list[float] = []
        for _ in range(STARTS):
            if isinstance(self.address, Path):
                forget(self.address)
            begun = time.perf_counter()
            store, _ = await self.start()
            found.append(1e3 * (time.perf_counter() - begun))
            await store.close()
        self.judge("start", found, START_LIMIT_MS)

    async def measure_commits(self, folder: Path) -> None:
        """Measure how long commits wait while other things are done."""
        store, services = await self.start()
        [match] = ask(self.address, "SELECT id FROM match WHERE status = 'running'")
        table = await services.cache.get(match[0])
        desk = Desk(table, table.version, len(table.require_log().rows))
        work: dict[str, Callable[[], Awaitable[object]]] = {
            "nothing else": lambda: asyncio.sleep(QUIET_S),
            "export": lambda: services.privacy.export(person(1)),
            "deletion": lambda: services.privacy.delete(person(2)),
            "scrub": services.privacy.scrub,
            "backup": lambda: self.back_up(folder),
            "requests pruned": lambda: prune(store, desk.table.id),
            "scrub again": store.scrub,
        }
        try:
            for name, act in work.items():
                begun = time.perf_counter()
                found = await during(act(), desk, store)
                took = time.perf_counter() - begun
                self.judge(f"commit beside {name} ({took:.1f} s)", found, COMMIT_LIMIT_MS)
        finally:
            await store.close()

    async def back_up(self, folder: Path) -> None:
        """Save the database in a process of its own."""
        target = str(folder / f"{self.name}.saved")
        if isinstance(self.address, Path):
            command = [sys.executable, "-c", BAUTA, "backup", target]
        else:
            assert self.programs is not None
            command = [str(self.programs / "pg_dump"), "-Fc", "-f", target, self.address.url]
        environment = {**os.environ, "BAUTA_DATABASE": str(self.address)}
        process = await asyncio.create_subprocess_exec(*command, env=environment, stdout=subprocess.DEVNULL)
        if await process.wait():
            raise RuntimeError(f"{command[0]} failed")


def person(number: int) -> Person:
    """Return one of the people who have played."""
    return Person(FIRST_PERSON + number, f"Player {number}")


def forget(path: Path) -> None:
    """Let the system drop a file that nobody has open from its cache."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(file)


async def during(work: Awaitable[object], desk: Desk, store: Store) -> list[float]:
    """Commit sentences until some work is done; return how many milliseconds each took."""
    task, found = asyncio.ensure_future(work), list[float]()
    while not task.done() or not found:
        begun = time.perf_counter()
        await desk.say(store)
        found.append(1e3 * (time.perf_counter() - begun))
        await asyncio.sleep(COMMIT_EACH_S)
    await task
    return found


async def prune(store: Store, match: str) -> None:
    """Note requests of now, each of which prunes some of those of long ago."""
    now = int((time.time() - snowflake_time(0)) * 1e3) << 22
    for number in range(REQUESTS):
        async with store.transaction() as unit:
            request = HandledRequest(str(now + number), match, person(1).id, "bench")
            await unit.add_request(request, time.time())


def build(side: Side, matches: int) -> None:
    """Fill a new database."""
    begun = time.perf_counter()
    asyncio.run(play(side.address))
    multiply(side.address, matches, time.time())
    print(f"{side.name}: {matches:,} matches in {time.perf_counter() - begun:.0f} s", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.growth", description=__doc__)
    parser.add_argument("--matches", type=int, default=100_000, help="finished matches")
    parser.add_argument("--sqlite", action="store_true", help="leave PostgreSQL out")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.ERROR)
    programs = None if options.sqlite else binaries()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sides = [Side("SQLite", folder / "bauta.db", None)]
        if programs is not None:
            sides.append(Side("PostgreSQL", stack.enter_context(durable()).house(), programs))
        for side in sides:
            build(side, options.matches)
            asyncio.run(side.measure_starts())
            asyncio.run(side.measure_commits(folder))
        return 0 if all(side.kept for side in sides) else 1


if __name__ == "__main__":
    sys.exit(main())
