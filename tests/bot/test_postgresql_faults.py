"""PostgreSQL cuts, refuses, freezes and restarts: a unit is whole or nothing, and the next one succeeds."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, closing, contextmanager
from typing import Any

import psycopg
import pytest
from psycopg import errors

from bot.domain.address import PostgresqlAddress
from bot.domain.match import LogRow
from bot.domain.shards import Shards
from bot.store import Conflict, StoreError, open_store
from bot.store.postgresql import connections, units
from bot.store.postgresql.store import READERS, WRITERS, PostgresqlStore
from tests.bot.test_store_units import row, table
from tests.kit.postgresql import Cluster
from tests.kit.waiting import PATIENCE, eventually, until

Outside = psycopg.Connection[tuple[Any, ...]]


@pytest.fixture
def house(cluster: Cluster) -> PostgresqlAddress:
    address = cluster.house()
    # A deadlock is looked for at once, and not after a second.
    return PostgresqlAddress(address.url + "%20-cdeadlock_timeout%3D50ms")


@pytest.fixture
async def stores(house: PostgresqlAddress) -> AsyncIterator[list[PostgresqlStore]]:
    """Return the stores of two processes, with a table and two values of the house."""
    async with AsyncExitStack() as stack:
        found: list[PostgresqlStore] = []
        for number in (0, 1):
            store = await open_store(house, Shards(number, number, 2))
            assert isinstance(store, PostgresqlStore)
            stack.push_async_callback(store.close)
            found.append(store)
        async with found[0].transaction() as unit:
            await unit.save_table(table())
            await unit.set_value("a", "0")
            await unit.set_value("b", "0")
        yield found


@pytest.fixture
def store(stores: list[PostgresqlStore]) -> PostgresqlStore:
    return stores[0]


@pytest.fixture
def outside(house: PostgresqlAddress) -> Iterator[Outside]:
    """Return somebody else's connection: it locks, asks and ends others."""
    with closing(psycopg.connect(house.url, autocommit=True, application_name="outside")) as connection:
        yield connection


@contextmanager
def locked(house: PostgresqlAddress, key: str) -> Iterator[Outside]:
    """Hold a value of the house: whoever writes it waits. Yield who does so.

    Nobody else can look from there: within a transaction, PostgreSQL shows what it has shown before.
    """
    with closing(psycopg.connect(house.url, application_name="outside")) as holder:
        holder.execute("UPDATE house SET value = 'outside' WHERE key = %s", [key])
        yield holder
        holder.rollback()


OURS = "FROM pg_stat_activity WHERE application_name = 'bauta' AND datname = current_database()"


def waiting(outside: Outside, kind: str = "Lock") -> list[int]:
    """Return the processes of PostgreSQL that wait for a lock for us."""
    found = outside.execute(f"SELECT pid {OURS} AND wait_event_type = '{kind}'".encode()).fetchall()
    return [pid for (pid,) in found]


async def one_waits(outside: Outside) -> int:
    return (await eventually(lambda: waiting(outside)))[0]


def cut(outside: Outside, *pids: int) -> None:
    """End connections, and wait until they are gone."""
    outside.execute("SELECT pg_terminate_backend(pid, 10000) FROM unnest(%s::int[]) AS pid", [list(pids)])


def cut_all(outside: Outside) -> None:
    cut(outside, *(pid for (pid,) in outside.execute(f"SELECT pid {OURS}".encode()).fetchall()))


async def put(store: PostgresqlStore, *keys: str, value: str = "1") -> None:
    async with store.transaction() as unit:
        for key in keys:
            await unit.set_value(key, value)


async def value(store: PostgresqlStore, key: str) -> str | None:
    async with store.read() as reader:
        return await reader.value(key)


async def ask_and_put(store: PostgresqlStore, key: str) -> None:
    async with store.transaction() as unit:
        before = await unit.value(key)
        await unit.set_value(key, str(int(before or 0) + 1))


# --- tried again --------------------------------------------------------------------------------------


async def test_a_deadlock_is_tried_again(
    store: PostgresqlStore, house: PostgresqlAddress, outside: Outside
) -> None:
    with locked(house, "b") as holder:
        # The other one does not look whether there is a deadlock: it is ours that PostgreSQL ends.
        holder.execute("SET LOCAL deadlock_timeout = '60s'")
        writing = asyncio.create_task(put(store, "a", "b"))
        await one_waits(outside)
        await asyncio.to_thread(holder.execute, b"UPDATE house SET value = 'outside' WHERE key = 'a'")
    await writing
    assert [await value(store, key) for key in ("a", "b")] == ["1", "1"]


