"""What one person can make a hundred of: tables, threads, moves, invitations, questions, exports.

Each test is an attack as somebody would try it, and the honest use beside it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from itertools import count

import pytest

from bot.domain.clocks import Pace
from bot.domain.match import MotionKind, RowKind
from bot.domain.refusals import Refusal
from bot.domain.tables import Opener, Opening, Person, Place, Status, TableInfo
from tests.bot.conftest import PEOPLE, PLACE, Room, refused
from tests.duel import DUEL
from tests.kit.postgresql import BOTH_STORES_BY_NIGHT
from tests.kit.services import COMPUTER
from tests.kit.tables import show_hash, start_full

pytestmark = BOTH_STORES_BY_NIGHT

ANNA, BEN, CLARA, DORA = PEOPLE
DAY, HOUR = 86_400.0, 3_600.0
THERE, FURTHER = Place(1, 3), Place(1, 4)
OTHER_SERVER = Place(9, 2)
MANAGER = Opener(frozenset(), manages=True)


async def tried(work: Callable[[], Awaitable[object]], times: int) -> list[str]:
    """Do something again and again; return why it was refused, as often as it was."""
    found: list[str] = []
    for _ in range(times):
        try:
            await work()
        except Refusal as refusal:
            found.append(refusal.msg.key)
    return found


async def begun(room: Room, host: Person = ANNA, place: Place = PLACE) -> TableInfo:
    """Begin a match against a computer player, or leave its table."""
    lobby = room.services.lobby
    info = await lobby.open(DUEL, {}, None, host, place, room.request, computers=COMPUTER)
    try:
        return await start_full(room.services, info)
    except Refusal:
        await lobby.leave(info.id, host, room.request)
        raise


async def play_and_resign(room: Room, host: Person = ANNA, place: Place = PLACE, wait_s: float = 200) -> None:
    room.now += wait_s
    info = await begun(room, host, place)
    await room.services.actions.resign(info.id, host, room.request)


async def test_threads_of_a_day_are_counted(room: Room) -> None:
    why = await tried(lambda: play_and_resign(room), 45)
    assert why == ["no.limit_threads"] * 5
    await play_and_resign(room, BEN)
    await play_and_resign(room, place=OTHER_SERVER)
    room = await room.again()
    await refused("limit_threads", play_and_resign(room))
    room.now += DAY - 41 * 200
    await play_and_resign(room)


async def test_the_refusal_says_when_it_is_possible_again(room: Room) -> None:
    await room.services.servers.change(PLACE.guild_id, lambda rules: replace(rules, threads_per_day=5))
    first = room.now + 200
    await tried(lambda: play_and_resign(room), 5)
    with pytest.raises(Refusal) as caught:
        await play_and_resign(room)
    assert dict(caught.value.msg.args) == {"n": 5, "when": int(first + DAY) + 1}
    room.now = first + DAY + 1 - 200
    await play_and_resign(room)


async def test_a_server_chooses_another_number(room: Room) -> None:
    servers = room.services.servers
    await servers.change(PLACE.guild_id, lambda rules: replace(rules, threads_per_day=5))
    assert await tried(lambda: play_and_resign(room), 8) == ["no.limit_threads"] * 3
    await play_and_resign(room, place=OTHER_SERVER)
    await room.again()
    assert (await room.services.servers.rules(PLACE.guild_id)).threads_per_day == 5


async def open_and_leave(room: Room, host: Person = ANNA, invited: tuple[Person, ...] = ()) -> None:
    room.now += 1
    lobby = room.services.lobby
    info = await lobby.open("vault", {}, 3, host, PLACE, room.request, invited=invited)
    await lobby.leave(info.id, host, room.request)


async def test_tables_of_an_hour_are_counted_though_each_is_left(room: Room) -> None:
    assert await tried(lambda: open_and_leave(room), 30) == ["no.limit_tables"] * 10
    await open_and_leave(room, BEN)
    room.now += HOUR
    await open_and_leave(room)


async def join_and_leave(room: Room, info: TableInfo, person: Person) -> None:
    room.now += 1
    await room.services.lobby.join(info.id, person, room.request)
    await room.services.lobby.leave(info.id, person, room.request)


async def test_joins_of_an_hour_are_counted_at_all_tables_together(room: Room) -> None:
    tables = [
        await room.services.lobby.open("vault", {}, 3, host, PLACE, room.request) for host in (ANNA, BEN)
    ]
    for info in tables:
        await show_hash(room.services, info.id)
    first = room.now + 1
    assert await tried(lambda: join_and_leave(room, tables[0], CLARA), 12) == []
    assert await tried(lambda: join_and_leave(room, tables[1], CLARA), 12) == ["no.limit_joins"] * 4
    with pytest.raises(Refusal) as caught:
        await join_and_leave(room, tables[0], CLARA)
    assert dict(caught.value.msg.args) == {"n": 20, "when": int(first + HOUR) + 1}
    await join_and_leave(room, tables[0], DORA)
    room = await room.again()
    await refused("limit_joins", join_and_leave(room, tables[1], CLARA))
    room.now += HOUR
    await join_and_leave(room, tables[1], CLARA)


async def test_one_person_invites_another_so_often(room: Room) -> None:
    assert await tried(lambda: open_and_leave(room, invited=(BEN,)), 12) == ["no.limit_invitations"] * 4
    await open_and_leave(room, invited=(CLARA,))
    await open_and_leave(room, CLARA, (BEN,))
    room = await room.again()
    await refused("limit_invitations", open_and_leave(room, invited=(CLARA, BEN)))
    room.now += HOUR
    await open_and_leave(room, invited=(BEN,))


async def invite_too_often(room: Room, guest: Person) -> None:
    """Use up all that somebody may be invited by others in an hour."""
    for number in range(5):
        host = Person(800 + number, f"Guest {number}")
        assert await tried(partial(open_and_leave, room, host, (guest,)), 4) == []


async def test_whom_others_invite_too_often_keeps_a_seat_that_nothing_pings(room: Room) -> None:
    await invite_too_often(room, BEN)
    opened = await room.services.lobby.open("vault", {}, 3, ANNA, PLACE, room.request, invited=(BEN, CLARA))
    assert await room.services.queries.invited(opened.id) == (BEN, CLARA)
    assert await room.services.queries.unpinged(opened.id) == (BEN,)
    await show_hash(room.services, opened.id)
    joined = await room.services.lobby.join(opened.id, BEN, room.request)
    assert [chair.person for chair in joined.chairs] == [ANNA, BEN]


async def test_what_pings_nobody_does_not_count(room: Room) -> None:
    await invite_too_often(room, BEN)
    assert await tried(lambda: open_and_leave(room, invited=(BEN,)), 12) == []
    room.now += HOUR
    opened = await room.services.lobby.open(DUEL, {}, None, ANNA, PLACE, room.request, invited=(BEN,))
    assert await room.services.queries.unpinged(opened.id) == ()


async def test_a_seat_in_a_match_is_not_offered_to_whom_others_invite_too_often(room: Room) -> None:
    info = await room.begin()
    await invite_too_often(room, DORA)
    with pytest.raises(Refusal) as caught:
        await room.services.motions.offer_seat(info.id, ANNA, DORA, room.request)
    assert caught.value.msg.key == "no.limit_invited"
    assert caught.value.msg.args == (), "when others have invited somebody is no business of the asker's"


async def test_a_rematch_is_an_invitation_too(room: Room) -> None:
    over = await room.begin()
    await room.services.actions.resign(over.id, ANNA, room.request)

    async def again() -> None:
        room.now += 1
        info = await room.services.lobby.rematch(over.id, ANNA, room.request, PLACE)
        await room.services.lobby.leave(info.id, ANNA, room.request)

    assert await tried(again, 12) == ["no.limit_invitations"] * 4


async def test_who_has_deleted_their_data_is_invited_by_nobody(room: Room) -> None:
    former = Person(1, "Former player")
    assert await tried(lambda: open_and_leave(room, invited=(former,)), 12) == []


async def test_a_seat_that_is_offered_is_an_invitation_too(room: Room) -> None:
    info = await room.begin()

    async def offer() -> None:
        room.now += 1
        await room.services.motions.offer_seat(info.id, ANNA, DORA, room.request)
        await room.services.motions.refuse_seat(info.id, ANNA, room.request)

    assert await tried(offer, 12) == ["no.limit_invitations"] * 4
    assert (await room.services.cache.get(info.id)).row.offer is None


async def test_proposals_that_are_taken_back_are_counted(room: Room) -> None:
    info = await room.begin()

    async def propose() -> None:
        room.now += 1
        await room.services.motions.propose(info.id, ANNA, MotionKind.ABANDON, room.request)
        await room.services.motions.answer(info.id, ANNA, room.request, agrees=False)

    assert await tried(propose, 14) == ["no.limit_questions"] * 4
    await room.services.motions.propose(info.id, BEN, MotionKind.ABANDON, room.request)
    await room.services.motions.answer(info.id, ANNA, room.request, agrees=False)
    room = await room.again()
    await refused("limit_questions", propose())
    room.now += HOUR
    await propose()


async def test_offers_of_a_draw_are_counted_and_answers_are_not(room: Room) -> None:
    info = await room.begin()
    actions = room.services.actions

    async def offer() -> None:
        room.now += 1
        await actions.offer_draw(info.id, ANNA, room.request)
        await actions.decline_draw(info.id, ANNA, room.request)

    assert await tried(offer, 14) == ["no.limit_questions"] * 4
    await actions.offer_draw(info.id, BEN, room.request)
    await actions.offer_draw(info.id, ANNA, room.request)
    assert (await room.services.queries.table(info.id)).status is Status.OVER


async def test_one_person_moves_a_match_so_often(room: Room) -> None:
    info = await room.begin()
    places = [Place(1, 10 + number) for number in range(12)]
    channels = iter(places)

    async def move(person: Person = ANNA) -> None:
        await room.services.moving.move(info.id, person, next(channels), room.request)

    assert await tried(move, 6) == ["no.limit_moves"] * 2
    await move(BEN)
    room = await room.again()
    await refused("limit_moves", move())
    room.now += DAY + 1
    await move()


async def test_a_move_to_a_channel_where_the_match_was_begins_no_thread(room: Room) -> None:
    info = await room.begin()
    outbox, moving = room.services.outbox, room.services.moving
    await outbox.bind_thread(info.id, 77, PLACE.channel_id)
    moved = await moving.move(info.id, ANNA, THERE, room.request)
    assert moved.thread_id is None
    await outbox.bind_thread(info.id, 78, THERE.channel_id)
    await room.again()
    back = await room.services.moving.move(info.id, ANNA, PLACE, room.request)
    assert (back.place, back.thread_id) == (PLACE, 77)
    async with room.store.read() as reader:
        kept = await reader.kept_about(ANNA.id)
    assert [act["act"] for act in kept["counted_acts"]].count("move") == 2
    assert [act["act"] for act in kept["counted_acts"]].count("thread") == 2, "the start, and the first move"


async def test_a_thread_that_is_begun_too_late_is_kept_for_the_way_back(room: Room) -> None:
    info = await room.begin()
    await room.services.moving.move(info.id, ANNA, THERE, room.request)
    await room.services.outbox.bind_thread(info.id, 77, PLACE.channel_id)
    back = await room.services.moving.move(info.id, ANNA, PLACE, room.request)
    assert back.thread_id == 77


RULES = [
    ({"opening": Opening.MANAGERS}, "no.server_managers"),
    ({"opening": Opening.ROLES, "roles": (12,)}, "no.server_roles"),
    ({"channels": (99,)}, "no.server_channels"),
]


@pytest.mark.parametrize(("changes", "why"), RULES)
async def test_a_servers_rules_hold_for_every_way(room: Room, changes: dict[str, object], why: str) -> None:
    lobby, actions = room.services.lobby, room.services.actions
    over, running = await room.begin(), await room.begin()
    await actions.resign(over.id, ANNA, room.request)
    expired = await lobby.open("vault", {}, 3, ANNA, PLACE, room.request)
    room.now += DAY
    await lobby.expire(expired.id)
    await room.services.servers.change(PLACE.guild_id, lambda rules: replace(rules, **changes))  # type: ignore[arg-type]
    ways: list[Callable[..., Awaitable[object]]] = [
        lambda *by: lobby.open("vault", {}, 3, ANNA, PLACE, room.request, *by),
        lambda *by: lobby.rematch(over.id, ANNA, room.request, PLACE, *by),
        lambda *by: lobby.reopen(expired.id, ANNA, room.request, *by),
        lambda *by: room.services.moving.move(running.id, ANNA, THERE, room.request, *by),
    ]
    assert [await tried(way, 1) for way in ways] == [[why]] * 4
    ways[0] = lambda by: lobby.open("vault", {}, 3, ANNA, PLACE, room.request, opener=by)
    assert [await tried(lambda way=way: way(MANAGER), 1) for way in ways] == [[]] * 4  # type: ignore[misc]


async def test_as_many_tables_as_the_server_allows_in_every_way(room: Room) -> None:
    lobby = room.services.lobby
    expired = await lobby.open("vault", {}, 3, ANNA, PLACE, room.request)
    room.now += DAY
    await lobby.expire(expired.id)
    running = await room.begin()
    await room.services.servers.change(PLACE.guild_id, lambda rules: replace(rules, most=1))
    await refused("server_most", lobby.reopen(expired.id, ANNA, room.request))
    # It is one of them already.
    moved = await room.services.moving.move(running.id, ANNA, THERE, room.request)
    assert moved.place == THERE


async def test_a_channel_takes_no_more_matches_than_it_may_have(room: Room) -> None:
    room.limits = replace(room.limits, channel=1)
    await room.again()
    first = await room.begin()
    other = await begun(room, BEN, THERE)
    await refused("limit_channel", room.services.moving.move(other.id, BEN, PLACE, room.request))
    assert (await room.services.queries.table(first.id)).place == PLACE


async def test_who_deletes_their_data_is_counted_on_and_named_no_more(room: Room) -> None:
    await tried(lambda: play_and_resign(room), 40)
    await tried(lambda: open_and_leave(room, BEN, (ANNA,)), 8)
    assert await room.services.privacy.delete(ANNA) == []
    async with room.store.read() as reader:
        assert not any((await reader.kept_about(ANNA.id)).values())
    await refused("limit_threads", play_and_resign(room))
    await refused("limit_invitations", open_and_leave(room, BEN, (ANNA,)))
    # They come back, and delete their data once more.
    assert await room.services.privacy.delete(ANNA) == []
    await refused("limit_threads", play_and_resign(room))
    room.now += DAY
    await play_and_resign(room)


async def test_exports_of_an_hour_are_counted(room: Room) -> None:
    requests = count(1)
    privacy = room.services.privacy
    why = await tried(lambda: privacy.count_export(ANNA, next(requests)), 8)
    assert why == ["no.limit_exports"] * 3
    await privacy.count_export(BEN, next(requests))
    room.now += HOUR
    await privacy.count_export(ANNA, next(requests))
    data = await privacy.export(ANNA)
    assert [act["act"] for act in data["counted_acts"]] == ["export"] * 6


async def test_what_counts_no_more_is_pruned(room: Room) -> None:
    await tried(lambda: open_and_leave(room, invited=(BEN,)), 5)
    room.now += DAY + 10
    await open_and_leave(room)
    async with room.store.read() as reader:
        kept = await reader.kept_about(ANNA.id)
        assert (await reader.kept_about(BEN.id))["invitations_counted"] == []
    assert [act["act"] for act in kept["counted_acts"]] == ["table"]


async def test_what_is_refused_leaves_nothing_behind(room: Room) -> None:
    await tried(lambda: open_and_leave(room, invited=(BEN,)), 8)
    before = [line.table.id for line in await room.services.queries.matches(ANNA)]
    await refused("limit_invitations", open_and_leave(room, invited=(CLARA, BEN)))
    assert [line.table.id for line in await room.services.queries.matches(ANNA)] == before
    async with room.store.read() as reader:
        assert (await reader.kept_about(CLARA.id))["invitations_counted"] == []


async def test_the_pace_of_a_rematch_is_an_allowed_one(room: Room) -> None:
    over = await room.begin(pace=Pace.LIVE)
    await room.services.actions.resign(over.id, ANNA, room.request)
    await room.services.servers.change(PLACE.guild_id, lambda rules: rules.with_paces([Pace.DAY, Pace.SLOW]))
    again = await room.services.lobby.rematch(over.id, ANNA, room.request, PLACE)
    assert again.pace is Pace.DAY


async def test_only_questions_are_rows_that_count(room: Room) -> None:
    info = await room.begin()
    await room.services.actions.offer_draw(info.id, ANNA, room.request)
    assert [row.kind for row in await room.log_rows(info.id)] == [RowKind.OFFER]
