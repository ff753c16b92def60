"""Threads that were deleted while the bot was away, told from those that were archived."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.domain.jobs import JobKind
from bot.sync import missing_threads
from bot.sync.missing_threads import MissingThreads
from tests.ui.surfaces.room import CHANNEL, Room, refusal


class Archive(discord.TextChannel):
    """A channel that knows its archived threads alone."""

    def __init__(self, threads: Sequence[int], error: Exception | None = None) -> None:
        self.threads_there = threads
        self.error = error
        self.asked = 0

    async def archived_threads(self, *, limit: int | None = 100, **_: Any) -> AsyncIterator[Any]:
        self.asked += 1
        if self.error is not None:
            raise self.error
        for thread in self.threads_there[:limit]:
            yield SimpleNamespace(id=thread)


async def looked_after(
    room: Room, active: Sequence[int], channel: Archive | None, code: int = 0
) -> list[str]:
    """Return the matches that are looked after when a server is there again."""

    async def fetch_channel(_: int) -> None:
        if code:
            raise refusal(code, {10003: 404}.get(code, 403))

    guild: Any = SimpleNamespace(
        id=room.table.place.guild_id,
        threads=[SimpleNamespace(id=thread) for thread in active],
        get_channel={CHANNEL: channel}.get,
    )
    client: Any = SimpleNamespace(fetch_channel=fetch_channel)
    found: list[str] = []
    await MissingThreads(room.services.outbox, client, found.append).look_after(guild)
    return found


async def thread_of(room: Room) -> int:
    return await room.surfaces.lobby.thread(room.table.id)


async def test_nothing_is_asked_about_active_threads(room: Room) -> None:
    channel = Archive([])
    assert await looked_after(room, [await thread_of(room)], channel) == []
    assert channel.asked == 0


async def test_an_archived_thread_is_left_as_it_is(room: Room) -> None:
    assert await looked_after(room, [7], Archive([8, await thread_of(room), 9])) == []


async def test_a_thread_that_is_nowhere_was_deleted(room: Room) -> None:
    await thread_of(room)
    assert await looked_after(room, [7], Archive([8, 9])) == [room.table.id]


async def test_who_cannot_look_far_enough_does_not_guess(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(missing_threads, "MOST_ARCHIVED", 2)
    await thread_of(room)
    assert await looked_after(room, [], Archive([7, 8, 9])) == []
    assert await looked_after(room, [], Archive([], refusal(50001, 403))) == []


@pytest.mark.parametrize("error", [refusal(0, 500), aiohttp.ServerDisconnectedError(), TimeoutError()])
async def test_threads_that_discord_does_not_list_are_looked_for_one_by_one(
    error: Exception, room: Room
) -> None:
    await thread_of(room)
    assert await looked_after(room, [], Archive([], error)) == [room.table.id]


@pytest.mark.parametrize(("code", "deleted"), [(0, False), (50001, False), (10003, True)])
async def test_a_channel_that_is_not_there_is_asked_for_once(room: Room, code: int, deleted: bool) -> None:
    await thread_of(room)
    for job in await room.services.outbox.next_jobs(9):
        await room.services.outbox.done(job)
    assert await looked_after(room, [], None, code) == []
    kinds = [job.kind for job in await room.services.outbox.next_jobs(9)]
    assert kinds == ([JobKind.BOARD] if deleted else [])
