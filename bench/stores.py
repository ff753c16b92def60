"""SQLite beside PostgreSQL: ``python -m bench.stores``, what a sentence, a load, a start and a byte cost.

Both databases sync what they commit. They are measured in turn, round by round, with the same matches:
commits a second of sentences (the units that the cache writes: who is asked, the version, the row of the log,
the draft, two jobs), of one task and of 64 at once; how long a match of 300 sentences takes to be read; how
long a start takes with 10,000 matches; and how many bytes a match, a sentence, and a click's unit take. Bytes
written are those of the write-ahead log of PostgreSQL, and all that this process writes with SQLite.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

from bench.databases import ask, durable
from bench.matches import begin, think
from bench.shards.house import renamed
from bot.domain.address import Address
from bot.domain.jobs import JobKind, NewJob
from bot.domain.match import Draft, DraftRow, LogRow, RowKind
from bot.domain.tables import Chair, Person
from bot.matches import Services
from bot.matches.limits import NO_LIMITS
from bot.matches.loaded_table import LoadedTable
from bot.matches.loading import stored_table
from bot.matches.table_cache import TableCache, save_changes
from bot.store import Store, open_store
from engines.core.registry import game
from tests.kit.thinking_here import services_over

GAME = "volto"
"""A game of two whose sentences are single moves."""

LONG = 300
"""Sentences of the match that is read."""

AT_ONCE = (1, 64)
UNITS = {1: 200, 64: 10}
"""Sentences that each task says in a round, by how many there are."""

TOGETHER = 50
"""Matches that are copied in one unit."""

ON_PAPER = 1_000_000
"""Open matches for which the bytes are worked out."""

NAMES = ("SQLite", "PostgreSQL")

LOG, MATCH = ("log",), ("match", "chair", "lease", "shown", "draft", "job")


@dataclass(slots=True)
class Desk:
    """A match in which sentences are said that nobody ever replays."""

    table: LoadedTable
    version: int
    said: int = 0

    async def say(self, store: Store) -> None:
        """Commit a sentence, as the cache does."""
        self.said += 1
        row = replace(self.table.row, asked_since={self.said % 2: float(self.said)})
        name, now = row.info.id, time.time()
        async with store.transaction() as unit:
            await unit.save_asked(row)
            await unit.advance(name, self.version + self.said)
            await unit.append(name, _row(name, self.said, now))
            await unit.save_draft(name, DraftRow(self.said % 2, aside=False, draft=Draft((), self.said)))
            await unit.enqueue([
                NewJob(name, JobKind.BOARD, due=now),
                NewJob(name, JobKind.TURN, str(self.said % 2), due=now),
            ])  # fmt: skip

    async def choose(self, store: Store) -> None:
        """Commit what a click on a panel changes: the draft alone."""
        self.said += 1
        draft = Draft(("a1", "b2"), self.said, trail=(("a1",),))
        async with store.transaction() as unit:
            await unit.save_draft(self.table.id, DraftRow(0, aside=False, draft=draft))


def _row(match: str, number: int, at: float) -> LogRow:
    row = LogRow(number, RowKind.ACT, number % 2, ("a1", "b2"), "0" * 64, f"{match}.{number}", at)
    return replace(row, chain=row.chained(""))


@dataclass(slots=True)
class Side:
    """One database, open, and what was measured of it."""

    name: str
    address: Address
    store: Store
    found: dict[str, list[float]] = field(default_factory=dict)

    def services(self) -> Services:
        """Return use cases with nothing in memory yet."""
        return services_over(TableCache(self.store, wake=lambda: None), limits=NO_LIMITS)

    def note(self, what: str, figure: float) -> None:
        """Note one round's figure."""
        self.found.setdefault(what, []).append(figure)

    async def copies(self, template: LoadedTable, kind: str, many: int) -> list[Desk]:
        """Add copies of a match."""
        made: list[Desk] = []
        rows = () if template.log is None else template.log.rows
        for first in range(0, many, TOGETHER):
            async with self.store.transaction() as unit:
                for number in range(first, min(many, first + TOGETHER)):
                    name = f"{kind}{number}"
                    info = {"id": name, "chairs": tuple(_others(template.info.chairs, number))}
                    copied = replace(template.with_info(**info), version=1)
                    if copied.log is not None:
                        copied = replace(copied, log=replace(copied.log, rows=renamed(rows, name)))
                    await save_changes(unit, None, copied)
                    made.append(Desk(copied, copied.version))
        return made

    def bytes(self) -> dict[str, int]:
        """Return how many bytes each table takes, with its indexes."""
        rows = ask(self.address, _SIZES if isinstance(self.address, Path) else _RELATIONS)
        return {name: int(size) for name, size in rows}

    def written(self) -> int:
        """Return how many bytes were written so far, as described above."""
        if isinstance(self.address, Path):
            fields = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
            return int(fields["wchar"])
        return int(ask(self.address, "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn")[0][0])

    def rows(self) -> int:
        """Return how many rows were written so far; 0: SQLite does not count them."""
        if isinstance(self.address, Path):
            return 0
        return int(ask(self.address, _ROWS)[0][0] or 0)


