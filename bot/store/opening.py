"""Open any kind of database."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from bot.domain.address import Address, PostgresqlAddress
from bot.domain.shards import ALL, Shards
from bot.store.errors import StoreError
from bot.store.protocol import Store
from bot.store.sqlite import open_sqlite


async def open_store(address: Address, shards: Shards = ALL) -> Store:
    """Open a database, created if missing; raises :class:`StoreError` with advice.

    ``shards``: this process's shards, if several processes share the database.
    """
    if isinstance(address, Path):
        return await open_sqlite(address)
    return await _open_postgresql(address, shards)


async def _open_postgresql(address: PostgresqlAddress, shards: Shards) -> Store:
    require_postgresql()
    # SQLite users need not have psycopg installed.
    from bot.store.postgresql.store import open_postgresql  # noqa: PLC0415

    return await open_postgresql(address, shards)


def require_postgresql(named: str = "BAUTA_DATABASE") -> None:
    """Raise :class:`StoreError` if psycopg is not installed; ``named``: the setting that needs it."""
    if find_spec("psycopg") is None or find_spec("psycopg_pool") is None:
        raise StoreError(
            f"{named} names PostgreSQL, and what it needs is not installed.\n"
            "Install it: pip install 'bauta-house[postgresql]'"
        )
