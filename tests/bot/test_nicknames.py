"""A name that is changed in mid-match: learned at the next press, told with the next public change."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import discord
import pytest

from bot.domain.jobs import JobKind
from bot.domain.tables import Person, TableInfo
from bot.interactions.intake import Intake
from bot.matches.nicknames import Nicknames
from tests.bot.conftest import PEOPLE, PLACE, Room
from tests.kit.tables import show_hash

NEW = "Annabel"


def call(room: Room, person: Person, name: str, guild: int = PLACE.guild_id) -> Person:
    """Let a person press anything in a server where they go by another name."""
    renamed = Person(person.id, name)
    room.services.cache.nicknames.learn(guild, renamed, room.request)
    return renamed


async def names(room: Room, info: TableInfo) -> list[str]:
    return [chair.name for chair in (await room.services.queries.table(info.id)).chairs]


async def public(room: Room, info: TableInfo) -> list[object]:
    """Return all that the public sees of a match, and what is to be sent."""
    async with room.store.read() as reader:
        due = [(job.kind, job.target) for job in await reader.next_jobs(99, room.clock())]
    return [await room.services.queries.board(info.id), await names(room, info), sorted(due, key=str)]


async def test_a_new_name_is_stored_and_shown_with_the_next_act(room: Room) -> None:
    info = await room.begin(seats=2)
    seat = info.seat_of(PEOPLE[0].id)
    assert seat is not None
    await room.lay(info, 1 - seat)
    call(room, PEOPLE[0], NEW)
    assert NEW not in await names(room, info)
    await room.lay(info, seat)
    found = await room.services.queries.table(info.id)
    chair = found.chair_at(seat)
    assert (chair.name, chair.person and chair.person.name, found.host.name) == (NEW, NEW, NEW)
    async with room.store.read() as reader:
        assert JobKind.LOBBY in {job.kind for job in await reader.next_jobs(99, room.clock())}
    room = await room.again()
    assert NEW in await names(room, info)


async def test_an_act_in_secret_says_no_more_than_a_look(room: Room) -> None:
    """Twins: in one match Anna lays in secret and is renamed, in the other she only opens her panel."""
    shown: list[list[object]] = []
    for acts in (True, False):
        info = await room.begin(seats=2, options={"pledges": "secret"})
        seat = info.seat_of(PEOPLE[0].id)
        assert seat is not None
        before = await public(room, info)
        await room.services.drafts.panel(info.id, call(room, PEOPLE[0], f"Anna {acts}"))
        if acts:
            await room.lay(info, seat)
        after = await public(room, info)
        assert after == before
        shown.append([*await names(room, info)])
        call(room, PEOPLE[0], "Anna")
    assert shown[0] == shown[1]


async def test_whoever_moves_next_brings_the_name_along(room: Room) -> None:
    """So it does not say whose act it came with."""
    info = await room.begin(seats=2)
    call(room, PEOPLE[0], NEW)
    first = 0
    for seat in (first, 1 - first):
        await room.lay(info, seat)
    assert NEW in await names(room, info)


async def test_an_open_table_learns_at_once(room: Room) -> None:
    info = await room.services.lobby.open("vault", {}, 3, PEOPLE[0], PLACE, room.request)
    call(room, PEOPLE[0], NEW)
    await show_hash(room.services, info.id)
    info = await room.services.lobby.join(info.id, PEOPLE[1], room.request)
    assert [chair.name for chair in info.chairs] == [NEW, "Ben"]


async def test_another_servers_name_is_not_taken(room: Room) -> None:
    info = await room.begin(seats=2)
    call(room, PEOPLE[0], NEW, guild=PLACE.guild_id + 1)
    await room.lay_all(info)
    assert NEW not in await names(room, info)


async def test_what_was_deleted_is_not_brought_back(room: Room) -> None:
    info = await room.begin(seats=3)
    call(room, PEOPLE[0], NEW)
    await room.services.actions.resign(info.id, PEOPLE[0], room.request)
    assert await room.services.privacy.delete(PEOPLE[0]) == []
    seats = (chair.seat for chair in info.chairs if chair.person and chair.person.id != PEOPLE[0].id)
    for seat in seats:
        assert seat is not None
        await room.lay(info, seat)
    assert NEW not in await names(room, info)
    assert room.services.cache.nicknames.present(PLACE.guild_id, PEOPLE[0]) is PEOPLE[0]


def test_an_interaction_that_comes_late_brings_no_older_name() -> None:
    nicknames, anna = Nicknames(capacity=2), PEOPLE[0]
    nicknames.learn(1, Person(anna.id, "new"), 20)
    nicknames.learn(1, Person(anna.id, "old"), 10)
    assert nicknames.present(1, anna) == Person(anna.id, "new")
    for other in range(2):
        nicknames.learn(1, Person(other, "x"), 30)
    assert nicknames.present(1, anna) is anna


@pytest.mark.parametrize(
    ("kind", "guild", "learned"),
    [(discord.Member, 1, True), (discord.User, 1, False), (discord.Member, None, False)],
)
async def test_every_interaction_in_a_server_brings_a_name(
    kind: type, guild: int | None, learned: bool
) -> None:
    """In direct messages people go by a name of their own."""
    nicknames = Nicknames()
    handled: list[str] = []
    user = Mock(spec=kind, id=7, bot=False, display_name="An\u202ena")
    user.name = "anna"
    interaction: Any = SimpleNamespace(id=5, user=user, guild_id=guild)

    async def handle() -> None:
        handled.append(nicknames.present(1, Person(7, "old")).name)

    await Intake(nicknames).handle(interaction, handle())
    assert handled == ["Anna" if learned else "old"]
