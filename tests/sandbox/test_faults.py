"""Rate limits, injected faults as the real client handles them, and the control API."""

import asyncio
from functools import partial
from typing import Any

import aiohttp
import discord
import pytest
from aiohttp import ClientSession

from sandbox.clock import Clock
from sandbox.faults import Fault, Faults, read_fault
from sandbox.ratelimits import RateLimits, Verdict
from sandbox.server import Sandbox
from sandbox.user_sockets import Audit
from tests.kit.waiting import eventually
from tests.sandbox.conftest import Connect, Start

SEND = "POST /channels/[0-9]+/messages$"


async def test_five_messages_in_five_seconds(sandbox: Sandbox) -> None:
    headers = {"Authorization": f"Bot {sandbox.token}"}
    url = f"{sandbox.api}/channels/{sandbox.channel('games').id}/messages"
    async with ClientSession(headers=headers) as http:
        for left in (4, 3, 2, 1, 0):
            async with http.post(url, json={"content": "x"}) as reply:
                assert reply.status == 200
                assert reply.headers["X-RateLimit-Remaining"] == str(left)
                assert reply.headers["X-RateLimit-Limit"] == "5"
                assert 0 < float(reply.headers["X-RateLimit-Reset-After"]) <= 5
        async with http.post(url, json={"content": "x"}) as reply:
            assert reply.status == 429
            body = await reply.json()
            assert 0 < body["retry_after"] <= 5
            assert body["global"] is False
            assert reply.headers["X-RateLimit-Scope"] == "user"
            assert "Via" in reply.headers
        other = url.replace(str(sandbox.channel("games").id), str(sandbox.channel("general").id))
        async with http.post(other, json={"content": "x"}) as reply:
            assert reply.status == 200
        sandbox.advance(5)
        async with http.post(url, json={"content": "x"}) as reply:
            assert reply.status == 200


async def test_fifty_requests_a_second_in_all(sandbox: Sandbox) -> None:
    limits = RateLimits(lambda: 1000.0)
    verdicts = [limits.count("GET", f"/route/{number}", {}) for number in range(51)]
    assert [v.refused is None for v in verdicts] == [True] * 50 + [False]
    refused = verdicts[50]
    assert refused.refused is not None
    assert refused.refused["global"] is True
    assert refused.headers["X-RateLimit-Global"] == "true"
    assert limits.count("POST", "/webhooks/{webhook_id}/{webhook_token}", {}).refused is None
    assert limits.count("POST", "/interactions/x", {}).headers == {}
    limits.enabled = False
    assert limits.count("GET", "/route/0", {}).refused is None


def test_windows_may_be_shorter_and_let_as_many_through() -> None:
    now = 1000.0
    limits = RateLimits(lambda: now, windows=0.2)

    def post() -> Verdict:
        return limits.count("POST", "/channels/{channel_id}/messages", {"channel_id": "1"})

    assert [post().refused is None for _ in range(6)] == [True] * 5 + [False]
    now += 0.9
    assert post().refused == {"message": "You are being rate limited.", "retry_after": 0.1, "global": False}
    now += 0.1
    assert post().headers["X-RateLimit-Reset-After"] == "1.000"


async def test_the_client_waits_out_a_429(sandbox: Sandbox, start: Start) -> None:
    bot = await start()
    sandbox.fault(SEND, 2, status=429, retry_after=0.01)
    await bot.text("games").send("patient")
    assert sandbox.state.faults.pending == []
    assert [m.content async for m in bot.text("games").history()] == ["patient"]


async def test_a_held_request_is_carried_out_after_its_client_is_gone(sandbox: Sandbox) -> None:
    channel = sandbox.channel("games")
    url = f"{sandbox.api}/channels/{channel.id}/messages"
    headers = {"Authorization": f"Bot {sandbox.token}"}
    sandbox.fault(SEND, hold=True)
    async with ClientSession(headers=headers) as http:
        files = aiohttp.FormData({"payload_json": '{"content": "from beyond"}'})
        files.add_field("files[0]", b"words", filename="words.txt")
        request = asyncio.create_task(http.post(url, data=files))
        await eventually(lambda: sandbox.held)
        # Later requests overtake it.
        async with http.post(url, json={"content": "living"}) as reply:
            assert reply.status == 200
        request.cancel()
    async with ClientSession(headers=sandbox.credentials) as http:
        async with http.get(f"{sandbox.url}/control/state") as reply:
            assert (await reply.json())["held"] == [
                {"method": "POST", "path": f"/channels/{channel.id}/messages"}
            ]
        async with http.post(f"{sandbox.url}/control/release", json={}) as reply:
            assert await reply.json() == {"released": 1}
    assert [m.content for m in sandbox.records.history(channel.id, 0)] == ["living", "from beyond"]
    assert [request.status for request in sandbox.requests] == [200, 200]
    assert sandbox.held == []
    assert await sandbox.release() == 0


