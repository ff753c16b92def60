"""A turn that is taken back at a table: boards, panels, clocks, jobs, computers, lists and files."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.domain import replay_file
from bot.domain.clocks import HOUR, Pace
from bot.domain.jobs import JobKind, Shown
from bot.domain.match import Click, Receipt, RowKind, StalePanel
from bot.domain.tables import Status, TableInfo
from bot.matches.loaded_table import LoadedTable
from bot.matches.match_log import MatchLog
from bot.pages.board import board_page
from bot.pages.log import log_page
from bot.pages.page import Page
from bot.pages.texts import Texts
from engines.core.contract import Seat
from tests.bot.conftest import PEOPLE, Room, click
from tests.kit.reading import without_isolates
from tests.ui.limits import sent

ENGLISH = Texts()


async def live(room: Room, info: TableInfo) -> LoadedTable:
    return await room.services.cache.get(info.id)


async def log_of(room: Room, info: TableInfo) -> MatchLog:
    return (await live(room, info)).require_log()


async def take_back(room: Room, info: TableInfo, seat: Seat, actor: Seat | None = None) -> LoadedTable:
    """Let a seat take its turn back, to which ``actor`` was the last to agree."""
    request = f"undo:{room.request}"

    async def work(table: LoadedTable) -> LoadedTable:
        words = (str(table.require_log().undoable(seat)),)
        new = table.with_row(RowKind.UNDO, seat, words, request, room.now)
        return await room.services.cache.settle(table, new, actor=actor)

    return await room.services.cache.attempt(info.id, work)


async def said(room: Room, info: TableInfo) -> tuple[Seat, Receipt]:
    """Let whoever is asked confirm, on a panel, what a computer player would say."""
    [seat, *_] = (await live(room, info)).row.asked
    words = await room.sentence(info, seat)
    person, writes = room.person(info, seat), room.games[info.game].write
    panel = await room.services.drafts.type_in(info.id, person, writes(words), None)
    return seat, await room.services.actions.confirm(click(panel), person, room.request)


def read(page: Page) -> str:
    return without_isolates(json.dumps(sent(page), ensure_ascii=False))


async def test_a_board_says_so_and_calls_who_decides_again(room: Room) -> None:
    info = await room.begin("volo")
    await said(room, info)
    seat, _ = await said(room, info)
    board = await room.services.queries.board(info.id)
    await room.services.outbox.set_shown(info.id, "board", Shown(5, 6, board.epoch, board.version))
    before = await room.services.queries.log(info.id, None)
    after = await take_back(room, info, seat, 1 - seat)
    new = await room.services.queries.board(info.id)
    assert (new.called, new.undone, new.told, new.opening) == ((seat,), (seat,), (), ())
    assert new.epoch == new.version == board.version + 1
    name = room.person(info, seat).name
    said_of = ENGLISH.house("undo.undone", player=name)
    assert said_of in read(board_page(new, ENGLISH))
    await room.services.outbox.set_shown(info.id, "board", Shown(5, 7, new.epoch, new.version))
    assert (await room.services.queries.board(info.id)).undone == (seat,), "the same message, edited"
    lines = await room.services.queries.log(info.id, room.person(info, seat))
    assert [line.number for line in lines] == [1, 2, 3]
    assert [line.undone for line in lines] == [None, None, seat]
    assert [line.told for line in lines[:2]] == [line.told for line in before[:2]]
    assert said_of in read(log_page(after.info, lines, None, ENGLISH))
    [kept] = (await said(room, info))[1].told
    last = (await room.services.queries.log(info.id, None))[-1]
    assert (last.number, last.told, last.undone) == (4, (kept.fact,), None)
    later = await room.services.queries.board(info.id)
    assert (later.undone, [told.fact for told in later.told]) == ((), [kept.fact])


async def test_all_outlives_a_restart(room: Room) -> None:
    info = await room.begin("volto", pace=Pace.DAY)
    for number in range(14):
        seat, _ = await said(room, info)
        if number % 3 == 2 and (await log_of(room, info)).undoable(seat) is not None:
            await take_back(room, info, seat)
    before, drafts = await log_of(room, info), (await live(room, info)).drafts
    assert before.undone
    room = await room.again()
    assert await log_of(room, info) == before
    assert (await live(room, info)).drafts == drafts
    await said(room, info)


async def test_a_stale_confirm_does_not_count_and_a_fresh_one_does(room: Room) -> None:
    info = await room.begin("volo")
    [seat] = (await live(room, info)).row.asked
    person, words = room.person(info, seat), await room.sentence(info, seat)
    panel = await room.services.drafts.type_in(info.id, person, room.games["volo"].write(words), None)
    request = room.request
    first = await room.services.actions.confirm(click(panel), person, request)
    assert (await room.services.actions.confirm(click(panel), person, room.request)).repeated
    await take_back(room, info, seat)
    asked = await room.panel(info, seat)
    assert (asked.draft, asked.asked) == ((), True)
    assert asked.decision != panel.decision, "it is asked anew"
    assert asked.revision > panel.revision + 1
    for stale in (click(panel), Click(info.id, panel.revision + 1)):
        with pytest.raises(StalePanel):
            await room.services.actions.confirm(stale, person, room.request)
        assert await room.services.actions.say_at_once(stale, person, words[-1], room.request) is None
    with pytest.raises(StalePanel):
        await room.services.actions.submit(info.id, seat, panel.decision, words, room.request)
    # The request that was carried out is answered as before, and nothing is committed.
    again = await room.services.actions.confirm(click(panel), person, request)
    assert (again.repeated, again.seq, again.told) == (True, first.seq, ())
    assert len(await room.log_rows(info.id)) == 2
    panel = await room.services.drafts.type_in(info.id, person, room.games["volo"].write(words), None)
    done = await room.services.actions.confirm(click(panel), person, room.request)
    assert (done.repeated, done.words) == (False, words)
    assert done.told == first.told


async def test_others_keep_their_drafts(room: Room) -> None:
    info = await room.begin("volt", 3)
    words = await room.sentence(info, 0)
    half = await room.draft(info, 2, (await room.panel(info, 2)).menu.choices()[0].word)  # type: ignore[union-attr]
    await room.services.actions.submit(info.id, 0, None, words, room.request)
    assert (await log_of(room, info)).undoable(0) == 1
    after = await take_back(room, info, 0, actor=2)
    assert after.drafts_of(0).shown.words == ()
    assert (await room.panel(info, 2)).draft == half.draft != ()
    assert 0 in after.row.asked
    # Another one's answer is a public step of its own.
    await room.services.actions.submit(info.id, 0, None, words, room.request)
    await room.services.actions.submit(info.id, 1, None, await room.sentence(info, 1), room.request)
    log = await log_of(room, info)
    assert (log.undoable(0), log.undoable(1), log.undoable(2)) == (None, 4, None)


async def test_the_clocks_are_those_of_the_moment(room: Room) -> None:
    info = await room.begin("volo", pace=Pace.DAY)
    [seat] = (await live(room, info)).row.asked
    room.now += 30 * HOUR
    await said(room, info)
    room.now += 2 * HOUR
    after = await take_back(room, info, seat, actor=1 - seat)
    clocks = after.row.clocks
    assert clocks[1 - seat].deadline is None
    assert (clocks[seat].until, clocks[seat].reserve) == (room.now, 66 * HOUR)
    assert after.row.asked_since == {seat: room.now}


async def test_who_is_asked_all_the_time_has_the_time_since_again(room: Room) -> None:
    info = await room.begin("volt", 3, pace=Pace.DAY)
    before = (await live(room, info)).row.clocks
    room.now += HOUR
    await room.services.actions.submit(info.id, 0, None, await room.sentence(info, 0), room.request)
    room.now += HOUR
    after = await take_back(room, info, 0, actor=2)
    assert all(after.row.clocks[seat].until == room.now + 23 * HOUR for seat in (0, 1, 2))
    assert after.row.asked_since[2] == before[2].until - 24 * HOUR  # type: ignore[operator]


async def test_all_who_are_asked_otherwise_are_told(room: Room) -> None:
    info = await room.begin("volo")
    seat, _ = await said(room, info)
    await room.services.outbox.resume()
    table = await live(room, info)
    found: list[tuple[JobKind, str]] = []
    commit = room.services.cache.commit

    async def noted(old: Any, new: Any, **more: Any) -> LoadedTable:
        found.extend((job.kind, job.target) for job in more["jobs"])
        return await commit(old, new, **more)

    room.services.cache.commit = noted  # type: ignore[method-assign]
    assert table.row.asked == (1 - seat,)
    await take_back(room, info, seat, actor=1 - seat)
    assert set(found) == {(JobKind.BOARD, ""), (JobKind.TURN, str(seat)), (JobKind.TURN, str(1 - seat))}


async def test_a_computer_that_is_asked_again_answers_again(room: Room) -> None:
    info = await room.begin_alone("volo")
    me = info.seat_of(PEOPLE[0].id) or 0
    await room.play_computers(info.id)
    await room.services.actions.submit(info.id, me, None, await room.sentence(info, me), room.request)
    await room.play_computers(info.id)
    computer, count = 1 - me, len((await log_of(room, info)).rows)
    answered = await log_of(room, info)
    assert answered.undoable(computer) == count
    await take_back(room, info, computer)
    await room.play_computers(info.id)
    log = await log_of(room, info)
    assert [row.kind for row in log.rows[count:]] == [RowKind.UNDO, RowKind.ACT]
    assert log.match == answered.match, "it thinks the same of the same position"


async def test_stepping_back_shows_what_stands(room: Room) -> None:
    info = await room.begin("volo")
    for _ in range(3):
        await said(room, info)
    seat, _ = await said(room, info)
    person = room.person(info, 0)
    kept = [await room.services.history.after(info.id, person, number) for number in range(4)]
    assert (await room.services.history.now(info.id, person)).newest == 4
    await take_back(room, info, seat)
    now = await room.services.history.now(info.id, person)
    assert (now.view, now.told) == ((await log_of(room, info)).match.view(0), ())
    for number in range(3):
        moment = await room.services.history.after(info.id, person, number)
        assert (moment.view, moment.told) == (kept[number].view, kept[number].told)
    await said(room, info)
    await said(room, info)
    log = await log_of(room, info)
    assert (await room.services.history.now(info.id, person)).view == log.match.view(0)
    shown = await room.services.history.after(info.id, person, 4)
    assert [told.fact for told in shown.told] == [told.fact for told in log.told_until(0, 4, 4)]
    assert shown.view == log.match.game.view(
        MatchLog.replay(
            log.match.game, log.match.setup, log.match.seed, [row for row in log.rows if row.seq < 7]
        ).match.state,
        0,
    )


async def test_the_replay_of_a_match_that_is_over_has_what_stands(room: Room) -> None:
    info = await room.begin("volo")
    await said(room, info)
    await said(room, info)
    seat, _ = await said(room, info)
    await take_back(room, info, seat)
    await said(room, info)
    await room.services.actions.resign(info.id, room.person(info, 0), room.request)
    assert (await room.services.queries.table(info.id)).status is Status.OVER
    written = await room.services.queries.replay_file(info.id)
    assert [entry["kind"] for entry in written["log"]] == ["act", "act", "act", "withdraw"]
    moments = replay_file.replayed(replay_file.parsed(json.dumps(written).encode()))
    assert moments[-1].digest() == (await log_of(room, info)).digest
