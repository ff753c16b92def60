"""The server: its address, refusals, errors of the people API, and the page's files."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession

from sandbox import server
from sandbox.server import NotLoopbackError, PortInUseError, Sandbox
from tests.kit.person import Person, PersonError
from tests.kit.waiting import PATIENCE

JSON = {"Content-Type": "application/json"}
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.1", "example.org", ""])
async def test_only_loopback_is_bound(host: str) -> None:
    with pytest.raises(NotLoopbackError, match="loopback"):
        await Sandbox(host, page=False).start()


async def test_a_port_in_use_is_said() -> None:
    async with Sandbox(page=False) as first:
        with pytest.raises(PortInUseError, match=f"port {first.port} is in use"):
            await Sandbox(port=first.port, page=False).start()
        done = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "sandbox", "--port", str(first.port)), cwd=ROOT, stderr=subprocess.PIPE
        )
        _, said = await done.communicate()
        assert done.returncode == 2
        assert b"in use" in said


@asynccontextmanager
async def alone(*options: str) -> AsyncIterator[dict[str, str]]:
    """Run the sandbox as a program; yields what it prints: page, REST, gateway, token."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "sandbox", "--port", "0", "--no-page", *options),
        cwd=ROOT,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(PATIENCE):
            lines = [(await process.stdout.readline()).decode().split() for _ in range(4)]
        yield {line[0]: line[1] for line in lines}
    finally:
        process.terminate()
        await process.wait()
        await process.communicate()


async def test_it_runs_alone() -> None:
    async with alone() as said, await Person.connect(said["page"], "Bruno") as bruno:
        assert bruno.name == "Bruno"
        assert bruno.bot["online"] is False
        assert [c["name"] for c in bruno.channels.values()] == ["general", "games"]


async def test_its_guilds_and_shards_are_told_on_the_command_line() -> None:
    options = ("--guilds", "5", "--shards", "2", "--max-concurrency", "2", "--identify-seconds", "5")
    async with alone(*options) as said:
        headers = {"Authorization": f"Bot {said['token']}"}
        async with ClientSession(headers=headers) as http:
            async with http.get(f"{said['REST']}/gateway/bot") as reply:
                told = await reply.json()
            async with http.get(f"{said['REST']}/users/@me/guilds") as reply:
                guilds = await reply.json()
    assert (told["shards"], told["session_start_limit"]["max_concurrency"]) == (2, 2)
    assert len(guilds) == 5


async def test_shards_that_cannot_be_are_told_so() -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "sandbox", "--shards", "0"), cwd=ROOT, stderr=subprocess.PIPE
    )
    _, said = await process.communicate()
    assert process.returncode == 2
    assert b"at least one shard" in said


async def test_the_pages_files_are_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "WEB", tmp_path)
    (tmp_path / "app.js").write_text("1")
    async with Sandbox() as sandbox, ClientSession(sandbox.url, headers=sandbox.credentials) as http:
        async with http.get("/") as reply:
            assert reply.status == 404
        (tmp_path / "index.html").write_text("<p>page")
        async with http.get("/") as reply:
            assert await reply.text() == "<p>page"
        async with http.get("/static/app.js") as reply:
            assert await reply.text() == "1"
        async with http.get("/static/../server.py") as reply:
            assert reply.status == 404


async def test_people_are_found_made_and_refused() -> None:
    async with (
        Sandbox(page=False) as sandbox,
        ClientSession(sandbox.url, headers=sandbox.credentials) as http,
    ):
        async with http.get("/people") as reply:
            assert [p["name"] for p in await reply.json()] == ["Alba", "Bruno"]
        async with await Person.create(sandbox.entrance, "Carla") as carla:
            assert carla.name == "Carla"
        bodies: tuple[Any, ...] = (
            {"name": ""},
            {"name": "x" * 33},
            {"name": "alba"},
            {"name": "Dora", "locale": "xx"},
            [],
        )
        for body in bodies:
            async with http.post("/people", json=body) as reply:
                assert reply.status == 400
                assert "error" in await reply.json()
        with pytest.raises(PersonError, match="no person"):
            await Person.connect(sandbox.entrance, "Zoe")
        async with http.post("/people/Zoe/dm", json={}) as reply:
            assert reply.status == 404
        acts: tuple[tuple[str, Any], ...] = (
            ("press", {"message_id": "1"}),
            ("select", {"message_id": "1", "custom_id": "x", "values": [1]}),
            ("command", {"name": "x", "options": [1]}),
            ("modal", {"interaction_id": "1", "values": []}),
            ("forge", {"custom_id": "x", "component_type": "2"}),
            ("dms", {"open": "yes"}),
            ("message", {"content": 5}),
        )
        for path, body in acts:
            async with http.post(f"/people/Alba/{path}", json=body) as reply:
                assert reply.status == 400, path
        async with http.post("/people/Alba/dm", data="{", headers=JSON) as reply:
            assert reply.status == 400
        games = sandbox.channel("games").id
        async with http.get(f"/people/Alba/channels/{games}/messages?limit=0") as reply:
            assert reply.status == 400


async def test_two_windows_of_one_person_get_the_same_and_it_is_audited_once() -> None:
    async with (
        Sandbox(page=False) as sandbox,
        await Person.connect(sandbox.entrance, "Alba") as one,
        await Person.connect(sandbox.entrance, "Alba") as two,
    ):
        await one.say("games", "hello")
        for window in (one, two):
            await window.message(lambda m: m["content"] == "hello")
        assert [e.t for e in sandbox.audit("Alba")] == ["HELLO", "HELLO", "MESSAGE_CREATE"]
        await one.messages("games")
        assert [e.kind for e in sandbox.audit("Alba")][-1] == "reply"
        assert sandbox.audit("Bruno") == []
        with pytest.raises(PersonError, match="in vain"):
            await one.wait_for(lambda e: e.t == "NEVER", timeout=0.05)
        with pytest.raises(PersonError, match="sees no channel"):
            await one.messages("#nowhere")