async def test_a_429_for_all_holds_up_every_other_request(
    sandbox: Sandbox, start: Start, caplog: pytest.LogCaptureFixture
) -> None:
    bot = await start()
    sandbox.fault(SEND, status=429, retry_after=0.1, for_all=True)
    begun = sandbox.state.clock.now()
    first = asyncio.create_task(bot.text("games").send("patient"))
    await eventually(lambda: "Global rate limit has been hit" in caplog.text)
    assert (await bot.fetch_channel(bot.text("general").id)).id == bot.text("general").id
    assert (await first).content == "patient"
    assert all(request.at >= begun + 0.1 for request in sandbox.requests[-2:])


async def test_a_429_from_in_front_of_the_api_is_an_error(sandbox: Sandbox, start: Start) -> None:
    bot = await start()
    sandbox.fault(SEND, status=429, retry_after=None)
    with pytest.raises(discord.HTTPException) as error:
        await bot.text("games").send("x")
    assert error.value.status == 429


async def test_broken_answers(sandbox: Sandbox, start: Start) -> None:
    bot = await start()
    sandbox.fault(SEND, status=502)
    await bot.text("games").send("after one try more")
    sandbox.fault(SEND, status=503)
    with pytest.raises(discord.DiscordServerError):
        await bot.text("games").send("x")
    sandbox.fault(SEND, drop=True)
    with pytest.raises(aiohttp.ClientError):
        await bot.text("games").send("x")
    sandbox.fault(SEND, drop=True, after=True)
    with pytest.raises(aiohttp.ClientError):
        await bot.text("games").send("carried out")
    sandbox.fault(SEND, slow=20)
    sending = asyncio.create_task(bot.text("games").send("slow"))
    await eventually(lambda: sandbox.state.faults.pending == [])
    assert "slow" not in _contents(sandbox)
    sandbox.advance(20)
    await sending
    sandbox.fault(SEND, late=20)
    sending = asyncio.create_task(bot.text("games").send("there before its answer"))
    await eventually(lambda: "there before its answer" in _contents(sandbox))
    assert not sending.done()
    sandbox.advance(20)
    await sending
    contents = [m.content async for m in bot.text("games").history()]
    assert contents == ["there before its answer", "slow", "carried out", "after one try more"]


async def test_a_request_that_breaks_off_is_none(sandbox: Sandbox, caplog: pytest.LogCaptureFixture) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", sandbox.port)
    head = (
        f"POST /api/v10/channels/{sandbox.channel('games').id}/messages HTTP/1.1\r\n"
        f"Host: 127.0.0.1:{sandbox.port}\r\nAuthorization: Bot {sandbox.token}\r\nContent-Length: 500\r\n"
        "Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n"
    )
    writer.write(head.encode())
    await writer.drain()
    # The server reads its connections in turn: each response here means progress on the others.
    async with ClientSession(sandbox.url, headers=sandbox.credentials) as http:
        await http.get("/control/state")
        writer.transport.abort()
        await http.get("/control/state")
    assert sandbox.requests == []
    assert sandbox.violations == []
    assert "Traceback" not in caplog.text
    assert reader.at_eof() or reader.exception() is not None


def _contents(sandbox: Sandbox) -> list[str]:
    messages = sandbox.records.history(sandbox.channel("games").id, sandbox.records.bot.id)
    return [message.content for message in messages]


async def test_a_ban_comes_from_in_front_of_the_api(sandbox: Sandbox) -> None:
    sandbox.fault("POST /interactions/", ban=600)
    async with ClientSession() as http, http.post(f"{sandbox.api}/interactions/1/x/callback") as reply:
        assert (reply.status, reply.content_type) == (429, "text/html")
        assert reply.headers["Retry-After"] == "600"
        assert "Via" not in reply.headers


