from __future__ import annotations

import asyncio

from bot.domain.jobs import JobKind
from bot.domain.names import chair_name
from bot.domain.refusals import Refusal
from bot.domain.tables import Person, Status, TableInfo
from engines.core.registry import games
from engines.core.rng import Rng, mixed_seed, part_hash
from engines.core.setups import usual_seats
from tests.bot.conftest import ALL_GAMES, PEOPLE, PLACE, Room, refused
from tests.kit.postgresql import BOTH_STORES_BY_NIGHT
from tests.kit.services import COMPUTER
from tests.kit.tables import show_hash, start_full

pytestmark = BOTH_STORES_BY_NIGHT

ANNA, BEN, CLARA, DORA = PEOPLE


async def open_vault(room: Room, seats: int | None = 2, **more: object) -> str:
    info = await room.services.lobby.open("vault", {}, seats, ANNA, PLACE, room.request, **more)  # type: ignore[arg-type]
    return info.id


async def join(room: Room, table: str, person: Person, request: int) -> TableInfo:
    """Join a table once its hash is posted, and let nobody press Start."""
    await show_hash(room.services, table)
    return await room.services.lobby.join(table, person, request)


async def test_a_table_fills_and_begins(room: Room, any_game: str) -> None:
    usual = usual_seats(ALL_GAMES[any_game].manifest)
    info = await room.services.lobby.open(any_game, {}, None, ANNA, PLACE, room.request)
    assert (info.status, info.setup.seats, info.begun) == (Status.OPEN, usual, False)
    published = info.commitment
    assert len(published) == 64
    assert [key for key, _ in info.setup.options] == [o.key for o in ALL_GAMES[any_game].manifest.options]
    assert info.id.isalnum()
    for person in PEOPLE[1:usual]:
        info = await join(room, info.id, person, room.request)
        # Neither in the interaction that opened the table, nor in the Join that fills it.
        assert info.status is Status.OPEN
    info = await start_full(room.services, info)
    assert (info.status, info.commitment) == (Status.RUNNING, published)
    assert sorted(chair.seat for chair in info.chairs if chair.seat is not None) == list(range(usual))
    kinds = [job.kind for job in await room.services.outbox.next_jobs(20) if job.table_id == info.id]
    assert kinds[:3] == [JobKind.LOBBY, JobKind.THREAD, JobKind.BOARD]
    assert JobKind.TURN in kinds


async def test_seed_and_seats_can_be_checked_at_the_end(room: Room) -> None:
    info = await room.begin(seats=3)
    await room.services.actions.resign(info.id, ANNA, room.request)
    await room.services.actions.resign(info.id, BEN, room.request)
    board = await room.services.queries.board(info.id)
    seed, part = board.seed, board.part
    assert seed is not None
    assert part is not None
    assert part_hash(part) == info.commitment
    assert mixed_seed(part, (*info.join_ids, info.start_id)) == seed
    seats = Rng(seed).child("seating").stream("seats").shuffled(range(3))
    assert tuple(chair.seat for chair in info.chairs) == seats


async def test_seeds_and_seatings_differ_between_matches(room: Room) -> None:
    tables = [await room.begin(seats=3) for _ in range(12)]
    assert len({info.commitment for info in tables}) == 12
    assert len({tuple(chair.seat for chair in info.chairs) for info in tables}) > 1


async def test_the_same_request_opens_one_table(room: Room) -> None:
    request = room.request
    opened = await asyncio.gather(
        *(room.services.lobby.open("vault", {}, 2, ANNA, PLACE, request) for _ in range(3))
    )
    assert len({info.id for info in opened}) == 1
    assert len(await room.services.queries.matches(ANNA)) == 1
    await refused("request", room.services.lobby.open("vault", {}, 2, BEN, PLACE, request))


