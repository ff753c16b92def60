"""What is shown, and each trouble that Discord can make, one by one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import fields

import discord
import pytest

from bot.domain.jobs import Job, JobKind, Shown
from bot.domain.refusals import Refusal
from bot.domain.tables import Status
from bot.gateway.discord_errors import DMS_CLOSED
from bot.pages.page import FoundMessage
from bot.sync import Surfaces
from bot.sync.backlog import MAX_RETRY_S
from bot.sync.shown import ChannelGone
from bot.sync.worker import retry_delay
from engines.core.contract import msg
from engines.core.names import FIRST_STRONG
from engines.core.registry import games
from tests.kit.tables import show_hash, sit_down
from tests.kit.waiting import until
from tests.ui.limits import sent, walk
from tests.ui.surfaces.room import ANNA, BEN, CHANNEL, Room, refusal

CROWD = next(key for key, each in games().items() if max(each.manifest.seats) > 2)
"""A game whose table is not full with two."""


async def test_boards_follow_one_another(room: Room) -> None:
    match = room.table.id
    await room.surfaces.board.update(match)
    first = await room.shown("board")
    await room.surfaces.board.update(match)
    assert await room.services.outbox.shown(match, "board") == first
    assert room.notes.stripped == []
    await room.say(1)
    await room.surfaces.board.update(match)
    second = await room.shown("board")
    assert second.message_id != first.message_id
    assert room.notes.stripped == [first.message_id]
    board = await room.services.queries.board(match)
    asked = [board.table.chair_at(seat).person for seat in board.waiting]
    assert room.notes.mentioned[second.message_id] == [person.id for person in asked if person]


async def test_a_message_sent_before_a_crash_is_found_again(room: Room) -> None:
    match = room.table.id
    await room.surfaces.board.update(match)
    await room.say(1)
    await room.unnoted(room.surfaces.board.update(match))
    room.notes.nonces.clear()  # an hour later Discord has forgotten them
    count = len(room.notes.messages)
    await room.surfaces.board.update(match)
    assert len(room.notes.messages) == count
    shown = await room.shown("board")
    assert shown.message_id == max(room.notes.messages)


async def test_a_table_posted_before_a_crash_is_brought_up_to_date(room: Room) -> None:
    """It was never noted, and somebody has sat down since: it is found, and names them."""
    table = await room.services.lobby.open(room.table.game, {}, None, ANNA, room.table.place, 901)
    await show_hash(room.services, table.id)
    posted = await room.unnoted(room.surfaces.lobby.update(table.id))
    await sit_down(room.services, table.id, BEN, 902)
    await room.new_surfaces().lobby.update(table.id)
    assert max(room.notes.messages) == posted
    shown = await room.services.outbox.shown(table.id, "lobby")
    assert shown is not None
    assert (shown.channel_id, shown.message_id) == (CHANNEL, posted)
    said = [item.get("content", "") for item in walk(sent(room.notes.messages[posted][1]))]
    assert any(BEN.name in text for text in said)


async def test_a_board_sent_before_a_crash_is_followed_by_the_next_one(room: Room) -> None:
    """It was never noted, and the match has moved on: it is found, told on from, and loses its buttons."""
    match = room.table.id
    await room.surfaces.board.update(match)
    first = await room.shown("board")
    await room.say(1)
    unnoted = await room.unnoted(room.surfaces.board.update(match))
    room.notes.nonces.clear()
    await room.say(2)
    await room.surfaces.board.update(match)
    last = await room.shown("board")
    assert last.message_id > unnoted
    assert room.notes.stripped == [first.message_id, unnoted]
    news = [len(told) for told in (board_told(room, unnoted), board_told(room, last.message_id))]
    whole = (await room.services.queries.log(match, None))[-2:]
    assert news == [len(line.told) for line in whole], "a board tells what the one before it has told"


async def test_a_board_that_has_come_in_words_alone_has_told_nothing(room: Room) -> None:
    """The match has moved on before it was laid out: the next board tells its story too, and no older one."""
    match = room.table.id
    await room.surfaces.board.update(match)
    await room.say(1)
    await room.surfaces.board.update(match)
    before = await room.shown("board")
    await room.say(2)
    await room.unnoted(room.surfaces.board.update(match), "layout")
    room.notes.nonces.clear()
    await room.say(3)
    await room.new_surfaces().board.update(match)
    last = await room.shown("board")
    assert last.message_id > before.message_id
    whole = (await room.services.queries.log(match, None))[-2:]
    assert len(board_told(room, last.message_id)) == sum(len(line.told) for line in whole)


def board_told(room: Room, message: int) -> list[str]:
    """Return the lines of a board that tell what somebody did."""
    texts = [item["content"] for item in walk(sent(room.notes.messages[message][1])) if item["type"] == 10]
    lines = "\n".join(texts).splitlines()
    return [line for line in lines if line.lstrip(FIRST_STRONG).startswith(("Anna", "Ben"))]


async def test_a_kill_before_the_old_buttons_are_gone_leaves_one_current_board(room: Room) -> None:
    match = room.table.id
    await room.surfaces.board.update(match)
    first = await room.shown("board")
    await room.say(1)
    room.notes.trouble.append(("strip", refusal(0, 500)))
    with pytest.raises(discord.HTTPException):
        await room.surfaces.board.update(match)
    count = len(room.notes.messages)
    again = room.new_surfaces()
    await again.board.update(match)
    assert room.notes.stripped == [first.message_id]
    assert len(room.notes.messages) == count


async def test_a_server_without_threads_left_plays_in_the_channel(room: Room) -> None:
    room.notes.trouble.append(("thread", refusal(160006)))
    await room.surfaces.board.update(room.table.id)
    shown = await room.shown("board")
    assert shown.channel_id == CHANNEL
    await room.say(1)
    await room.surfaces.board.update(room.table.id)
    assert (await room.services.queries.table(room.table.id)).thread_id is None


async def test_a_table_whose_message_is_gone_gets_a_new_one_for_its_thread(room: Room) -> None:
    await room.surfaces.lobby.update(room.table.id)
    room.notes.trouble.append(("thread", refusal(10008, 404)))
    thread = await room.surfaces.lobby.thread(room.table.id)
    shown = await room.shown("lobby")
    assert shown.message_id == thread == max(room.notes.messages)


async def test_a_channel_that_is_gone_is_given_up(room: Room) -> None:
    room.notes.trouble.append(("post", refusal(10003, 404)))
    with pytest.raises(ChannelGone):
        await room.surfaces.lobby.update(room.table.id)
    room.notes.trouble.append(("post", refusal(10003, 404)))
    await room.do(Job(room.table.id, JobKind.LOBBY, "", 1, 0))
    assert room.notes.trouble == []


async def test_a_thread_that_is_gone_is_begun_anew(room: Room) -> None:
    match = room.table.id
    await room.surfaces.board.update(match)
    old = (await room.services.queries.table(match)).thread_id
    await room.say(1)
    room.notes.trouble.append((f"post {old}", refusal(10003, 404)))
    await room.surfaces.board.update(match)
    new = (await room.services.queries.table(match)).thread_id
    shown = await room.shown("board")
    assert new != old
    assert shown.channel_id == new


@pytest.mark.parametrize("comes_back", [False, True])
@pytest.mark.parametrize("dies", [False, True])
async def test_a_table_posted_for_a_new_thread_and_never_noted_is_no_second_one(
    dies: bool, comes_back: bool, room: Room
) -> None:
    """Its answer got lost; then it is used, or put away where the old thread was begun anew meanwhile."""
    match = room.table.id
    await room.surfaces.board.update(match)
    old = (await room.services.queries.table(match)).thread_id
    await room.say(1)
    room.notes.trouble.append((f"post {old}", refusal(10003, 404)))
    unnoted = await room.unnoted(room.surfaces.board.update(match))
    surfaces = room.new_surfaces() if dies else room.surfaces
    room.notes.nonces.clear()
    if not comes_back:
        room.notes.trouble.append((f"post {old}", refusal(10003, 404)))
    await surfaces.board.update(match)
    await surfaces.lobby.update(match)
    await surfaces.lobby.review(match)
    posted = [message for message, (channel, _) in room.notes.messages.items() if channel == CHANNEL]
    assert set(posted) == {old, unnoted}
    assert (await room.shown("lobby")).message_id == (old if comes_back else unnoted)
    assert (unnoted in room.notes.stripped) is comes_back


async def test_a_table_posted_again_loses_its_buttons_however_often_a_new_thread_is_tried(room: Room) -> None:
    match = room.table.id
    await room.surfaces.board.update(match)
    old = (await room.services.queries.table(match)).thread_id
    assert old is not None
    _, page = room.notes.messages.pop(old)
    again = await room.notes.post(CHANNEL, page, nonce="again")
    await room.services.outbox.set_shown(match, "lobby", Shown(CHANNEL, again))
    await room.say(1)
    room.notes.trouble += [(f"post {old}", refusal(10003, 404)), ("strip", refusal(0, 500))]
    with pytest.raises(discord.HTTPException):
        await room.surfaces.board.update(match)
    room.notes.trouble.append((f"post {old}", refusal(10003, 404)))
    await room.surfaces.board.update(match)
    assert (await room.shown("lobby")).message_id not in (old, again)
    assert again in room.notes.stripped


@pytest.mark.parametrize("code", sorted(DMS_CLOSED))
async def test_closed_direct_messages(code: int, room: Room) -> None:
    match = room.table.id
    await room.surfaces.board.update(match)
    seat, person = await room.asked_by_message()
    for _ in range(2):
        room.notes.trouble.append((f"post {person.id + 9_000}", refusal(code, 403)))
        await room.surfaces.direct_messages.update(match, seat, with_board=True)
    assert list(room.notes.mentioned.values())[-1] == [person.id]
    assert (await room.services.settings.preferences(person)).dms
    told = await room.shown(f"dm_closed:{seat}")
    assert told.message_id == max(room.notes.messages)


async def test_closed_direct_messages_are_said_only_when_the_board_moves(room: Room) -> None:
    match = room.table.id
    await room.surfaces.board.update(match)
    seat, person = await room.asked_by_message()
    posted = len(room.notes.messages)
    turn = Job(match, JobKind.TURN, str(seat), 1, 0)
    room.notes.trouble.append((f"post {person.id + 9_000}", refusal(50007, 403)))
    await room.worker.carry_out(match, [turn])
    assert len(room.notes.messages) == posted
    room.notes.trouble.append((f"post {person.id + 9_000}", refusal(50007, 403)))
    await room.worker.carry_out(match, [Job(match, JobKind.BOARD, "", 2, 0), turn])
    assert len(room.notes.messages) == posted + 1


async def test_what_a_direct_message_meets_is_no_trouble_of_the_table(room: Room) -> None:
    match = room.table.id
    await room.surfaces.board.update(match)
    seat, person = await room.asked_by_message()
    room.notes.trouble.append((f"post {person.id + 9_000}", refusal(50001, 403)))
    await room.worker.carry_out(match, [Job(match, JobKind.TURN, str(seat), 1, 0)])
    assert not room.problems.by_match


async def test_a_direct_message_is_sent_once_and_loses_its_buttons(room: Room) -> None:
    match = room.table.id
    seat, _ = await room.asked_by_message()
    await room.surfaces.direct_messages.update(match, seat, with_board=True)
    sent_first = await room.shown(f"dm:{seat}")
    await room.surfaces.direct_messages.update(match, seat, with_board=True)
    assert await room.services.outbox.shown(match, f"dm:{seat}") == sent_first
    await room.say(1)
    await room.surfaces.direct_messages.retire(match)
    assert room.notes.stripped == [sent_first.message_id]
    assert await room.services.outbox.shown(match, f"dm:{seat}") is None


async def test_a_direct_message_that_was_never_noted_is_found_again(room: Room) -> None:
    match = room.table.id
    seat, _ = await room.asked_by_message()
    sent_once = await room.unnoted(room.surfaces.direct_messages.update(match, seat, with_board=True))
    room.notes.nonces.clear()
    await room.surfaces.direct_messages.update(match, seat, with_board=True)
    shown = await room.shown(f"dm:{seat}")
    assert shown.message_id == sent_once == max(room.notes.messages)


async def test_a_message_whose_buttons_were_about_to_go_keeps_them_once_it_asks_anew(room: Room) -> None:
    """A click has redrawn it with the next question before they could be taken."""
    match = room.table.id
    seat, _ = await room.asked_by_message()
    posted = await room.unnoted(room.surfaces.direct_messages.update(match, seat, with_board=True))
    room.notes.nonces.clear()
    await room.services.outbox.retire(posted)
    await room.surfaces.direct_messages.update(match, seat, with_board=True)
    assert (await room.shown(f"dm:{seat}")).message_id == posted
    assert not await room.services.outbox.is_retired(posted)


async def test_a_direct_message_that_was_never_noted_loses_its_buttons_once_it_is_answered(
    room: Room,
) -> None:
    match = room.table.id
    seat, _ = await room.asked_by_message()
    sent_once = await room.unnoted(room.surfaces.direct_messages.update(match, seat, with_board=True))
    await room.say(1)
    await room.new_surfaces().direct_messages.retire(match)
    assert room.notes.stripped == [sent_once]
    assert await room.services.outbox.shown(match, f"dm:{seat}") is None


async def test_a_board_that_has_come_in_words_is_laid_out_whatever_else_fails(room: Room) -> None:
    match = room.table.id
    posted = await room.unnoted(room.surfaces.board.update(match), "layout")
    room.notes.nonces.clear()
    assert await room.unnoted(room.new_surfaces().board.update(match), "edit") == posted
    assert room.notes.in_words == {posted}
    await room.new_surfaces().board.update(match)
    assert room.notes.in_words == set()
    assert (await room.shown("board")).message_id == max(room.notes.messages) == posted


async def test_a_direct_message_that_has_come_in_words_is_laid_out_whatever_else_fails(room: Room) -> None:
    match = room.table.id
    seat, _ = await room.asked_by_message()

    def update(surfaces: Surfaces) -> Awaitable[None]:
        return surfaces.direct_messages.update(match, seat, with_board=False)

    posted = await room.unnoted(update(room.surfaces), "layout")
    room.notes.nonces.clear()
    assert await room.unnoted(update(room.new_surfaces()), "edit") == posted
    assert room.notes.in_words == {posted}
    await update(room.new_surfaces())
    assert room.notes.in_words == set()
    shown = await room.shown(f"dm:{seat}")
    assert (shown.message_id, shown.is_stale) == (max(room.notes.messages), False)


async def test_a_direct_message_in_words_loses_its_button_although_none_is_wanted_any_more(
    room: Room,
) -> None:
    match = room.table.id
    seat, person = await room.asked_by_message()
    posted = await room.unnoted(room.surfaces.direct_messages.update(match, seat, with_board=False), "layout")
    await room.services.settings.set_dms(person, False)
    await room.say(1)
    await room.surfaces.direct_messages.retire(match)
    assert room.notes.stripped == [posted]


async def test_a_question_that_is_answered_meanwhile_is_not_sent(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat, _ = await room.asked_by_message()
    find = room.notes.find

    async def slow(channel_id: int, part: str) -> list[FoundMessage]:
        await room.say(1)
        return await find(channel_id, part)

    monkeypatch.setattr(room.notes, "find", slow)
    await room.surfaces.direct_messages.update(room.table.id, seat, with_board=False)
    assert room.notes.messages == {}


async def test_a_direct_message_that_takes_no_edit_is_sent_anew(room: Room) -> None:
    match = room.table.id
    seat, person = await room.asked_by_message()
    await room.surfaces.direct_messages.update(match, seat, with_board=False)
    [gone] = [message for message, (at, _) in room.notes.messages.items() if at == person.id + 9_000]
    del room.notes.messages[gone]
    room.notes.nonces.clear()
    await room.services.outbox.mark_stale([match])
    await room.surfaces.direct_messages.update(match, seat, with_board=False)
    assert (await room.shown(f"dm:{seat}")).message_id == max(room.notes.messages) != gone


async def test_an_offer_that_was_never_noted_is_found_again_and_settled(room: Room) -> None:
    match = room.table.id
    await room.surfaces.board.update(match)
    await room.services.actions.offer_draw(match, ANNA, 50)
    posted = await room.unnoted(room.surfaces.offers.update(match))
    room.notes.nonces.clear()
    again = room.new_surfaces()
    await again.offers.update(match)
    await room.services.actions.decline_draw(match, BEN, 51)
    await again.offers.update(match)
    assert max(room.notes.messages) == posted
    assert not any("custom_id" in item for item in walk(sent(room.notes.messages[posted][1])))
    assert await room.services.outbox.shown(match, "offer") is None


async def test_a_tables_message_whose_edit_got_no_answer_is_not_believed(room: Room) -> None:
    """It shows who has sat down, although nobody knows; then they leave, and it must be edited once more."""
    table = await room.services.lobby.open(CROWD, {}, 3, ANNA, room.table.place, 901)
    before = await room.surfaces.lobby.update(table.id)
    assert before is not None
    await sit_down(room.services, table.id, BEN, 902)
    await room.unnoted(room.surfaces.lobby.update(table.id), "answer to an edit")
    await room.services.lobby.leave(table.id, BEN, 903)
    await room.surfaces.lobby.update(table.id)
    assert BEN.name not in str(sent(room.notes.messages[before.message_id][1]))


async def test_the_thread_is_archived_soon_after_the_end_only(room: Room) -> None:
    await room.surfaces.board.update(room.table.id)
    await room.surfaces.board.archive(room.table.id)
    assert room.notes.archived_after == {}
    await room.services.actions.resign(room.table.id, ANNA, 50)
    await room.surfaces.board.archive(room.table.id)
    assert room.notes.archived_after == {(await room.services.queries.table(room.table.id)).thread_id: 60}


async def test_a_frozen_match_is_told_to_its_players_once(room: Room) -> None:
    for _ in range(2):
        await room.surfaces.board.tell_frozen(room.table.id)
    assert [people for people in room.notes.mentioned.values() if people] == [[ANNA.id, BEN.id]]


async def test_a_job_that_fails_stays_and_its_trouble_is_told_until_mended(room: Room) -> None:
    [*jobs] = await room.services.outbox.next_jobs(9)
    board = next(job for job in jobs if job.kind is JobKind.BOARD)
    room.notes.trouble.append(("post", refusal(50013, 403)))
    await room.do(board)
    assert room.table.id in room.problems.by_match
    assert await room.services.outbox.next_due() is not None
    turn = Job(room.table.id, JobKind.TURN, "0", 1, 0)
    await room.do(turn)
    assert room.table.id in room.problems.by_match
    await room.do(board)
    assert room.table.id not in room.problems.by_match


@pytest.mark.parametrize(("key", "kept"), [("no.busy", True), ("no.frozen", False)])
async def test_a_refusal_ends_a_job_unless_it_says_to_try_again(
    key: str, room: Room, *, kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object, **__: object) -> None:
        raise Refusal(msg(key))

    for surface in (room.surfaces.lobby, room.surfaces.board, room.surfaces.direct_messages):
        monkeypatch.setattr(surface, "update", refuse)
    monkeypatch.setattr(room.surfaces.lobby, "thread", refuse)
    for job in await room.services.outbox.next_jobs(9):
        await room.do(job)
    assert (await room.services.outbox.next_due() is not None) is kept


async def settled(room: Room) -> None:
    """Wait until no job is left."""

    async def idle() -> bool:
        return await room.services.outbox.next_due() is None

    await until(idle)


async def test_the_worker_works_through_everything(room: Room) -> None:
    worker = asyncio.create_task(room.worker.run())
    await settled(room)
    await room.say(1)
    room.worker.wake()
    await settled(room)
    worker.cancel()
    shown = await room.shown("board")
    assert shown.epoch == (await room.services.queries.board(room.table.id)).epoch
    assert (await room.services.queries.table(room.table.id)).status is Status.RUNNING


def test_pauses_grow_and_end() -> None:
    assert retry_delay(0) <= 1.0
    assert 0.5 * MAX_RETRY_S <= retry_delay(99) <= MAX_RETRY_S
    assert retry_delay(3) < retry_delay(6)


def test_each_job_is_carried_out_by_one_surface(room: Room) -> None:
    surfaces = [getattr(room.surfaces, each.name) for each in fields(room.surfaces)]
    kinds = [kind for each in surfaces if each is not room.surfaces.shown for kind in each.jobs()]
    assert len(kinds) == len(set(kinds)) == len(room.surfaces.jobs())
    assert set(room.worker._work) == set(JobKind)  # noqa: SLF001