def _others(chairs: Sequence[Chair], number: int) -> Iterator[Chair]:
    """Yield chairs with people of their own: nobody sits at thousands of tables."""
    for chair in chairs:
        person = chair.person
        yield replace(chair, person=person and replace(person, id=person.id + len(chairs) * number))


_SIZES = "SELECT tbl_name, sum(pgsize) FROM dbstat JOIN sqlite_master USING (name) GROUP BY tbl_name"
_RELATIONS = (
    "SELECT relname, pg_total_relation_size(oid) FROM pg_class"
    " WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
)
_ROWS = (
    "SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_user_tables"
    " WHERE schemaname = current_schema()"
)

STATISTICS = 12.0
"""Seconds until PostgreSQL has counted what was written: connections that rest tell of it after ten."""


async def template() -> LoadedTable:
    """Return a match that has gone on for as many sentences as may be."""
    with tempfile.TemporaryDirectory() as folder:
        store = await open_store(Path(folder) / "template.db")
        services = services_over(TableCache(store, wake=lambda: None), limits=NO_LIMITS)
        requests = (f"template{number}" for number in count())
        people = [Person(number + 1, f"Player {number + 1}") for number in range(2)]
        match = await begin(services, game(GAME), people, requests)
        for seat, words in await think(services, match, LONG):
            await services.actions.submit(match, seat, None, words, next(requests))
        found = await services.cache.get(match)
        await store.close()
    return found


def shortened(table: LoadedTable, rows: int) -> LoadedTable:
    """Return a match with the first rows of its log alone, to be stored, not to be played on."""
    log = table.require_log()
    return replace(table, log=replace(log, rows=log.rows[:rows]), drafts={})


async def commits(side: Side, desks: Sequence[Desk]) -> None:
    """Measure sentences a second that one task, and many, commit."""
    for tasks in AT_ONCE:

        async def say(desk: Desk, times: int = UNITS[tasks]) -> None:
            for _ in range(times):
                await desk.say(side.store)

        begun = time.perf_counter()
        await asyncio.gather(*map(say, desks[:tasks]))
        seconds = time.perf_counter() - begun
        side.note(f"sentences/s, {tasks} at once", tasks * UNITS[tasks] / seconds)


async def reading(side: Side, match: str, sentences: int) -> None:
    """Measure how long a long match takes to be read."""
    begun = time.perf_counter()
    await stored_table(side.store, match)
    side.note(f"ms to read {sentences} sentences", 1e3 * (time.perf_counter() - begun))


async def starting(side: Side, matches: int) -> None:
    """Measure how long a start takes that knows all matches."""
    services = side.services()
    begun = time.perf_counter()
    await services.outbox.resume()
    side.note(f"s to start with {matches:,} matches", time.perf_counter() - begun)


