"""An address of PostgreSQL that leads to another database than the one that was opened."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import psycopg
import pytest

from bot.domain.address import PostgresqlAddress
from bot.store import DatabaseReplaced, Store, StoreError, open_store
from bot.store.postgresql.identity import HOUSE_ID
from bot.store.postgresql.preparing import mark_restored
from tests.kit.postgresql import Cluster
from tests.kit.waiting import until

NAMES = count(1)


@asynccontextmanager
async def opened(address: PostgresqlAddress) -> AsyncIterator[Store]:
    store = await open_store(address)
    try:
        yield store
    finally:
        await store.close()


@pytest.fixture
def name(cluster: Cluster) -> str:
    """Return the name of a database of its own, which may be dropped."""
    name = f"replaced{next(NAMES)}"
    cluster.execute(f"CREATE DATABASE {name}")
    return name


async def set_value(store: Store, key: str, value: str) -> None:
    async with store.transaction() as unit:
        await unit.set_value(key, value)


async def value(store: Store, key: str) -> str | None:
    async with store.read() as reader:
        return await reader.value(key)


async def house_id(address: PostgresqlAddress) -> str | None:
    async with opened(address) as store:
        return await value(store, HOUSE_ID)


async def is_refused(store: Store) -> bool:
    try:
        await set_value(store, "late", "1")
    except DatabaseReplaced:
        return True
    except StoreError:
        return False
    pytest.fail("it was committed somewhere else")


def renew(cluster: Cluster, name: str) -> None:
    cluster.execute(f"DROP DATABASE {name} WITH (FORCE)")
    cluster.execute(f"CREATE DATABASE {name}")


@pytest.mark.parametrize("is_prepared", [False, True], ids=["empty", "another house"])
async def test_a_database_that_was_made_again_is_refused(
    is_prepared: bool, name: str, cluster: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    address = cluster.address(name)
    async with opened(address) as store:
        await set_value(store, "before", "1")
        await asyncio.to_thread(renew, cluster, name)
        if is_prepared:
            first = await house_id(address)
            assert first is not None
        await until(lambda: is_refused(store))
        uses: list[Any] = [set_value(store, "late", "1"), value(store, "before"), store.scrub()]
        assert store.sharing is not None
        uses += [store.sharing.renew(["m"]), store.sharing.claim(0.0, 1, 1)]
        for use in uses:
            with pytest.raises(
                DatabaseReplaced, match=r"leads to another database.*\n.*docs/troubleshooting\.md"
            ):
                await use
        errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
        assert len(errors) == 1
        assert "docs/troubleshooting.md" in errors[0].message
    async with opened(address) as other:
        assert await value(other, "late") is None


async def test_tables_that_were_made_again_under_open_connections_are_refused(
    name: str, cluster: Cluster
) -> None:
    address = cluster.address(name)
    async with opened(address) as store:
        assert store.sharing is not None
        keeping = asyncio.create_task(store.sharing.keep(lambda _: None))
        try:
            await set_value(store, "before", "1")
            # Another process brings them up to date, and gives them another id.
            with psycopg.connect(address.url, autocommit=True) as connection:
                connection.execute("UPDATE house SET value = 'another' WHERE key = %s", [HOUSE_ID])
            await until(lambda: is_known(store))
            assert await is_refused(store)
            # It stays: a process that ended would be started again, and serve what is there now.
            assert not keeping.done()
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)


async def is_known(store: Store) -> bool:
    try:
        await value(store, "before")
    except DatabaseReplaced:
        return True
    return False


async def test_a_copy_in_its_place_is_the_same_house(name: str, cluster: Cluster) -> None:
    """PostgreSQL's own tools set a database back: nothing else has to be told."""
    address = cluster.address(name)
    first = await house_id(address)
    cluster.execute(f"CREATE DATABASE {name}_copy TEMPLATE {name}")
    async with opened(address) as store:
        await asyncio.to_thread(renew_from_copy, cluster, name)
        await until(lambda: is_written(store))
        assert await value(store, HOUSE_ID) == first


def renew_from_copy(cluster: Cluster, name: str) -> None:
    cluster.execute(f"DROP DATABASE {name} WITH (FORCE)")
    cluster.execute(f"ALTER DATABASE {name}_copy RENAME TO {name}")


async def is_written(store: Store) -> bool:
    try:
        await set_value(store, "after", "1")
    except DatabaseReplaced:
        raise
    except StoreError:
        return False
    return True


async def test_the_id_stays_through_starts_and_what_notes_a_restore(cluster: Cluster) -> None:
    address = cluster.house()
    first = await house_id(address)
    assert first
    await asyncio.to_thread(mark_restored, address)
    assert await house_id(address) == first
    assert await house_id(cluster.house()) != first
