"""What many open matches cost in memory: ``python -m bench.resident``, 10,000 matches under 300 MiB.

Some matches of every game are played to as many sentences as given, and copied in the database until there
are as many as given, each with people of its own. Then a fresh process, with all of the bot but its
connection, opens the house and touches every match in turn: its board, and the panel of each seat. That
is measured: what lies in memory after the house has opened, and at most. The exit status is 1 where the
bound is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from itertools import count
from pathlib import Path

from bench.matches import MIB, begin, resident, think, verdict
from bot import app
from bot.domain.tables import Person
from bot.matches.limits import NO_LIMITS
from bot.matches.table_cache import TableCache
from bot.store import open_store
from bot.store.prepare import connect
from engines.core.registry import games
from tests.kit.thinking_here import services_over

ROOT = Path(__file__).parents[1]

BOUND = 300.0
"""MiB, at most."""

TEMPLATES = 4
"""Matches of each game that are played and copied."""

COPY_MATCH = """
INSERT INTO match (id, game, ruleset, seats, options, data_hashes, status, seed, commitment, host, host_name,
                   guild, channel, rematch_of, opened_at, started_at, changed_at, ended_at, theme, version)
SELECT :id, game, ruleset, seats, options, data_hashes, status, seed, commitment, host, host_name,
       guild, channel, rematch_of, opened_at, started_at, changed_at, ended_at, theme, version
FROM match WHERE id = :of
"""
COPY_CHAIRS = """
INSERT INTO chair
SELECT :id, ord, :number * 10 + ord, name, seat, withdrawn, asked FROM chair WHERE match = :of
"""
COPY_LOG = """
INSERT INTO log (match, seq, kind, seat, words, digest, request, at)
SELECT :id, seq, kind, seat, words, digest, :id || '.' || seq, at FROM log WHERE match = :of
"""


async def fill(database: Path, matches: int, rows: int) -> None:
    """Play the templates, and copy them until there are as many matches as asked for."""
    store = await open_store(database)
    services = services_over(TableCache(store, wake=lambda: None), limits=NO_LIMITS)
    requests = (f"fill{number}" for number in count())
    people = [Person(number + 1, f"Player {number + 1}") for number in range(8)]
    played: list[str] = []
    for game in list(games().values()) * TEMPLATES:
        played.append(await begin(services, game, people, requests))
        for seat, words in await think(services, played[-1], rows):
            await services.actions.submit(played[-1], seat, None, words, next(requests))
    await store.close()
    with closing(connect(database)) as connection:
        connection.execute("BEGIN")
        for number in range(len(played), matches):
            one = {"id": f"copy{number}", "of": played[number % len(played)], "number": number}
            for sql in (COPY_MATCH, COPY_CHAIRS, COPY_LOG):
                connection.execute(sql, one)
        connection.execute("DELETE FROM job")
        connection.execute("COMMIT")


async def touch(database: Path) -> bool:
    """Open the house, touch every match, print what lies in memory; return whether the bound is kept."""
    print(f"{app.__name__} and all that it needs: {resident() / MIB:.0f} MiB")
    with closing(sqlite3.connect(database)) as connection:
        ids = [table_id for (table_id,) in connection.execute("SELECT id FROM match ORDER BY random()")]
        (rows,) = connection.execute("SELECT count(*) FROM log").fetchone()
    store = await open_store(database)
    services = services_over(TableCache(store, wake=lambda: None), limits=NO_LIMITS)
    await services.outbox.resume()
    opened = resident()
    print(f"the house has opened, {len(ids)} matches of {rows / len(ids):.0f} rows: {opened / MIB:.0f} MiB")
    most, begun = opened, time.monotonic()
    for number, table_id in enumerate(ids):
        board = await services.queries.board(table_id)
        for chair in board.table.chairs:
            if chair.person is not None:
                await services.drafts.panel(table_id, chair.person)
        if number % 100 == 0:
            most = max(most, resident())
    await store.close()
    print(f"all of them touched in {time.monotonic() - begun:.0f} s")
    return verdict("resident, at most", max(most, resident()) / MIB, BOUND, "MiB")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.resident", description=__doc__)
    parser.add_argument("--matches", type=int, default=10_000, help="matches that are open")
    parser.add_argument("--rows", type=int, default=40, help="sentences that each has, if it lasts so long")
    parser.add_argument("--touch", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.touch is not None:
        return 0 if asyncio.run(touch(options.touch)) else 1
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "house.db"
        asyncio.run(fill(database, options.matches, options.rows))
        command = [sys.executable, "-m", "bench.resident", "--touch", str(database)]
        return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
