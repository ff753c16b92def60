"""One message a hand-over: whom it pings, who is written to instead, and how direct messages end."""

from __future__ import annotations

from dataclasses import replace

import discord
import pytest

from bot.domain.jobs import STALE_MARK, Job, JobKind, Shown
from bot.domain.tables import Person
from bot.pages.page import text_page
from bot.pages.texts import Texts
from bot.sync.dm_breaker import DirectMessagesPaused
from engines.core.contract import Seat
from tests.ui.limits import told
from tests.ui.surfaces.room import ANNA, BEN, Room, refusal

ENGLISH = Texts()


def said(room: Room, message: int) -> str:
    return told(room.notes.messages[message][1])


async def to_move(room: Room) -> tuple[Seat, Person]:
    seat = (await room.services.queries.board(room.table.id)).waiting[0]
    person = room.table.chair_at(seat).person
    assert person is not None
    return seat, person


async def post(room: Room, number: int) -> int:
    """Let whoever is asked take a turn; return the board that follows."""
    if number:
        await room.say(number)
    await room.surfaces.board.update(room.table.id)
    return (await room.shown("board")).message_id


def panels_to(room: Room, person: Person) -> list[int]:
    return [message for message, (at, _) in room.notes.messages.items() if at == person.id + 9_000]


async def test_a_board_pings_who_is_newly_asked_and_nobody_else(room: Room) -> None:
    for number in range(4):
        message = await post(room, number)
        _, person = await to_move(room)
        other = BEN if person == ANNA else ANNA
        assert room.notes.mentioned[message] == [person.id]
        assert f"<@{person.id}>" in said(room, message)
        assert f"<@{other.id}>" not in said(room, message)


async def test_who_plays_by_direct_message_is_named_and_not_pinged(room: Room) -> None:
    _, person = await to_move(room)
    await room.services.settings.set_dms(person, dms=True)
    message = await post(room, 0)
    assert room.notes.mentioned[message] == []
    assert room.notes.messages[message][1].push is None, "nothing to notify anybody of"
    assert f"<@{person.id}>" not in said(room, message)
    assert f"➡️ {person.name}" in said(room, message)
    board = await room.services.queries.board(room.table.id)
    assert (board.called, len(board.written_to)) == ((), 1)


async def test_what_somebody_chooses_later_changes_no_board_that_stands(room: Room) -> None:
    message = await post(room, 0)
    _, person = await to_move(room)
    before = said(room, message)
    await room.services.settings.set_dms(person, dms=True)
    await room.services.outbox.mark_stale([room.table.id])
    assert await post(room, 0) == message
    assert said(room, message) == before
    await room.services.settings.set_dms(BEN if person == ANNA else ANNA, dms=True)
    message = await post(room, 1)
    before = said(room, message)
    for someone in (ANNA, BEN):
        await room.services.settings.set_dms(someone, dms=False)
    await room.services.outbox.mark_stale([room.table.id])
    assert await post(room, 0) == message
    assert said(room, message) == before


async def test_whom_a_message_does_not_reach_is_called_in_the_thread_and_pinged_again_from_then_on(
    room: Room,
) -> None:
    """The board relied on the message. Its job may come alone: it had failed in another way before."""
    match = room.table.id
    seat, person = await to_move(room)
    await room.services.settings.set_dms(person, dms=True)
    await post(room, 0)
    room.notes.trouble.append((f"post {person.id + 9_000}", refusal(50007, 403)))
    await room.surfaces.direct_messages.update(match, seat, with_board=False)
    assert list(room.notes.mentioned.values())[-1] == [person.id]
    await post(room, 1)
    message = await post(room, 2)
    assert (await to_move(room))[1] == person
    assert room.notes.mentioned[message] == [person.id]
    await room.surfaces.direct_messages.update(match, seat, with_board=True)
    assert panels_to(room, person), "it arrives again"
    await post(room, 3)
    assert room.notes.mentioned[await post(room, 4)] == []


async def test_who_wants_no_message_any_more_is_called_where_the_board_relied_on_one(room: Room) -> None:
    seat, person = await to_move(room)
    await room.services.settings.set_dms(person, dms=True)
    await post(room, 0)
    await room.services.settings.set_dms(person, dms=False)
    count = len(room.notes.messages)
    for _ in range(2):
        await room.surfaces.direct_messages.update(room.table.id, seat, with_board=False)
    assert len(room.notes.messages) == count + 1
    assert list(room.notes.mentioned.values())[-1] == [person.id]
    assert panels_to(room, person) == []


async def test_who_has_got_the_message_of_a_board_is_not_called_for_the_next_one(room: Room) -> None:
    """A seat may be asked in secret: what is said in public then would tell."""
    match = room.table.id
    seat, person = await to_move(room)
    await room.services.settings.set_dms(person, dms=True)
    await post(room, 0)
    await room.surfaces.direct_messages.update(match, seat, with_board=True)
    count = len(room.notes.messages)
    await room.services.outbox.drop_shown(match, f"dm:{seat}")
    room.notes.nonces.clear()
    room.notes.trouble.append((f"post {person.id + 9_000}", refusal(50007, 403)))
    await room.surfaces.direct_messages.update(match, seat, with_board=False)
    assert len(room.notes.messages) == count


async def test_a_panel_that_is_answered_says_so(room: Room) -> None:
    seat, person = await room.asked_by_message()
    await room.surfaces.direct_messages.update(room.table.id, seat, with_board=True)
    [panel] = panels_to(room, person)
    await room.say(1)
    await room.surfaces.direct_messages.retire(room.table.id)
    assert room.notes.said_instead == {panel: f"-# {ENGLISH.house('dm.done.played')}"}


# --- the end ------------------------------------------------------------------------------------------


