"""Discord's rate limits: who waits for what, and what is not asked meanwhile."""

from __future__ import annotations

import asyncio
from typing import Any

import discord
import discord.gateway
import discord.http
import pytest
import yarl

from bot.app import GLOBAL_REQUESTS_PER_S
from bot.domain.jobs import Job, JobKind
from bot.domain.tables import Place
from bot.gateway import rate_limits
from bot.sync.worker import JOB_TIMEOUT_S, RATE_LIMIT_WAIT_S
from sandbox import ratelimits
from sandbox.server import Sandbox
from tests.kit.waiting import PATIENCE, eventually
from tests.ui.surfaces.room import Room
from tests.ui.surfaces.test_bulkheads import CLARA, DORA, at_work, begin


async def test_who_stops_waiting_for_the_limit_of_all_bars_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MAX_RATELIMIT_WAIT_S", 0.3)
    async with Sandbox(page=False) as sandbox:
        monkeypatch.setattr(discord.http.Route, "BASE", sandbox.api)
        monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(sandbox.gateway))
        client = discord.Client(intents=discord.Intents.none())
        async with client:
            await client.login(sandbox.token)
            sandbox.fault("GET /channels/", status=429, retry_after=2 * PATIENCE, for_all=True)
            channel = sandbox.channel("games").id
            waiting = asyncio.create_task(client.http.get_channel(channel))
            everybody = client.http._global_over  # noqa: SLF001 - it has no public name
            await eventually(lambda: not everybody.is_set())
            waiting.cancel()
            async with asyncio.timeout(PATIENCE):
                assert (await client.http.get_channel(channel))["id"] == str(channel)


async def test_who_is_impatient_waits_out_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    async with Sandbox(page=False) as sandbox:
        monkeypatch.setattr(discord.http.Route, "BASE", sandbox.api)
        monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(sandbox.gateway))
        client = discord.Client(intents=discord.Intents.none(), max_ratelimit_timeout=30.0)
        async with client:
            await client.login(sandbox.token)
            sandbox.fault("GET /channels/", status=429, retry_after=20.0)
            channel = sandbox.channel("games").id
            with pytest.raises(discord.RateLimited) as caught, rate_limits.ratelimit_timeout(1.0):
                await client.http.get_channel(channel)
            assert caught.value.retry_after == 20.0
            asked = len(sandbox.requests)
            with pytest.raises(discord.RateLimited), rate_limits.ratelimit_timeout(1.0):
                await client.http.get_channel(channel)
            assert len(sandbox.requests) == asked, "Discord has said when to come back"
            other = sandbox.channel("general").id
            assert (await client.http.get_channel(other))["id"] == str(other)


