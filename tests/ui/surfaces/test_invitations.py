"""Invitations: the table's message pings whom it asks once, not at night, and goes when its host goes."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import discord
import pytest

from bot.domain.jobs import Call, CallWay, Job, JobKind
from bot.domain.tables import Person, Place, Status, TableInfo
from tests.duel import DUEL
from tests.kit.tables import show_hash
from tests.ui.limits import sent, walk
from tests.ui.surfaces.room import ANNA, BEN, CHANNEL, Room, refusal
from tests.ui.surfaces.test_bulkheads import Wall, reopened

CLARA = Person(700_033, "Clara")
HERE = Place(1, CHANNEL)
NIGHT = datetime(2026, 11, 27, 2, tzinfo=ZoneInfo("Europe/Berlin")).timestamp()
MORNING = NIGHT + 6 * 3_600
DAY = 86_400.0


async def invited(room: Room, *guests: Person, request: int = 1) -> TableInfo:
    """Open a table for guests and post it."""
    seats = None if len(guests) < 2 else 3
    game = DUEL if seats is None else "vault"
    table = await opened(room, game, seats, guests, request)
    await work(room)
    return table


async def opened(
    room: Room, game: str, seats: int | None, guests: Sequence[Person], request: int = 1
) -> TableInfo:
    """Open a table whose hash counts as posted: its message is the only one."""
    table = await room.services.lobby.open(game, {}, seats, ANNA, HERE, request, invited=guests)
    await show_hash(room.services, table.id)
    return table


async def work(room: Room) -> None:
    """Carry out what is due, until nothing is."""
    while jobs := await room.services.outbox.next_jobs(20):
        for job in jobs:
            await room.do(job)


async def sleeps(room: Room, person: Person) -> None:
    await room.services.settings.set_zone(person, "Europe/Berlin")
    await room.services.settings.set_quiet(person, begin=22, end=8)


def pings(room: Room) -> list[list[int]]:
    """Return whom the messages that were posted have notified, one after the other."""
    return [people for _, people in sorted(room.notes.mentioned.items())]


def says(room: Room, message: int) -> str:
    return "".join(str(item.get("content", "")) for item in walk(sent(room.notes.messages[message][1])))


async def test_a_table_left_alone_takes_its_message_back(tmp_path: Path) -> None:
    async with reopened(tmp_path / "bauta.db") as room:
        table = await room.services.lobby.open(DUEL, {}, None, ANNA, HERE, 1, invited=[BEN])
        await work(room)
        assert len(room.notes.messages) == 2, "one has the hash"
        await room.services.lobby.leave(table.id, ANNA, 2)
        await work(room)
        assert room.notes.messages == {}
        assert await room.services.outbox.shown(table.id, "lobby") is None
        # However often it is looked at, nothing comes again.
        room.restart()
        await room.services.outbox.resume()
        await room.services.outbox.ask_for([(table.id, JobKind.LOBBY, "")])
        await work(room)
        assert room.notes.messages == {}


async def test_a_table_that_is_left_before_it_is_posted_is_never_posted(tmp_path: Path) -> None:
    async with reopened(tmp_path / "bauta.db") as room:
        table = await room.services.lobby.open(DUEL, {}, None, ANNA, HERE, 1, invited=[BEN])
        await room.services.lobby.leave(table.id, ANNA, 2)
        await work(room)
        assert pings(room) == []


async def test_a_message_that_nobody_had_noted_is_taken_back_too(tmp_path: Path) -> None:
    async with reopened(tmp_path / "bauta.db") as room:
        table = await room.services.lobby.open(DUEL, {}, None, ANNA, HERE, 1, invited=[BEN])
        await room.unnoted(room.surfaces.lobby.update(table.id))
        await room.services.lobby.leave(table.id, ANNA, 2)
        room.restart()
        await work(room)
        assert room.notes.messages == {}


async def test_a_table_with_somebody_else_at_it_stays(tmp_path: Path) -> None:
    async with reopened(tmp_path / "bauta.db") as room:
        table = await opened(room, "corto", 3, [BEN])
        await room.services.lobby.join(table.id, CLARA, 2)
        await work(room)
        await room.services.lobby.leave(table.id, ANNA, 3)
        await work(room)
        [message] = room.notes.messages
        assert CLARA.name in says(room, message)


async def test_who_sleeps_is_pinged_in_the_morning_once(tmp_path: Path) -> None:
    wall = Wall()
    wall.now = NIGHT
    async with reopened(tmp_path / "bauta.db", clock=wall) as room:
        await sleeps(room, BEN)
        table = await invited(room, BEN)
        [first] = room.notes.messages
        assert pings(room) == [[]]
        assert f"<@{BEN.id}>" in says(room, first), "everybody sees who is invited"
        wall.now = MORNING - 1
        await work(room)
        assert pings(room) == [[]]
        wall.now = MORNING
        await work(room)
        assert pings(room) == [[], [BEN.id]]
        [second] = room.notes.messages
        assert second != first
        noted = await room.services.outbox.shown(table.id, "lobby")
        assert noted is not None
        assert noted.message_id == second
        wall.now += 600
        room.restart()
        await room.services.outbox.resume()
        await work(room)
        assert len(pings(room)) == 2


async def test_who_is_awake_is_pinged_at_once_and_only_the_others_later(tmp_path: Path) -> None:
    wall = Wall()
    wall.now = NIGHT
    async with reopened(tmp_path / "bauta.db", clock=wall) as room:
        await sleeps(room, BEN)
        await room.services.settings.set_zone(CLARA, "Asia/Tokyo")
        table = await opened(room, "corto", 3, [BEN, CLARA])
        await work(room)
        wall.now = MORNING
        await work(room)
        assert pings(room) == [[CLARA.id], [BEN.id]]
        assert len(room.notes.messages) == 1
        assert table.status is Status.OPEN


async def test_whom_others_have_invited_too_often_is_shown_and_not_pinged(tmp_path: Path) -> None:
    wall = Wall()
    wall.now = NIGHT
    async with reopened(tmp_path / "bauta.db", clock=wall) as room:
        await sleeps(room, BEN)
        for number in range(20):
            host, request = Person(800 + number // 4, "Host"), 100 + 2 * number
            table = await room.services.lobby.open(DUEL, {}, None, host, HERE, request, invited=[BEN])
            await room.services.lobby.leave(table.id, host, request + 1)
        await work(room)
        table = await opened(room, "corto", 3, [BEN, CLARA])
        await work(room)
        wall.now = MORNING
        await work(room)
        assert pings(room) == [[CLARA.id]]
        [message] = room.notes.messages
        assert f"<@{BEN.id}>" in says(room, message)


@pytest.mark.parametrize("how", ["declined", "closed", "seated", "begun"])
async def test_who_needs_no_invitation_any_more_is_not_pinged(tmp_path: Path, how: str) -> None:
    wall = Wall()
    wall.now = NIGHT
    async with reopened(tmp_path / "bauta.db", clock=wall) as room:
        await sleeps(room, BEN)
        lobby = room.services.lobby
        table = await opened(room, "corto", 3, [BEN, CLARA])
        await work(room)
        acts: dict[str, Callable[[], Awaitable[object]]] = {
            "declined": lambda: lobby.leave(table.id, BEN, 2),
            "closed": lambda: lobby.leave(table.id, ANNA, 2),
            "seated": lambda: lobby.join(table.id, BEN, 2),
            "begun": lambda: _begin(room, table),
        }
        await acts[how]()
        wall.now = MORNING
        await work(room)
        in_channel = [message for message, (channel, _) in room.notes.messages.items() if channel == CHANNEL]
        assert [room.notes.mentioned[message] for message in in_channel] in ([[CLARA.id]], [])


async def _begin(room: Room, table: TableInfo) -> None:
    lobby = room.services.lobby
    await lobby.join(table.id, BEN, 2)
    await lobby.join(table.id, CLARA, 3)
    if (await room.services.queries.table(table.id)).status is Status.OPEN:
        await lobby.start(table.id, ANNA, 4)


async def test_a_death_on_the_way_pings_nobody_twice(tmp_path: Path) -> None:
    wall = Wall()
    wall.now = NIGHT
    async with reopened(tmp_path / "bauta.db", clock=wall) as room:
        await sleeps(room, BEN)
        table = await invited(room, BEN)
        [first] = room.notes.messages
        wall.now = MORNING
        call = Call(CallWay.INVITATION, math.ceil(MORNING), (BEN.id,))
        unnoted = await room.unnoted(room.surfaces.lobby.invite(table.id, call))
        room.restart()
        room.notes.nonces.clear()
        await work(room)
        assert pings(room) == [[], [BEN.id]]
        assert set(room.notes.messages) == {unnoted}
        assert first != unnoted


async def test_a_death_before_the_old_message_goes_pings_nobody_twice(tmp_path: Path) -> None:
    wall = Wall()
    wall.now = NIGHT
    async with reopened(tmp_path / "bauta.db", clock=wall) as room:
        await sleeps(room, BEN)
        table = await invited(room, BEN)
        wall.now = MORNING
        job = Job(
            table.id, JobKind.REMIND, Call(CallWay.INVITATION, math.ceil(MORNING), (BEN.id,)).target, 0, 0
        )
        real = room.services.outbox.set_shown

        async def dies(match: str, surface: str, *rest: object) -> None:
            await real(match, surface, *rest)  # type: ignore[arg-type]
            if surface.startswith("invitation:"):
                raise refusal(0, 500)

        room.services.outbox.set_shown = dies  # type: ignore[method-assign, assignment]
        with pytest.raises(discord.HTTPException):
            await room.surfaces.calls.make(table.id, Call.parse(job.target))
        room.services.outbox.set_shown = real  # type: ignore[method-assign]
        room.restart()
        room.notes.nonces.clear()
        await work(room)
        assert pings(room) == [[], [BEN.id]]
        assert len(room.notes.messages) == 1


async def test_a_message_that_comes_again_pings_nobody_again(tmp_path: Path) -> None:
    async with reopened(tmp_path / "bauta.db") as room:
        table = await opened(room, "corto", 3, [BEN])
        await work(room)
        room.notes.messages.clear()
        await room.services.lobby.join(table.id, CLARA, 2)
        await work(room)
        assert pings(room) == [[BEN.id], []]
