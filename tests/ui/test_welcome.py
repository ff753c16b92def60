"""The first words to a server, and to a person: said once, whatever happens in between."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.pages.how_to_play import welcome_page
from bot.pages.texts import Texts
from bot.sync.guild_events import Welcome
from tests.kit.services import services_on
from tests.ui.limits import sent
from tests.ui.surfaces.room import Notes, Room, entered, guild, refusal

ENGLISH = Texts()
SYSTEM = 41


def server(number: int = 1, *, channel: int | None = SYSTEM, may: bool = True, see: bool = True) -> Any:
    """Return a server with its system channel, and what the bot may do there."""
    held = discord.Permissions(view_channel=see, send_messages=may)
    place = SimpleNamespace(id=channel, permissions_for=lambda _: held)
    place.guild = guild(
        id=number,
        preferred_locale=discord.Locale.american_english,
        system_channel=None if channel is None else place,
    )
    return place.guild


async def english(_: int) -> Texts:
    return ENGLISH


async def test_a_server_is_welcomed_once(tmp_path: Path) -> None:
    notes = Notes()
    async with services_on(tmp_path / "bauta.db") as services:
        welcome = Welcome(services.settings, notes, english)
        # The gateway may say twice that we have been let in.
        await asyncio.gather(*(welcome.greet(server()) for _ in range(3)))
        [(channel, page)] = notes.messages.values()
        assert channel == SYSTEM
        assert sent(page) == sent(welcome_page(ENGLISH))
    notes.nonces.clear()
    async with services_on(tmp_path / "bauta.db") as services:
        await Welcome(services.settings, notes, english).greet(server())
        assert len(notes.messages) == 1, "after a restart nothing is said again"
        await Welcome(services.settings, notes, english).greet(server(2))
        assert len(notes.messages) == 2


@pytest.mark.parametrize("closed", [server(channel=None), server(may=False), server(see=False)])
async def test_a_server_that_does_not_let_us_is_left_alone(closed: Any, tmp_path: Path) -> None:
    notes = Notes()
    async with services_on(tmp_path / "bauta.db") as services:
        welcome = Welcome(services.settings, notes, english)
        await welcome.greet(closed)
        assert not notes.messages
        # Invited once more, with the permission, it is welcomed after all.
        await welcome.greet(server())
        assert len(notes.messages) == 1


async def test_a_welcome_that_is_refused_harms_nobody(tmp_path: Path) -> None:
    notes = Notes()
    notes.trouble.append(("post", refusal(50013, 403)))
    async with services_on(tmp_path / "bauta.db") as services:
        await Welcome(services.settings, notes, english).greet(server())
    assert not notes.messages


async def panels_said(room: Room) -> list[bool]:
    """Return of each direct message, in order, whether it says what to type."""
    first = ENGLISH.house("dm.first")
    return [first in str(sent(page)) for at, page in room.notes.messages.values() if at > 700_000]


async def test_the_first_direct_message_says_what_to_type(tmp_path: Path) -> None:
    async with entered(tmp_path) as room:
        await room.begin()
        seat, person = await room.asked_by_message()
        await room.surfaces.direct_messages.update(room.table.id, seat, with_board=False)
        assert await panels_said(room) == [True]
        for number in (1, 2, 3, 4):
            # It is asked again after the others; by a bot that has been started anew in between, too.
            await room.say(number)
            if number == 2:
                room.restart()
            await room.surfaces.direct_messages.update(room.table.id, seat, with_board=False)
        found = await panels_said(room)
        assert len(found) > 1
        assert found == [True] + [False] * (len(found) - 1)
        assert person.id
