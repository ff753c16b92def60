"""A match that two processes have in memory: each decides by what is committed, and nothing is said twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from itertools import count

import pytest

from bot.domain.match import Receipt
from bot.domain.refusals import Refusal
from bot.domain.tables import TableInfo
from bot.store.postgresql.store import PostgresqlStore
from tests.bot.conftest import ALL_GAMES, PEOPLE, PLACE, Room, click
from tests.bot.test_sharing import FIRST, SECOND
from tests.kit.postgresql import Cluster
from tests.kit.second_language import GERMAN, speak_it
from tests.kit.tables import show_hash
from tests.kit.waiting import eventually


@pytest.fixture
async def rooms(cluster: Cluster) -> AsyncIterator[tuple[Room, Room]]:
    """Return the use cases of two processes, neither of which hears of the other."""
    house = cluster.house()
    async with AsyncExitStack() as stack:
        found: list[Room] = []
        for number, shards in enumerate((FIRST, SECOND)):
            room = Room(house, ALL_GAMES, shards)
            room.requests = count((900 + number) * 10**15)
            await room.enter()
            stack.push_async_callback(room.store.close)
            found.append(room)
        yield found[0], found[1]


async def version(room: Room, info: TableInfo) -> int:
    return (await room.services.cache.get(info.id)).version


async def test_what_was_not_heard_is_asked_for(rooms: tuple[Room, Room]) -> None:
    here, there = rooms
    info = await here.begin()
    assert len(await there.hand(info, 1)) == len(await here.hand(info, 1))
    await here.lay(info, 0)
    assert (await there.panel(info, 0)).draft == (await here.panel(info, 0)).draft
    await there.lay(info, 1)
    assert await version(here, info) == await version(there, info)
    for seat in (0, 1):
        assert await here.hand(info, seat) == await there.hand(info, seat)
    rows = await here.log_rows(info.id)
    assert [row.seat for row in rows] == [0, 1]
    assert await there.log_rows(info.id) == rows


async def test_what_a_person_chooses_at_one_process_is_known_to_the_other(
    rooms: tuple[Room, Room],
) -> None:
    first, second = (room.services.settings for room in rooms)
    assert not (await first.preferences(11)).dms
    await second.set_dms(11, dms=True)
    assert (await first.preferences(11)).dms
    assert (await second.preferences(11)).dms


async def test_a_language_chosen_at_one_process_is_known_to_the_other(
    rooms: tuple[Room, Room], monkeypatch: pytest.MonkeyPatch
) -> None:
    speak_it(monkeypatch)
    here, there = (room.services for room in rooms)
    for chosen in (GERMAN, "en"):
        await here.settings.set_language(11, chosen)
        await here.servers.change(7, partial(replace, language=chosen))
        for each in (here, there):
            assert await each.languages.of_person(11, "fr") == chosen
            assert await each.languages.of_server(7, "fr") == chosen


async def test_a_panel_of_one_process_is_clicked_in_another(rooms: tuple[Room, Room]) -> None:
    here, there = rooms
    info = await here.begin()
    person = here.person(info, 0)
    await there.panel(info, 0)
    panel = await here.panel(info, 0)
    card = (await here.hand(info, 0))[0]
    panel = await here.services.drafts.choose(click(panel), person, "lay")
    panel = await there.services.drafts.choose(click(panel), person, card)
    receipt = await here.services.actions.confirm(click(panel), person, here.request)
    assert receipt.words == ("lay", card)
    again = await there.services.actions.confirm(click(panel), person, there.request)
    assert again.words == receipt.words, "a second click is told what the first has done"
    assert len(await there.log_rows(info.id)) == 1


async def test_of_two_that_decide_at_once_one_is_committed_and_the_other_is_told(
    rooms: tuple[Room, Room],
) -> None:
    here, there = rooms
    for _ in range(6):
        info = await here.begin()
        first, second, *_rest = await here.hand(info, 0)
        await there.hand(info, 0)
        answers = await asyncio.gather(
            here.say(info, 0, f"lay {first}"), there.say(info, 0, f"lay {second}"), return_exceptions=True
        )
        receipts = [answer for answer in answers if isinstance(answer, Receipt)]
        assert len(receipts) == 1
        assert sum(isinstance(answer, Refusal) for answer in answers) == 1
        (row,) = await here.log_rows(info.id)
        assert row.words == receipts[0].words
        assert await version(here, info) == await version(there, info)


async def test_people_join_at_one_process_while_a_seat_goes_at_the_other(rooms: tuple[Room, Room]) -> None:
    here, there = rooms
    anna, ben, clara, _ = PEOPLE
    for _ in range(6):
        info = await here.services.lobby.open("vault", {}, 3, anna, PLACE, here.request)
        await show_hash(here.services, info.id)
        await there.services.queries.table(info.id)
        answers = await asyncio.gather(
            there.services.lobby.join(info.id, ben, there.request),
            here.services.lobby.remove_seat(info.id, anna, here.request, 2),
            there.services.lobby.join(info.id, clara, there.request),
            return_exceptions=True,
        )
        refused = [answer.msg.key for answer in answers if isinstance(answer, Refusal)]
        for room in rooms:
            table = await room.services.queries.table(info.id)
            assert table.full
            assert refused == (["no.full"] if table.setup.seats == 2 else ["no.seats_held"])
        await here.services.lobby.start(info.id, anna, here.request)
        await here.services.actions.resign(info.id, anna, here.request)


async def test_a_whole_match_in_turns_of_both(rooms: tuple[Room, Room]) -> None:
    info = await rooms[0].begin()
    for turn in range(200):
        if not await rooms[turn % 2].play_some(info, 1):
            break
    else:
        pytest.fail("it never ends")
    ends = [await room.services.cache.get(info.id) for room in rooms]
    assert ends[0].info.status == ends[1].info.status
    assert ends[0].version == ends[1].version


async def test_what_is_heard_wakes_and_is_loaded_anew(rooms: tuple[Room, Room]) -> None:
    here, there = rooms
    info = await here.begin()
    await version(there, info)
    assert there.services.cache.loaded(info.id)
    woken = there.woken
    stores = [room.store for room in rooms]
    assert isinstance(stores[0], PostgresqlStore)
    assert isinstance(stores[1], PostgresqlStore)
    tasks = [
        asyncio.create_task(stores[0].sharing.keep(here.services.cache.on_remote_change)),
        asyncio.create_task(stores[1].sharing.keep(there.services.cache.on_remote_change)),
    ]
    await here.lay(info, 0)
    await eventually(lambda: not there.services.cache.loaded(info.id))
    assert there.woken > woken
    assert here.services.cache.loaded(info.id), "nobody hears themselves"
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
