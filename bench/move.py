"""A large house moved to PostgreSQL, and moves that are killed: ``python -m bench.move --matches 10000``.

Some matches of every game are begun and played, and copied under new ids, with logs whose chains are their
own, until there are as many as asked. They are moved and a sample is loaded over PostgreSQL. Then a move is
killed with SIGKILL at as many points as asked, spread over its duration; after each the file has to be the
same byte by byte, and the target empty or whole. Needs a server: ``--server``, a database whose user may make
schemas, or PostgreSQL's programs, of which one is started. The exit status is 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

import psycopg

from bench.matches import begin, think
from bot.domain.address import PostgresqlAddress
from bot.domain.tables import Person
from bot.matches.limits import NO_LIMITS
from bot.matches.table_cache import TableCache
from bot.store import open_store
from bot.store.assembly import log_rows
from bot.store.contents import LOG, Row, tables
from bot.store.postgresql.preparing import MIGRATION_LOCK, conninfo
from bot.store.prepare import connect
from engines.core.registry import games
from tests.kit.postgresql import cluster
from tests.kit.thinking_here import services_over

EACH = 8
"""Matches of each game that are played."""

SENTENCES = 24
"""Sentences a match, at most."""

SAMPLE = 40
"""Matches that are loaded after the move."""

PEOPLE = tuple(Person(10**9 + number, f"Player {number}") for number in range(6))

MOVE = "import sys; from bot.__main__ import main; sys.exit(main(sys.argv[1:]))"

LET_GO = 60.0
"""Seconds in which the server notices that whoever moved is gone."""

POLL = 0.05


@dataclass(frozen=True, slots=True)
class Server:
    """Where houses may be made, each in a schema of its own."""

    address: PostgresqlAddress

    def execute(self, statement: str) -> list[Row]:
        """Return what the server answers."""
        with closing(psycopg.connect(conninfo(self.address), autocommit=True)) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    @contextmanager
    def house(self, name: str) -> Iterator[PostgresqlAddress]:
        """Lend an address without any tables; what is in it afterwards goes."""
        schema = f"bauta_bench_{name}"
        self.execute(f"CREATE SCHEMA {schema}")
        try:
            joint = "&" if "?" in self.address.url else "?"
            yield PostgresqlAddress(f"{self.address.url}{joint}options=-csearch_path%3D{schema}")
        finally:
            self.execute(f"DROP SCHEMA {schema} CASCADE")

    def rows(self, name: str) -> int | None:
        """Return how many rows a house has; ``None``: it has no tables."""
        schema = f"bauta_bench_{name}"
        found = self.execute(
            f"SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = '{schema}'::regnamespace"
            " AND relname <> 'migration'"
        )
        counts = [self.execute(f"SELECT count(*) FROM {schema}.{table}") for (table,) in found]
        return sum(count for [(count,)] in counts) if counts else None

    def wait(self) -> float:
        """Wait until no move holds the server any more; return for how many seconds."""
        begun = time.monotonic()
        held = f"SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = {MIGRATION_LOCK & 0xFFFFFFFF}"
        while self.execute(held):
            if time.monotonic() - begun > LET_GO:
                raise TimeoutError("the server has not noticed that a move was killed")
            time.sleep(POLL)
        return time.monotonic() - begun


async def play(path: Path) -> None:
    """Fill a new database with matches of every game; some end."""
    store = await open_store(path)
    requests = (f"bench{number}" for number in range(10**9))
    try:
        services = services_over(TableCache(store, wake=lambda: None), limits=NO_LIMITS)
        for game in games().values():
            for number in range(EACH):
                table_id = await begin(services, game, PEOPLE, requests)
                for seat, words in await think(services, table_id, SENTENCES * (number + 1) // EACH):
                    await services.actions.submit(table_id, seat, None, words, next(requests))
                if number == 0:
                    await services.actions.resign(table_id, PEOPLE[0], next(requests))
    finally:
        await store.close()


def multiply(path: Path, matches: int) -> None:
    """Copy matches under new ids until there are as many as asked."""
    with closing(connect(path)) as connection:
        played = [match for (match,) in connection.execute("SELECT id FROM match ORDER BY id")]
        names = {table.name: table.names for table in tables(connection) if table.match is not None}
        connection.execute("BEGIN")
        for number in range(matches - len(played)):
            _copy(connection, names, played[number % len(played)], f"copy{number}")
        connection.execute("COMMIT")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _copy(connection: sqlite3.Connection, names: dict[str, tuple[str, ...]], match: str, copy: str) -> None:
    """Copy all rows of a match, the match first; its requests and the chain of its log become its own."""
    for table, columns in names.items():
        key = "id" if table == "match" else "match"
        kept = [name for name in columns if (table, name) not in (("job", "revision"), ("match", "thread"))]
        if table == "log":
            _copy_log(connection, match, copy)
            continue
        own = {key: ":copy"} | ({"id": "id || ':' || :copy"} if table == "request" else {})
        taken = ", ".join(own.get(name, name) for name in kept)
        connection.execute(
            f"INSERT INTO {table} ({', '.join(kept)}) SELECT {taken} FROM {table} WHERE {key} = :match",
            {"match": match, "copy": copy},
        )


def _copy_log(connection: sqlite3.Connection, match: str, copy: str) -> None:
    found = connection.execute(f"SELECT {', '.join(LOG[1:])} FROM log WHERE match = ? ORDER BY seq", (match,))
    bare = [(*row[:5], f"{row[5]}:{copy}", row[6], "", *row[8:]) for row in found]
    chain = ""
    for row, (*_, remaining, restore_id) in zip(log_rows(bare), bare, strict=True):
        chain = row.chained(chain)
        connection.execute(
            f"INSERT INTO log ({', '.join(LOG)}) VALUES ({', '.join('?' * len(LOG))})",
            (
                copy,
                row.seq,
                row.kind.value,
                row.seat,
                json.dumps(row.words),
                row.digest,
                row.request,
                row.at,
                chain,
                remaining,
                restore_id,
            ),
        )


async def load(path: Path, target: PostgresqlAddress) -> int:
    """Load a sample of matches over PostgreSQL, which plays their logs again; return how many are sound."""
    with closing(sqlite3.connect(path)) as connection:
        ids = [match for (match,) in connection.execute("SELECT id FROM match ORDER BY random()")][:SAMPLE]
    store = await open_store(target)
    try:
        services = services_over(TableCache(store, wake=lambda: None), limits=NO_LIMITS)
        loaded = [await services.cache.get(match) for match in ids]
        return sum(not table.row.broken and table.require_log().match is not None for table in loaded)
    finally:
        await store.close()


def begin_move(path: Path, target: PostgresqlAddress) -> subprocess.Popen[str]:
    """Begin a move in a process of its own."""
    command = [sys.executable, "-c", MOVE, "move", "--from", f"sqlite:{path}", "--to", target.url]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def digest(path: Path) -> str:
    """Return what stands for a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def most_memory(process: subprocess.Popen[str]) -> int:
    """Wait for a process; return the most bytes of memory that it has had, as far as it was looked at."""
    most = 0
    while process.poll() is None:
        status = Path(f"/proc/{process.pid}/status").read_text("ascii")
        found = re.search(r"VmHWM:\s+(\d+)", status)
        most = max(most, int(found[1]) << 10 if found else 0)
        time.sleep(POLL)
    return most


