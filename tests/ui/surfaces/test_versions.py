"""A job is done only by a page of at least the version that it was enqueued for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.domain.jobs import JobKind
from bot.domain.tables import Place
from bot.store.sqlite import SqliteStore
from bot.store.writer import Statement
from tests.duel import DUEL
from tests.kit.waiting import until
from tests.ui.limits import sent
from tests.ui.surfaces.room import ANNA, BEN, CHANNEL, Room, entered


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
        joining = room.services.lobby.join(table.id, BEN, 2)
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
