"""The gateway: sessions, resumes, faults, and a client that breaks the protocol."""

import json
from typing import Any

import discord
import pytest
from aiohttp import ClientSession, WSMsgType, WSServerHandshakeError

from sandbox.gateway.session import MAX_KEPT_EVENTS, Session
from sandbox.server import Sandbox
from tests.kit.waiting import PATIENCE, eventually
from tests.sandbox.conftest import Bot, Connect, Start
from tests.sandbox.line import Line, opened

OWN = "own"
"""Stands for the token of the sandbox under test."""


def collecting(heard: list[str]) -> Any:
    def configure(bot: Bot) -> None:
        @bot.event
        async def on_message(message: discord.Message) -> None:
            heard.append(message.clean_content)

        @bot.event
        async def on_resumed() -> None:
            heard.append("resumed")

        @bot.event
        async def on_shard_connect(_shard: int) -> None:
            heard.append("connected")

    return configure


def hello(bot: Bot, word: str) -> str:
    return f"<@{bot.application_id}> {word}"


@pytest.mark.parametrize("how", ["resume", "close", "reconnect"])
async def test_what_happened_meanwhile_is_told_after_a_resume(
    sandbox: Sandbox, start: Start, connect: Connect, how: str
) -> None:
    heard: list[str] = []
    bot = await start(collecting(heard))
    alba = await connect("Alba")
    await sandbox.drop_gateway(how)
    await alba.wait_for(lambda e: e.t == "BOT_STATUS" and not e.d["online"])
    await alba.say("games", hello(bot, "meanwhile"))
    await eventually(lambda: "resumed" in heard)
    await eventually(lambda: "@Bauta meanwhile" in heard)
    assert heard.count("connected") == 1
    assert heard.count("@Bauta meanwhile") == 1
    await alba.wait_for(lambda e: e.t == "BOT_STATUS" and e.d["online"], since=2)


async def test_an_invalid_session_begins_anew(sandbox: Sandbox, start: Start, connect: Connect) -> None:
    heard: list[str] = []
    bot = await start(collecting(heard))
    alba = await connect("Alba")
    await sandbox.drop_gateway("invalid")
    await eventually(lambda: heard.count("connected") == 2)
    await alba.say("games", hello(bot, "again"))
    await eventually(lambda: "@Bauta again" in heard)
    assert "resumed" not in heard


async def test_refused_connects_are_tried_again(sandbox: Sandbox, start: Start) -> None:
    heard: list[str] = []
    await start(collecting(heard))
    sandbox.refuse_gateway(1)
    await sandbox.drop_gateway("resume")
    await eventually(lambda: heard.count("connected") == 2)
    assert sandbox.state.gateway.faults.refuse == 0


async def test_late_and_doubled_events(sandbox: Sandbox, start: Start, connect: Connect) -> None:
    heard: list[str] = []
    bot = await start(collecting(heard))
    alba = await connect("Alba")
    sandbox.duplicate_events(1, "MESSAGE_CREATE")
    await alba.say("games", hello(bot, "twice"))
    await alba.say("games", hello(bot, "once"))
    await eventually(lambda: "@Bauta once" in heard)
    assert heard.count("@Bauta twice") == 2
    sandbox.delay_gateway(20)
    await alba.say("games", hello(bot, "late"))
    await bot.fetch_channel(bot.text("games").id)
    assert "@Bauta late" not in heard
    sandbox.advance(20)
    await eventually(lambda: "@Bauta late" in heard)


@pytest.mark.parametrize("query", ["?v=10&encoding=json", "?v=10&encoding=json&compress=zlib-stream"])
async def test_the_protocol_as_it_is_spoken(sandbox: Sandbox, connect: Connect, query: str) -> None:
    alba = await connect("Alba")
    async with ClientSession() as http:
        line = await opened(http, sandbox, query)
        await line.send(1, None)
        assert (await line.get())["op"] == 11
        await line.identify(sandbox.token)
        ready = await line.get()
        assert (ready["t"], ready["s"]) == ("READY", 1)
        assert (await line.get())["t"] == "GUILD_CREATE"
        await line.send(3, {"status": "online", "activities": [], "afk": False, "since": None})
        await alba.say("games", "one")
        first = await line.get()
        assert (first["t"], first["s"], first["d"]["content"]) == ("MESSAGE_CREATE", 3, "")
        await line.send(
            8, {"guild_id": str(sandbox.records.guild.id), "query": "al", "limit": 5, "nonce": "n"}
        )
        chunk = (await line.get())["d"]
        assert [m["user"]["username"] for m in chunk["members"]] == ["alba"]
        assert chunk["nonce"] == "n"
        await line.socket.close()
        await alba.say("games", "two")

        other = await opened(http, sandbox)
        session = ready["d"]["session_id"]
        await other.send(6, {"token": sandbox.token, "session_id": session, "seq": 2})
        replayed = [await other.get() for _ in range(4)]
        assert [e["t"] for e in replayed] == [
            "MESSAGE_CREATE",
            "GUILD_MEMBERS_CHUNK",
            "MESSAGE_CREATE",
            "RESUMED",
        ]
        assert [e["s"] for e in replayed] == [3, 4, 5, 6]
        await other.socket.close()

        third = await opened(http, sandbox)
        sandbox.advance(301)
        await third.send(6, {"token": sandbox.token, "session_id": session, "seq": 6})
        assert await third.get() == {"op": 9, "d": False}


