"""One match never troubles another: broken rows, jobs that fail for ever, films, clocks that are set."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

from bot.domain.jobs import JobKind, NewJob
from bot.domain.surfaces import FROZEN
from bot.domain.tables import Person, Place, Status, TableInfo
from bot.matches import Services
from bot.pages.texts import Texts
from bot.store import StoreError
from bot.sync import worker
from bot.sync.backlog import Lane
from tests.duel import DUEL
from tests.kit import waiting
from tests.kit.painting import Inline
from tests.kit.services import services_on
from tests.kit.tables import sit_down
from tests.ui.limits import sent, walk
from tests.ui.surfaces.room import ANNA, BEN, Notes, Room, plain

CLARA, DORA = Person(33, "Clara"), Person(44, "Dora")
ELSEWHERE = Place(1, 600)
DAYS = 3 * 86_400.0


async def begin(services: Services, place: Place, first: Person, second: Person, request: int) -> TableInfo:
    table = await services.lobby.open(DUEL, {}, None, first, place, request)
    return await sit_down(services, table.id, second, request + 1)


@asynccontextmanager
async def at_work(room: Room) -> AsyncIterator[None]:
    """Let the room's worker work; it must still do so at the end."""
    worker = asyncio.create_task(room.worker.run())
    try:
        yield
        assert not worker.done(), worker
    finally:
        worker.cancel()
        await asyncio.gather(worker, return_exceptions=True)


async def shown(room: Room, match: str) -> None:
    """Wait until the board of a match is the one that is committed."""

    async def up_to_date() -> bool:
        message = await room.services.outbox.shown(match, "board")
        board = await room.services.queries.board(match)
        return message is not None and (message.epoch, message.version) == (board.epoch, board.version)

    await waiting.until(up_to_date)


async def told_frozen(room: Room, match: str) -> None:
    """Wait until the players of a match were told that it is frozen."""

    async def told() -> bool:
        return await room.services.outbox.shown(match, FROZEN) is not None

    await waiting.until(told)
    notice = await room.services.outbox.shown(match, FROZEN)
    assert notice is not None
    said = "".join(item.get("content", "") for item in walk(sent(room.notes.messages[notice.message_id][1])))
    assert Texts().house("board.frozen") in said


def write(database: Path, *statements: tuple[str, tuple[Any, ...]]) -> None:
    """Write into a database what the house never would."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("DROP TRIGGER IF EXISTS log_stands")
        for sql, values in statements:
            connection.execute(sql, values)


@asynccontextmanager
async def reopened(database: Path, notes: Notes | None = None, **options: Any) -> AsyncIterator[Room]:
    """Yield a room as after a restart; ``notes``: what stands on Discord by then."""
    async with services_on(database, **options) as services, Inline(paint_with=plain) as painter:
        room = Room(services, painter)
        if notes is not None:
            room.notes = notes
            room.restart()
        yield room


async def two_matches(database: Path) -> tuple[TableInfo, TableInfo, Notes]:
    """Return a match that is to be broken, with a row in its log, a sound one, and all messages."""
    async with reopened(database) as room:
        await room.begin()
        await room.say(1)
        sound = await begin(room.services, ELSEWHERE, CLARA, DORA, 50)
        async with at_work(room):
            await shown(room, room.table.id)
            await shown(room, sound.id)
        return room.table, sound, room.notes


BROKEN = {
    "a log's words": "UPDATE log SET words = '[\"c' WHERE match = ?",
    "a log's bytes": "UPDATE log SET words = CAST(x'5b22fffe225d' AS TEXT) WHERE match = ?",
    "options": "UPDATE match SET options = '{' WHERE id = ?",
    "data": "UPDATE match SET data_hashes = 'none' WHERE id = ?",
    "a status": "UPDATE match SET status = 'lost' WHERE id = ?",
    "a game": "UPDATE match SET game = 'tarot' WHERE id = ?",
    "a seed": "UPDATE match SET seed = zeroblob(32) WHERE id = ?",
    "a chair": "UPDATE chair SET seat = 7 WHERE ord = 0 AND match = ?",
    "a name": "UPDATE chair SET name = hex(zeroblob(100000)) WHERE ord = 0 AND match = ?",
}


@pytest.mark.parametrize("sql", BROKEN.values(), ids=BROKEN)
async def test_a_broken_row_stops_its_own_match_alone(sql: str, tmp_path: Path) -> None:
    broken, sound, notes = await two_matches(tmp_path / "bauta.db")
    write(tmp_path / "bauta.db", (sql, (broken.id,)))
    async with reopened(tmp_path / "bauta.db", notes) as room, at_work(room):
        room.table = sound
        await room.say(70)
        room.worker.wake()
        await shown(room, sound.id)
        await told_frozen(room, broken.id)
        lines = await room.services.queries.matches(ANNA)
        assert [line.table.status for line in lines] == [Status.FROZEN]


async def test_a_job_that_nobody_knows_is_removed_and_the_others_are_done(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    sound = await begin(room.services, ELSEWHERE, CLARA, DORA, 50)
    async with room.services.cache.store.transaction() as unit:
        await unit.enqueue([NewJob(room.table.id, JobKind.BOARD), NewJob(room.table.id, JobKind.TURN, "one")])
        await unit._do(  # noqa: SLF001 - the house writes no such job
            "INSERT INTO job (match, kind, target, due) VALUES (?, 'dance', '', 0)", room.table.id
        )
    async with at_work(room):
        await shown(room, room.table.id)
        await shown(room, sound.id)
        await waiting.until(lambda: no_job_is_due(room))
    assert "outbox: removing 2 unreadable jobs" in caplog.text


async def no_job_is_due(room: Room) -> bool:
    room.worker.wake()  # nothing else does, in a room
    return not await room.services.outbox.next_jobs(99)


class Wall:
    """A clock that its operator sets."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


