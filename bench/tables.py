"""How fast the house commits, and how fast it loads a long match: ``python -m bench.tables``.

Submit to commit: sentences found beforehand are submitted, to one match (one after the other, so that the
disk says how fast) and to as many as given at once; each is durable (``synchronous=FULL``) when it counts.
With ``--sync 5`` every ``COMMIT`` takes five milliseconds longer, as on a slow disk. Loading: a match of as
many rows as given, or the longest found, is replayed from the database, its memory forgotten in between;
once by itself, once while others submit. Where other programs keep the machine busy, the times of a core
say more than those of the clock.
The exit status is 1 where a bound is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.matches import Sentence, begin, think, verdict
from bot.domain.tables import Person
from bot.matches import Services
from bot.matches.limits import NO_LIMITS
from bot.matches.table_cache import TableCache
from bot.store import open_store, writer
from engines.core.match import AnyGame
from engines.core.registry import games
from tests.kit.thinking_here import services_over

PEOPLE = tuple(Person(n + 1, f"Player {n + 1}") for n in range(8))

SUBMITS = 500.0
"""Submits a second, at least."""

LOAD = {"volo": 100.0, "volto": 100.0}
"""Milliseconds of a load of ``ROWS`` rows, at most, for games whose sentences are single moves."""

LOAD_ELSE = 500.0
"""The same for all others, whose sentences carry out whole rounds or turns."""

ROWS = 300
SENTENCES = 40
"""Sentences a match, while commits are measured."""


async def play(
    services: Services, table_id: str, said: list[Sentence], requests: Iterator[str]
) -> list[float]:
    """Submit sentences; return the seconds of each."""
    took: list[float] = []
    for seat, words in said:
        begun = time.perf_counter()
        await services.actions.submit(table_id, seat, None, words, next(requests))
        took.append(time.perf_counter() - begun)
    return took


async def loading(services: Services, table_id: str) -> tuple[float, float]:
    """Return the seconds of a load from the database, and those of a core, medians of nine."""
    took: list[float] = []
    worked: list[float] = []
    for _ in range(9):
        services.cache.forget(table_id)
        begun, work = time.perf_counter(), time.process_time()
        await services.queries.board(table_id)
        took.append(time.perf_counter() - begun)
        worked.append(time.process_time() - work)
    return statistics.median(took), statistics.median(worked)


async def longest(services: Services, game: AnyGame, rows: int, requests: Iterator[str]) -> tuple[str, int]:
    """Play ten matches, or until one reaches ``rows``; return the longest."""
    best = ("", -1)
    for _ in range(10):
        table_id = await begin(services, game, PEOPLE, requests)
        count = len(await play(services, table_id, await think(services, table_id, rows), requests))
        best = max(best, (table_id, count), key=lambda found: found[1])
        if count >= rows:
            break
    return best


async def submits(services: Services, game: AnyGame, matches: int, requests: Iterator[str]) -> bool:
    """Print the figures of as many matches as given, played at once; return whether they are well."""
    ids = [await begin(services, game, PEOPLE, requests) for _ in range(matches)]
    said = [await think(services, table_id, SENTENCES) for table_id in ids]
    begun, worked = time.perf_counter(), time.process_time()
    took = await asyncio.gather(
        *(play(services, table_id, each, requests) for table_id, each in zip(ids, said, strict=True))
    )
    seconds = time.perf_counter() - begun
    single = sorted(second for each in took for second in each)
    middle, worst = statistics.median(single), single[len(single) * 99 // 100]
    work = f"{1e3 * (time.process_time() - worked) / len(single):.2f} ms of a core each"
    times = f"median {1e3 * middle:.1f} ms, 99% {1e3 * worst:.1f} ms, {work}"
    text = f"{game.manifest.key}: {matches:3} at once, {times}"
    if matches == 1:
        print(f"{text}: {len(single) / seconds:,.1f} submits/s, each with a sync of its own")
        return True
    return verdict(text, len(single) / seconds, SUBMITS, "submits/s", least=True)


async def loads(services: Services, game: AnyGame, rows: int, requests: Iterator[str]) -> bool:
    """Print how long a long match loads, by itself and while others submit; return whether all is well."""
    table_id, count = await longest(services, game, rows, requests)
    bound = LOAD.get(game.manifest.key, LOAD_ELSE) * min(1.0, count / ROWS)
    text = f"{game.manifest.key}: a match of {count} rows loads"
    seconds, work = await loading(services, table_id)
    kept = verdict(f"{text}, {1e3 * work:.1f} ms of a core", 1e3 * seconds, bound, "ms")
    others = [await begin(services, game, PEOPLE, requests) for _ in range(4)]
    said = [await think(services, other, 10 * SENTENCES) for other in others]
    busy = [
        asyncio.create_task(play(services, other, each, requests))
        for other, each in zip(others, said, strict=True)
    ]
    seconds, _ = await loading(services, table_id)
    done = all(task.done() for task in busy)
    await asyncio.gather(*busy)
    note = " (the others were done too soon)" if done else ""
    return verdict(f"{text} while four others are played{note}", 1e3 * seconds, bound, "ms") and kept


async def measure(game: AnyGame, folder: Path, matches: int, rows: int) -> bool:
    """Print the figures of one game; return whether all bounds are kept."""
    key = game.manifest.key
    requests = (f"{key}{number}" for number in range(10**9))
    store = await open_store(folder / f"{key}.db")
    try:
        services = services_over(TableCache(store, wake=lambda: None), limits=NO_LIMITS)
        kept = [await submits(services, game, count, requests) for count in (1, matches)]
        kept.append(await loads(services, game, rows, requests))
    finally:
        await store.close()
    return all(kept)


def slow_down(seconds: float) -> None:
    """Let every ``COMMIT`` of a group take so much longer, as a disk does that takes its time to sync."""
    quick = writer.commit_group

    def slow(connection: sqlite3.Connection, *given: Any, **named: Any) -> None:
        quick(connection, *given, **named)
        time.sleep(seconds)

    writer.commit_group = slow


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure every game of the registry; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.tables", description=__doc__)
    parser.add_argument("--matches", type=int, default=16, help="matches that are played at once")
    parser.add_argument("--rows", type=int, default=ROWS, help="rows that a long match is to have")
    parser.add_argument("--sync", type=float, default=0.0, help="milliseconds that a commit takes longer")
    options = parser.parse_args(arguments)
    if options.sync:
        slow_down(options.sync / 1e3)
    with tempfile.TemporaryDirectory() as folder:
        kept = [
            asyncio.run(measure(game, Path(folder), options.matches, options.rows))
            for game in games().values()
        ]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
