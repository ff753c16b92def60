"""PgBouncer before PostgreSQL: what lends sessions is refused at the start, what keeps them works."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import suppress

import pytest

from bot.domain.address import PostgresqlAddress
from bot.domain.shards import Shards
from bot.store import StoreError, Unreachable, open_store
from bot.store.postgresql.preparing import inspect
from bot.store.postgresql.store import PostgresqlStore
from tests.bot.test_postgresql_faults import ask_and_put, put, value
from tests.kit.postgresql import Cluster, pooled
from tests.kit.waiting import until

SAID = r"lends connections by the transaction \(PgBouncer's pool_mode\)\.\n.*pool_mode = session"


async def opened(address: PostgresqlAddress, shards: Shards) -> PostgresqlStore:
    store = await open_store(address, shards)
    assert isinstance(store, PostgresqlStore)
    return store


async def listening(address: PostgresqlAddress) -> None:
    """Wait until a pooler listens."""
    path = f"{address.url.partition('host=')[2].partition('&')[0]}/.s.PGSQL.6432"

    async def connects() -> bool:
        with suppress(OSError), socket.socket(socket.AF_UNIX) as line:
            line.connect(path)
            return True
        return False

    await until(connects)


@pytest.fixture
def pool(request: pytest.FixtureRequest, cluster: Cluster) -> Iterator[PostgresqlAddress]:
    mode, size = request.param
    with pooled(cluster, mode, size=size) as address:
        yield address


@pytest.mark.parametrize(
    "pool", [("transaction", 20), ("transaction", 1), ("statement", 20)], ids=str, indirect=True
)
async def test_a_pool_that_lends_by_the_transaction_is_refused(pool: PostgresqlAddress) -> None:
    await listening(pool)
    for _ in range(3):
        with pytest.raises(StoreError, match=SAID) as caught:
            await open_store(pool)
        # Only its operator can mend it.
        assert not isinstance(caught.value, Unreachable)
    with pytest.raises(StoreError, match=SAID):
        inspect(pool)


@pytest.mark.parametrize("pool", [("transaction", 20)], ids=str, indirect=True)
async def test_it_is_refused_while_others_use_it(pool: PostgresqlAddress) -> None:
    import psycopg

    await listening(pool)

    async def use() -> None:
        async with await psycopg.AsyncConnection.connect(pool.url, autocommit=True) as connection:
            while True:
                await connection.execute("SELECT pg_sleep(0.001)")

    users = [asyncio.create_task(use()) for _ in range(4)]
    try:
        for _ in range(5):
            with pytest.raises(StoreError, match=SAID):
                await open_store(pool)
    finally:
        for user in users:
            user.cancel()
        await asyncio.gather(*users, return_exceptions=True)


@pytest.mark.parametrize("pool", [("session", 30)], ids=str, indirect=True)
async def test_a_pool_that_lends_sessions_serves_two_processes(pool: PostgresqlAddress) -> None:
    await listening(pool)
    stores = [await opened(pool, Shards(number, number, 2)) for number in (0, 1)]
    try:
        await asyncio.gather(*(ask_and_put(stores[number % 2], "a") for number in range(20)))
        await asyncio.gather(*(put(stores[number % 2], "b") for number in range(20)))
        assert [await value(store, "a") for store in stores] == ["20", "20"]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("bot.store.postgresql.presence.SHARD_LOCK_TIMEOUT_S", 0.0)
            with pytest.raises(StoreError, match="serves shard 0 of 2 already"):
                await open_store(pool, Shards(0, 0, 2))
    finally:
        for store in stores:
            await store.close()
