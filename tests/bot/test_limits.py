"""How many tables there may be at one time, and what becomes of one that nobody joins."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path

import pytest

from bot.domain.jobs import JobKind
from bot.domain.refusals import Refusal
from bot.domain.tables import Person, Place, Status, TableInfo
from bot.matches.limits import Limits
from tests.bot.conftest import ALL_GAMES, PEOPLE, PLACE, Room, refused
from tests.duel import DUEL
from tests.kit.services import COMPUTER
from tests.kit.tables import open_table, show_hash, sit_down

ANNA, BEN, CLARA, DORA = PEOPLE
THERE = Place(1, 3)
DAY = 86_400.0


async def opened(room: Room, host: Person = ANNA, place: Place = PLACE, computers: int = 0) -> TableInfo:
    return await open_table(
        room.services, DUEL, {}, None, host, place, room.request, computers=COMPUTER * computers
    )


@pytest.fixture
async def small(tmp_path: Path) -> AsyncIterator[Room]:
    """Return a house with room for few."""
    room = Room(tmp_path / "small.db", ALL_GAMES)
    room.limits = Limits(opened=2, seats=4, waiting=3, channel=5)
    yield await room.enter()
    await room.store.close()


async def test_a_person_opens_so_many_tables(small: Room) -> None:
    first, _ = [await opened(small) for _ in range(2)]
    await refused("limit_opened", opened(small))
    await refused("limit_opened", opened(small, place=THERE))
    await opened(small, BEN)
    # As the refusal says: one of them begins, or is left.
    await small.services.lobby.leave(first.id, ANNA, small.request)
    await opened(small)


async def test_a_person_sits_at_so_many_tables(small: Room) -> None:
    for _ in range(4):
        await opened(small, computers=1)
    await refused("limit_seats", opened(small, place=THERE))
    other = await opened(small, BEN, THERE)
    await refused("limit_seats", sit_down(small.services, other.id, ANNA, small.request))
    [line, *_] = await small.services.queries.matches(ANNA)
    await small.services.actions.resign(line.table.id, ANNA, small.request)
    await sit_down(small.services, other.id, ANNA, small.request)


async def test_so_many_tables_of_a_channel_wait_for_players(small: Room) -> None:
    for person in (ANNA, BEN, CLARA):
        await opened(small, person)
    await refused("limit_waiting", opened(small, DORA))
    await opened(small, DORA, THERE)


async def test_a_channel_has_so_many_tables(small: Room) -> None:
    for person in (ANNA, ANNA, BEN, BEN, CLARA):
        await opened(small, person, computers=1)
    await refused("limit_channel", opened(small, DORA))
    await opened(small, DORA, THERE)


async def test_who_asks_for_many_at_once_gets_no_more(small: Room) -> None:
    found = await asyncio.gather(*(opened(small) for _ in range(20)), return_exceptions=True)
    assert sum(isinstance(each, TableInfo) for each in found) == 2
    assert sum(isinstance(each, Refusal) for each in found) == 18


async def test_a_request_that_comes_twice_is_not_refused(small: Room) -> None:
    room = small
    tables = [await room.services.lobby.open(DUEL, {}, None, ANNA, PLACE, number) for number in (1, 2)]
    assert (await room.services.lobby.open(DUEL, {}, None, ANNA, PLACE, 2)).id == tables[1].id


async def expiry(room: Room) -> list[JobKind]:
    """Return what is due of tables that wait."""
    jobs = await room.services.outbox.next_jobs(99)
    return [job.kind for job in jobs if job.kind is JobKind.EXPIRE]


async def test_a_table_that_nobody_joins_closes_after_a_day(room: Room) -> None:
    table = await room.services.lobby.open("vault", {}, 3, ANNA, PLACE, room.request)
    room.now += DAY / 2
    await sit_down(room.services, table.id, BEN, room.request)
    room.now += DAY - 1
    assert not await expiry(room), "somebody joined meanwhile"
    await room.services.lobby.expire(table.id)
    assert (await room.services.queries.table(table.id)).status is Status.OPEN
    room = await room.again()
    room.now += 1
    assert await expiry(room) == [JobKind.EXPIRE]
    await room.services.lobby.expire(table.id)
    table = await room.services.queries.table(table.id)
    assert (table.status, table.expired) == (Status.CLOSED, True)
    await refused("closed", sit_down(room.services, table.id, CLARA, room.request))
    assert await room.services.queries.matches(ANNA) == []


async def test_a_table_that_begins_or_closes_does_not_expire(room: Room) -> None:
    await room.begin()
    left = await opened(room)
    await room.services.lobby.leave(left.id, ANNA, room.request)
    room.now += 2 * DAY
    assert not await expiry(room)
    assert not (await room.services.queries.table(left.id)).expired


async def expired(room: Room) -> TableInfo:
    table = await room.services.lobby.open("vault", {}, 3, ANNA, PLACE, room.request)
    await sit_down(room.services, table.id, BEN, room.request)
    room.now += DAY
    await room.services.lobby.expire(table.id)
    return await room.services.queries.table(table.id)


async def test_who_sits_at_an_expired_table_opens_it_again(room: Room) -> None:
    table = await expired(room)
    room = await room.again()
    await refused("not_reopened", room.services.lobby.reopen(table.id, CLARA, room.request))
    request = room.request
    again = await room.services.lobby.reopen(table.id, BEN, request)
    assert (again.status, again.host) == (Status.OPEN, BEN)
    assert await room.services.lobby.reopen(table.id, BEN, request) == again, "a click may come twice"
    assert await room.services.lobby.reopen(table.id, ANNA, room.request) == again, "it is open already"
    room.now += DAY - 1
    assert not await expiry(room)
    begun = await sit_down(room.services, table.id, CLARA, room.request)
    assert begun.status is Status.RUNNING
    await refused("started", room.services.lobby.reopen(table.id, ANNA, room.request))


async def test_to_open_again_counts_as_to_open(small: Room) -> None:
    table = await expired(small)
    for _ in range(2):
        await opened(small, BEN)
    await refused("limit_opened", small.services.lobby.reopen(table.id, BEN, small.request))
    await small.services.lobby.reopen(table.id, ANNA, small.request)


async def test_a_rematch_expires_for_another_one(room: Room) -> None:
    requests = count(5_000)
    over = await room.begin()
    await room.services.actions.resign(over.id, ANNA, next(requests))
    first = await room.services.lobby.rematch(over.id, ANNA, next(requests), PLACE)
    room.now += DAY
    await room.services.lobby.expire(first.id)
    second = await room.services.lobby.rematch(over.id, BEN, next(requests), PLACE)
    assert second.id != first.id
    await refused("rematch_open", room.services.lobby.reopen(first.id, ANNA, next(requests)))


async def handed_on(room: Room, *guests: Person) -> TableInfo:
    """Open a table, let others join, and leave it."""
    table = await room.services.lobby.open("vault", {}, 3, ANNA, PLACE, room.request)
    await show_hash(room.services, table.id)
    for guest in guests:
        await room.services.lobby.join(table.id, guest, room.request)
    return await room.services.lobby.leave(table.id, ANNA, room.request)


async def test_nobody_becomes_host_of_more_tables_than_they_may_open(small: Room) -> None:
    """Two people must not fill a channel by handing tables on."""
    found = [await handed_on(small, BEN) for _ in range(4)]
    assert [table.status for table in found] == [Status.OPEN] * 2 + [Status.CLOSED] * 2
    assert all(table.host == BEN for table in found[:2])
    await opened(small, CLARA)
    small = await small.again()
    full = found[-1].id
    await refused("limit_opened", small.services.lobby.reopen(full, BEN, small.request))
    await small.services.lobby.leave(found[0].id, BEN, small.request)
    again = await small.services.lobby.reopen(full, BEN, small.request)
    assert (again.status, again.host) == (Status.OPEN, BEN)


async def test_the_next_who_may_host_does(small: Room) -> None:
    for _ in range(2):
        await opened(small, BEN)
    table = await handed_on(small, BEN, CLARA)
    assert (table.status, table.host) == (Status.OPEN, CLARA)


async def test_hosts_who_leave_at_once_hand_on_no_more(small: Room) -> None:
    await opened(small, BEN)
    found = []
    for host, place in ((ANNA, PLACE), (CLARA, THERE), (DORA, THERE)):
        table = await small.services.lobby.open("vault", {}, 3, host, place, small.request)
        await show_hash(small.services, table.id)
        await small.services.lobby.join(table.id, BEN, small.request)
        found.append((table.id, host))
    left = await asyncio.gather(
        *(small.services.lobby.leave(table, host, small.request) for table, host in found)
    )
    assert sorted(table.status.value for table in left) == ["closed", "closed", "open"]