async def sizes(side: Side, base: LoadedTable, matches: int) -> None:
    """Fill a database, and note what a match and a sentence take."""
    empty = side.bytes()
    begun = time.perf_counter()
    await side.copies(base, "filled", matches)
    print(f"{side.name}: {matches:,} matches filled in {time.perf_counter() - begun:.0f} s", flush=True)
    if not isinstance(side.address, Path):
        await asyncio.sleep(STATISTICS)
    grown = {name: size - empty.get(name, 0) for name, size in side.bytes().items()}
    sentences = matches * len(base.require_log().rows)
    side.note("bytes a match, without its log", sum(grown.get(name, 0) for name in MATCH) / matches)
    side.note("bytes a sentence", sum(grown.get(name, 0) for name in LOG) / sentences)


async def writing(side: Side, desks: Sequence[Desk]) -> None:
    """Note how many bytes and rows a click writes: one that says a sentence, and one that drafts."""
    acts: Mapping[str, Callable[[Desk, Store], Awaitable[None]]] = {
        "sentence": Desk.say,
        "choice": Desk.choose,
    }
    for name, act in acts.items():
        await asyncio.sleep(STATISTICS)
        before, rows = side.written(), side.rows()
        for desk in desks:
            await act(desk, side.store)
        await asyncio.sleep(STATISTICS)
        side.note(f"bytes that a {name} writes", (side.written() - before) / len(desks))
        if counted := side.rows() - rows:
            side.note(f"rows that a {name} writes", counted / len(desks))


async def measure(options: argparse.Namespace, addresses: Sequence[Address]) -> list[Side]:
    """Measure both in turn, and return them."""
    played = await template()
    sentences = len(played.require_log().rows)
    print(f"a match of {GAME} has {sentences} sentences", flush=True)
    async with AsyncExitStack() as stack:
        sides: list[Side] = []
        for name, address in zip(NAMES, addresses, strict=True):
            store = await open_store(address)
            stack.push_async_callback(store.close)
            sides.append(Side(name, address, store))
        desks: dict[str, list[Desk]] = {}
        for side in sides:
            await sizes(side, shortened(played, options.sentences), options.matches)
            await side.copies(played, "long", 1)
            desks[side.name] = await side.copies(shortened(played, 0), "desk", max(AT_ONCE))
        for number in range(options.rounds):
            for side in sides if number % 2 else reversed(sides):
                await commits(side, desks[side.name])
                await reading(side, "long0", sentences)
                await starting(side, options.matches)
            print(f"round {number + 1} of {options.rounds}", flush=True)
        for side in sides:
            await writing(side, desks[side.name])
    return sides


def tell(sides: Sequence[Side], sentences: int) -> None:
    """Print both columns and their ratios: medians of all rounds."""
    first, second = ({what: statistics.median(found) for what, found in side.found.items()} for side in sides)
    print(f"\n{'':38}{NAMES[0]:>12}{NAMES[1]:>12}{'ratio':>8}")
    for what, figure in second.items():
        beside = first.get(what)
        ratio = f"{figure / beside:8.2f}" if beside else ""
        shown = f"{beside:12,.1f}" if beside is not None else f"{'':12}"
        print(f"{what:38}{shown}{figure:12,.1f}{ratio}")
    for side, found in zip(sides, (first, second), strict=True):
        whole = found["bytes a match, without its log"] + sentences * found["bytes a sentence"]
        print(
            f"{side.name}: {ON_PAPER:,} open matches of {sentences} sentences would take"
            f" {ON_PAPER * whole / (1 << 30):,.1f} GiB"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.stores", description=__doc__)
    parser.add_argument("--matches", type=int, default=10_000, help="matches that are there at a start")
    parser.add_argument("--sentences", type=int, default=20, help="sentences that each of them has")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.ERROR)
    with tempfile.TemporaryDirectory() as folder, durable() as cluster:
        sides = asyncio.run(measure(options, [Path(folder) / "bauta.db", cluster.house()]))
    tell(sides, options.sentences)
    return 0


if __name__ == "__main__":
    sys.exit(main())