@pytest.mark.parametrize(
    ("op", "data", "code"),
    [
        (2, {"token": "wrong", "intents": 1}, 4004),
        (6, {"token": "wrong", "session_id": "x", "seq": 1}, 4004),
        (2, {"token": OWN, "intents": -1}, 4013),
        (2, {"token": OWN, "intents": 1 << 30}, 4013),
        (2, {"token": OWN, "intents": 1 << 15}, 4014),
        (2, {"token": OWN, "intents": 1, "shard": [1, 1]}, 4010),
        (2, {"token": OWN, "intents": 1, "shard": "x"}, 4010),
        (2, 7, 4002),
        (3, {}, 4003),
        (99, {}, 4003),
    ],
)
async def test_what_breaks_the_protocol_closes_the_line(
    sandbox: Sandbox, op: int, data: Any, code: int
) -> None:
    if isinstance(data, dict) and data.get("token") == OWN:
        data = data | {"token": sandbox.token}
    async with ClientSession() as http:
        line = await opened(http, sandbox)
        await line.send(op, data)
        assert await line.closed() == code


async def test_json_in_binary_frames_is_taken(sandbox: Sandbox) -> None:
    """The library hikari does this."""
    body = {"token": sandbox.token, "intents": 1, "properties": {}, "shard": [0, 1]}
    async with ClientSession() as http:
        line = await opened(http, sandbox)
        await line.socket.send_bytes(json.dumps({"op": 2, "d": body}).encode())
        ready = await line.event("READY")
        application = ready["d"]["application"]
        # Documented in May 2026: all flags as a string, because they exceed 32 bits.
        assert application["flags_new"] == str(application["flags"])
        for broken in (b"\xff", b"{", b"[]", b"[" * 4096):
            line = await opened(http, sandbox)
            await line.socket.send_bytes(broken)
            assert await line.closed() == 4002


@pytest.mark.parametrize(("length", "code"), [(4096, 4003), (4097, 4002)])
async def test_a_payload_has_at_most_4096_bytes(sandbox: Sandbox, length: int, code: int) -> None:
    async with ClientSession() as http:
        line = await opened(http, sandbox)
        frame = json.dumps({"op": 3, "d": {"name": ""}})
        await line.socket.send_str(frame.replace('""', '"' + "x" * (length - len(frame)) + '"'))
        assert await line.closed() == code


async def test_more_ways_to_break_it(sandbox: Sandbox) -> None:
    async with ClientSession() as http:
        line = await opened(http, sandbox)
        await line.socket.send_str("{")
        assert await line.closed() == 4002

        line = await opened(http, sandbox)
        await line.identify(sandbox.token)
        await line.identify(sandbox.token)
        assert await line.closed() == 4005

        line = await opened(http, sandbox)
        await line.identify(sandbox.token)
        session = (await line.event("READY"))["d"]["session_id"]
        await line.send(99, {})
        assert await line.closed() == 4001

        line = await opened(http, sandbox)
        await line.send(6, {"token": sandbox.token, "session_id": session, "seq": 999})
        assert await line.closed() == 4007

        line = await opened(http, sandbox)
        for _ in range(121):
            await line.send(1, None)
        assert await line.closed() == 4008

        bad = Line(await http.ws_connect(sandbox.gateway + "?v=3"), compressed=False)
        assert await bad.closed() == 4012
        sandbox.refuse_gateway(1)
        with pytest.raises(WSServerHandshakeError):
            await http.ws_connect(sandbox.gateway)


async def test_a_silent_connection_is_closed() -> None:
    async with Sandbox(page=False, heartbeat=-3.2) as sandbox, ClientSession() as http:
        socket = await http.ws_connect(sandbox.gateway)
        assert (await socket.receive()).type is WSMsgType.TEXT
        assert (await socket.receive(timeout=PATIENCE)).type is WSMsgType.CLOSE
        assert socket.close_code == 4009


async def test_where_the_gateway_is(sandbox: Sandbox, start: Start) -> None:
    bot = await start()
    shards, url, *_ = await bot.http.get_bot_gateway()
    assert shards == 1
    assert url.startswith(sandbox.gateway)


def test_a_session_is_resumed_only_while_it_remembers_everything() -> None:
    session = Session(intents=0, shard=(0, 1))
    assert session.can_resume(0)
    for number in range(MAX_KEPT_EVENTS + 10):
        session.dispatch("EVENT", {"number": number})
    assert not session.can_resume(9)
    assert session.can_resume(10)
    assert session.can_resume(MAX_KEPT_EVENTS + 10)
    assert not session.can_resume(MAX_KEPT_EVENTS + 11)


def test_events_go_to_the_shard_of_their_guild() -> None:
    shards = [Session(intents=0, shard=(number, 2)) for number in range(2)]
    assert [shard.serves(None) for shard in shards] == [True, False]
    assert [shard.serves(3 << 22) for shard in shards] == [False, True]
