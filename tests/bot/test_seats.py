"""The seats of a table: the published number, added and taken away by the host until the match starts."""

from __future__ import annotations

import asyncio

import pytest

from bot.domain.refusals import Refusal
from bot.domain.tables import Person, Status, TableInfo
from bot.matches.limits import LIMITS
from engines.core.registry import games
from engines.core.rng import Rng, mixed_seed
from engines.core.setups import usual_seats
from tests.bot.conftest import ALL_GAMES, PEOPLE, PLACE, Room, refused
from tests.kit.postgresql import BOTH_STORES_BY_NIGHT
from tests.kit.samples import FIVE
from tests.kit.services import COMPUTER
from tests.kit.tables import show_hash

pytestmark = BOTH_STORES_BY_NIGHT

ANNA, BEN, CLARA, DORA = PEOPLE
GROWING = sorted(key for key, game in ALL_GAMES.items() if len(game.manifest.seats) > 1)
CROWD = next(key for key, game in games().items() if game.manifest.seats == (2, 3, 4) and key in FIVE)
"""A game of two to four that goes on when a seat leaves."""


async def opened(room: Room, seats: int | None = None, game: str = CROWD, **more: object) -> TableInfo:
    """Open Anna's table, and let its hash count as posted."""
    info = await room.services.lobby.open(game, {}, seats, ANNA, PLACE, room.request, **more)  # type: ignore[arg-type]
    await show_hash(room.services, info.id)
    return info


async def join(room: Room, info: TableInfo, person: Person) -> TableInfo:
    return await room.services.lobby.join(info.id, person, room.request)


async def add(room: Room, info: TableInfo, seats: int, person: Person = ANNA) -> TableInfo:
    return await room.services.lobby.add_seat(info.id, person, room.request, seats)


async def remove(room: Room, info: TableInfo, seats: int, person: Person = ANNA) -> TableInfo:
    return await room.services.lobby.remove_seat(info.id, person, room.request, seats)


async def table(room: Room, info: TableInfo) -> TableInfo:
    return await room.services.queries.table(info.id)


# --- the published table ------------------------------------------------------------------------------


async def test_a_table_opens_with_the_published_seats(room: Room, any_game: str) -> None:
    manifest = ALL_GAMES[any_game].manifest
    info = await opened(room, game=any_game)
    assert info.setup.seats == usual_seats(manifest)
    assert dict(info.setup.options) == {option.key: option.default for option in manifest.options}


@pytest.mark.parametrize(
    ("key", "seats"), [("doge", 4), ("volt", 4), ("corto", 4), ("volo", 2), ("volto", 2)]
)
async def test_the_boxes_say_how_many(room: Room, key: str, seats: int) -> None:
    assert (await opened(room, game=key)).setup.seats == seats


async def test_gifts_are_asked_unless_the_host_chooses_otherwise(room: Room) -> None:
    assert (await opened(room, game="doge")).setup.option("gifts") == "asked"
    info = await room.services.lobby.open("doge", {"gifts": "ahead"}, None, ANNA, PLACE, room.request)
    assert info.setup.option("gifts") == "ahead"


async def test_a_host_may_name_fewer_and_more_people_need_more(room: Room) -> None:
    assert (await opened(room, 3)).setup.seats == 3
    info = await opened(room, invited=(BEN, CLARA), computers=COMPUTER)
    assert (info.setup.seats, len(info.chairs)) == (4, 2)
    await refused("too_many", opened(room, 2, invited=(BEN, CLARA)))
    await refused("too_many", opened(room, invited=(BEN, CLARA), computers=COMPUTER * 2))


async def test_it_starts_once_the_smallest_number_sits(room: Room) -> None:
    info = await opened(room)
    await refused("not_enough", room.services.lobby.start(info.id, ANNA, room.request))
    await join(room, info, BEN)
    info = await room.services.lobby.start(info.id, ANNA, room.request)
    assert (info.status, info.setup.seats, len(info.chairs)) == (Status.RUNNING, 2, 2)
    assert (await room.services.cache.get(info.id)).require_log().match.setup.seats == 2