async def logged_in(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> discord.http.HTTPClient:
    """Return a client that asks a sandbox whose windows are a twentieth of Discord's."""
    monkeypatch.setattr(discord.http.Route, "BASE", sandbox.api)
    limits = {key: (count, seconds / 20) for key, (count, seconds) in ratelimits._LIMITS.items()}  # noqa: SLF001
    monkeypatch.setattr(ratelimits, "_LIMITS", limits)
    http = discord.http.HTTPClient(asyncio.get_running_loop(), max_ratelimit_timeout=30.0)
    await http.static_login(sandbox.token)
    return http


async def test_the_last_request_of_a_window_goes_on_with_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    async with Sandbox(page=False) as sandbox:
        http, channel = await logged_in(sandbox, monkeypatch), sandbox.channel("games").id
        waits, sleep = list[float](), asyncio.sleep

        async def noted(seconds: float) -> None:
            waits.append(seconds)
            await sleep(0)

        monkeypatch.setattr(asyncio, "sleep", noted)
        for _ in range(5):
            await http.logs_from(channel, 1)
        assert max(waits, default=0.0) == 0.0
        await http.close()


async def test_many_at_once_never_send_one_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    async with Sandbox(page=False) as sandbox:
        http, channels = await logged_in(sandbox, monkeypatch), ("games", "general")
        asks = [http.logs_from(sandbox.channel(name).id, 1) for _ in range(13) for name in channels]
        assert len(await asyncio.gather(*asks)) == 26
        assert {request.status for request in sandbox.requests} == {200}
        await http.close()


async def test_an_answer_without_limits_bars_no_next_request(monkeypatch: pytest.MonkeyPatch) -> None:
    async with Sandbox(page=False) as sandbox:
        http, channel = await logged_in(sandbox, monkeypatch), sandbox.channel("games").id
        sandbox.state.limits.enabled = False
        asks = [http.logs_from(channel, 1) for _ in range(8)]
        assert len(await asyncio.gather(*asks)) == 8
        await http.close()


async def test_who_is_impatient_waits_for_no_window_that_is_far_away() -> None:
    limit = discord.http.Ratelimit(30.0)
    loop = asyncio.get_running_loop()
    limit.limit, limit.remaining, limit.reset_after = 5, 1, 20.0
    limit.expires = loop.time() + 20.0
    with rate_limits.ratelimit_timeout(1.0):
        await limit.acquire()  # there is room in this window, however long it lasts
    limit.remaining = 0
    with pytest.raises(discord.RateLimited) as caught, rate_limits.ratelimit_timeout(1.0):
        await limit.acquire()
    assert 19.0 < caught.value.retry_after <= 20.0


async def test_a_limit_that_is_met_is_no_failed_try(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    patiences: list[float | None] = []
    client = discord.Client(intents=discord.Intents.none(), max_ratelimit_timeout=30.0)

    async def limited(*_: Any, **__: Any) -> int:
        patiences.append(client.http.max_ratelimit_timeout)
        raise discord.RateLimited(9.0)

    monkeypatch.setattr(room.notes, "post", limited)
    before = await room.services.outbox.next_jobs(9)
    for job in before:
        await room.do(job)
    assert set(patiences) == {RATE_LIMIT_WAIT_S}
    assert client.http.max_ratelimit_timeout == 30.0
    assert set(await room.services.outbox.next_jobs(9)) <= set(before), "nothing was tried in vain"
    await client.close()


async def test_nothing_is_shown_before_what_a_backup_has_made_void(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = discord.Client(intents=discord.Intents.none(), max_ratelimit_timeout=30.0)
    done: list[tuple[JobKind, float | None]] = []
    match = (await room.services.outbox.next_jobs(9))[0].table_id
    for kind in (JobKind.SET_BACK, JobKind.BOARD):

        async def note(job: Job) -> None:
            patience = client.http.max_ratelimit_timeout
            done.append((job.kind, patience))
            if patience is not None and patience < 2.5:
                raise discord.RateLimited(2.5)

        monkeypatch.setitem(room.worker._work, kind, note)  # noqa: SLF001
    jobs = [Job(match, kind, "", 99, 0) for kind in (JobKind.SET_BACK, JobKind.BOARD)]
    await room.worker.carry_out(match, jobs)
    assert done == [(JobKind.SET_BACK, 30.0), (JobKind.BOARD, RATE_LIMIT_WAIT_S)]
    await client.close()


SLOW_S = 0.2
"""Seconds that Discord may well take for a request."""


async def test_a_slow_discord_leaves_most_of_what_it_allows(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = round(0.8 * GLOBAL_REQUESTS_PER_S * SLOW_S)
    for number in range(wanted):
        await begin(room.services, Place(1, 700 + number), CLARA, DORA, 100 + 2 * number)
    asking = asyncio.Semaphore(0)

    async def ask(_: Job) -> None:
        asking.release()
        await asyncio.Event().wait()

    for kind in JobKind:
        monkeypatch.setitem(room.worker._work, kind, ask)  # noqa: SLF001
    async with at_work(room):
        for _ in range(wanted):
            await asyncio.wait_for(asking.acquire(), JOB_TIMEOUT_S / 3)
