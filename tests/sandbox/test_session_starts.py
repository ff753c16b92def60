"""Limits on starting sessions, and the global rate limit."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import ClientSession

from sandbox.gateway import Sharding
from sandbox.gateway.starts import DAY_S, SessionStarts
from sandbox.server import Sandbox
from tests.sandbox.line import Json, Line, opened

INVALID: Json = {"op": 9, "d": False}


@pytest.fixture
async def http() -> AsyncIterator[ClientSession]:
    async with ClientSession() as session:
        yield session


class Moment:
    """A clock that does not move by itself."""

    def __init__(self) -> None:
        self.now = 1_000_000.0


def starts(moment: Moment, **changes: Any) -> SessionStarts:
    return SessionStarts(lambda: moment.now, Sharding(**changes))


async def begun(http: ClientSession, sandbox: Sandbox, number: int, count: int) -> tuple[Line, Json]:
    """Identify on a new connection; return it and the first payload."""
    line = await opened(http, sandbox)
    await line.identify(sandbox.token, shard=[number, count])
    return line, await line.get()


async def limit(http: ClientSession, sandbox: Sandbox) -> Json:
    headers = {"Authorization": f"Bot {sandbox.token}"}
    async with http.get(f"{sandbox.api}/gateway/bot", headers=headers) as reply:
        assert reply.status == 200
        return dict(await reply.json())


# Spacing


def test_identifies_of_one_key_are_spaced() -> None:
    moment = Moment()
    one = starts(moment, spacing=5.0)
    assert one.try_start(0)
    moment.now += 4.9
    assert not one.try_start(1)
    moment.now += 0.1
    assert one.try_start(1)


def test_keys_are_shards_modulo_the_concurrency() -> None:
    three = starts(Moment(), spacing=5.0, max_concurrency=3)
    assert [three.try_start(shard) for shard in (0, 1, 2, 3, 4, 5)] == [True] * 3 + [False] * 3


def test_one_that_was_refused_keeps_nobody_waiting() -> None:
    """Three processes that retry every five seconds have all started after ten."""
    moment = Moment()
    one = starts(moment, spacing=5.0)
    waiting = {0: 0.0, 1: 0.1, 2: 0.2}
    while waiting:
        shard = min(waiting, key=lambda number: waiting[number])
        moment.now = 1_000_000.0 + waiting[shard]
        if one.try_start(shard):
            del waiting[shard]
        else:
            waiting[shard] += 5.0
    assert 10.0 <= moment.now - 1_000_000.0 < 10.5


async def test_an_identify_that_comes_too_early_is_an_invalid_session(http: ClientSession) -> None:
    async with Sandbox(page=False, sharding=Sharding(max_concurrency=2, spacing=5.0)) as sandbox:
        zero, first = await begun(http, sandbox, 0, 4)
        one, second = await begun(http, sandbox, 1, 4)
        assert [first["t"], second["t"]] == ["READY", "READY"]
        early, answer = await begun(http, sandbox, 2, 4)
        assert answer == INVALID
        assert sandbox.state.gateway.shards()[-1]["shard"] == [1, 4]
        sandbox.advance(5)
        # The connection is still open: the client may identify on it again.
        await early.identify(sandbox.token, shard=[2, 4])
        assert (await early.event("READY"))["d"]["shard"] == [2, 4]
        assert not zero.socket.closed
        assert not one.socket.closed


async def test_a_resume_waits_for_nothing(http: ClientSession) -> None:
    async with Sandbox(page=False, sharding=Sharding(spacing=5.0)) as sandbox:
        line, ready = await begun(http, sandbox, 0, 1)
        before = await limit(http, sandbox)
        for _ in range(3):
            await line.socket.close()
            line = await opened(http, sandbox)
            await line.resume(sandbox.token, ready["d"]["session_id"], ready["s"])
            await line.event("RESUMED")
        after = await limit(http, sandbox)
        assert after["session_start_limit"]["remaining"] == before["session_start_limit"]["remaining"] == 999


# Sessions per day


async def test_what_the_bot_is_told_of_its_shards(http: ClientSession) -> None:
    rules = Sharding(shards=4, max_concurrency=2, sessions=7)
    async with Sandbox(page=False, sharding=rules) as sandbox:
        told = await limit(http, sandbox)
        assert told["url"] == sandbox.gateway
        assert told["shards"] == 4
        assert told["session_start_limit"] == {
            "total": 7,
            "remaining": 7,
            "reset_after": 0,
            "max_concurrency": 2,
        }
        line, _ = await begun(http, sandbox, 0, 4)
        sandbox.advance(3600)
        told = (await limit(http, sandbox))["session_start_limit"]
        assert (told["total"], told["remaining"]) == (7, 6)
        assert 22 * 3_600_000 < told["reset_after"] <= 23 * 3_600_000
        assert not line.socket.closed


async def test_with_no_session_left_none_is_begun_until_the_day_is_over(http: ClientSession) -> None:
    async with Sandbox(page=False, sharding=Sharding(sessions=2)) as sandbox:
        held = [await begun(http, sandbox, number, 2) for number in range(2)]
        refused, answer = await begun(http, sandbox, 0, 2)
        assert answer == INVALID
        assert (await limit(http, sandbox))["session_start_limit"]["remaining"] == 0
        line, ready = held[0]
        await line.socket.close()
        line = await opened(http, sandbox)
        await line.resume(sandbox.token, ready["d"]["session_id"], ready["s"])
        await line.event("RESUMED")
        sandbox.advance(DAY_S + 1)
        assert (await limit(http, sandbox))["session_start_limit"]["remaining"] == 2
        await refused.identify(sandbox.token, shard=[0, 2])
        await refused.event("READY")


def test_an_identify_counts_even_if_it_came_too_early() -> None:
    one = starts(Moment(), spacing=5.0, sessions=10)
    assert [one.try_start(0) for _ in range(3)] == [True, False, False]
    assert one.limit()["remaining"] == 7


@pytest.mark.parametrize(
    "wrong",
    [
        {"shards": 0},
        {"max_concurrency": 0},
        {"spacing": -1.0},
        {"sessions": -1},
        {"guilds_a_shard": -1},
    ],
)
def test_rules_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"at least|not below"):
        Sharding(**wrong)
    kept = starts(Moment())
    with pytest.raises(ValueError, match=r"at least|not below"):
        kept.change(**wrong)
    assert kept.sharding == Sharding()


# Over HTTP, and the global limit


async def test_shards_and_guilds_are_told_over_http() -> None:
    async with (
        Sandbox(page=False) as sandbox,
        ClientSession(sandbox.url, headers=sandbox.credentials) as http,
    ):

        async def tell(what: str, status: int = 200, /, **body: Any) -> Any:
            async with http.post(f"/control/{what}", json=body) as reply:
                assert reply.status == status, await reply.text()
                return await reply.json()

        told = await tell("sharding", shards=2, max_concurrency=2, spacing=0.5, sessions=50)
        assert told["shards"] == (await limit(http, sandbox))["shards"] == 2
        await tell("sharding", 400, shards=0)
        await tell("sharding", 400, nothing=1)
        made = await tell("guild", name="Far", shard=[1, 2], people=["Alba"])
        assert (int(made["id"]) >> 22) % 2 == 1
        assert set(made["channels"]) == {"general", "games"}
        guild = sandbox.records.guilds[int(made["id"])]
        assert [member.user.name for member in guild.members.values()] == ["Steward", "Bauta", "Alba"]
        await tell("join", person="Bruno", guild_id=made["id"])
        assert "Bruno" in [member.user.name for member in guild.members.values()]
        await tell("join", 404, person="Bruno", guild_id="5")
        await tell("guild", 400, shard=[2, 2])
        await tell("guild", 404, people=["Zoe"])
        await tell("kick", guild_id=made["id"])
        assert not sandbox.records.has_bot(guild)
        assert sandbox.records.has_bot(sandbox.records.guild)
        await tell("invite", guild_id=made["id"])
        lines = [await begun(http, sandbox, number, 2) for number in range(2)]
        assert await tell("gateway", drop="close", shard=0) == {"online": True}
        await tell("gateway", refuse_resume=1, shard=1)
        assert await lines[0][0].closed() == 4000
        async with http.get("/control/state") as reply:
            state = await reply.json()
        assert [entry["connected"] for entry in state["shards"]] == [False, True]
        assert [entry["name"] for entry in state["guilds"]] == ["The Carnival", "Far"]


async def test_the_global_limit_holds_for_all_connections_of_the_bot() -> None:
    async with (
        Sandbox(page=False, global_limit=6) as sandbox,
        ClientSession() as one,
        ClientSession() as other,
    ):
        headers = {"Authorization": f"Bot {sandbox.token}"}
        # Nothing else limits these: each route and channel has its own bucket.
        paths = ("/users/@me", "/gateway/bot", "/users/@me/guilds", "/oauth2/applications/@me")
        answers: list[tuple[int, Any, Json]] = []
        for number in range(8):
            http = (one, other)[number % 2]
            async with http.get(f"{sandbox.api}{paths[number % 4]}", headers=headers) as reply:
                answers.append((reply.status, reply.headers, await reply.json()))
        assert [status for status, _, _ in answers] == [200] * 6 + [429] * 2
        _, told, body = answers[-1]
        assert body["global"] is True
        assert told["X-RateLimit-Global"] == "true"
        assert told["X-RateLimit-Scope"] == "global"
        assert 0 < body["retry_after"] <= 1
        sandbox.advance(1)
        async with other.get(f"{sandbox.api}/users/@me", headers=headers) as reply:
            assert reply.status == 200