async def test_computers_count_as_people_do(room: Room) -> None:
    info = await opened(room)
    for taken in (2, 3):
        info = await room.services.lobby.add_computer(info.id, ANNA, room.request)
        assert len(info.chairs) == taken
    info = await room.services.lobby.start(info.id, ANNA, room.request)
    assert (info.status, info.setup.seats) == (Status.RUNNING, 3)


# --- more and fewer -----------------------------------------------------------------------------------


@pytest.mark.parametrize("key", GROWING)
async def test_a_table_grows_and_shrinks_within_what_its_game_allows(room: Room, key: str) -> None:
    sizes = ALL_GAMES[key].manifest.seats
    info = await opened(room, sizes[0], key)
    for size in sizes[1:]:
        info = await add(room, info, size)
        assert (info.setup.seats, info.status) == (size, Status.OPEN)
    await refused("seats_changed", add(room, info, sizes[-1] + 1))
    for size in reversed(sizes[:-1]):
        info = await remove(room, info, size)
        assert info.setup.seats == size
    await refused("seats_changed", remove(room, info, sizes[0] - 1))
    assert (await table(room, info)).setup.seats == sizes[0]
    # What is committed, not what is remembered.
    assert (await (await room.again()).services.queries.table(info.id)).setup.seats == sizes[0]


async def test_a_seat_that_is_added_can_be_taken(room: Room) -> None:
    info = await opened(room, 2)
    await join(room, info, BEN)
    await refused("full", join(room, info, CLARA))
    await add(room, info, 3)
    info = await join(room, info, CLARA)
    assert info.full
    info = await room.services.lobby.start(info.id, ANNA, room.request)
    assert info.setup.seats == 3


async def test_only_the_host_adds_and_removes_seats(room: Room) -> None:
    info = await opened(room, 3)
    await join(room, info, BEN)
    for stranger in (BEN, CLARA):
        await refused("not_host", add(room, info, 4, stranger))
        await refused("not_host", remove(room, info, 2, stranger))
    await room.services.lobby.leave(info.id, ANNA, room.request)
    assert (await remove(room, info, 2, BEN)).setup.seats == 2
    await refused("not_host", add(room, info, 3, ANNA))


async def test_a_seat_that_somebody_holds_is_not_taken_away(room: Room) -> None:
    info = await opened(room, 3)
    await join(room, info, BEN)
    await room.services.lobby.add_computer(info.id, ANNA, room.request)
    await refused("seats_held", remove(room, info, 2))
    await room.services.lobby.leave(info.id, BEN, room.request)
    info = await remove(room, info, 2)
    assert [chair.name for chair in info.chairs][:1] == ["Anna"]
    assert (len(info.chairs), info.full) == (2, True)


async def test_a_seat_that_is_kept_for_a_guest_is_not_taken_away(room: Room) -> None:
    info = await opened(room, 3, invited=(BEN, CLARA))
    await refused("seats_held", remove(room, info, 2))
    await room.services.lobby.leave(info.id, CLARA, room.request)
    assert (await remove(room, info, 2)).setup.seats == 2
    await refused("reserved", join(room, info, DORA))
    # One more is nobody's.
    await add(room, info, 3)
    await join(room, info, DORA)
    assert (await join(room, info, BEN)).full


async def test_seats_do_not_change_once_it_has_started_or_closed(room: Room) -> None:
    info = await opened(room, 3)
    await join(room, info, BEN)
    await room.services.lobby.start(info.id, ANNA, room.request)
    await refused("started", add(room, info, 4))
    await refused("started", remove(room, info, 2))
    gone = await opened(room, 3)
    await room.services.lobby.leave(gone.id, ANNA, room.request)
    await refused("closed", add(room, gone, 4))
    await refused("unknown_match", room.services.lobby.add_seat("nowhere", ANNA, room.request, 3))