async def ended(room: Room) -> tuple[Seat, Person]:
    """End the match; return who has asked for direct messages."""
    seat, person = await room.asked_by_message()
    await room.surfaces.board.update(room.table.id)
    await room.services.actions.resign(room.table.id, BEN if person == ANNA else ANNA, 50)
    return seat, person


async def test_the_last_message_says_how_the_match_ended_once(room: Room) -> None:
    match = room.table.id
    seat, person = await ended(room)
    for _ in range(2):
        await room.surfaces.goodbyes.update(match, seat)
        await room.new_surfaces().goodbyes.update(match, seat)
    [message] = panels_to(room, person)
    table = await room.services.queries.table(match)
    text = said(room, message)
    assert f"<#{table.thread_id}>" in text
    assert ENGLISH.house("end.won", n=1, names=person.name) in text
    assert room.notes.messages[message][1].push is not None, "a locked phone shows words"
    await room.surfaces.goodbyes.update(match, 1 - seat)
    other = BEN if person == ANNA else ANNA
    assert panels_to(room, other) == [], "who plays in the thread finds it there"


async def test_a_doubted_last_message_is_sent_again_once(room: Room) -> None:
    match = room.table.id
    seat, person = await ended(room)
    await room.surfaces.goodbyes.update(match, seat)
    await room.services.outbox.mark_stale([match])
    [message] = panels_to(room, person)
    for again in (True, False):
        room.notes.messages[message] = (room.notes.messages[message][0], text_page("nothing yet"))
        await room.surfaces.goodbyes.update(match, seat)
        assert ("nothing yet" not in said(room, message)) is again
    assert panels_to(room, person) == [message]


async def test_everybody_who_plays_gets_its_job_at_the_end(room: Room) -> None:
    await ended(room)
    jobs = [job for job in await room.services.outbox.next_jobs(99) if job.kind is JobKind.GOODBYE]
    assert sorted(job.seat for job in jobs) == [0, 1]
    for job in jobs:
        await room.do(job)
    assert not [job for job in await room.services.outbox.next_jobs(99) if job.kind is JobKind.GOODBYE]


@pytest.mark.parametrize("what", ["answer", "layout"])
async def test_a_last_message_that_was_never_noted_is_found_again(room: Room, what: str) -> None:
    match = room.table.id
    seat, person = await ended(room)
    posted = await room.unnoted(room.surfaces.goodbyes.update(match, seat), what)
    room.notes.nonces.clear()
    await room.new_surfaces().goodbyes.update(match, seat)
    assert panels_to(room, person) == [posted]
    assert room.notes.in_words == set()
    assert (await room.shown(f"goodbye:{seat}")).message_id == posted


async def test_no_last_message_where_none_is_taken_or_the_match_is_on(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = room.table.id
    await room.services.settings.set_dms(ANNA, dms=True)
    for seat in (0, 1):
        await room.surfaces.goodbyes.update(match, seat)
    assert panels_to(room, ANNA) == []
    seat, person = await ended(room)
    room.notes.trouble.append((f"post {person.id + 9_000}", refusal(50007, 403)))
    await room.surfaces.goodbyes.update(match, seat)
    assert panels_to(room, person) == []

    async def paused(_: int) -> int:
        raise DirectMessagesPaused

    with monkeypatch.context() as patch:
        patch.setattr(room.notes, "dm_channel", paused)
        await room.do(Job(match, JobKind.GOODBYE, str(seat), 1, 0))
    assert not room.problems.by_match, "what a direct message meets is no trouble of the table"


# --- an upgrade ---------------------------------------------------------------------------------------


async def test_the_first_start_after_the_upgrade_sends_nothing_that_is_right(room: Room) -> None:
    """The version before counted boards from one on, in its rows and in the messages themselves."""
    match = room.table.id
    for number in range(3):
        await post(room, number)
    shown = await room.shown("board")
    await room.services.outbox.set_shown(match, "board", replace(shown, epoch=2))
    before = dict(room.notes.messages)
    room.restart()
    await room.surfaces.board.check(match)
    await room.surfaces.board.update(match)
    assert room.notes.messages == before
    assert await post(room, 4) > shown.message_id
    assert room.notes.stripped[-1] == shown.message_id


async def test_an_old_board_that_is_doubted_is_edited_and_not_posted_again(room: Room) -> None:
    match = room.table.id
    for number in range(3):
        await post(room, number)
    shown = await room.shown("board")
    await room.services.outbox.set_shown(match, "board", replace(shown, epoch=2, digest=STALE_MARK))
    count, before = len(room.notes.messages), said(room, shown.message_id)
    room.restart()
    await room.surfaces.board.update(match)
    assert len(room.notes.messages) == count
    assert said(room, shown.message_id) == before
    assert (await room.shown("board")).epoch == shown.epoch


async def test_a_board_of_a_future_that_was_lost_is_not_edited(room: Room) -> None:
    match = room.table.id
    await post(room, 0)
    shown = await room.shown("board")
    await room.services.outbox.set_shown(match, "board", Shown(shown.channel_id, shown.message_id, 9, 9))
    room.notes.nonces.clear()
    assert await post(room, 0) > shown.message_id


async def test_a_message_that_was_refused_is_tried_again_and_nobody_is_told(room: Room) -> None:
    seat, person = await to_move(room)
    await room.services.settings.set_dms(person, dms=True)
    await post(room, 0)
    count = len(room.notes.messages)
    room.notes.trouble.append((f"post {person.id + 9_000}", refusal(0, 500)))
    with pytest.raises(discord.HTTPException):
        await room.surfaces.direct_messages.update(room.table.id, seat, with_board=True)
    assert len(room.notes.messages) == count
