"""No error leaves a connection behind that fails those who use it next."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, closing, contextmanager, suppress
from typing import Any

import psycopg
import pytest

from bot.domain.address import PostgresqlAddress
from bot.domain.shards import Shards
from bot.store import Conflict, StoreError, open_store
from bot.store.postgresql import units
from bot.store.postgresql.store import BOUNDS, PostgresqlStore
from tests.bot.test_postgresql_faults import ask_and_put, one_waits, put, value
from tests.bot.test_store_units import row, table
from tests.kit.postgresql import Cluster

Outside = psycopg.Connection[tuple[Any, ...]]
Use = Callable[[PostgresqlStore], Awaitable[object]]

PREPARES = 5
"""After as many uses of a query, psycopg prepares it."""


@pytest.fixture
def house(cluster: Cluster) -> PostgresqlAddress:
    return cluster.house()


@pytest.fixture
async def store(house: PostgresqlAddress, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[PostgresqlStore]:
    """Return a store that waits for locks for a moment only, and always uses the same connections."""
    monkeypatch.setitem(BOUNDS, "lock_timeout", "50ms")
    monkeypatch.setitem(BOUNDS, "statement_timeout", "300ms")
    monkeypatch.setattr("bot.store.postgresql.store.WRITERS", 1)
    monkeypatch.setattr("bot.store.postgresql.store.READERS", 1)
    async with AsyncExitStack() as stack:
        found = await open_store(house, Shards(0, 0, 1))
        assert isinstance(found, PostgresqlStore)
        stack.push_async_callback(found.close)
        async with found.transaction() as unit:
            await unit.save_table(table())
            await unit.set_value("a", "0")
        yield found


@pytest.fixture
def outside(house: PostgresqlAddress) -> Iterator[Outside]:
    with closing(psycopg.connect(house.url, autocommit=True, application_name="outside")) as connection:
        yield connection


async def count_table(store: PostgresqlStore) -> None:
    async with store.read() as reader:
        await reader.value("a")
        await reader.version("t1")


async def lease(store: PostgresqlStore) -> None:
    await store.sharing.release(["t1"])


USES: dict[str, Use] = {
    "a question": lambda store: value(store, "a"),
    "two questions": count_table,
    "a change": lambda store: put(store, "a"),
    "a unit that asks": lambda store: ask_and_put(store, "a"),
    "a lease": lease,
}

LOCKS = {
    "another unit": f"SELECT pg_advisory_lock({units.UNIT_LOCK})",
    "a table": "BEGIN; LOCK TABLE house, match, lease IN ACCESS EXCLUSIVE MODE",
}


@contextmanager
def held(outside: Outside, lock: str) -> Iterator[None]:
    outside.execute(lock.encode())
    try:
        yield
    finally:
        outside.execute(b"ROLLBACK; SELECT pg_advisory_unlock_all()")


@pytest.mark.parametrize("lock", LOCKS.values(), ids=LOCKS)
@pytest.mark.parametrize("use", USES.values(), ids=USES)
async def test_a_lock_timeout_harms_nobody_else(
    use: Use, lock: str, store: PostgresqlStore, outside: Outside
) -> None:
    """Whatever number of use it meets: at one of them psycopg takes the query for prepared."""
    for _ in range(PREPARES + 2):
        # Not every use needs what is held.
        with held(outside, lock), suppress(StoreError):
            await use(store)
        for each in (use, *USES.values()):
            await each(store)


async def test_a_unit_that_meets_a_taken_key_harms_nobody_else(store: PostgresqlStore) -> None:
    async def again() -> None:
        async with store.transaction() as unit:
            await unit.append("t1", row(1))
            await unit.set_value("b", "1")
            await unit.advance("t1", 9)

    async with store.transaction() as unit:
        await unit.append("t1", row(1))
    for _ in range(2 * PREPARES):
        with pytest.raises(Conflict):
            await again()
        await put(store, "b")


async def test_a_query_that_is_ended_harms_nobody_else(store: PostgresqlStore, outside: Outside) -> None:
    outside.execute(b"SET lock_timeout = 0")
    for _ in range(2 * PREPARES):
        with held(outside, LOCKS["a table"]):
            working = asyncio.create_task(put(store, "a"))
            pid = await one_waits_or_fails(outside, working)
            if pid is not None:
                with closing(psycopg.connect(outside.info.dsn, autocommit=True)) as other:
                    other.execute("SELECT pg_cancel_backend(%s)", [pid])
            with pytest.raises(StoreError):
                await working
        await put(store, "a")


async def one_waits_or_fails(outside: Outside, working: asyncio.Task[None]) -> int | None:
    waits = asyncio.create_task(one_waits(outside))
    await asyncio.wait([waits, working], return_when=asyncio.FIRST_COMPLETED)
    if waits.done():
        return waits.result()
    waits.cancel()
    return None


# --- what others do to a session behind psycopg's back ------------------------------------------------


async def behind_its_back(store: PostgresqlStore, sql: bytes) -> None:
    """Do something in every session of a store that psycopg does not hear of, as a pooler may."""
    for pool in (store._writers, store._readers):  # noqa: SLF001
        async with pool.connection() as connection:
            connection.pgconn.exec_(sql)


BEHIND = {
    "forgotten": b"DISCARD ALL",
    "forgotten but the settings": b"DEALLOCATE ALL",
    "taken": b"; ".join(b"PREPARE _pg3_%d AS SELECT 1" % number for number in range(60)),
}


@pytest.mark.parametrize("sql", BEHIND.values(), ids=BEHIND)
@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize("before", [1, 2 * PREPARES])
async def test_prepared_statements_that_another_touches_are_made_again(
    before: int, use: Use, sql: bytes, store: PostgresqlStore
) -> None:
    if sql.startswith(b"PREPARE") and before > 1:
        pytest.skip("those names are ours by now")
    for _ in range(before):
        await use(store)
    await behind_its_back(store, sql)
    for _ in range(2 * PREPARES):
        await use(store)


async def test_a_column_that_changes_its_type_under_a_prepared_statement(
    store: PostgresqlStore, outside: Outside
) -> None:
    """As where another version of the house brings the schema up to date."""
    for use in USES.values():
        for _ in range(2 * PREPARES):
            await use(store)
    outside.execute(b"ALTER TABLE house ALTER COLUMN value TYPE varchar")
    for _ in range(2):
        for use in USES.values():
            await use(store)


# --- a unit is committed, or says that it is not ------------------------------------------------------


async def test_a_failed_unit_that_goes_on_is_not_taken_for_committed(store: PostgresqlStore) -> None:
    async def work() -> None:
        async with store.transaction() as unit:
            await unit.value("a")
            await unit.append("t1", row(1))
            with pytest.raises(Conflict):
                await unit.append("t1", row(1))

    with pytest.raises(StoreError, match="25P02"):
        await work()
    async with store.read() as reader:
        assert await reader.log("t1") == []


async def test_a_scrub_leaves_no_connection_without_a_timeout(store: PostgresqlStore) -> None:
    async with store._writers.connection() as connection:  # noqa: SLF001
        await connection.execute("SET statement_timeout = 1")  # it cannot be set back where a scrub failed
    await store.scrub()
    async with store._writers.connection() as connection:  # noqa: SLF001
        cursor = await connection.execute("SELECT current_setting('statement_timeout')")
        assert await cursor.fetchall() == [(BOUNDS["statement_timeout"],)]
