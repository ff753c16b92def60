"""Houses to move, databases to move them to, and what is asked of both afterwards."""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest

from bot.domain.address import PostgresqlAddress
from bot.store import StoreError
from bot.store.checks import open_read_only
from bot.store.contents import tables
from tests.bot.conftest import ALL_GAMES, Room
from tests.kit.postgresql import Cluster

if find_spec("psycopg") is None or find_spec("psycopg_pool") is None:
    collect_ignore_glob = ["test_*.py"]


def quiet(words: str) -> None:
    pass


def sums(database: Path) -> str:
    return hashlib.sha256(database.read_bytes()).hexdigest()


def count(path: Path) -> int:
    """Return how many rows a house over SQLite has."""
    with closing(open_read_only(path)) as connection:
        names = [table.name for table in tables(connection)]
        return sum(connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names)


def arrived(cluster: Cluster, target: PostgresqlAddress) -> int | None:
    """Return how many rows a target has, but for its id; ``None``: it has no tables, as before the move."""
    schema = schema_of(target)
    names = cluster.execute(
        f"SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = '{schema}'::regnamespace"
        " AND relname NOT IN ('migration', 'lease')"
    )
    if not names:
        return None
    found = 0
    for (name,) in names:
        but = "WHERE key <> 'house_id'" if name == "house" else ""
        [(rows,)] = cluster.execute(f"SELECT count(*) FROM {schema}.{name} {but}")
        assert isinstance(rows, int)
        found += rows
    return found


def schema_of(target: PostgresqlAddress) -> str:
    return target.url.rpartition("search_path%3D")[2]


def change(path: Path, *statements: str) -> None:
    """Change a database as no version of ours does."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for statement in statements:
            connection.execute(statement)


@pytest.fixture
async def small(tmp_path: Path) -> Path:
    """Return a database with one match of two rows; nobody serves it."""
    room = await Room(tmp_path / "house.db", ALL_GAMES).enter()
    try:
        await room.lay_all(await room.begin("vault"))
    finally:
        await room.store.close()
    return room.path


@pytest.fixture
def target(cluster: Cluster) -> PostgresqlAddress:
    return cluster.house()


def refusal(source: Path, target: PostgresqlAddress) -> str:
    """Return why a move is refused; nothing of the source may be touched by it."""
    before = sums(source) if source.is_file() else ""
    from bot.store.postgresql.moving import move

    with pytest.raises(StoreError) as caught:
        move(source, target, quiet)
    assert (sums(source) if source.is_file() else "") == before
    assert len(str(caught.value).splitlines()) == 2, "it says what to do"
    return str(caught.value)
