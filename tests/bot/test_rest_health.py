"""What becomes of requests says how Discord's API is; a ban stops all of them, and outages are told apart."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import discord
import discord.http
import pytest
from discord.webhook.async_ import AsyncWebhookAdapter, interaction_message_response_params

from bot.gateway.discord_errors import failure_of, route_of
from bot.gateway.rest_health import (
    CONDITION,
    EVIDENCE_S,
    INVALID_WINDOW_S,
    MAX_BAN_S,
    MIN_FAILED_PLACES,
    ApiPaused,
    DiscordReach,
    RestHealth,
    SharedPause,
)
from bot.runtime.heartbeat import Conditions
from sandbox.server import Sandbox
from tests.bot.conftest import Room
from tests.kit.waiting import eventually

VIA = {"Via": "1.1 google"}
SECRET = "aW50ZXJhY3Rpb246MTIzNDU2Nzg5"
CALLBACK = f"/api/v10/interactions/123456789012345678/{SECRET}/callback"


class Api:
    """Requests by hand, and a clock."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.conditions = Conditions()
        self.changes: list[bool] = []
        self.health = RestHealth(self.conditions, clock=lambda: self.now)
        self.health.changed = lambda: self.changes.append(self.is_out())

    def is_out(self) -> bool:
        return self.health.failing_for() is not None

    def ask(
        self, status: int, path: str = "/users/@me", method: str = "GET", headers: Mapping[str, str] = VIA
    ) -> None:
        attempt = self.health.begin(method, f"/api/v10{path}" if not path.startswith("/api") else path)
        self.health.answered(attempt, status, headers)

    def lose(self, error: BaseException, path: str = "/users/@me") -> None:
        self.health.failed(self.health.begin("GET", path), error)


@pytest.fixture
async def api() -> Api:
    return Api()


# --- outages ------------------------------------------------------------------------------------------


async def test_requests_that_fail_in_a_row_are_an_outage_since_the_first(api: Api) -> None:
    api.ask(200)
    api.now += 10
    for failed in range(1, 4):
        api.ask(503)
        assert api.health.doubtful.is_set()
        assert api.health.failing_for() == (None if failed == 1 else pytest.approx(5.0 * (failed - 1)))
        api.now += 5
    assert CONDITION in api.conditions.present()
    api.ask(404)
    assert (api.is_out(), api.health.doubtful.is_set()) == (False, False)
    assert api.conditions.present() == {}
    assert api.changes == [True, False]


@pytest.mark.parametrize("error", [aiohttp.ServerDisconnectedError(), OSError(), TimeoutError()])
async def test_requests_without_an_answer_are_an_outage(api: Api, error: BaseException) -> None:
    api.lose(error)
    api.lose(error)
    assert api.is_out()
    assert "GET /users/@me" in failure_of(error)


async def test_what_we_give_up_says_nothing(api: Api) -> None:
    for _ in range(5):
        api.lose(asyncio.CancelledError())
    assert not api.health.doubtful.is_set()


@pytest.mark.parametrize("status", [400, 401, 403, 404])
async def test_no_refusal_is_an_outage(api: Api, status: int) -> None:
    """Or who takes a permission away would stop the clocks."""
    for number in range(20):
        api.ask(status, f"/channels/{number}/messages", "POST")
    assert not api.is_out()
    assert not api.health.doubtful.is_set()


async def test_what_fails_in_one_place_while_the_rest_answers_is_no_outage(api: Api) -> None:
    for _ in range(50):
        api.ask(500, "/channels/1/messages", "POST")
        api.ask(200)
        api.now += 3
    assert not api.is_out()
    assert api.changes == []


@pytest.mark.parametrize(("method", "path"), [("POST", "/channels/{}/messages"), ("POST", CALLBACK + "{}")])
async def test_one_kind_of_requests_that_fails_everywhere_is_an_outage(
    api: Api, method: str, path: str
) -> None:
    for number in range(MIN_FAILED_PLACES):
        assert not api.is_out()
        api.ask(500, path.format(number), method)
        api.ask(200)
    assert api.is_out()
    api.now += EVIDENCE_S + 1
    assert not api.is_out(), "nobody has seen it fail for a while"
    for number in range(MIN_FAILED_PLACES):
        api.ask(500, path.format(number), method)
        api.ask(200)
    assert api.is_out()
    api.ask(200, path.format(0), method)
    assert not api.is_out()