def move_whole(path: Path, server: Server) -> tuple[float, int]:
    """Move once, and print how it went; return its seconds and the rows that have arrived."""
    before = digest(path)
    with server.house("whole") as target:
        begun = time.monotonic()
        process = begin_move(path, target)
        memory = most_memory(process)
        seconds = time.monotonic() - begun
        said, wrong = process.communicate()
        if process.returncode:
            raise RuntimeError(wrong)
        print(said.splitlines()[0], flush=True)
        sound = asyncio.run(load(path, target))
        print(
            f"the whole command: {seconds:.1f} s, {memory / (1 << 20):.0f} MiB at most; the file is "
            f"{'the same' if digest(path) == before else 'ANOTHER'}; {sound} of {SAMPLE} matches load",
            flush=True,
        )
        rows = server.rows("whole")
        if digest(path) != before or sound != SAMPLE or rows is None:
            raise RuntimeError("the move is not what it should be")
        return seconds, rows


def kill(path: Path, server: Server, number: int, after: float, rows: int) -> bool:
    """Kill a move after some seconds, and print what is there then; return whether all is well."""
    before = digest(path)
    with server.house(f"kill{number}") as target:
        process = begin_move(path, target)
        try:
            process.wait(after)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        _, told = process.communicate()
        waited = server.wait()
        found = server.rows(f"kill{number}")
        same, at = digest(path) == before, (told.splitlines() or ["(not a word yet)"])[-1]
        state = {None: "empty", rows: "whole"}.get(found, f"HALF-MOVED ({found} rows)")
        how = "killed" if process.returncode == -signal.SIGKILL else f"ended ({process.returncode})"
        print(
            f"{number:2}: {how} after {after:5.2f} s at {at!r}: file {'the same' if same else 'ANOTHER'}, "
            f"target {state}, let go after {waited:.2f} s",
            flush=True,
        )
        return same and found in (None, rows)


def measure(path: Path, server: Server, matches: int, kills: int) -> bool:
    """Make a house, move it, kill moves; return whether all is well."""
    begun = time.monotonic()
    asyncio.run(play(path))
    multiply(path, matches)
    made, size = time.monotonic() - begun, path.stat().st_size / (1 << 20)
    print(f"{matches:,} matches made in {made:.0f} s, {size:.0f} MiB", flush=True)
    seconds, rows = move_whole(path, server)
    # The last ones are killed as they end: whether they have, the clock decides.
    points = [seconds * (number + 0.5) / kills for number in range(kills)]
    kept = [kill(path, server, number, after, rows) for number, after in enumerate(points, 1)]
    return all(kept)


def lent(server: str | None) -> AbstractContextManager[Server]:
    """Lend the server that was named, or one that is started for it."""
    return nullcontext(Server(PostgresqlAddress(server))) if server else _own()


@contextmanager
def _own() -> Iterator[Server]:
    with cluster("fsync = on\nfull_page_writes = on\n") as found:
        yield Server(PostgresqlAddress(f"postgresql://bauta@/postgres?host={found.folder}"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Move and kill; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.move", description=__doc__)
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--kills", type=int, default=20, help="points at which a move is killed")
    parser.add_argument("--server", help="postgresql://… of a database; left out: a server is started")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder, lent(options.server) as server:
        is_well = measure(Path(folder) / "house.db", server, options.matches, options.kills)
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
