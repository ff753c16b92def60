"""Matches that end without a result: nothing is shown that was hidden, and nothing goes on."""

from __future__ import annotations

import pytest

from bot.domain.clocks import Pace
from bot.domain.jobs import JobKind
from bot.domain.match import MotionKind
from bot.domain.tables import ClosedBy, HandledRequest, Status, TableInfo
from bot.matches.outbox import Outbox
from engines.core.contract import facts_for
from tests.bot.conftest import ALL_GAMES, PEOPLE, Room, refused
from tests.kit.postgresql import BOTH_STORES_BY_NIGHT

pytestmark = BOTH_STORES_BY_NIGHT


async def close(room: Room, info: TableInfo) -> TableInfo:
    note = HandledRequest("77", info.id, 5, "close")
    return await room.services.closing.close(info.id, ClosedBy.SERVER, note)


@pytest.mark.parametrize("key", sorted(ALL_GAMES))
async def test_nothing_is_revealed(room: Room, key: str) -> None:
    info = await room.begin(key, pace=Pace.DAY)
    await room.play_some(info, 5)
    queries = room.services.queries
    before, logs = await queries.board(info.id), {}
    for who in (None, *PEOPLE[:2]):
        logs[who] = await queries.log(info.id, who)
    for _ in range(2):
        assert (await close(room, info)).status is Status.CLOSED
    for _ in range(2):
        board = await queries.board(info.id)
        assert (board.view, board.outcome, board.seed) == (before.view, None, None)
        assert board.closed is ClosedBy.SERVER
        assert board.clocks == {}
        for who, lines in logs.items():
            assert await room.services.queries.log(info.id, who) == lines
        await refused("not_over", room.services.queries.replay_file(info.id))
        live = await room.services.cache.get(info.id)
        assert live.log is not None
        assert (live.row.asked, live.row.clocks) == ((), {})
        await room.again()
        queries = room.services.queries
    log = (await room.services.cache.get(info.id)).require_log()
    told = {fact for line in await room.services.queries.log(info.id, None) for fact in line.told}
    assert told <= {fact for batch in log.match.batches for fact in facts_for(batch, None)}


async def test_nothing_goes_on(room: Room) -> None:
    info = await room.begin("volo", pace=Pace.LIVE)
    seat = (await room.services.cache.get(info.id)).row.asked[0]
    words = await room.sentence(info, seat)
    await close(room, info)
    services = room.services
    await refused("closed_match", services.actions.submit(info.id, seat, None, words, "1"))
    await refused("closed_match", services.actions.resign(info.id, PEOPLE[0], "2"))
    await refused("closed_match", services.actions.offer_draw(info.id, PEOPLE[0], "3"))
    await refused("closed_match", services.closing.close(info.id, ClosedBy.IDLE))
    await refused("closed", services.lobby.reopen(info.id, PEOPLE[3], "4"))
    panel = await services.drafts.panel(info.id, PEOPLE[0])
    assert (panel.menu, panel.asked, panel.outcome) == (None, False, None)
    room.now += 10_000
    assert await room.clocks.deadlines.past() == []
    jobs = {job.kind for job in await Outbox(room.services.cache).next_jobs(99)}
    assert {JobKind.BOARD, JobKind.LOBBY} <= jobs
    assert not {JobKind.END, JobKind.GOODBYE, JobKind.FILM} & jobs


async def test_all_who_play_give_up_together(room: Room) -> None:
    info = await room.begin("corto", 3)
    motions = room.services.motions
    await motions.propose(info.id, PEOPLE[0], MotionKind.ABANDON, "1")
    await motions.answer(info.id, PEOPLE[1], "2", agrees=True)
    assert (await room.services.queries.table(info.id)).status is Status.RUNNING
    assert await motions.answer(info.id, PEOPLE[2], "3", agrees=True)
    await room.again()
    assert (await room.services.queries.table(info.id)).status is Status.CLOSED
    assert (await room.services.queries.board(info.id)).closed is ClosedBy.AGREED


async def test_who_sat_there_can_be_forgotten(room: Room) -> None:
    info = await room.begin("volo")
    await close(room, info)
    assert await room.services.privacy.delete(PEOPLE[0]) == []
    names = [chair.name for chair in (await room.services.queries.table(info.id)).chairs]
    assert PEOPLE[0].name not in names