# --- twice, late, and at once -------------------------------------------------------------------------


async def test_one_press_counts_once(room: Room) -> None:
    info, request = await opened(room, 2), room.request
    lobby = room.services.lobby
    found = await asyncio.gather(*(lobby.add_seat(info.id, ANNA, request, 3) for _ in range(3)))
    assert [each.setup.seats for each in found] == [3, 3, 3]
    await refused("request", lobby.remove_seat(info.id, ANNA, request, 2))
    await refused("request", lobby.add_seat(info.id, BEN, request, 4))
    assert (await table(room, info)).setup.seats == 3


async def test_a_second_press_on_the_same_button_changes_nothing(room: Room) -> None:
    info = await opened(room, 4)
    answers = await asyncio.gather(*(remove(room, info, 3) for _ in range(3)), return_exceptions=True)
    assert sum(isinstance(answer, TableInfo) for answer in answers) == 1
    assert (await table(room, info)).setup.seats == 3
    # A button of long ago that would go the other way, or further, is not followed either.
    await remove(room, info, 2)
    for stale in (remove(room, info, 3), add(room, info, 4), add(room, info, 2), remove(room, info, 2)):
        await refused("seats_changed", stale)
    assert (await table(room, info)).setup.seats == 2


async def test_two_join_while_a_seat_is_taken_away(room: Room) -> None:
    orders: set[tuple[bool, ...]] = set()
    for number in range(6):
        info = await opened(room, 3)
        works = [remove(room, info, 2), join(room, info, BEN), join(room, info, CLARA)]
        works = works[number % 3 :] + works[: number % 3]
        answers = await asyncio.gather(*works, return_exceptions=True)
        said = [answer.msg.key for answer in answers if isinstance(answer, Refusal)]
        after = await table(room, info)
        assert len(after.chairs) <= after.setup.seats
        assert said == (["no.full"] if after.setup.seats == 2 else ["no.seats_held"])
        assert after.full
        orders.add(tuple(isinstance(answer, Refusal) for answer in answers))
        await room.services.lobby.leave(info.id, ANNA, room.request)
        for person in (BEN, CLARA):
            if after.status is Status.OPEN and any(c.person == person for c in after.chairs):
                await room.services.lobby.leave(info.id, person, room.request)
    assert len(orders) > 1


async def test_two_join_while_the_host_starts(room: Room) -> None:
    for number in range(3):
        info = await opened(room)
        await join(room, info, BEN)
        start = room.services.lobby.start(info.id, ANNA, room.request)
        works = [start, join(room, info, CLARA), join(room, info, DORA)]
        works = works[number:] + works[:number]
        answers = await asyncio.gather(*works, return_exceptions=True)
        after = await table(room, info)
        said = [answer.msg.key for answer in answers if isinstance(answer, Refusal)]
        assert set(said) <= {"no.started"}
        assert after.status is Status.RUNNING
        assert after.setup.seats == len(after.chairs) == 4 - len(said)
        assert sorted(chair.seat or 0 for chair in after.chairs) == list(range(after.setup.seats))
        await room.services.actions.resign(info.id, ANNA, room.request)


async def test_a_seat_is_added_while_the_host_starts(room: Room) -> None:
    info = await opened(room, 2)
    await join(room, info, BEN)
    start = room.services.lobby.start(info.id, ANNA, room.request)
    await asyncio.gather(add(room, info, 3), start, return_exceptions=True)
    after = await table(room, info)
    assert (after.status, after.setup.seats) == (Status.RUNNING, 2)


# --- the shuffle --------------------------------------------------------------------------------------