async def test_the_same_request_joins_once(room: Room) -> None:
    table, request = await open_vault(room, 3), room.request
    first = await join(room, table, BEN, request)
    assert await join(room, table, BEN, request) == first
    await refused("already_joined", join(room, table, BEN, room.request))
    await refused("request", join(room, table, CLARA, request))


async def test_two_people_want_the_last_chair(room: Room) -> None:
    table = await open_vault(room)
    answers = await asyncio.gather(
        join(room, table, BEN, room.request),
        join(room, table, CLARA, room.request),
        return_exceptions=True,
    )
    refusals = [answer for answer in answers if isinstance(answer, Refusal)]
    assert [refusal.msg.key for refusal in refusals] == ["no.full"]
    assert len((await room.services.queries.table(table)).chairs) == 2


async def test_what_cannot_be_opened(room: Room) -> None:
    await refused("unknown_game", room.services.lobby.open("none", {}, None, ANNA, PLACE, room.request))
    await refused(
        "unknown_option", room.services.lobby.open("vault", {"x": "y"}, None, ANNA, PLACE, room.request)
    )
    await refused(
        "option_value", room.services.lobby.open("vault", {"pledges": "y"}, None, ANNA, PLACE, room.request)
    )
    await refused("seats", room.services.lobby.open("vault", {}, 7, ANNA, PLACE, room.request))
    await refused(
        "too_many",
        room.services.lobby.open("vault", {}, 2, ANNA, PLACE, room.request, computers=COMPUTER * 2),
    )
    assert await room.services.queries.matches(ANNA) == []
    assert await room.services.outbox.next_jobs(9) == []


async def test_a_table_that_is_not_there(room: Room) -> None:
    for table in ("nowhere", "", "'; --"):
        await refused("unknown_match", room.services.lobby.join(table, BEN, room.request))
        await refused("unknown_match", room.services.queries.table(table))


async def test_the_host_leaves_and_the_next_person_is_host(room: Room) -> None:
    table = await open_vault(room, 3)
    await room.services.lobby.add_computer(table, ANNA, room.request)
    info = await room.services.lobby.leave(table, ANNA, room.request)
    assert info.status is Status.CLOSED
    await refused("closed", join(room, table, BEN, room.request))
    table = await open_vault(room, 3)
    await join(room, table, BEN, room.request)
    info = await room.services.lobby.leave(table, ANNA, room.request)
    assert (info.status, info.host) == (Status.OPEN, BEN)
    assert [chair.order for chair in info.chairs] == [0]
    await refused("not_joined", room.services.lobby.leave(table, ANNA, room.request))
    assert await room.services.queries.listed(ANNA) == ()


async def test_only_the_host_seats_computers_and_starts(room: Room) -> None:
    table = await open_vault(room, 3)
    await join(room, table, BEN, room.request)
    await refused("not_host", room.services.lobby.add_computer(table, BEN, room.request))
    await refused("not_host", room.services.lobby.start(table, BEN, room.request))
    info = await room.services.lobby.start(table, ANNA, room.request)
    assert (info.status, info.setup.seats) == (Status.RUNNING, 2)
    await refused("started", join(room, table, CLARA, room.request))
    await refused("started", room.services.lobby.leave(table, BEN, room.request))
    await refused("started", room.services.lobby.add_computer(table, ANNA, room.request))


async def test_too_few_to_start(room: Room) -> None:
    table = await open_vault(room, 3)
    await refused("not_enough", room.services.lobby.start(table, ANNA, room.request))
    assert (await room.services.queries.table(table)).status is Status.OPEN


async def test_computers_have_names_of_their_own_and_fill_the_table(room: Room) -> None:
    table = await open_vault(room, 3)
    await room.services.lobby.add_computer(table, ANNA, room.request)
    info = await room.services.lobby.add_computer(table, ANNA, room.request)
    assert (info.full, info.status) == (True, Status.OPEN)
    await start_full(room.services, info)
    assert [chair_name(None, chair) for chair in info.chairs] == ["Anna", "Automa 1", "Automa 2"]
    assert JobKind.COMPUTER in [job.kind for job in await room.services.outbox.next_jobs(9)]


