"""The host is told when the match can start, and when the table is full, if others bring that about."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

from bot.domain.jobs import Shown
from bot.domain.surfaces import HOST_CALL
from bot.domain.tables import Person, Place, Preferences, TableInfo
from bot.matches.limits import LIMITS
from bot.pages.lobby import CALL_MARKER
from tests.duel import DUEL
from tests.ui.limits import sent, walk
from tests.ui.surfaces.room import ANNA, BEN, CHANNEL, Room, entered
from tests.ui.surfaces.test_bulkheads import Wall, reopened
from tests.ui.surfaces.test_surfaces import CROWD

CLARA, DORA = Person(700_033, "Clara"), Person(700_044, "Dora")


async def opened(room: Room, game: str = DUEL, seats: int | None = None, *guests: Person) -> TableInfo:
    table = await room.services.lobby.open(game, {}, seats, ANNA, Place(1, CHANNEL), 1, invited=guests)
    await room.surfaces.lobby.update(table.id)
    return table


async def join(room: Room, table: TableInfo, person: Person, number: int) -> None:
    await room.services.lobby.join(table.id, person, number)
    await room.surfaces.lobby.update(table.id)


def calls(room: Room) -> dict[int, tuple[str, list[int]]]:
    """Return what the calls that stand say, and whom they have pinged."""
    found = {}
    for message, (_, page) in room.notes.messages.items():
        items = list(walk(sent(page)))
        if any(item.get("id") == CALL_MARKER for item in items):
            words = " ".join(str(item["content"]) for item in items if "content" in item)
            found[message] = (words, room.notes.mentioned[message])
    return found


def only(room: Room) -> tuple[int, str, list[int]]:
    [(message, (words, pinged))] = calls(room).items()
    return message, words, pinged


async def test_the_host_is_pinged_once_others_have_filled_the_table(tmp_path: Path) -> None:
    async with entered(tmp_path) as room:
        table = await opened(room)
        before = len(room.notes.messages)
        await room.services.lobby.join(table.id, BEN, 2)
        called = await room.unnoted(room.surfaces.lobby.update(table.id))
        room.notes.nonces.clear()
        await room.new_surfaces().lobby.update(table.id)
        assert len(room.notes.messages) == before + 1
        assert room.notes.mentioned[called] == [ANNA.id]
        await room.services.lobby.start(table.id, ANNA, 3)
        await room.surfaces.lobby.update(table.id)
        assert len(room.notes.messages) == before


@pytest.mark.parametrize("ending", ["start", "leave"])
async def test_a_call_that_was_cut_short_goes_once_it_is_true_no_more(tmp_path: Path, ending: str) -> None:
    async with entered(tmp_path) as room:
        table = await opened(room)
        await room.services.lobby.join(table.id, BEN, 2)
        called = await room.unnoted(room.surfaces.lobby.update(table.id))
        assert called in calls(room)
        if ending == "start":
            await room.services.lobby.start(table.id, ANNA, 3)
        else:
            await room.services.lobby.leave(table.id, BEN, 3)
        await room.new_surfaces().lobby.update(table.id)
        assert calls(room) == {}


async def leave(room: Room, table: TableInfo, person: Person, number: int) -> None:
    await room.services.lobby.leave(table.id, person, number)
    await room.surfaces.lobby.update(table.id)


async def work(room: Room) -> None:
    """Carry out what is due, until nothing is."""
    while jobs := await room.services.outbox.next_jobs(20):
        for job in jobs:
            await room.do(job)


def pings(room: Room) -> list[int]:
    """Return whom all messages have pinged, those that are gone too."""
    return [person for people in room.notes.mentioned.values() for person in people]


async def test_a_call_is_taken_back_and_comes_again_after_a_while(tmp_path: Path) -> None:
    wall = Wall()
    async with reopened(tmp_path / "bauta.db", clock=wall) as room:
        table = await opened(room)
        await join(room, table, BEN, 2)
        first, _, _ = only(room)
        await leave(room, table, BEN, 3)
        assert calls(room) == {}
        await join(room, table, BEN, 4)
        assert calls(room) == {}
        wall.now += LIMITS.host_called_every_s - 1
        room.restart()
        await work(room)
        assert calls(room) == {}
        wall.now += 2
        room.restart()
        await work(room)
        again, words, pinged = only(room)
        assert again != first
        assert (pinged, "2 of 2" in words) == ([ANNA.id], True)
        await leave(room, table, BEN, 5)
        wall.now += 2 * LIMITS.host_called_every_s
        await work(room)
        assert calls(room) == {}, "it is no more so"
        assert pings(room) == [ANNA.id] * 2


@pytest.mark.parametrize(
    ("game", "seats", "others", "most"), [(DUEL, 2, 0, 1), (CROWD, 4, 2, 2), (CROWD, 4, 0, 1)]
)
async def test_who_joins_and_leaves_again_and_again_pings_the_host_no_more(
    tmp_path: Path, game: str, seats: int, others: int, most: int
) -> None:
    """Whether the table is full each time, or can start each time, or neither."""
    wall = Wall()
    async with reopened(tmp_path / "bauta.db", clock=wall) as room:
        table = await opened(room, game, seats)
        for number, person in enumerate((BEN, CLARA)[:others]):
            await join(room, table, person, 10 + number)
        for cycle in range(LIMITS.joins_per_hour):
            await join(room, table, DORA, 100 + cycle)
            if cycle % 10 == 0:
                room.restart()
                await work(room)
            await leave(room, table, DORA, 200 + cycle)
            wall.now += 10
        assert pings(room) == [ANNA.id] * most
        # Nor is it called later what is so no more.
        wall.now += LIMITS.host_called_every_s
        await work(room)
        assert pings(room) == [ANNA.id] * most


async def test_news_that_had_to_wait_are_told_later(tmp_path: Path) -> None:
    wall = Wall()
    async with reopened(tmp_path / "bauta.db", clock=wall) as room:
        table = await opened(room, CROWD, 3)
        await join(room, table, BEN, 2)
        await join(room, table, CLARA, 3)
        await leave(room, table, CLARA, 4)
        await join(room, table, DORA, 5)
        full, words, _ = only(room)
        assert "3 of 3" in words
        assert pings(room) == [ANNA.id] * 2
        wall.now += LIMITS.host_called_every_s + 1
        await work(room)
        again, words, pinged = only(room)
        assert again != full
        assert (pinged, "3 of 3" in words) == ([ANNA.id], True)
        wall.now += 2 * LIMITS.host_called_every_s
        await work(room)
        assert only(room)[0] == again


async def test_a_clock_that_was_set_back_holds_no_call_back(tmp_path: Path) -> None:
    wall = Wall()
    async with reopened(tmp_path / "bauta.db", clock=wall) as room:
        table = await opened(room)
        await join(room, table, BEN, 2)
        await leave(room, table, BEN, 3)
        wall.now -= 10 * 86_400.0
        await join(room, table, BEN, 4)
        assert only(room)[2] == [ANNA.id]


async def test_nobody_is_pinged_who_has_filled_the_table(tmp_path: Path) -> None:
    async with entered(tmp_path) as room:
        table = await opened(room)
        await room.services.lobby.add_computer(table.id, ANNA, 2)
        await room.surfaces.lobby.update(table.id)
        assert all(not people for people in room.notes.mentioned.values())


async def test_a_host_who_sleeps_is_not_pinged(tmp_path: Path) -> None:
    async with entered(tmp_path) as room:
        table = await opened(room)
        with patch.object(Preferences, "free_from", lambda _, at: at + 60.0):
            await join(room, table, BEN, 2)
        assert len(room.notes.messages) == 3
        assert all(not people for people in room.notes.mentioned.values())


async def test_the_host_of_a_larger_table_is_pinged_when_it_can_start_and_when_it_is_full(
    tmp_path: Path,
) -> None:
    async with entered(tmp_path) as room:
        table = await opened(room, CROWD, 4)
        await join(room, table, BEN, 2)
        first, words, pinged = only(room)
        assert pinged == [ANNA.id]
        assert "2 of 4" in words
        await join(room, table, CLARA, 3)
        # Edited: nobody is pinged by that.
        message, words, _ = only(room)
        assert message == first
        assert "3 of 4" in words
        await join(room, table, DORA, 4)
        full, words, pinged = only(room)
        assert full != first
        assert pinged == [ANNA.id]
        assert "4 of 4" in words
        # Looked at again, in another process too: it stays.
        await room.new_surfaces().lobby.update(table.id)
        assert only(room)[0] == full
        await room.services.lobby.leave(table.id, DORA, 5)
        await room.surfaces.lobby.update(table.id)
        message, words, _ = only(room)
        assert message == full
        assert "3 of 4" in words
        await room.services.lobby.start(table.id, ANNA, 6)
        await room.surfaces.lobby.update(table.id)
        assert calls(room) == {}


async def test_seats_that_the_host_adds_and_removes_ping_nobody(tmp_path: Path) -> None:
    async with entered(tmp_path) as room:
        lobby = room.services.lobby
        table = await opened(room, CROWD, 4)
        await join(room, table, BEN, 2)
        first, _, _ = only(room)
        for number, seats in enumerate((3, 2)):
            await lobby.remove_seat(table.id, ANNA, 10 + number, seats)
            await room.surfaces.lobby.update(table.id)
            message, words, _ = only(room)
            assert message == first
            assert f"2 of {seats}" in words
        # It is full, and full again once somebody sits on one more seat: that is news.
        await lobby.add_seat(table.id, ANNA, 20, 3)
        await join(room, table, CLARA, 21)
        message, words, pinged = only(room)
        assert message != first
        assert (pinged, "3 of 3" in words) == ([ANNA.id], True)


async def test_a_host_who_has_let_it_start_is_pinged_by_the_next_guest(tmp_path: Path) -> None:
    async with entered(tmp_path) as room:
        table = await opened(room, CROWD, 4)
        await room.services.lobby.add_computer(table.id, ANNA, 2)
        await room.surfaces.lobby.update(table.id)
        assert calls(room) == {}
        await join(room, table, BEN, 3)
        assert only(room)[2] == [ANNA.id]


async def test_guests_are_waited_for_first(tmp_path: Path) -> None:
    async with entered(tmp_path) as room:
        table = await opened(room, CROWD, 4, BEN, CLARA)
        await join(room, table, BEN, 2)
        assert calls(room) == {}, "Clara has not answered"
        await room.services.lobby.leave(table.id, CLARA, 3)
        await room.surfaces.lobby.update(table.id)
        assert only(room)[2] == [ANNA.id]


async def test_a_call_that_was_cut_short_says_what_is_true_by_now(tmp_path: Path) -> None:
    async with entered(tmp_path) as room:
        table = await opened(room, CROWD, 4)
        await room.services.lobby.join(table.id, BEN, 2)
        posted = await room.unnoted(room.surfaces.lobby.update(table.id))
        room.notes.nonces.clear()
        await room.services.lobby.join(table.id, CLARA, 3)
        room.restart()
        await room.surfaces.lobby.update(table.id)
        message, words, _ = only(room)
        assert message == posted
        assert "3 of 4" in words


async def test_a_call_of_an_earlier_version_is_made_no_second_time(tmp_path: Path) -> None:
    """It called at full tables alone, and noted no number of seats."""
    async with entered(tmp_path) as room:
        table = await opened(room)
        await join(room, table, BEN, 2)
        message, _, _ = only(room)
        await room.services.outbox.set_shown(table.id, HOST_CALL, Shown(CHANNEL, message, digest="old"))
        await room.new_surfaces().lobby.update(table.id)
        assert only(room)[0] == message