async def test_free_seats_are_in_no_seed_and_no_seating(room: Room) -> None:
    """A table that grew and shrank deals what one deals that had these seats from the first."""
    info = await opened(room, 2)
    for size in (3, 4):
        await add(room, info, size)
    await join(room, info, BEN)
    await join(room, info, CLARA)
    await room.services.lobby.leave(info.id, BEN, room.request)
    await join(room, info, BEN)
    before = await table(room, info)
    assert [chair.name for chair in before.chairs] == ["Anna", "Clara", "Ben"]
    start = room.request
    info = await room.services.lobby.start(info.id, ANNA, start)
    row = (await room.services.cache.get(info.id)).row
    assert row.part is not None
    seed = mixed_seed(row.part, (*before.join_ids, str(start)))
    assert row.seed == seed
    assert len(info.join_ids) == 3
    seating = Rng(seed).child("seating").stream("seats").shuffled(range(3))
    assert tuple(chair.seat for chair in info.chairs) == seating
    # From the database, where part, ids, seed and seats are checked against each other.
    room = await room.again()
    assert (await table(room, info)).status is Status.RUNNING


# --- before and after ---------------------------------------------------------------------------------


async def test_a_rematch_has_the_seats_of_the_match(room: Room) -> None:
    info = await opened(room)
    await join(room, info, BEN)
    info = await room.services.lobby.start(info.id, ANNA, room.request)
    await room.services.actions.resign(info.id, ANNA, room.request)
    again = await room.services.lobby.rematch(info.id, BEN, room.request, PLACE)
    assert (again.setup, again.setup.seats) == (info.setup, 2)
    await show_hash(room.services, again.id)
    # It grows as any other table does.
    await add(room, again, 3, BEN)
    await join(room, again, DORA)
    again = await room.services.lobby.rematch(info.id, ANNA, room.request, PLACE)
    assert (again.full, len(again.chairs)) == (True, 3)


async def test_a_rematch_keeps_no_seat_for_somebody_who_is_gone(room: Room) -> None:
    info = await opened(room, 3)
    for person in (BEN, CLARA):
        await join(room, info, person)
    await room.services.lobby.start(info.id, ANNA, room.request)
    for person in (BEN, CLARA):
        await room.services.actions.resign(info.id, person, room.request)
    assert await room.services.privacy.delete(CLARA) == []
    again = await room.services.lobby.rematch(info.id, ANNA, room.request, PLACE)
    assert await room.services.queries.invited(again.id) == (BEN,)
    await show_hash(room.services, again.id)
    assert (await remove(room, again, 2)).setup.seats == 2
    assert (await join(room, again, BEN)).full


async def test_a_corto_table_of_two_plays_the_first_three_adventures_that_were_named(room: Room) -> None:
    """Options are chosen while the size is open: what they mean follows from who sits at the start."""
    chosen = {f"adventure{n}": key for n, key in enumerate("FBDA", start=1)}
    strips = {}
    for seats, people in ((2, (BEN,)), (3, (BEN, CLARA))):
        info = await room.services.lobby.open("corto", chosen, None, ANNA, PLACE, room.request)
        await show_hash(room.services, info.id)
        for person in people:
            await join(room, info, person)
        info = await room.services.lobby.start(info.id, ANNA, room.request)
        assert dict(info.setup.options) == chosen
        match = (await room.services.cache.get(info.id)).require_log().match
        strips[seats] = set(match.view(None).strips)
    assert strips == {2: set("FBD"), 3: set("FBDA")}


async def test_a_table_that_is_opened_again_has_the_seats_that_it_had(room: Room) -> None:
    info = await opened(room)
    await remove(room, info, 3)
    room.now += LIMITS.open_for_s
    await room.services.lobby.expire(info.id)
    await refused("closed", add(room, info, 4))
    info = await room.services.lobby.reopen(info.id, ANNA, room.request)
    assert (info.status, info.setup.seats) == (Status.OPEN, 3)
    assert (await add(room, info, 4)).setup.seats == 4


async def test_a_table_that_is_changed_waits_a_day_from_then_on(room: Room) -> None:
    info = await opened(room)
    room.now += LIMITS.open_for_s - 1
    await remove(room, info, 3)
    room.now += 2
    await room.services.lobby.expire(info.id)
    assert (await table(room, info)).status is Status.OPEN