async def test_a_request_that_hangs_is_a_failure(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.gateway.rest_health.STALL_S", 0.01)
    hanging = api.health.begin("GET", "/users/@me")
    await eventually(api.health.doubtful.is_set)
    api.health.answered(hanging, 200, VIA)
    assert not api.health.doubtful.is_set()
    slow = api.health.begin("POST", "/channels/1/messages")
    api.now += 1
    api.ask(200)
    api.health._stalled(slow)  # noqa: SLF001 - what its timer calls
    assert not api.health.doubtful.is_set(), "others are answered: it is a large upload"
    api.health.answered(slow, 200, VIA)


# --- bans ---------------------------------------------------------------------------------------------


async def test_a_ban_stops_every_request_until_it_is_over(api: Api, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(ApiPaused) as paused:
        api.ask(429, CALLBACK, "POST", {"Retry-After": "600"})
    assert paused.value.retry_after == 600
    assert "POST /interactions/{id}/{token}/callback" in caplog.text
    assert SECRET not in caplog.text
    assert "10 minutes" in api.conditions.present()[CONDITION]
    for _ in range(3):
        with pytest.raises(ApiPaused):
            api.health.begin("GET", "/users/@me")
        api.now += 199
    assert api.health.failing_for() == pytest.approx(597.0)
    api.now += 4
    api.ask(200)
    assert not api.is_out()
    assert api.conditions.present() == {}


async def test_a_limit_without_json_is_a_ban_too(api: Api) -> None:
    with pytest.raises(ApiPaused):
        api.ask(429, headers={**VIA, "content-type": "text/html", "Retry-After": "7"})


@pytest.mark.parametrize(
    ("said", "seconds"),
    [("30", 30.0), ("0", 1.0), (None, 60.0), ("soon", 60.0), ("nan", 60.0), ("1e30", MAX_BAN_S)],
)
async def test_how_long_a_ban_lasts(api: Api, said: str | None, seconds: float) -> None:
    with pytest.raises(ApiPaused):
        api.ask(429, headers={} if said is None else {"Retry-After": said})
    assert api.health.paused_for() == pytest.approx(seconds)


async def test_a_rate_limit_is_no_ban(api: Api) -> None:
    for number in range(100):
        api.ask(429, f"/channels/{number}/messages", "POST", {**VIA, "Retry-After": "600"})
    assert not api.is_out()
    assert api.health.paused_for() == 0


async def test_too_many_invalid_requests_stop_all_before_discord_does(api: Api) -> None:
    api.health._max_invalid = 50  # noqa: SLF001
    for _ in range(200):
        api.ask(429, headers={**VIA, "X-RateLimit-Scope": "shared"})  # Discord does not count them
    for _ in range(3):
        for _ in range(40):
            api.ask(403)
        api.now += INVALID_WINDOW_S
    assert not api.is_out()
    for _ in range(50):
        api.ask(403)
    assert api.health.paused_for() == pytest.approx(INVALID_WINDOW_S)
    api.now += INVALID_WINDOW_S
    api.ask(403)
    assert api.health.paused_for() == 0


# --- by discord.py, at the sandbox --------------------------------------------------------------------


@asynccontextmanager
async def connected(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Any, RestHealth]]:
    """Yield discord.py's own client for REST, watched."""
    monkeypatch.setattr(discord.http.Route, "BASE", sandbox.api)
    health = RestHealth(Conditions())
    http = discord.http.HTTPClient(asyncio.get_running_loop(), http_trace=health.trace())
    try:
        await http.static_login(sandbox.token)
        yield http, health
    finally:
        await http.close()


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox(page=False) as running:
        yield running


async def test_a_ban_is_heeded_by_both_ways_of_discord_py(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with connected(sandbox, monkeypatch) as (http, health):
        session, adapter = http._HTTPClient__session, AsyncWebhookAdapter()  # type: ignore[no-untyped-call] # noqa: SLF001
        asked: list[str] = []
        take = sandbox.state.faults.take

        def noted(method: str, path: str) -> object:
            asked.append(path)
            return take(method, path)

        monkeypatch.setattr(sandbox.state.faults, "take", noted)
        sandbox.fault("^POST /interactions", 100, ban=600)

        def callback() -> Any:
            params = interaction_message_response_params(type=5)
            return adapter.create_interaction_response(1, SECRET, session=session, params=params)

        for _ in range(4):
            with pytest.raises(discord.RateLimited) as limited:
                await callback()
            assert limited.value.retry_after > 590
            with pytest.raises(discord.RateLimited):
                await http.get_bot_gateway()
        assert len(asked) == 1
        assert health.failing_for() is not None


async def test_failures_and_their_end_are_seen_through_discord_py(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.gateway.rest_health.PROBE_INTERVAL_S", 0.05)
    monkeypatch.setattr("bot.gateway.rest_health.PROBE_TIMEOUT_S", 0.5)
    async with connected(sandbox, monkeypatch) as (http, health):
        client = Client(http)
        reach = DiscordReach(client, health)
        probing = asyncio.create_task(reach.keep_probing())
        try:
            sandbox.fault(".*", 10_000, drop=True)
            assert await reach.answers(), "it has answered a moment ago"
            monkeypatch.setattr("bot.gateway.rest_health.RECENT_S", 0.0)
            assert not await reach.answers()
            await eventually(lambda: 3 in reach.unserved())
            assert set(reach.unserved()) == {2, 3}
            sandbox.state.faults.clear()
            # Nobody asks anything but the probe.
            await eventually(lambda: reach.unserved() == {})
            assert await reach.answers()
        finally:
            probing.cancel()


class Client:
    """What the reach asks of a client."""

    def __init__(self, http: discord.http.HTTPClient) -> None:
        self.http = http

    @property
    def shard_numbers(self) -> tuple[range, int]:
        return range(2, 4), 4

    def disconnected_for(self) -> dict[int, float]:
        return {}


# --- shared -------------------------------------------------------------------------------------------


async def test_a_ban_is_heeded_after_a_restart_and_by_other_processes(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Api()
    keeping = asyncio.create_task(SharedPause(room.store, first.health, room.clock).keep())
    with pytest.raises(ApiPaused):
        first.ask(429, headers={"Retry-After": "600"})
    await eventually(lambda: not first.health.tripped.is_set())
    keeping.cancel()
    second = Api()
    room.now += 100
    await SharedPause(room.store, second.health, room.clock).read()
    assert second.health.paused_for() == pytest.approx(500.0)
    # Another process, which runs already, hears of it too.
    third = Api()
    monkeypatch.setattr("bot.gateway.rest_health.POLL_INTERVAL_S", 0.01)
    monkeypatch.setattr(room.store, "sharing", object())
    hearing = asyncio.create_task(SharedPause(room.store, third.health, room.clock).keep())
    await eventually(lambda: third.health.paused_for() > 0)
    hearing.cancel()
    room.now += 501
    last = Api()
    await SharedPause(room.store, last.health, room.clock).read()
    assert last.health.paused_for() == 0


# --- what logs say ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "route"),
    [
        ("/api/v10/channels/12345678901234567/messages/1", "/channels/{id}/messages/{id}"),
        (CALLBACK, "/interactions/{id}/{token}/callback"),
        (f"/api/v10/webhooks/1/{SECRET}/messages/@original", "/webhooks/{id}/{token}/messages/@original"),
        ("/api/v10/webhooks/1/lowercase", "/webhooks/{id}/{token}"),
        ("/api/v10/users/@me/channels", "/users/@me/channels"),
        ("/webhooks/1/lowercase", "/webhooks/{id}/{token}"),
    ],
)
def test_a_route_has_no_ids_and_no_tokens(path: str, route: str) -> None:
    assert route_of("POST", path) == f"POST {route}"


async def test_a_failure_names_status_and_route(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    async with connected(sandbox, monkeypatch) as (http, _):
        with pytest.raises(discord.NotFound) as missing:
            await http.get_channel(77)
        assert failure_of(missing.value) == "NotFound 404 code 10003 GET /channels/{id}"
        sandbox.fault("POST /channels/78", drop=True)
        with pytest.raises(aiohttp.ServerDisconnectedError) as lost:
            await http.request(discord.http.Route("POST", "/channels/{channel_id}/typing", channel_id=78))
        assert failure_of(lost.value) == "ServerDisconnectedError POST /channels/{id}/typing"
