"""Outages of single shards, and of processes that share a database."""

from __future__ import annotations

from unittest import mock

import pytest

from bot.domain.clocks import HOUR, Pace
from bot.domain.tables import Place
from bot.store import Store
from tests.bot.conftest import PEOPLE, Room
from tests.bot.test_outages import Machine, begun, hours_left
from tests.kit.tables import sit_down


async def test_only_the_matches_of_the_shard_that_was_away_get_its_time(room: Room) -> None:
    machine = Machine(room)
    machine.ids, machine.count = (0, 1), 2
    info, seat = await begun(room)
    elsewhere = Place(guild_id=1 << 22, channel_id=3)
    other = await room.services.lobby.open(
        "volo", {}, None, PEOPLE[0], elsewhere, room.request, pace=Pace.EVENING
    )
    other = await sit_down(room.services, other.id, PEOPLE[1], room.request)
    [late] = (await room.services.cache.get(other.id)).row.asked
    await machine.outages.look()
    machine.down[1] = room.now
    await machine.outages.look()
    room.now += HOUR + 1
    await machine.outages.look()
    assert await machine.deadlines.past() == [info.id]
    await machine.deadlines.judge(other.id)
    assert (await room.log_rows(other.id)) == []
    machine.down.clear()
    await machine.outages.look()
    assert await hours_left(room, other, late) == pytest.approx(1.0)
    assert await hours_left(room, info, seat) == pytest.approx(-1 / HOUR)


async def test_shards_that_no_process_serves_are_judged_by_none(room: Room) -> None:
    """Their time is given back by the process that takes them over."""
    machine = Machine(room)
    machine.ids, machine.count = (0, 1), 2
    info, seat = await begun(room)
    await machine.outages.look()
    other = Machine(room)
    other.ids, other.count = (1,), 2
    for _ in range(3):
        room.now += HOUR
        await other.outages.look()
        assert await other.deadlines.past() == []
        await other.deadlines.judge(info.id)
    assert await room.log_rows(info.id) == []
    successor = Machine(room)
    successor.ids, successor.count = (0,), 2
    await successor.outages.look()
    assert await hours_left(room, info, seat) == pytest.approx(1.0)


class Shared:
    """A store that several processes share."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.sharing = mock.Mock()

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)


async def test_a_click_that_another_process_handles_knows_the_lag(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A direct message reaches the process with shard 0; the match is on a server of shard 1."""
    monkeypatch.setattr(room.services.cache, "store", Shared(room.store))
    owner = Machine(room)
    owner.ids, owner.count = (1,), 2
    elsewhere = Place(guild_id=1 << 22, channel_id=3)
    table = await room.services.lobby.open(
        "volo", {}, None, PEOPLE[0], elsewhere, room.request, pace=Pace.EVENING
    )
    await owner.outages.look()
    owner.down[1] = room.now
    await owner.outages.look()
    room.now += 20
    other = Machine(room)
    other.ids, other.count = (0,), 2
    await other.outages.look()

    async def lag() -> float:
        await room.services.cache.load_lag(elsewhere.guild_id)
        return room.services.cache.lag(elsewhere.guild_id)

    assert await lag() == pytest.approx(20), "the outage goes on"
    room.now += 10
    owner.down.clear()
    await owner.outages.look()
    room.now += 9
    assert await lag() == pytest.approx(30), "it is over: what is not saved yet is no outage"
    await owner.outages.look()
    info = await sit_down(room.services, table.id, PEOPLE[1], room.request)
    [seat] = (await room.services.cache.get(info.id)).row.asked
    assert await hours_left(room, info, seat) == pytest.approx(1 - 30 / HOUR), "it begins in the shard's time"
    room.now += HOUR
    assert await lag() == pytest.approx(30 + 9 + HOUR, abs=10), "its process is dead"


async def test_another_count_of_shards_loses_and_gives_nothing(room: Room) -> None:
    machine = Machine(room)
    machine.ids, machine.count = (0, 1, 2), 3
    info, seat = await begun(room)
    await machine.outages.look()
    room.now += 3 * HOUR
    first = Machine(room)
    first.ids, first.count = (1, 2, 3), 4
    await first.outages.look()
    assert await hours_left(room, info, seat) == pytest.approx(1.0)
    # Its shard starts an hour after the first one of the new count.
    room.now += HOUR
    second = Machine(room)
    second.ids, second.count = (0,), 4
    await second.outages.look()
    assert await hours_left(room, info, seat) == pytest.approx(1.0)
