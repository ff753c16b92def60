"""A job is done only by a page of at least the version that it was enqueued for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.domain.jobs import Job, JobKind, Shown
from bot.domain.tables import Place
from bot.pages.page import text_page
from bot.store.schema import Statement
from bot.store.sqlite import SqliteStore
from engines.core.player import walk as thought
from engines.core.registry import game
from engines.core.rng import Rng
from tests.duel import DUEL
from tests.kit.tables import sit_down
from tests.kit.waiting import until
from tests.ui.limits import sent
from tests.ui.surfaces.room import ANNA, BEN, CHANNEL, Room, entered, refusal


@asynccontextmanager
async def unpublished(
    room: Room, match: str, act: Coroutine[Any, Any, object], monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[None]:
    """Let ``act`` commit; until the end of the block, memory does not hear of it."""
    store, go_on = room.services.cache.store, asyncio.Event()
    assert isinstance(store, SqliteStore)
    commit = store.writer.commit
    before = await version(room, match)

    async def late(statements: Sequence[Statement]) -> None:
        await commit(statements)
        await go_on.wait()

    async def committed() -> bool:
        return await version(room, match) > before

    with monkeypatch.context() as patch:
        patch.setattr(store.writer, "commit", late)
        acting = asyncio.create_task(act)
        await until(committed)
    yield
    go_on.set()
    await acting


async def version(room: Room, match: str) -> int:
    async with room.services.cache.store.read() as reader:
        return await reader.version(match)


async def carried_out(room: Room, match: str, kind: JobKind) -> asyncio.Task[None]:
    """Begin the job of a kind, and let it come as far as it comes."""
    [job] = [each for each in await room.services.outbox.next_jobs(9) if each.kind is kind]
    work = asyncio.create_task(room.worker.carry_out(match, [job]))
    await asyncio.wait({work}, timeout=0.1)
    return work


async def test_a_join_that_is_committed_before_memory_has_it_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with entered(tmp_path) as room:
        table = await room.services.lobby.open(DUEL, {}, None, ANNA, Place(1, CHANNEL), 1)
        await room.surfaces.lobby.update(table.id)
        joining = sit_down(room.services, table.id, BEN, 2)
        async with unpublished(room, table.id, joining, monkeypatch):
            work = await carried_out(room, table.id, JobKind.LOBBY)
        await work
        shown = await room.services.outbox.shown(table.id, "lobby")
        assert shown is not None
        assert BEN.name in str(sent(room.notes.messages[shown.message_id][1]))


async def test_a_sentence_that_is_committed_before_memory_has_it_is_shown(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = room.table.id
    await room.surfaces.board.update(match)
    table = await room.services.cache.get(match)
    [seat] = table.row.asked
    words = table.require_log().match.computer(seat)
    saying = room.services.actions.submit(match, seat, None, words, "said")
    async with unpublished(room, match, saying, monkeypatch):
        work = await carried_out(room, match, JobKind.BOARD)
    await work
    shown, board = await room.shown("board"), await room.services.queries.board(match)
    assert (shown.epoch, shown.version) == (board.epoch, board.version)


async def settled(room: Room) -> dict[int, object]:
    """Let the worker do all that is due; return the messages as they are then."""
    worker = asyncio.create_task(room.worker.run())

    async def idle() -> bool:
        return not await room.services.outbox.next_jobs(9) and room.worker.idle

    await until(idle)
    worker.cancel()
    return dict(room.notes.messages)


async def test_a_restart_sends_nothing_that_is_right(room: Room) -> None:
    await room.services.settings.set_dms(ANNA, dms=True)
    await room.say(1)
    before = await settled(room)
    room.restart()
    await room.services.outbox.resume()
    assert [job.kind for job in await room.services.outbox.next_jobs(9)] == [JobKind.CHECK]
    assert await settled(room) == before


async def looks(room: Room, program: str) -> list[JobKind]:
    """Start anew as some program; return what it has to do then."""
    room.restart()
    await room.services.outbox.resume(program)
    return [job.kind for job in await room.services.outbox.next_jobs(9)]


async def test_the_same_program_looks_again_only_at_what_is_not_noted_to_be_right(room: Room) -> None:
    match = room.table.id
    await room.say(1)
    await settled(room)
    assert await looks(room, "one") == [JobKind.CHECK]
    assert await looks(room, "one") == [JobKind.CHECK], "it has not come to it"
    await settled(room)
    assert await looks(room, "one") == []
    assert await looks(room, "two") == [JobKind.CHECK]
    await settled(room)
    shown = await room.shown("board")
    for other in (replace(shown, table_version=0), replace(shown, digest=""), replace(shown, channel_id=1)):
        await room.services.outbox.set_shown(match, "board", other)
        assert await looks(room, "two") == [JobKind.CHECK], other
        await settled(room)
    await room.services.outbox.mark_stale([match])
    assert await looks(room, "two") == [JobKind.CHECK]
    await settled(room)
    await room.services.outbox.drop_shown(match, "board")
    assert await looks(room, "two") == [JobKind.CHECK]
    await settled(room)
    assert await looks(room, "two") == []


@pytest.mark.parametrize("sending", ["post", "edit"])
async def test_a_doubt_that_comes_while_a_board_is_on_its_way_stands(
    room: Room, monkeypatch: pytest.MonkeyPatch, sending: str
) -> None:
    """Such as that of somebody who deletes their data: the board that is on its way names them."""
    match, outbox = room.table.id, room.services.outbox
    if sending == "edit":
        await settled(room)
        await outbox.mark_stale([match])
    send = getattr(room.notes, sending)

    async def doubted_meanwhile(*args: Any, **options: Any) -> Any:
        found = await send(*args, **options)
        await outbox.mark_stale([match])
        return found

    with monkeypatch.context() as patch:
        patch.setattr(room.notes, sending, doubted_meanwhile)
        await room.surfaces.board.update(match)
    assert (await room.shown("board")).is_stale
    await room.surfaces.board.update(match)
    assert not (await room.shown("board")).is_stale


@pytest.mark.parametrize("surface", ["lobby", "dm"])
async def test_other_messages_end_the_doubts_that_were_read_and_no_later_ones(
    room: Room, monkeypatch: pytest.MonkeyPatch, surface: str
) -> None:
    match, outbox = room.table.id, room.services.outbox
    seat, _ = await room.asked_by_message()
    await settled(room)
    noted = "lobby" if surface == "lobby" else f"dm:{seat}"

    async def update() -> None:
        if surface == "lobby":
            await room.surfaces.lobby.update(match)
        else:
            await room.surfaces.direct_messages.update(match, seat, with_board=False)

    await update()
    await outbox.mark_stale([match])
    edit = room.notes.edit

    async def doubted_meanwhile(*args: Any, **options: Any) -> bool:
        found = await edit(*args, **options)
        await outbox.mark_stale([match])
        return found

    with monkeypatch.context() as patch:
        patch.setattr(room.notes, "edit", doubted_meanwhile)
        await update()
    assert (await room.shown(noted)).is_stale
    await update()
    assert not (await room.shown(noted)).is_stale


async def test_what_was_committed_and_not_shown_is_shown_after_a_restart(room: Room) -> None:
    before = await settled(room)
    await room.say(1)
    room.restart()
    await room.services.outbox.resume()
    assert await settled(room) != before
    shown, board = await room.shown("board"), await room.services.queries.board(room.table.id)
    assert (shown.epoch, shown.version) == (board.epoch, board.version)
    assert shown.table_version == await version(room, room.table.id)


async def test_the_first_start_after_the_migration_sends_nothing_that_is_right(room: Room) -> None:
    match = room.table.id
    await room.say(1)
    before = await settled(room)
    for surface in ("board", "lobby"):
        shown = await room.shown(surface)
        await room.services.outbox.set_shown(match, surface, replace(shown, table_version=0, digest=""))
    room.restart()
    await room.services.outbox.resume()
    assert await settled(room) == before


async def test_a_board_that_an_earlier_version_left_behind_is_brought_up_to_date(room: Room) -> None:
    before = await settled(room)
    await room.say(1)
    for job in await room.services.outbox.next_jobs(9):
        await room.services.outbox.done(job)
    room.restart()
    await room.services.outbox.resume()
    assert await settled(room) != before


async def test_what_is_done_in_secret_edits_nothing(room: Room) -> None:
    match = room.table.id
    before, committed = await settled(room), await version(room, match)
    board = await room.services.queries.board(match)
    person = board.table.chair_at(board.waiting[0]).person
    assert person is not None
    panel = await room.services.drafts.panel(match, person)
    assert panel.menu is not None
    words = thought(game(DUEL), panel.view, panel.menu, Rng(bytes(32)))
    await room.services.drafts.type_in(match, person, game(DUEL).write(words), None)
    assert await version(room, match) > committed
    for kind in (JobKind.BOARD, JobKind.LOBBY):
        await room.services.outbox.ask_for([(match, kind, "")])
    assert await settled(room) == before


async def test_a_tables_message_that_was_deleted_stays_away_while_its_match_is_on(room: Room) -> None:
    before = await settled(room)
    shown = await room.shown("lobby")
    del room.notes.messages[shown.message_id]
    room.restart()
    await room.services.outbox.resume()
    await settled(room)
    await room.services.actions.resign(room.table.id, ANNA, 50)
    after = await settled(room)
    titles = [message for message, (channel, _) in room.notes.messages.items() if channel == CHANNEL]
    assert titles == []
    assert after.keys() >= before.keys() - {shown.message_id}


async def test_an_open_tables_message_that_was_deleted_comes_again_once_somebody_acts(room: Room) -> None:
    table = await room.services.lobby.open(DUEL, {}, None, ANNA, room.table.place, 901)
    await settled(room)
    shown = await room.services.outbox.shown(table.id, "lobby")
    assert shown is not None
    del room.notes.messages[shown.message_id]
    room.restart()
    await room.services.outbox.resume()
    gone = await settled(room)
    assert shown.message_id not in gone
    await sit_down(room.services, table.id, BEN, 902)
    await settled(room)
    again = await room.services.outbox.shown(table.id, "lobby")
    assert again is not None
    assert BEN.name in str(sent(room.notes.messages[again.message_id][1]))


async def test_a_board_that_was_deleted_comes_again_once_somebody_looks_for_it(room: Room) -> None:
    before = await settled(room)
    shown = await room.shown("board")
    del room.notes.messages[shown.message_id]
    room.restart()
    await room.services.outbox.resume()
    assert (await settled(room)).keys() == before.keys() - {shown.message_id}
    room.worker.look_after(room.table.id)

    async def asked() -> bool:
        return bool(await room.services.outbox.next_jobs(9))

    await until(asked)
    await settled(room)
    again = await room.shown("board")
    assert again.message_id in room.notes.messages
    assert again.message_id != shown.message_id


@pytest.mark.parametrize("error", [refusal(0, 500), aiohttp.ServerDisconnectedError(), TimeoutError()])
async def test_a_look_that_discord_does_not_answer_is_taken_up_again(error: Exception, room: Room) -> None:
    await settled(room)
    gone = await room.shown("board")
    del room.notes.messages[gone.message_id]
    room.notes.trouble.append(("look", error))
    room.worker.look_after(room.table.id)
    await room.background.join()
    assert [job.kind for job in await room.services.outbox.next_jobs(9)] == [JobKind.LOOK]
    room.restart()
    await settled(room)
    assert (await room.shown("board")).message_id in room.notes.messages


async def test_a_look_at_a_board_that_stands_changes_nothing(room: Room) -> None:
    before = await settled(room)
    await room.services.outbox.ask_for([(room.table.id, JobKind.LOOK, "")])
    assert await settled(room) == before


async def test_any_question_of_a_direct_message_can_be_noted(room: Room) -> None:
    for epoch in (0, 2**31, 2**32 - 1):
        await room.services.outbox.set_shown(room.table.id, "dm:0", Shown(5, 6, epoch))
        assert await room.shown("dm:0") == Shown(5, 6, epoch)


async def test_what_a_dead_process_had_sent_and_came_late_is_undone(room: Room) -> None:
    """An edit that arrives after its successor's, and a board that comes below the one that followed it."""
    match = room.table.id
    await settled(room)
    first = await room.shown("board")
    older = room.notes.messages[first.message_id]
    await room.say(1)
    room.restart()
    await room.services.outbox.resume()
    before = await settled(room)
    shown, lobby = await room.shown("board"), await room.shown("lobby")
    assert shown.message_id != first.message_id
    room.notes.messages[lobby.message_id] = (CHANNEL, text_page("It shows what was."))
    await room.notes.post(first.channel_id, older[1], nonce="late")
    assert room.notes.messages.keys() != before.keys()
    await room.do(Job(match, JobKind.REVIEW, "", 1, 0))
    after = await settled(room)
    assert after.keys() == before.keys()
    assert sent(room.notes.messages[lobby.message_id][1]) != sent(text_page("It shows what was."))


async def test_a_start_after_unfinished_work_looks_once_more(room: Room) -> None:
    await settled(room)
    await room.say(1)
    await room.services.outbox.resume()
    async with room.services.cache.store.read() as reader:
        queued, _ = await reader.jobs_after(0, 99)
    [review] = [each for each in queued if each.job.kind is JobKind.REVIEW]
    assert review.due > room.services.cache.clock()
    before = await settled(room)
    await room.do(review.job)
    assert await settled(room) == before, "nothing had come late"


async def test_a_board_in_words_gets_its_picture_at_the_next_start(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def late(*_: object) -> None:
        return None

    await settled(room)
    with monkeypatch.context() as patch:
        patch.setattr(room.painter, "paint", late)
        await room.say(1)
        await settled(room)
    shown = await room.shown("board")
    assert not room.notes.messages[shown.message_id][1].uploads
    room.restart()
    await room.services.outbox.resume()
    await settled(room)
    assert (await room.shown("board")).message_id == shown.message_id
    assert room.notes.messages[shown.message_id][1].uploads
