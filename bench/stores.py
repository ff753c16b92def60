"""SQLite beside PostgreSQL, in one run: ``python -m bench.stores [--rounds 3] [--matches 10000]``.

Sentences found beforehand are submitted through the use cases, in one match and in many at once; a long
match is loaded; a house with ten thousand matches is opened. Both databases write to the disk what counts.
Each round does all of it with one and then with the other; the figures are medians over the rounds. Bytes
are those of the database, indexes included, for a match that has just begun and for a sentence more.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from bench.databases import ask, durable
from bench.matches import begin, think
from bench.shards.house import renamed
from bench.tables import PEOPLE, SENTENCES, loading, longest, play
from bot.domain.address import Address, PostgresqlAddress
from bot.matches import Services, build_services
from bot.matches.limits import NO_LIMITS
from bot.matches.table_cache import TableCache, save_changes
from bot.store import Store, open_store
from engines.core.registry import game

PLAYED = "volto"
"""Its sentences are single moves, so that little of the time is the engine's, and its matches are long."""

ROWS = 300

TOGETHER = 200
"""Copies that are written in one unit."""

THREADS = 1 << 60
"""From here on no match that is played has its thread."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What one database took. Times of clocks in seconds, unless the name says otherwise."""

    commits_alone: float
    """Sentences a second in one match."""
    commits_together: float
    """The same in many matches at once."""
    core_milliseconds: float
    """Of our process, for each sentence there."""
    load_milliseconds: float
    rows_loaded: int
    start: float
    bytes_a_match: float
    bytes_a_sentence: float
    wal_bytes_a_sentence: float
    """Of PostgreSQL's log, which a standby and an archive get too."""


def services_of(store: Store) -> Services:
    """Return the use cases over a store, with nothing in memory."""
    return build_services(TableCache(store, wake=lambda: None), limits=NO_LIMITS)


async def submitted(services: Services, matches: int, requests: Iterator[str]) -> tuple[float, float, int]:
    """Submit sentences in so many matches at once; return seconds, those of a core, and their number."""
    ids = [await begin(services, game(PLAYED), PEOPLE, requests) for _ in range(matches)]
    said = [await think(services, table_id, SENTENCES) for table_id in ids]
    begun, work = time.perf_counter(), time.process_time()
    await asyncio.gather(
        *(play(services, table_id, each, requests) for table_id, each in zip(ids, said, strict=True))
    )
    return time.perf_counter() - begun, time.process_time() - work, sum(map(len, said))


async def filled(store: Store, services: Services, table_id: str, matches: int) -> None:
    """Copy a match until there are so many more."""
    table = await services.cache.get(table_id)
    log = table.require_log()
    for first in range(0, matches, TOGETHER):
        async with store.transaction() as unit:
            for number in range(first, min(matches, first + TOGETHER)):
                copied = table.with_info(id=f"copy{number}", thread_id=THREADS + number)
                rows = renamed(log.rows, copied.id)
                await save_changes(unit, None, replace(copied, log=replace(log, rows=rows), version=1))


def size(address: Address) -> int:
    """Return the bytes of a database."""
    if isinstance(address, PostgresqlAddress):
        found = ask(
            address,
            "SELECT sum(pg_total_relation_size(oid)) FROM pg_class"
            " WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace",
        )
    else:
        found = ask(address, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
    return int(found[0][0])


def wal(address: Address) -> int:
    """Return how many bytes PostgreSQL has ever written into its log; 0 with SQLite."""
    if not isinstance(address, PostgresqlAddress):
        return 0
    return int(ask(address, "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn")[0][0])


async def measured(address: Address, at_once: int, matches: int) -> Figures:
    """Measure one database, which is empty."""
    requests = (f"request {number}" for number in count())
    store = await open_store(address)
    try:
        services = services_of(store)
        alone, _, said_alone = await submitted(services, 1, requests)
        before, logged = size(address), wal(address)
        together, work, said = await submitted(services, at_once, requests)
        sentences, written = size(address) - before, wal(address) - logged
        table_id, rows = await longest(services, game(PLAYED), ROWS, requests)
        load, _ = await loading(services, table_id)
        fresh = await begin(services, game(PLAYED), PEOPLE, requests)
        before = size(address)
        await filled(store, services, fresh, matches)
        grown = size(address) - before
        again = services_of(store)
        begun = time.perf_counter()
        await again.outbox.resume()
        start = time.perf_counter() - begun
    finally:
        await store.close()
    # What was submitted at once is of matches that were begun there, too.
    a_match = grown / matches
    return Figures(
        commits_alone=said_alone / alone,
        commits_together=said / together,
        core_milliseconds=1e3 * work / said,
        load_milliseconds=1e3 * load,
        rows_loaded=rows,
        start=start,
        bytes_a_match=a_match,
        bytes_a_sentence=max(0.0, sentences - at_once * a_match) / said,
        wal_bytes_a_sentence=written / said,
    )


LINES = (
    ("sentences a second, one match", "commits_alone", "{:,.0f}"),
    ("sentences a second, many at once", "commits_together", "{:,.0f}"),
    ("milliseconds of a core for each of these", "core_milliseconds", "{:.2f}"),
    ("milliseconds to load a match", "load_milliseconds", "{:.1f}"),
    ("rows of that match", "rows_loaded", "{:.0f}"),
    ("seconds to open the house", "start", "{:.2f}"),
    ("bytes a match", "bytes_a_match", "{:,.0f}"),
    ("bytes a sentence", "bytes_a_sentence", "{:,.0f}"),
    ("bytes of WAL a sentence", "wal_bytes_a_sentence", "{:,.0f}"),
)


def tell(sqlite: Sequence[Figures], postgresql: Sequence[Figures]) -> None:
    """Print the medians, and PostgreSQL's beside SQLite's as a ratio."""
    for text, name, form in LINES:
        one, other = (
            statistics.median(getattr(each, name) for each in all_) for all_ in (sqlite, postgresql)
        )
        ratio = f", {other / one:.2f} times" if one else ""
        print(f"{text}: SQLite {form.format(one)}, PostgreSQL {form.format(other)}{ratio}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.stores", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="how often each database is measured")
    parser.add_argument("--at-once", type=int, default=64, help="matches that are played at once")
    parser.add_argument("--matches", type=int, default=10_000, help="matches of the house that is opened")
    options = parser.parse_args(arguments)
    sqlite, postgresql = list[Figures](), list[Figures]()
    with durable() as cluster, tempfile.TemporaryDirectory() as folder:
        for number in range(options.rounds):
            for found, address in (
                (sqlite, Path(folder) / f"{number}.db"),
                (postgresql, cluster.house()),
            ):
                found.append(asyncio.run(measured(address, options.at_once, options.matches)))
            print(f"round {number + 1} of {options.rounds} is done", flush=True)
    tell(sqlite, postgresql)
    return 0


if __name__ == "__main__":
    sys.exit(main())
