"""Of what Discord takes of a bot in a second, each of its processes sends its share, evenly."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import Any

import aiohttp
import discord.http
import pytest

from bot.app import GLOBAL_REQUESTS_PER_S, _requests
from bot.domain.shards import Shards
from bot.gateway.rate_limits import Pace, share_requests
from sandbox.server import Sandbox


async def sent_by(pace: Pace, count: int) -> list[tuple[float, int]]:
    """Return when each of some requests that all wait at once had its turn, and its number."""
    sent: list[tuple[float, int]] = []

    async def send(number: int) -> None:
        await pace.turn()
        sent.append((asyncio.get_running_loop().time(), number))

    await asyncio.gather(*map(send, range(count)))
    return sent


async def test_no_second_has_more_than_a_share() -> None:
    share = 40.0
    sent = await sent_by(Pace(share), 60)
    times = [at for at, _ in sent]
    for begin in times:
        assert len([at for at in times if begin <= at < begin + 1.0]) <= share
    assert [number for _, number in sent] == list(range(60)), "first come, first served"


async def test_what_a_busy_loop_has_delayed_is_not_sent_together(monkeypatch: pytest.MonkeyPatch) -> None:
    now, loop, pace = [100.0], asyncio.get_running_loop(), Pace(40.0)
    monkeypatch.setattr(loop, "time", lambda: now[0])

    async def sleep(seconds: float) -> None:
        now[0] += max(seconds, 0.5 if now[0] < 101.0 else 0.0)  # twice, the loop is busy for long

    monkeypatch.setattr(asyncio, "sleep", sleep)
    times = []
    for _ in range(100):
        await pace.turn()
        times.append(now[0])
    for begin in times:
        assert len([at for at in times if begin <= at < begin + 1.0]) <= 40
    assert times[-1] < 100.0 + 100 / 40 * 1.1 + 1.5, "no slower than that, either"


async def test_the_smallest_share_sends_too() -> None:
    assert len(await sent_by(Pace(1.0), 1)) == 1


async def test_who_gives_up_holds_up_nobody() -> None:
    pace, sent = Pace(20.0), list[int]()

    async def send(number: int) -> None:
        await pace.turn()
        sent.append(number)

    tasks = [asyncio.create_task(send(number)) for number in range(8)]
    await asyncio.sleep(0)
    for task in tasks[3:6]:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert sent == [0, 1, 2, 6, 7]
    assert all(before <= after for before, after in pairwise(sent))


async def test_what_counts_is_paced_and_answers_to_clicks_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    turns: list[str] = []

    async def turn(_self: Pace) -> None:
        turns.append("taken")

    monkeypatch.setattr(Pace, "turn", turn)
    async with Sandbox(page=False) as sandbox:
        monkeypatch.setattr(discord.http.Route, "BASE", sandbox.api)
        http = discord.http.HTTPClient(asyncio.get_running_loop())
        share_requests(http, GLOBAL_REQUESTS_PER_S)
        await http.static_login(sandbox.token)
        try:
            await http.get_channel(sandbox.channel("games").id)
            sandbox.fault("GET /channels/[0-9]+$", status=429, retry_after=0.01)
            await http.get_channel(sandbox.channel("games").id)
            assert len(turns) == 4, "the login, a channel, and one more channel in two tries"
            session: Any = vars(http)["_HTTPClient__session"]
            webhook, callback = "/webhooks/1/token", "/interactions/1/token/callback"
            for url in (f"{sandbox.api}{webhook}", f"{sandbox.api}{callback}", f"{sandbox.url}/gateway"):
                async with session.get(url):
                    pass
            assert len(turns) == 4
        finally:
            await http.close()


async def test_a_request_that_waits_for_its_turn_counts_as_sent_only_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[str] = []

    async def turn(_self: Pace) -> None:
        seen.append("turn")

    async def sent(_session: object, _context: object, _given: object) -> None:
        seen.append("sent")

    monkeypatch.setattr(Pace, "turn", turn)
    async with Sandbox(page=False) as sandbox:
        monkeypatch.setattr(discord.http.Route, "BASE", sandbox.api)
        trace = aiohttp.TraceConfig()
        trace.on_request_start.append(sent)
        http = discord.http.HTTPClient(asyncio.get_running_loop(), http_trace=trace)
        share_requests(http, GLOBAL_REQUESTS_PER_S)
        try:
            await http.static_login(sandbox.token)
        finally:
            await http.close()
    assert seen == ["turn", "sent"]


SHARES = {
    "one process": (None, False, GLOBAL_REQUESTS_PER_S),
    "one process with all shards": (Shards(0, 3, 4), False, GLOBAL_REQUESTS_PER_S),
    "a quarter": (Shards(1, 1, 4), False, GLOBAL_REQUESTS_PER_S / 4),
    "a proxy keeps the limits": (Shards(1, 1, 4), True, None),
    "a proxy for one process": (None, True, None),
    "one of very many": (Shards(7, 7, 1_000), False, 1.0),
}


@pytest.mark.parametrize(("shards", "has_proxy", "expected"), SHARES.values(), ids=SHARES)
def test_what_is_the_share_of_a_process(
    shards: Shards | None, has_proxy: bool, expected: float | None
) -> None:
    assert _requests(shards, has_proxy=has_proxy) == expected
