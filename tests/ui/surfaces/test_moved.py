"""A match that is moved: a new message, thread and board; what is left behind says where it goes on."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import discord
import pytest

from bot.domain.jobs import JobKind
from bot.domain.refusals import Refusal
from bot.domain.tables import Opener, Person, Place, Status, TableInfo
from bot.pages.texts import Texts
from tests.ui.surfaces.room import ANNA, BEN, CHANNEL, Room, refusal

ENGLISH = Texts()
NEW = CHANNEL + 1
STRANGER = Person(700_099, "Zoe")
REQUESTS = count(9_000)


async def move(
    room: Room,
    person: Person = ANNA,
    channel: int = NEW,
    *,
    guild: int = 1,
    manages: bool = False,
    request: int | None = None,
) -> TableInfo:
    number = next(REQUESTS) if request is None else request
    place = Place(guild, channel)
    return await room.services.moving.move(room.table.id, person, place, number, Opener(frozenset(), manages))


async def work(room: Room) -> None:
    """Carry out what is due, until nothing is."""
    while jobs := await room.services.outbox.next_jobs(20):
        for job in jobs:
            await room.do(job)


def goes_on(channel: int | None) -> str:
    return ENGLISH.house("board.moved", channel=f"<#{channel}>")


async def test_a_match_goes_on_where_it_was_moved(room: Room) -> None:
    await work(room)
    board, lobby = await room.shown("board"), await room.shown("lobby")
    table = await move(room, BEN)
    assert (table.place.channel_id, table.thread_id) == (NEW, None)
    await work(room)
    table = await room.services.queries.table(room.table.id)
    new_board, new_lobby = await room.shown("board"), await room.shown("lobby")
    assert new_lobby.channel_id == NEW
    assert room.notes.messages[new_lobby.message_id][0] == NEW
    assert new_board.channel_id == table.thread_id == new_lobby.message_id != board.channel_id
    assert room.notes.said_instead == {
        lobby.message_id: goes_on(NEW),
        board.message_id: goes_on(table.thread_id),
    }
    sent = len(room.notes.messages)
    await room.say(1)
    await work(room)
    assert (await room.shown("board")).channel_id == table.thread_id
    assert len(room.notes.messages) == sent + 1
    # A restart, and a look at everything, send nothing more.
    room.restart()
    await room.services.outbox.resume()
    await work(room)
    assert len(room.notes.messages) == sent + 1


async def test_a_match_that_comes_back_goes_on_in_its_former_thread(room: Room) -> None:
    await work(room)
    first, lobby = (await room.services.queries.table(room.table.id)).thread_id, await room.shown("lobby")
    assert first is not None
    await move(room)
    await work(room)
    second = (await room.services.queries.table(room.table.id)).thread_id
    assert second is not None
    assert room.notes.archived_after == {first: 60}
    room.restart()
    sent = len(room.notes.messages)
    await move(room, BEN, CHANNEL)
    await work(room)
    table = await room.services.queries.table(room.table.id)
    assert table.thread_id == first
    assert room.notes.archived_after == {first: 10_080, second: 60}
    # The table's message stands where it stood, and a board is at the thread's end.
    assert (await room.shown("lobby")).message_id == lobby.message_id
    assert (await room.shown("board")).channel_id == first
    assert len(room.notes.messages) <= sent + 1
    assert room.notes.said_instead[second] == goes_on(CHANNEL)


async def test_a_former_thread_whose_message_is_gone_gets_another_message(room: Room) -> None:
    await work(room)
    first, lobby = (await room.services.queries.table(room.table.id)).thread_id, await room.shown("lobby")
    await move(room)
    await work(room)
    await room.notes.delete(CHANNEL, lobby.message_id)
    await move(room, BEN, CHANNEL)
    await work(room)
    assert (await room.services.queries.table(room.table.id)).thread_id == first
    assert (await room.shown("lobby")).message_id != lobby.message_id
    assert (await room.shown("lobby")).channel_id == CHANNEL


async def test_it_outlives_a_restart(room: Room) -> None:
    await work(room)
    await move(room)
    room.services.cache.forget_all()
    table = await room.services.queries.table(room.table.id)
    assert (table.place, table.thread_id) == (Place(1, NEW), None)
    room.restart()
    await work(room)
    assert (await room.shown("lobby")).channel_id == NEW


async def test_it_is_moved_once_for_a_request(room: Room) -> None:
    await work(room)
    await move(room, request=5)
    await move(room, channel=CHANNEL)
    again = await move(room, request=5)
    assert again.place.channel_id == CHANNEL
    await work(room)
    table = await room.services.queries.table(room.table.id)
    assert (await room.shown("board")).channel_id == table.thread_id
    assert (await room.shown("lobby")).channel_id == CHANNEL


async def test_a_death_on_the_way_posts_nothing_twice(room: Room) -> None:
    match = room.table.id
    await work(room)
    old = await room.shown("board")
    await move(room)
    unnoted = await room.unnoted(room.surfaces.lobby.update(match))
    room.restart()
    room.notes.nonces.clear()
    await room.surfaces.lobby.update(match)
    assert (await room.shown("lobby")).message_id == unnoted
    await room.unnoted(room.surfaces.board.update(match))
    room.restart()
    room.notes.nonces.clear()
    await room.surfaces.board.update(match)
    thread = (await room.services.queries.table(match)).thread_id
    boards = [message for message, (channel, _) in room.notes.messages.items() if channel == thread]
    assert boards == [(await room.shown("board")).message_id]
    assert room.notes.said_instead[old.message_id] == goes_on(thread)


async def test_a_thread_that_was_begun_meanwhile_is_not_the_matchs(room: Room) -> None:
    await room.surfaces.lobby.update(room.table.id)
    await move(room)
    await room.services.outbox.bind_thread(room.table.id, 77, CHANNEL)
    assert (await room.services.queries.table(room.table.id)).thread_id is None


async def test_a_channel_that_has_shut_the_bot_out_can_be_left(room: Room) -> None:
    await work(room)
    await move(room)
    room.notes.trouble += [("strip", refusal(50001, 403)), ("strip", refusal(50001, 403))]
    await work(room)
    assert room.notes.trouble == []
    table = await room.services.queries.table(room.table.id)
    assert (await room.shown("board")).channel_id == table.thread_id != room.table.thread_id


async def test_a_server_without_threads_left_plays_in_the_new_channel(room: Room) -> None:
    room.notes.trouble.append(("thread", refusal(160006)))
    await room.surfaces.board.update(room.table.id)
    assert (await room.shown("board")).channel_id == CHANNEL
    await move(room)
    room.notes.trouble.append(("thread", refusal(160006)))
    await room.surfaces.board.update(room.table.id)
    assert (await room.shown("board")).channel_id == NEW


async def test_a_match_whose_channel_is_gone_gets_a_board_again(room: Room) -> None:
    match = room.table.id
    room.notes.trouble.append((f"post {CHANNEL}", refusal(10003, 404)))
    await room.services.outbox.ask_for([(match, JobKind.BOARD, "")])
    [job] = [job for job in await room.services.outbox.next_jobs(9) if job.kind is JobKind.BOARD]
    await room.do(job)
    assert room.problems.by_match[match].key == "problem.gone"
    assert "move_here" in room.problems.by_match[match].text(ENGLISH)
    await room.say(1)
    await move(room, BEN)
    await work(room)
    assert room.problems.by_match == {}
    board = await room.shown("board")
    assert board.channel_id == (await room.services.queries.table(match)).thread_id
    assert (await room.services.queries.board(match)).version == board.version


async def refused(room: Room, key: str, **how: object) -> None:
    before = await room.services.queries.table(room.table.id)
    with pytest.raises(Refusal) as caught:
        await move(room, **how)  # type: ignore[arg-type]
    assert caught.value.msg.key == f"no.{key}"
    assert await room.services.queries.table(room.table.id) == before


async def test_who_may_not_is_refused(room: Room) -> None:
    await work(room)
    await refused(room, "move", person=STRANGER)
    await refused(room, "move_elsewhere", guild=2)
    await refused(room, "move_elsewhere", guild=2, person=STRANGER, manages=True)
    await refused(room, "moved", channel=CHANNEL)
    assert (await move(room, STRANGER, manages=True)).place.channel_id == NEW


async def test_only_a_match_that_is_on_is_moved(room: Room) -> None:
    await room.services.actions.resign(room.table.id, ANNA, 50)
    assert (await room.services.queries.table(room.table.id)).status is Status.OVER
    await refused(room, "move")
    await refused(room, "over", person=BEN)
    frozen = await room.services.cache.get(room.table.id)
    room.services.cache.put(replace(frozen, log=None).with_info(status=Status.FROZEN))
    await refused(room, "frozen", person=BEN)


async def test_what_else_goes_wrong_where_it_was_is_tried_again(room: Room) -> None:
    await work(room)
    await move(room)
    room.notes.trouble.append(("strip", refusal(0, 500)))
    with pytest.raises(discord.HTTPException):
        await room.surfaces.lobby.update(room.table.id)
    await room.surfaces.lobby.update(room.table.id)
    assert (await room.shown("lobby")).channel_id == NEW