async def test_a_clock_that_is_set_delays_no_board_and_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    wall = Wall()
    async with reopened(tmp_path / "bauta.db", clock=wall) as room:
        await room.begin()
        async with at_work(room):
            await shown(room, room.table.id)
            for number, (days, word) in enumerate([(-DAYS, "back"), (2 * DAYS, "forward")]):
                await room.say(number)
                wall.now += days
                room.worker.wake()
                await shown(room, room.table.id)
                assert f"system clock was set {word} by" in caplog.text
        notes = room.notes
    wall.now -= 3 * DAYS
    async with reopened(tmp_path / "bauta.db", notes, clock=wall) as room:
        [table] = await room.services.queries.matches(ANNA)
        room.table = table.table
        async with at_work(room):
            await room.say(9)
            room.worker.wake()
            await shown(room, room.table.id)


MANY = 70
"""Films: more than the worker once looked at together."""


async def test_no_board_waits_for_films(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    never = asyncio.Event()

    async def film(*_: object) -> None:
        await never.wait()

    monkeypatch.setattr(room.painter, "film", film)
    for number in range(MANY):
        over = await begin(room.services, ELSEWHERE, CLARA, DORA, 100 + 3 * number)
        await room.services.actions.resign(over.id, CLARA, 102 + 3 * number)
        async with room.services.cache.store.transaction() as unit:
            # All but the film is done.
            await unit._do("DELETE FROM job WHERE match = ? AND kind <> 'film'", over.id)  # noqa: SLF001
    async with at_work(room):
        await shown(room, room.table.id)
        await room.say(1)
        room.worker.wake()
        await shown(room, room.table.id)


async def test_what_cannot_be_noted_ends_nothing(
    room: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def full(*_: object) -> None:
        raise StoreError("no room left")

    sound = await begin(room.services, ELSEWHERE, CLARA, DORA, 50)
    with monkeypatch.context() as patch:
        patch.setattr(room.services.outbox, "done", full)
        async with at_work(room):
            await shown(room, room.table.id)
            await shown(room, sound.id)
            await waiting.eventually(lambda: "no room left" in caplog.text)
            patch.undo()
            await waiting.until(lambda: no_job_is_due(room))
    assert "Traceback" not in caplog.text


SPAM = 40
"""Matches of one person, in another channel: each with a message, a thread and a board to come."""


async def test_one_persons_matches_hold_up_nobody_elses_board(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(worker.SLOTS, Lane.SHOWING, SPAM // 4)
    for number in range(SPAM):
        await begin(room.services, ELSEWHERE, CLARA, DORA, 100 + 2 * number)
    async with at_work(room):
        await shown(room, room.table.id)
        await room.say(1)
        room.worker.wake()
        await shown(room, room.table.id)
        begun = len({channel for channel, _ in room.notes.messages.values()})
        await waiting.until(lambda: no_job_is_due(room))
    assert begun < SPAM * 3 / 4, "many of the matches that were there first are still waiting"


async def test_a_frozen_match_pings_nobody_in_their_quiet_hours(tmp_path: Path) -> None:
    wall = Wall()  # 22:13 in London
    async with reopened(tmp_path / "bauta.db", clock=wall) as room:
        await room.begin()
        await room.services.settings.set_zone(BEN, "Europe/London")
        await room.services.settings.set_quiet(BEN, begin=22, end=8)
        await room.surfaces.board.tell_frozen(room.table.id)
        [(message, (_, page))] = room.notes.messages.items()
        assert room.notes.mentioned[message] == [ANNA.id]
        words = str(sent(page))
        assert Texts().house("board.frozen") in words
        assert (f"<@{ANNA.id}>" in words, f"<@{BEN.id}>" in words) == (True, False)
