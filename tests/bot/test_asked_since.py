"""Since when a match waits for each seat: kept by seat, and told to nobody else."""

from __future__ import annotations

import pytest

from bot.domain.tables import MatchLine, TableInfo
from bot.matches.queries import Queries
from engines.core.contract import Seat
from tests.bot.conftest import PEOPLE, Room

START = 1_000_000.0


async def since(room: Room, info: TableInfo) -> dict[Seat, float]:
    return {s: at - START for s, at in (await room.services.cache.get(info.id)).row.asked_since.items()}


async def line_of(room: Room, info: TableInfo, seat: Seat) -> MatchLine:
    [line] = await room.services.queries.matches_in_detail(room.person(info, seat))
    return line


async def test_it_goes_on_for_who_has_not_acted(room: Room) -> None:
    info = await room.begin(seats=3)
    assert await since(room, info) == {0: 0.0, 1: 0.0, 2: 0.0}
    room.now += 10
    await room.lay(info, 0)
    assert await since(room, info) == {1: 0.0, 2: 0.0}
    room.now += 10
    await room.services.actions.offer_draw(info.id, room.person(info, 1), room.request)
    assert await since(room, info) == {1: 0.0, 2: 0.0}, "an offer answers nothing"
    await room.lay(info, 1)
    room.now += 10
    await room.lay(info, 2)
    assert await since(room, info) == {0: 30.0, 1: 30.0, 2: 30.0}, "another round"
    again = await room.again()
    assert await since(again, info) == {0: 30.0, 1: 30.0, 2: 30.0}


async def test_who_acts_and_is_asked_again_is_asked_anew(room: Room) -> None:
    info = await room.begin()
    room.now += 10
    await room.say(info, 1, "peek")
    assert await since(room, info) == {0: 0.0, 1: 10.0}


async def test_a_note_answers_nothing(room: Room) -> None:
    info = await room.begin()
    room.now += 10
    await room.say(info, 1, f"note {(await room.hand(info, 1))[0]}")
    assert await since(room, info) == {0: 0.0, 1: 0.0}


async def test_a_match_that_is_over_waits_for_nobody(room: Room) -> None:
    info = await room.begin()
    await room.services.actions.resign(info.id, room.person(info, 0), room.request)
    assert await since(room, info) == {}


async def test_a_line_says_whom_it_waits_for_as_the_public_knows(room: Room) -> None:
    info = await room.begin(seats=3)
    room.now += 10
    await room.lay(info, 0)
    public = (await room.services.queries.board(info.id)).waiting
    mine, other = await line_of(room, info, 0), await line_of(room, info, 1)
    # Who has laid a card is a secret of the vault: whoever has done so is told no more than all are.
    assert public == (0, 1, 2)
    assert (mine.asked, mine.waiting, mine.since) == (False, (1, 2), START)
    assert (other.asked, other.waiting, other.since) == (True, (), START)


@pytest.mark.parametrize("seat", [0, 1])
async def test_memory_lists_what_the_database_does(room: Room, seat: Seat) -> None:
    for _ in range(3):
        room.now += 10
        await room.lay(await room.begin(), seat)
    for person in PEOPLE[:2]:
        assert list(await room.services.queries.listed(person)) == await room.services.queries.matches(person)


async def test_a_line_of_a_list_is_of_one_version(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The match goes on between the row of the list and the log that tells whom it waits for."""
    info = await room.begin(seats=2)
    await room.lay(info, 0)
    me = room.person(info, 0)
    old = await room.services.queries.matches(me)
    assert not old[0].asked
    await room.lay(info, 1)

    async def read_before(self: Queries, person: object) -> list[MatchLine]:
        return old

    monkeypatch.setattr(Queries, "matches", read_before)
    line = await line_of(room, info, 0)
    assert line.asked
    assert line.waiting == ()
