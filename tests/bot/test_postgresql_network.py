"""PostgreSQL far away, behind a network that cuts, and on another machine than a moment ago."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from bot.domain.shards import Shards
from bot.store import StoreError, Unreachable, open_store
from bot.store.postgresql import presence
from bot.store.postgresql.store import PostgresqlStore
from tests.bot.conftest import ALL_GAMES, Room
from tests.bot.test_postgresql_faults import ask_and_put, put, value
from tests.bot.test_sharing import FIRST, SECOND, fill, kept
from tests.kit.postgresql import Cluster, followed
from tests.kit.relay import Relay
from tests.kit.waiting import eventually, until

FAR = 0.15
"""Seconds each way: more than from one continent to another."""

JOURNEYS = 2
"""Of a unit, however much is in it: all of its changes, and its end."""


@pytest.fixture
async def relay(cluster: Cluster) -> AsyncIterator[Relay]:
    async with Relay(cluster.folder) as found:
        yield found


async def opened(relay: Relay, cluster: Cluster, shards: Shards) -> PostgresqlStore:
    store = await open_store(relay.through(cluster.house()), shards)
    assert isinstance(store, PostgresqlStore)
    return store


# --- far away -----------------------------------------------------------------------------------------


async def test_a_unit_takes_two_journeys_whatever_is_in_it(relay: Relay, cluster: Cluster) -> None:
    store = await opened(relay, cluster, FIRST)
    try:
        await put(store, "a")  # the connection is made
        for keys in ("a", "abcdefgh"):
            before = relay.journeys
            await put(store, *keys)
            assert relay.journeys - before == JOURNEYS
    finally:
        await store.close()


async def test_far_away_everything_goes_on(
    relay: Relay, cluster: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    store = await opened(relay, cluster, FIRST)
    relay.delay = FAR
    caplog.set_level(logging.WARNING, "bauta.sharing")
    try:
        async with kept(store):
            matches = await fill(store, 1_000.0, range(0, 8, 2))
            assert await store.sharing.claim(1_000.0, 10, 10) == matches
            await asyncio.gather(*(ask_and_put(store, "a") for _ in range(4)), put(store, "b", "c"))
            assert await value(store, "a") == "4"
            # A lease outlasts the way there and back, and so does the hold on what this process has.
            assert await store.sharing.renew(matches) == matches
        assert caplog.records == []
    finally:
        relay.delay = 0.0
        await store.close()


# --- cut ----------------------------------------------------------------------------------------------


async def test_a_sentence_whose_end_is_not_heard_is_said_once(relay: Relay, cluster: Cluster) -> None:
    address = cluster.house()
    async with AsyncExitStack() as stack:
        room = await Room(relay.through(address), ALL_GAMES, FIRST).enter()
        stack.push_async_callback(room.store.close)
        info = await room.begin()
        card = (await room.hand(info, 0))[0]
        request, said = room.request, ("lay", card)
        relay.cut_at = b"COMMIT"
        with pytest.raises(StoreError):
            await room.services.actions.submit(info.id, 0, None, said, request)
        assert relay.cuts == 1
        # It is committed; nobody was told. Whoever tries again is told what has happened, here and elsewhere.
        receipt = await room.services.actions.submit(info.id, 0, None, said, request)
        assert receipt.words == said
        other = await Room(address, ALL_GAMES, SECOND).enter()
        stack.push_async_callback(other.store.close)
        assert [row.words for row in await other.log_rows(info.id)] == [said]
        assert await other.log_rows(info.id) == await room.log_rows(info.id)


# --- on another machine -------------------------------------------------------------------------------


async def test_after_a_failover_the_house_goes_on_with_what_was_committed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(presence, "RETRY_INTERVAL_S", 0.05)
    with followed() as (primary, standby):
        store = await open_store(primary.house_with(standby), FIRST)
        assert isinstance(store, PostgresqlStore)
        try:
            async with kept(store):
                await put(store, "a")
                primary.kill()
                # Until one of them is a primary, nothing can be said, nor a process started.
                with pytest.raises(Unreachable):
                    await put(store, "a", value="2")
                with pytest.raises(Unreachable):
                    await open_store(store.address, SECOND)
                standby.promote()
                await until(lambda: _works(store))
                assert [await value(store, key) for key in ("a", "b")] == ["1", "1"]
                # What says that this process is there has moved, too.
                taken = f"classid::bigint = {presence.SHARD} AND objid = {FIRST.first}"
                held = f"SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND {taken}"
                await eventually(lambda: standby.execute(held) == [(1,)])
        finally:
            await store.close()


async def _works(store: PostgresqlStore) -> bool:
    try:
        await put(store, "b")
    except StoreError:
        return False
    return True