async def test_what_others_have_changed_meanwhile_is_tried_again(
    store: PostgresqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    carry_out, tries = units.carry_out, 0

    async def unlucky(*arguments: Any) -> None:
        nonlocal tries
        tries += 1
        await carry_out(*arguments)
        if tries < connections.ATTEMPTS:
            raise errors.SerializationFailure

    monkeypatch.setattr(units, "carry_out", unlucky)
    async with store.transaction() as unit:
        await unit.advance("t1", 1)
        await unit.append("t1", row(1))
    async with store.read() as reader:
        assert await reader.version("t1") == 1
        assert len(await reader.log("t1")) == 1
    tries = -100
    with pytest.raises(StoreError, match="40001"):
        await put(store, "a")
    assert tries == -100 + connections.ATTEMPTS
    assert await value(store, "a") == "0"


async def test_a_unit_that_is_cut_before_its_end_is_committed_once(
    store: PostgresqlStore, house: PostgresqlAddress, outside: Outside
) -> None:
    async def work() -> None:
        async with store.transaction() as unit:
            await unit.advance("t1", 1)
            await unit.append("t1", row(1))
            await unit.set_value("a", "1")

    with locked(house, "a"):
        working = asyncio.create_task(work())
        first = await one_waits(outside)
        cut(outside, first)
        await eventually(lambda: set(waiting(outside)) - {first})
    await working
    async with store.read() as reader:
        assert (await reader.version("t1"), await reader.value("a")) == (1, "1")
        assert await reader.log("t1") == [row(1)]


async def test_a_unit_that_asks_and_is_cut_while_it_waits_begins_anew(
    stores: list[PostgresqlStore], outside: Outside
) -> None:
    outside.execute("SELECT pg_advisory_lock(%s)", [units.UNIT_LOCK])
    working = asyncio.create_task(ask_and_put(stores[0], "a"))
    first = await one_waits(outside)
    cut(outside, first)
    await eventually(lambda: set(waiting(outside)) - {first})
    outside.execute("SELECT pg_advisory_unlock(%s)", [units.UNIT_LOCK])
    await working
    assert await value(stores[1], "a") == "1"


async def test_what_takes_too_long_is_not_tried_again(
    store: PostgresqlStore, house: PostgresqlAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[None] = []
    carry_out = units.carry_out

    async def counted(*arguments: Any) -> None:
        tries.append(None)
        await arguments[0].execute("SET lock_timeout = '50ms'")
        await carry_out(*arguments)

    monkeypatch.setattr(units, "carry_out", counted)
    with locked(house, "a"), pytest.raises(StoreError, match="55P03"):
        await put(store, "a")
    assert len(tries) == 1
    await put(store, "a")


# --- dead connections ---------------------------------------------------------------------------------


async def grown(store: PostgresqlStore, house: PostgresqlAddress, outside: Outside) -> None:
    """Let a store have as many connections as it may."""
    with locked(house, "a"):
        writing = [asyncio.create_task(put(store, "a")) for _ in range(WRITERS)]
        await eventually(lambda: len(waiting(outside)) == WRITERS)
    await asyncio.gather(*writing)
    async with AsyncExitStack() as stack:
        for _ in range(READERS):
            reader = await stack.enter_async_context(store.read())
            await reader.value("a")


async def release(store: PostgresqlStore) -> None:
    await store.sharing.release(["t1"])


async def read_value(store: PostgresqlStore) -> None:
    await value(store, "b")


USES: dict[str, Callable[[PostgresqlStore], Awaitable[None]]] = {
    "a question": read_value,
    "a change": lambda store: put(store, "b", value="2"),
    "a unit that asks": lambda store: ask_and_put(store, "b"),
    "a lease": release,
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
async def test_after_a_restart_the_first_that_comes_succeeds(
    use: Callable[[PostgresqlStore], Awaitable[None]],
    store: PostgresqlStore,
    house: PostgresqlAddress,
    outside: Outside,
) -> None:
    await grown(store, house, outside)
    cut_all(outside)
    await use(store)


async def test_many_at_once_after_a_restart(
    store: PostgresqlStore, house: PostgresqlAddress, outside: Outside
) -> None:
    await grown(store, house, outside)
    cut_all(outside)
    await asyncio.gather(*(use(store) for use in USES.values() for _ in range(6)))


# --- a unit that asks ---------------------------------------------------------------------------------


async def test_a_unit_that_asks_holds_off_the_units_of_another_process(
    stores: list[PostgresqlStore], outside: Outside
) -> None:
    async with stores[0].transaction() as unit:
        assert await unit.value("a") == "0"
        others = [
            asyncio.create_task(put(stores[1], "a", value="other")),
            asyncio.create_task(ask_and_put(stores[1], "b")),
        ]
        await eventually(lambda: len(waiting(outside)) == 2)
        assert await unit.value("a") == "0"
        assert await value(stores[1], "a") == "0", "whoever only reads does not wait"
        await unit.set_value("a", "mine")
        await unit.set_value("b", "5")
    await asyncio.gather(*others)
    assert await value(stores[0], "a") == "other"
    assert await value(stores[0], "b") == "6"


async def test_units_that_ask_count_right_in_two_processes(stores: list[PostgresqlStore]) -> None:
    await asyncio.gather(*(ask_and_put(stores[number % 2], "a") for number in range(30)))
    assert await value(stores[0], "a") == "30"


async def test_a_unit_that_asks_and_is_cut_leaves_nothing(
    stores: list[PostgresqlStore], outside: Outside
) -> None:
    async def work() -> None:
        async with stores[0].transaction() as unit:
            await unit.set_value("a", "half")
            await unit.value("a")
            pids = outside.execute(f"SELECT pid {OURS} AND state = 'idle in transaction'".encode()).fetchall()
            assert len(pids) == 1
            cut(outside, *pids[0])
            await unit.set_value("b", "half")

    with pytest.raises(StoreError):
        await work()
    assert [await value(stores[0], key) for key in ("a", "b")] == ["0", "0"]
    await ask_and_put(stores[0], "a")
    await put(stores[1], "b")
    assert [await value(stores[0], key) for key in ("a", "b")] == ["1", "1"]


async def test_a_conflict_leaves_nothing_and_the_connection_is_used_again(store: PostgresqlStore) -> None:
    async def work(*, asks: bool) -> None:
        async with store.transaction() as unit:
            if asks:
                await unit.value("a")
            await unit.set_value("a", "half")
            await unit.advance("t1", 9)

    for asks in (True, False):
        with pytest.raises(Conflict):
            await work(asks=asks)
        assert await value(store, "a") == "0"
    await ask_and_put(store, "a")
    assert await value(store, "a") == "1"


# --- full, frozen, gone -------------------------------------------------------------------------------


async def test_a_full_disk_is_said_and_nothing_is_half_done(store: PostgresqlStore, outside: Outside) -> None:
    outside.execute(
        b"CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$"
        b" BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;"
        b" CREATE TRIGGER full_disk BEFORE INSERT ON log FOR EACH ROW EXECUTE FUNCTION full_disk()"
    )

    async def work(*, asks: bool) -> None:
        async with store.transaction() as unit:
            if asks:
                await unit.value("a")
            await unit.set_value("a", "half")
            await unit.append("t1", row(1))

    for asks in (True, False):
        with pytest.raises(StoreError, match="no room left on the server"):
            await work(asks=asks)
    outside.execute(b"DROP TRIGGER full_disk ON log")
    assert await value(store, "a") == "0"
    await work(asks=False)
    assert await value(store, "a") == "half"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody wait long for a server that says nothing."""
    monkeypatch.setattr(connections, "RESPONSE_TIMEOUT_S", 0.3)
    monkeypatch.setattr("bot.store.postgresql.store.POOL_TIMEOUT_S", 0.5)
    monkeypatch.setattr("bot.store.postgresql.presence.RETRY_INTERVAL_S", 0.05)


@contextmanager
def frozen(cluster: Cluster) -> Iterator[None]:
    cluster.signal(signal.SIGSTOP)
    try:
        yield
    finally:
        cluster.signal(signal.SIGCONT)


@pytest.mark.parametrize("use", USES.values(), ids=USES)
async def test_a_frozen_server_is_given_up_and_used_again(
    use: Callable[[PostgresqlStore], Awaitable[None]],
    impatient: None,
    stores: list[PostgresqlStore],
    cluster: Cluster,
) -> None:
    with frozen(cluster):
        async with asyncio.timeout(PATIENCE):
            for _ in range(2):
                with pytest.raises(StoreError, match="does not answer"):
                    await use(stores[0])

    async def works() -> bool:
        try:
            await use(stores[0])
        except StoreError:
            return False
        return True

    await until(works)
    assert await value(stores[0], "a") == "0"
    assert await value(stores[1], "a") == "0"


async def test_a_server_that_freezes_within_a_unit_has_nothing_of_it(
    impatient: None, stores: list[PostgresqlStore], cluster: Cluster
) -> None:
    async def work() -> None:
        async with stores[0].transaction() as unit:
            await unit.value("a")
            await unit.set_value("a", "half")
            cluster.signal(signal.SIGSTOP)
            await unit.set_value("b", "half")

    try:
        async with asyncio.timeout(PATIENCE):
            with pytest.raises(StoreError, match="does not answer"):
                await work()
    finally:
        cluster.signal(signal.SIGCONT)

    async def undone() -> bool:
        try:
            await put(stores[1], "b")
        except StoreError:
            return False
        return True

    await until(undone)
    assert [await value(stores[1], key) for key in ("a", "b")] == ["0", "1"]


async def test_who_gives_up_while_the_server_is_frozen_need_not_wait(
    impatient: None, store: PostgresqlStore, cluster: Cluster
) -> None:
    with frozen(cluster):
        task = asyncio.create_task(put(store, "a"))
        await asyncio.sleep(0)
        task.cancel()
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(task, return_exceptions=True)
    assert task.cancelled() or task.exception() is not None


async def test_what_is_written_is_not_told(store: PostgresqlStore, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    for name in ("psycopg", "psycopg.pool"):
        caplog.set_level("DEBUG", logger=name)

    async def work(*rows: tuple[str, LogRow]) -> None:
        async with store.transaction() as unit:
            for table_id, each in rows:
                await unit.append(table_id, each)

    with pytest.raises(StoreError) as caught:
        await work(("nowhere", row(1, "canary")))
    with pytest.raises(Conflict) as conflict:
        await work(("t1", row(1, "canary")), ("t1", row(2, "canary")))
    for text in (caplog.text, str(caught.value), str(conflict.value)):
        assert "canary" not in text