async def test_chairs_of_the_invited_are_kept(room: Room) -> None:
    table = await open_vault(room, 3, invited=(BEN, CLARA, ANNA, BEN))
    assert await room.services.queries.invited(table) == (BEN, CLARA)
    await refused("reserved", join(room, table, DORA, room.request))
    await room.services.lobby.leave(table, CLARA, room.request)
    info = await join(room, table, DORA, room.request)
    assert info.status is Status.OPEN
    info = await join(room, table, BEN, room.request)
    assert info.full
    assert await room.services.queries.invited(table) == ()


async def test_the_host_may_give_a_kept_chair_to_a_computer(room: Room) -> None:
    table = await open_vault(room, 2, invited=(BEN,))
    info = await room.services.lobby.add_computer(table, ANNA, room.request)
    assert info.full
    await refused("full", join(room, table, BEN, room.request))


async def test_rematch_is_one_table(room: Room) -> None:
    info = await room.begin()
    await refused("not_over", room.services.lobby.rematch(info.id, ANNA, room.request, PLACE))
    await room.services.actions.resign(info.id, ANNA, room.request)
    await refused("not_seated", room.services.lobby.rematch(info.id, DORA, room.request, PLACE))
    first, second = await asyncio.gather(
        room.services.lobby.rematch(info.id, BEN, room.request, PLACE),
        room.services.lobby.rematch(info.id, ANNA, room.request, PLACE),
        return_exceptions=True,
    )
    assert isinstance(first, TableInfo)
    assert first.rematch_of == info.id
    # A rematch posts its own hash before anybody accepts.
    assert isinstance(second, Refusal)
    assert second.msg.key == "no.hash_pending"
    await show_hash(room.services, first.id)
    accepted = await room.services.lobby.rematch(info.id, ANNA, room.request, PLACE)
    assert (accepted.id, accepted.status, accepted.full) == (first.id, Status.OPEN, True)
    final = await start_full(room.services, accepted)
    assert final.status is Status.RUNNING
    assert final.commitment not in ("", info.commitment)
    assert final.setup == info.setup
    assert final.host == BEN
    assert (await room.services.lobby.rematch(info.id, BEN, room.request, PLACE)).id == first.id


async def test_the_matches_before_a_rematch_are_counted(room: Room) -> None:
    table, counted = await room.begin(), []
    for _ in range(3):
        counted.append(await room.services.queries.matches_before(table))
        await room.services.actions.resign(table.id, ANNA, room.request)
        again = await room.services.lobby.rematch(table.id, ANNA, room.request, PLACE)
        await show_hash(room.services, again.id)
        again = await room.services.lobby.rematch(table.id, BEN, room.request, PLACE)
        table = await start_full(room.services, again)
    assert counted == [0, 1, 2]


async def test_rematch_with_the_same_computers(room: Room) -> None:
    info = await room.begin_alone(seats=3)
    await room.services.actions.resign(info.id, ANNA, room.request)
    await room.play_computers(info.id)
    again = await room.services.lobby.rematch(info.id, ANNA, room.request, PLACE)
    assert (again.full, again.status) == (True, Status.OPEN)
    assert sum(chair.person is None for chair in again.chairs) == 2


async def test_a_rematch_that_was_given_up_can_be_asked_for_again(room: Room) -> None:
    info = await room.begin()
    await room.services.actions.resign(info.id, ANNA, room.request)
    first = await room.services.lobby.rematch(info.id, ANNA, room.request, PLACE)
    await room.services.lobby.leave(first.id, ANNA, room.request)
    second = await room.services.lobby.rematch(info.id, BEN, room.request, PLACE)
    assert second.id != first.id


def test_the_installed_games_are_played_too() -> None:
    assert set(games()) < set(ALL_GAMES)
