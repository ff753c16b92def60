"""A channel of direct messages is opened once, however often the bot restarts: Discord counts openings."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import discord
import pytest

from bot.domain.jobs import Call, CallWay
from bot.gateway.discord_errors import UNKNOWN_CHANNEL
from bot.pages.texts import Texts
from bot.sync import Surfaces
from engines.core.contract import Seat
from tests.ui.limits import sent
from tests.ui.surfaces.room import ANNA, BEN, Room, entered, refusal


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    async with entered(tmp_path) as found:
        await found.begin()
        yield found


def restarted(room: Room) -> Surfaces:
    """Return the surfaces of a process that knows nothing but what the database says."""
    room.notes.open.clear()
    return room.new_surfaces()


async def panel(room: Room, seat: Seat) -> None:
    await restarted(room).direct_messages.update(room.table.id, seat, with_board=True)


async def goodbye(room: Room, seat: Seat) -> None:
    person = room.table.chair_at(seat).person
    await room.services.actions.resign(room.table.id, BEN if person == ANNA else ANNA, 50)
    await restarted(room).goodbyes.update(room.table.id, seat)


async def reminder(room: Room, seat: Seat) -> None:
    call = Call(CallWay.MESSAGE, 5, (seat,))
    await restarted(room).calls.make(room.table.id, call)


WRITING = [panel, goodbye, reminder]


@pytest.mark.parametrize("write", WRITING)
async def test_it_is_opened_once_and_remembered(
    room: Room, write: Callable[[Room, Seat], Awaitable[None]]
) -> None:
    seat, person = await room.asked_by_message()
    await write(room, seat)
    assert room.notes.opened == [person.id]
    [(channel, _)] = [each for each in room.notes.messages.values() if each[0] != room.table.thread_id]
    assert channel == person.id + 9_000
    assert await room.services.outbox.dm_channel(person.id, room.notes.account) == channel
    if write is not goodbye:
        await room.say(1)
        await goodbye(room, seat)
        assert room.notes.opened == [person.id]
    assert await room.services.outbox.dm_channel(person.id, room.notes.account + 1) is None


@pytest.mark.parametrize("write", WRITING)
async def test_one_that_is_gone_is_opened_anew(
    room: Room, write: Callable[[Room, Seat], Awaitable[None]]
) -> None:
    seat, person = await room.asked_by_message()
    await room.services.outbox.note_dm_channel(person.id, room.notes.account, 4)
    room.notes.trouble.append(("post 4", refusal(UNKNOWN_CHANNEL, 404)))
    with pytest.raises(discord.NotFound):
        await write(room, seat)
    assert room.notes.opened == []
    await (goodbye_again if write is goodbye else write)(room, seat)
    assert room.notes.opened == [person.id]


async def goodbye_again(room: Room, seat: Seat) -> None:
    await restarted(room).goodbyes.update(room.table.id, seat)


async def test_whoever_takes_none_has_a_channel_all_the_same(room: Room) -> None:
    seat, person = await room.asked_by_message()
    await room.services.outbox.note_dm_channel(person.id, room.notes.account, 4)
    room.notes.trouble.append(("post 4", refusal(50007, 403)))
    await panel(room, seat)
    assert room.notes.opened == []
    assert await room.services.outbox.dm_channel(person.id, room.notes.account) == 4


async def test_whoever_is_noted_is_greeted_by_no_process_again(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat, _ = await room.asked_by_message()
    await panel(room, seat)
    looked: list[int] = []

    async def look(channel: int) -> bool:
        looked.append(channel)
        return False

    monkeypatch.setattr(room.notes, "has_written", look)
    first = max(room.notes.messages)
    await room.services.outbox.drop_shown(room.table.id, f"dm:{seat}")
    room.notes.messages.clear()
    room.notes.nonces.clear()
    await panel(room, seat)
    assert looked == []
    greeting = Texts().house("dm.first")
    assert greeting not in str(sent(room.notes.messages[max(room.notes.messages)][1]))
    assert max(room.notes.messages) != first
