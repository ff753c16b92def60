"""What benches ask of a database that a bot serves meanwhile, be it SQLite or PostgreSQL."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from bot.domain.address import Address
from bot.store.postgresql.dialect import translated
from tests.kit.postgresql import MISSING, Cluster, binaries, running

DURABLE = "fsync = on\nfull_page_writes = on\n"
"""What a server needs that is to survive a power cut: as SQLite's files do."""


def ask(address: Address, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """Return all rows that answer a question; its placeholders are SQLite's.

    Raises ``ConnectionError`` where PostgreSQL is away.
    """
    if isinstance(address, Path):
        with closing(sqlite3.connect(f"file:{address}?mode=ro", uri=True)) as connection:
            return connection.execute(sql, values).fetchall()
    # Who has SQLite alone need not have it installed.
    import psycopg  # noqa: PLC0415

    try:
        with closing(psycopg.connect(address.url, autocommit=True)) as line:
            return psycopg.RawCursor(line).execute(translated(sql)[0].encode(), values).fetchall()
    except psycopg.OperationalError as error:
        raise ConnectionError(str(error)) from error


@contextmanager
def durable() -> Iterator[Cluster]:
    """Run a server of PostgreSQL that syncs; raises ``RuntimeError`` where none is installed."""
    programs = binaries()
    if programs is None:
        raise RuntimeError(MISSING)
    with running(programs, DURABLE) as cluster:
        yield cluster