def test_faults_are_read_and_counted() -> None:
    faults = Faults()
    faults.add(read_fault({"route": "^GET /a$", "times": 2, "status": 500}))
    assert faults.take("GET", "/ab") is None
    assert faults.take("GET", "/a") is not None
    assert faults.pending == [{"route": "^GET /a$", "times": 1, "status": 500}]
    assert faults.take("GET", "/a") is not None
    assert faults.take("GET", "/a") is None
    faults.add(Fault("x", status=500))
    faults.clear()
    assert faults.pending == []
    bad: list[dict[str, Any]] = [
        {},
        {"route": "("},
        {"route": "x"},
        {"route": "x", "status": 200},
        {"route": "x", "status": 500, "times": 0},
        {"route": "x", "late": -1},
        {"route": "x", "status": 500, "often": 1},
    ]
    for body in bad:
        with pytest.raises(ValueError, match="fault"):
            read_fault(body)


async def test_the_clock_moves_forward_only() -> None:
    clock = Clock()
    fired: list[str] = []
    for seconds, name in ((20, "late"), (10, "early"), (15, "never")):
        timer = clock.call_at(clock.now() + seconds, partial(fired.append, name))
        if name == "never":
            timer.cancel()
    clock.call_at(clock.now() + 0.01, lambda: fired.append("by itself"))
    await eventually(lambda: fired)
    clock.advance(12)
    assert fired == ["by itself", "early"]
    clock.advance(10)
    assert fired == ["by itself", "early", "late"]
    for bad in (-1, float("inf"), float("nan")):
        with pytest.raises(ValueError, match="forward"):
            clock.advance(bad)
    clock.close()


def test_the_audit_keeps_things_as_they_were() -> None:
    audit = Audit(lambda: 5.0)
    body = {"x": [1]}
    audit.note(1, "push", "A", body)
    body["x"].append(2)
    [entry] = audit.received_by(1)
    assert entry.json() == {"at": 5.0, "kind": "push", "t": "A", "d": {"x": [1]}}
    assert audit.received_by(2) == []


async def test_everything_can_be_told_over_http(sandbox: Sandbox, start: Start, connect: Connect) -> None:
    bot = await start()
    alba = await connect("Alba")
    message = await bot.text("games").send("x")
    thread = await message.create_thread(name="t")
    async with ClientSession(sandbox.url, headers=sandbox.credentials) as http:

        async def tell(what: str, status: int = 200, /, **body: Any) -> Any:
            async with http.post(f"/control/{what}", json=body) as reply:
                assert reply.status == status, await reply.text()
                return await reply.json()

        async def ask(what: str) -> Any:
            async with http.get(f"/control/{what}") as reply:
                return await reply.json()

        before = (await ask("state"))["now"]
        assert (await tell("clock", advance=100))["now"] >= before + 100
        await tell("clock", 400, advance=-1)
        await tell("clock", 400)
        assert (await tell("faults", route="GET /never", status=500))["waiting"]
        await tell("faults", 400, route="GET /never")
        async with http.delete("/control/faults") as reply:
            assert reply.status == 200
        assert (await ask("state"))["faults"] == []
        await tell("thread", channel_id=str(thread.id), locked=True, archived=True)
        state = sandbox.records.channel(thread.id).thread
        assert state is not None
        assert (state.locked, state.archived) == (True, True)
        await tell("thread", 404, channel_id="5")
        await tell("delete", channel_id=str(thread.id))
        await tell("delete", message_id=str(message.id))
        await tell("delete", 404, message_id=str(message.id))
        await alba.wait_for(lambda e: e.t == "MESSAGE_DELETE" and e.d["id"] == str(message.id))
        assert await tell("dms", person="Alba", open=False) == {"open": False}
        await tell("dms", 404, person="Zoe", open=False)
        await tell("permissions", bot="0", channel_id=str(sandbox.channel("games").id))
        assert not sandbox.records.sees(sandbox.records.bot.id, sandbox.channel("games"))
        await tell("permissions", 404, bot="0", channel_id="5")
        assert (await tell("rates", enabled=False)) == {"enabled": False, "global_limit": 50}
        await tell("kick")
        assert (await ask("state"))["bot"]["in_guild"] is False
        await tell("invite")
        await tell("gateway", delay=0, duplicate=0, refuse=0)
        await tell("gateway", 400, drop="sideways")
        await tell("gateway", drop="close")
        await alba.wait_for(lambda e: e.t == "BOT_STATUS" and not e.d["online"])
        listed = await ask("audit/Alba")
        assert listed[0]["t"] == "HELLO"
        assert await ask("audit/Zoe") == {"error": "There is no such person."}
        assert any(r["path"].endswith("/threads") and r["status"] == 201 for r in await ask("requests"))
        assert await ask("violations") == []
