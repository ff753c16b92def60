"""How fast the house commits, and how fast it loads a long match: ``python -m bench.tables``.

Submit to commit: sentences of computer players, found beforehand, are submitted to as many matches as
given, all at once; each is durable (``synchronous=FULL``) when it counts. Loading: a match of at least
that many rows is replayed from the database, its memory forgotten in between.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from bot.model import Person, Place
from bot.store import open_store
from bot.tables import Tables
from engines.core.contract import Seat, Words
from engines.core.match import AnyGame, Match
from engines.core.registry import games

Sentence: TypeAlias = tuple[Seat, Words]

PLACE = Place(1, 2)
PEOPLE = tuple(Person(n + 1, f"Player {n + 1}") for n in range(8))


async def begin(tables: Tables, game: AnyGame, requests: Iterator[str]) -> str:
    """Fill a table of the smallest size; return its id."""
    seats = min(game.manifest.seats)
    info = await tables.open(game.manifest.key, {}, seats, PEOPLE[0], PLACE, next(requests))
    for person in PEOPLE[1:seats]:
        info = await tables.join(info.id, person, next(requests))
    return info.id


def asked(match: Match) -> int | None:
    """Return the first seat that is asked by its own view."""
    seats = range(match.setup.seats)
    return next((seat for seat in seats if seat in match.game.waiting(match.view(seat))), None)


async def think(tables: Tables, table_id: str, rows: int) -> list[Sentence]:
    """Return what computer players say from the start on: it is the match's own seed that they know."""
    match = (await tables._get(table_id)).play.match  # noqa: SLF001 - so that no thinking is measured
    said: list[Sentence] = []
    while len(said) < rows and (seat := asked(match)) is not None:
        said.append((seat, match.computer(seat)))
        match = match.act(*said[-1])
    return said


async def play(tables: Tables, table_id: str, said: list[Sentence], requests: Iterator[str]) -> list[float]:
    """Submit sentences; return the seconds of each."""
    took: list[float] = []
    for seat, words in said:
        begun = time.perf_counter()
        await tables.submit(table_id, seat, None, words, next(requests))
        took.append(time.perf_counter() - begun)
    return took


async def loading(tables: Tables, table_id: str) -> float:
    """Return the seconds of a load from the database, median of five."""
    took: list[float] = []
    for _ in range(5):
        tables._forget(table_id)  # noqa: SLF001
        begun = time.perf_counter()
        await tables.board(table_id)
        took.append(time.perf_counter() - begun)
    return statistics.median(took)


async def longest(tables: Tables, game: AnyGame, rows: int, requests: Iterator[str]) -> tuple[str, int]:
    """Play ten matches, or until one reaches ``rows``; return the longest."""
    best = ("", -1)
    for _ in range(10):
        table_id = await begin(tables, game, requests)
        count = len(await play(tables, table_id, await think(tables, table_id, rows), requests))
        best = max(best, (table_id, count), key=lambda found: found[1])
        if count >= rows:
            break
    return best


async def submits(tables: Tables, game: AnyGame, matches: int, requests: Iterator[str]) -> str:
    """Return the figures of as many matches as given, played at once."""
    ids = [await begin(tables, game, requests) for _ in range(matches)]
    said = [await think(tables, table_id, 40) for table_id in ids]
    begun = time.perf_counter()
    took = await asyncio.gather(
        *(play(tables, table_id, each, requests) for table_id, each in zip(ids, said, strict=True))
    )
    seconds = time.perf_counter() - begun
    single = sorted(second for each in took for second in each)
    middle, worst = statistics.median(single), single[len(single) * 99 // 100]
    return (
        f"{matches:3} at once: {len(single) / seconds:5.0f} submits/s, "
        f"median {1e3 * middle:.1f} ms, 99% {1e3 * worst:.1f} ms"
    )


async def measure(key: str, game: AnyGame, folder: Path, matches: int, rows: int) -> None:
    """Print the figures of one game."""
    requests = (f"{key}{number}" for number in range(10**9))
    store = await open_store(folder / f"{key}.db")
    try:
        tables = Tables(store, wake=lambda: None)
        for count in (1, matches):
            print(f"{key}: {await submits(tables, game, count, requests)}")
        table_id, count = await longest(tables, game, rows, requests)
        print(f"{key}: a match of {count} rows loads in {1e3 * await loading(tables, table_id):.1f} ms")
    finally:
        await store.close()


def main() -> None:
    """Measure every game of the registry."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=8, help="matches that are played at once")
    parser.add_argument("--rows", type=int, default=200, help="rows that a long match is to have")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for key, game in games().items():
            asyncio.run(measure(key, game, Path(folder), options.matches, options.rows))


if __name__ == "__main__":
    main()
