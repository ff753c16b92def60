"""Two processes at one database of PostgreSQL: who does what, what each hears, and nothing is done twice."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from dataclasses import replace
from itertools import count, pairwise
from typing import Any

import psycopg
import pytest

from bot.domain.address import PostgresqlAddress
from bot.domain.jobs import DEFERRABLE, JobKind, NewJob
from bot.domain.shards import Shards
from bot.domain.tables import Place, TableRow
from bot.store import StoreError, open_store
from bot.store.postgresql.preparing import migrations
from bot.store.postgresql.presence import SHARD
from bot.store.postgresql.sharing import TAKEOVER_DELAY_S
from bot.store.postgresql.store import PostgresqlStore
from bot.store.sharing import Change
from bot.sync.backlog import Backlog
from bot.sync.job_source import MOST_AFTERWARDS, LeasedJobs
from tests.bot.conftest import Room
from tests.bot.test_store_units import table
from tests.kit.postgresql import Cluster
from tests.kit.waiting import eventually, let_others_run, until

FIRST, SECOND = Shards(0, 0, 2), Shards(1, 1, 2)

NOW = 1_000.0


async def opened(address: PostgresqlAddress, shards: Shards) -> PostgresqlStore:
    store = await open_store(address, shards)
    assert isinstance(store, PostgresqlStore)
    return store


@pytest.fixture
def house(cluster: Cluster) -> PostgresqlAddress:
    return cluster.house()


@pytest.fixture
async def pair(house: PostgresqlAddress) -> AsyncIterator[tuple[PostgresqlStore, PostgresqlStore]]:
    """Return the stores of two processes with a shard each."""
    async with AsyncExitStack() as stack:
        stores: list[PostgresqlStore] = []
        for shards in (FIRST, SECOND):
            stores.append(await opened(house, shards))
            stack.push_async_callback(stores[-1].close)
        yield stores[0], stores[1]


Sql = Callable[[str], list[tuple[Any, ...]]]


@pytest.fixture
def sql(house: PostgresqlAddress) -> Sql:
    """Return how to ask and change the house from outside."""

    def execute(text: str) -> list[tuple[Any, ...]]:
        with closing(psycopg.connect(house.url, autocommit=True)) as connection:
            cursor = connection.execute(text.encode())
            return cursor.fetchall() if cursor.description else []

    return execute


async def fill(store: PostgresqlStore, due: float, numbers: Iterable[int]) -> frozenset[str]:
    """Make matches with a job each, alternately on a server of each shard; return their ids."""
    ids: list[str] = []
    async with store.transaction() as unit:
        for number in numbers:
            await unit.save_table(numbered(number))
            await unit.enqueue([NewJob(f"m{number}", JobKind.BOARD, due=due)])
            ids.append(f"m{number}")
    return frozenset(ids)


def numbered(number: int) -> TableRow:
    """Return a match on a server of the first shard or, where its number is odd, of the second."""
    row = table(f"m{number}")
    place = Place((number % 2) << 22, 2)
    return replace(row, info=replace(row.info, place=place, thread_id=None))


@asynccontextmanager
async def kept(*stores: PostgresqlStore) -> AsyncIterator[list[list[Change]]]:
    """Let stores be present; yield what each of them hears."""
    heard: list[list[Change]] = [[] for _ in stores]
    pairs = zip(stores, heard, strict=True)
    tasks = [asyncio.create_task(store.sharing.keep(changes.append)) for store, changes in pairs]
    try:
        yield heard
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


# --- leases -------------------------------------------------------------------------------------------


async def test_no_match_is_in_two_hands(pair: tuple[PostgresqlStore, PostgresqlStore]) -> None:
    every = await fill(pair[0], NOW - 100, range(80))
    claims = await asyncio.gather(*(pair[n % 2].sharing.claim(NOW, 7, 99) for n in range(24)))
    taken = [match for claim in claims for match in claim]
    assert len(taken) == len(set(taken))
    assert max(map(len, claims)) <= 7
    for store in pair:
        taken += await store.sharing.claim(NOW, 1_000, 99)
    assert sorted(taken) == sorted(every)


async def test_each_has_its_own_servers_first_and_others_after_a_while(
    pair: tuple[PostgresqlStore, PostgresqlStore],
) -> None:
    await fill(pair[0], NOW, range(4))
    first = pair[0].sharing
    assert await first.claim(NOW - 1, 99, 99) == frozenset(), "nothing is due"
    assert await first.claim(NOW, 99, 99) == {"m0", "m2"}
    assert await first.claim(NOW + TAKEOVER_DELAY_S - 0.5, 99, 99) == frozenset(), "the other may come yet"
    assert await pair[1].sharing.claim(NOW, 1, 99) <= {"m1", "m3"}
    assert len(await first.claim(NOW + TAKEOVER_DELAY_S, 99, 99)) == 1


async def test_what_somebody_waits_for_goes_before_what_nobody_does(
    pair: tuple[PostgresqlStore, PostgresqlStore],
) -> None:
    store = pair[0]
    urgent = await fill(store, NOW, range(0, 8, 2))
    # A start has a look at every match, and what is shown meanwhile comes later.
    async with store.transaction() as unit:
        for number in range(100, 140, 2):
            await unit.save_table(numbered(number))
            await unit.enqueue([NewJob(f"m{number}", JobKind.CHECK, due=NOW - 100)])
    found = await store.sharing.claim(NOW, 3, 2)
    assert len(found & urgent) == 3
    assert len(found) == 5
    assert urgent <= found | await store.sharing.claim(NOW, 3, 0)


def test_the_index_has_what_somebody_waits_for() -> None:
    text = migrations()[11]
    kinds = re.search(r"INDEX job_urgent ON job \(due, revision\)\s+WHERE kind NOT IN \((.+?)\)", text)
    assert kinds is not None
    assert kinds[1] == ", ".join(f"'{kind.value}'" for kind in DEFERRABLE)


async def test_a_lease_lasts_while_it_is_renewed(
    pair: tuple[PostgresqlStore, PostgresqlStore], sql: Sql
) -> None:
    every = await fill(pair[0], NOW - 100, range(2))
    first, second = (store.sharing for store in pair)
    assert await first.claim(NOW, 99, 99) == every
    sql("UPDATE lease SET until = now() + interval '1 second' WHERE match = 'm0'")
    assert await second.claim(NOW, 99, 99) == frozenset()
    assert await first.renew(["m0"]) == {"m0"}
    assert await second.renew(every) == frozenset(), "another's lease cannot be renewed"
    assert sql("SELECT min(until) > now() + interval '4 seconds' FROM lease") == [(True,)]


async def test_a_lease_that_has_run_out_is_anothers(
    pair: tuple[PostgresqlStore, PostgresqlStore], sql: Sql
) -> None:
    every = await fill(pair[0], NOW - 100, range(2))
    first, second = (store.sharing for store in pair)
    assert await first.claim(NOW, 99, 99) == every
    sql("UPDATE lease SET until = now() - interval '1 second' WHERE match = 'm1'")
    assert await second.claim(NOW, 99, 99) == {"m1"}
    assert await first.renew(every) == {"m0"}
    assert await second.renew(every) == {"m1"}
    await first.release(every)
    assert await second.renew(every) == {"m1"}, "what was lost cannot be given back"
    assert await second.claim(NOW, 99, 99) == {"m0"}, "what was given back is anybody's"


@pytest.fixture
async def working(room: Room) -> LeasedJobs:
    """Return where the jobs of a room come from."""
    assert room.store.sharing is not None
    return LeasedJobs(room.services.outbox, room.store.sharing, room.clock)


@pytest.fixture
def database(house: PostgresqlAddress) -> PostgresqlAddress:
    return house


async def jobs(room: Room) -> list[tuple[str, JobKind]]:
    async with room.store.read() as reader:
        return [(job.table_id, job.kind) for job in await reader.next_jobs(99, room.now + 1_000)]


async def test_what_is_held_is_worked_on_and_given_back_once_it_is_done(
    room: Room, working: LeasedJobs, sql: Sql
) -> None:
    info = await room.begin()
    backlog = Backlog(room.clock)
    await working.read(backlog, ())
    assert backlog.waits(info.id)
    holder = "SELECT holder <> '' FROM lease"
    await working.read(backlog, ())
    assert sql(holder) == [(True,)]
    for queued in backlog.ready(info.id):
        backlog.remove(queued.job)
        await room.services.outbox.done(queued.job)
    # It is worked on still, though nothing waits.
    await working.read(backlog, {info.id})
    assert sql(holder) == [(True,)]
    await working.read(backlog, ())
    assert sql(holder) == [(False,)]
    await room.services.outbox.ask_for([(info.id, JobKind.BOARD, "")])
    await working.read(backlog, ())
    assert [queued.job.kind for queued in backlog.ready(info.id)] == [JobKind.BOARD]
    await working.give_back()
    assert sql(holder) == [(False,)]


async def test_what_nobody_waits_for_takes_few_leases(room: Room, working: LeasedJobs) -> None:
    matches = [await room.begin() for _ in range(MOST_AFTERWARDS + 4)]
    for job in await room.services.outbox.next_jobs(999):
        await room.services.outbox.done(job)
    await room.services.outbox.ask_for([(info.id, JobKind.CHECK, "") for info in matches])
    backlog = Backlog(room.clock)
    await working.read(backlog, ())
    await room.services.outbox.ask_for([(info.id, JobKind.BOARD, "") for info in matches[-2:]])
    await working.read(backlog, ())
    held = {info.id for info in matches if backlog.waits(info.id)}
    assert len(held) == MOST_AFTERWARDS + 2
    assert {info.id for info in matches[-2:]} <= held


@pytest.mark.parametrize("busy", [True, False])
async def test_what_another_has_taken_over_is_left_to_it(
    busy: bool, room: Room, working: LeasedJobs, sql: Sql, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.sync.job_source.RENEW_INTERVAL_S", 0.01)
    taken, mine = [await room.begin() for _ in range(2)]
    backlog = Backlog(room.clock)
    await working.read(backlog, ())
    sql(f"UPDATE lease SET holder = 'another', until = now() + interval '1 hour' WHERE match = '{taken.id}'")
    keeping = asyncio.create_task(working.keep(backlog, {taken.id} if busy else ()))
    await eventually(lambda: not backlog.waits(taken.id))
    if busy:

        async def reviewed() -> bool:
            return (taken.id, JobKind.REVIEW) in await jobs(room)

        await until(reviewed)
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)
    assert backlog.waits(mine.id)
    assert ((taken.id, JobKind.REVIEW) in await jobs(room)) is busy
    assert (mine.id, JobKind.REVIEW) not in await jobs(room)
    await working.read(backlog, ())
    assert not backlog.waits(taken.id)
    assert sql(f"SELECT holder FROM lease WHERE match = '{taken.id}'") == [("another",)]


async def test_leases_are_renewed_again_after_an_outage(
    room: Room, working: LeasedJobs, sql: Sql, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.sync.job_source.RENEW_INTERVAL_S", 0.01)
    await room.begin()
    backlog = Backlog(room.clock)
    await working.read(backlog, ())
    renew, tries = room.store.sharing.renew, count()  # type: ignore[union-attr]

    async def failing(matches: Iterable[str]) -> frozenset[str]:
        if next(tries) < 2:
            raise StoreError("planned")
        return await renew(matches)

    monkeypatch.setattr(room.store.sharing, "renew", failing)
    sql("UPDATE lease SET until = now()")
    keeping = asyncio.create_task(working.keep(backlog, ()))

    async def lasts() -> bool:
        return sql("SELECT until > now() + interval '4 seconds' FROM lease") == [(True,)]

    await until(lasts)
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)


# --- shards and clocks --------------------------------------------------------------------------------


def impatient(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("bot.store.postgresql.presence.SHARD_LOCK_TIMEOUT_S", 0.0)
    patch.setattr("bot.store.postgresql.presence.RETRY_INTERVAL_S", 0.01)


HOLDERS = f"SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid::bigint = {SHARD} AND granted"


async def test_a_shard_is_served_once(
    pair: tuple[PostgresqlStore, PostgresqlStore], house: PostgresqlAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    impatient(monkeypatch)
    for shards in (FIRST, SECOND, Shards(0, 1, 2)):
        with pytest.raises(StoreError, match=rf"Another process serves shard {shards.first} of 2 already\."):
            await opened(house, shards)
    monkeypatch.setattr("bot.store.postgresql.presence.SHARD_LOCK_TIMEOUT_S", 60.0)
    waiting = asyncio.create_task(opened(house, FIRST))
    await let_others_run()
    await pair[0].close()
    await (await waiting).close()


async def test_all_count_as_many_shards(
    pair: tuple[PostgresqlStore, PostgresqlStore], house: PostgresqlAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    impatient(monkeypatch)
    with pytest.raises(StoreError, match="Other processes count 2 shards, and this one 4"):
        await opened(house, Shards(2, 3, 4))
    for store in pair:
        await store.close()
    monkeypatch.setattr("bot.store.postgresql.presence.SHARD_LOCK_TIMEOUT_S", 60.0)
    await (await opened(house, Shards(2, 3, 4))).close()


async def test_a_shard_is_kept_through_a_cut_connection(
    pair: tuple[PostgresqlStore, PostgresqlStore], sql: Sql, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.postgresql.presence.RETRY_INTERVAL_S", 0.01)
    before = {pid for (pid,) in sql(HOLDERS)}
    assert len(before) == 2
    async with kept(*pair):
        sql(f"SELECT pg_terminate_backend(pid) FROM ({HOLDERS}) AS held")
        await eventually(lambda: len({pid for (pid,) in sql(HOLDERS)} - before) == 2)


async def test_who_finds_its_shard_taken_ends(
    house: PostgresqlAddress, sql: Sql, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await opened(house, FIRST)
    sql(f"SELECT pg_terminate_backend(pid) FROM ({HOLDERS}) AS held")
    await eventually(lambda: not sql(HOLDERS))
    second = await opened(house, FIRST)
    impatient(monkeypatch)
    with pytest.raises(StoreError, match="Another process serves shard 0 of 2 already"):
        await first.sharing.keep(lambda _: None)
    await first.close()
    await second.close()


# --- what is heard ------------------------------------------------------------------------------------


async def test_what_is_committed_is_heard_by_the_other_alone(
    pair: tuple[PostgresqlStore, PostgresqlStore],
) -> None:
    await fill(pair[0], NOW, range(250))
    async with kept(*pair) as (mine, others):
        await eventually(lambda: len(others) == 250)
        assert {change.version for change in others} == {0}
        async with pair[0].transaction() as unit:
            await unit.advance("m1", 1)
            await unit.enqueue([NewJob("m1", JobKind.BOARD)])
        with suppress(RuntimeError):
            async with pair[0].transaction() as unit:
                await unit.advance("m2", 1)
                raise RuntimeError("planned")
        async with pair[1].transaction() as unit:
            await unit.advance("m3", 1)
        await eventually(lambda: mine)
        await eventually(lambda: len(others) == 251)
        assert mine == [Change("m3", 1)]
        assert others[250:] == [Change("m1", 1)]


# --- sessions of the gateway --------------------------------------------------------------------------


async def test_sessions_keep_their_distance_over_processes(
    pair: tuple[PostgresqlStore, PostgresqlStore], sql: Sql
) -> None:
    waits = sorted(await asyncio.gather(*(pair[n % 2].sharing.identify_in(0, 50.0) for n in range(6))))
    assert waits[0] < 1.0
    for earlier, later in pairwise(waits):
        # Each is counted from when it was asked for.
        assert 49.0 < later - earlier < 51.0
    others = [await pair[n % 2].sharing.identify_in(n, 50.0) for n in (1, 2)]
    assert max(others) < 1.0, "another key is another line"
    assert [249.0 < await store.sharing.identify_in(0, 50.0) < 351.0 for store in pair] == [True, True]
    sql("UPDATE house SET value = (value::float8 - 1000)::text WHERE key LIKE 'identify.%'")
    assert await pair[0].sharing.identify_in(0, 50.0) < 1.0
    assert 49.0 < await pair[1].sharing.identify_in(0, 50.0) < 51.0
