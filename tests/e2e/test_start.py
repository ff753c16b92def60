"""Starting and stopping: what is wrong is said in words, with the way to mend it, and no traceback."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from bot.config import Config
from bot.runtime.heartbeat import read_beat
from sandbox.server import Sandbox
from tests.kit.environment import environment
from tests.kit.nursery import Program
from tests.kit.person import Person
from tests.kit.samples import some
from tests.kit.waiting import PATIENCE, eventually


@asynccontextmanager
async def started(arguments: str, environment: dict[str, str]) -> AsyncIterator[asyncio.subprocess.Process]:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", *arguments.split(), env=environment, stdout=pipe, stderr=pipe, stdin=pipe
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@asynccontextmanager
async def forked(environment: dict[str, str], log: Path) -> AsyncIterator[Program]:
    """Start the bot without its imports, where how it starts is not what is looked at; kill it at the end."""
    program = Program(("serve", "--until-eof"), environment, log, log)
    try:
        yield program
    finally:
        if program.returncode is None:
            program.kill()
            await program.wait()


async def refusal(folder: Path, arguments: str, **values: str) -> str:
    """Run the command over a database in ``folder``; return what it said when it could not start."""
    out, err = folder / "out", folder / "err"
    err.unlink(missing_ok=True)
    values = {"BAUTA_DATABASE": str(folder / "bauta.db"), **values}
    code = await Program(arguments.split(), environment(**values), out, err).wait()
    said = err.read_text("utf-8")
    assert code == 2, said
    assert "Traceback" not in said
    assert out.read_bytes() == b""
    return said


async def test_no_token(tmp_path: Path) -> None:
    async with started("serve", environment(BAUTA_DATABASE=str(tmp_path / "bauta.db"))) as process:
        out, err = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert (process.returncode, out) == (2, b""), err
    assert b"DISCORD_TOKEN" in err
    assert b"Traceback" not in err


async def test_bad_settings(tmp_path: Path) -> None:
    assert "both set" in await refusal(tmp_path, "serve", DISCORD_TOKEN="x", DISCORD_TOKEN_FILE="y")
    assert "token file" in await refusal(tmp_path, "serve", DISCORD_TOKEN_FILE=str(tmp_path / "nowhere"))


async def test_a_token_file_with_a_second_line(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.touch(0o600)
    file.write_text("hunter2\nanother line\n")
    said = await refusal(tmp_path, "serve", DISCORD_TOKEN_FILE=str(file))
    assert "something else than a token in the file that DISCORD_TOKEN_FILE names" in said
    assert "hunter2" not in said


async def test_names_that_are_no_settings(tmp_path: Path) -> None:
    said = await refusal(tmp_path, "serve", BAUTA_SERVICE_HOST="hunter2")
    assert "unknown settings in the environment: BAUTA_SERVICE_HOST" in said
    assert "There is no token" in said, "Kubernetes may have made it"
    misspelt = await refusal(tmp_path, "serve", BAUTA_DATABSE="hunter2", DISCORD_TOKEN="x")
    assert "BAUTA_DATABSE is no setting: BAUTA_DATABASE is meant" in misspelt
    assert "hunter2" not in said + misspelt


async def test_a_wrong_token(tmp_path: Path) -> None:
    token = "not.the.token"
    async with Sandbox(page=False) as sandbox:
        there = {"BAUTA_API_URL": sandbox.api, "BAUTA_GATEWAY_URL": sandbox.gateway}
        said = await refusal(tmp_path, "serve", DISCORD_TOKEN=token, **there)
    assert "does not know this token" in said
    assert token not in said


async def test_a_port_in_use(tmp_path: Path) -> None:
    async with Sandbox(page=False) as sandbox:
        said = await refusal(tmp_path, "run --no-browser", BAUTA_SANDBOX_PORT=str(sandbox.port))
    assert "BAUTA_SANDBOX_PORT" in said


@pytest.mark.parametrize("trouble", ["broken", "foreign", "folder"])
async def test_a_database_that_cannot_be_used(trouble: str, tmp_path: Path) -> None:
    database = tmp_path / "bauta.db"
    nowhere = {
        "BAUTA_API_URL": "http://127.0.0.1:9/api/v10",
        "BAUTA_GATEWAY_URL": "ws://127.0.0.1:9/gateway",
    }
    if trouble == "broken":
        database.write_bytes(b"this is no database" * 400)
    elif trouble == "folder":
        database.mkdir()
    else:
        with sqlite3.connect(database) as connection:
            connection.execute("CREATE TABLE other (x)")
        connection.close()
    before = database.read_bytes() if database.is_file() else None
    said = await refusal(tmp_path, "serve", DISCORD_TOKEN="x", **nowhere)
    assert "database" in said
    assert (database.read_bytes() if database.is_file() else None) == before


async def test_discord_that_cannot_be_reached_is_tried_again(tmp_path: Path) -> None:
    async with Sandbox(page=False) as sandbox:
        sandbox.fault("GET /gateway/bot", 2, status=502)
        sandbox.refuse_gateway(1)
        values = environment(
            BAUTA_DATABASE=str(tmp_path / "bauta.db"),
            DISCORD_TOKEN=sandbox.token,
            BAUTA_API_URL=sandbox.api,
            BAUTA_GATEWAY_URL=sandbox.gateway,
        )
        window = await Person.connect(sandbox.entrance, "Alba")
        async with window, started("serve", values) as process:
            await eventually(lambda: window.bot.get("online") and window.commands)
            process.send_signal(signal.SIGTERM)
            assert await asyncio.wait_for(process.wait(), PATIENCE) == 0


async def test_an_event_that_cannot_be_read_costs_nothing(tmp_path: Path) -> None:
    async with Sandbox(page=False) as sandbox:
        values = environment(
            BAUTA_DATABASE=str(tmp_path / "bauta.db"),
            DISCORD_TOKEN=sandbox.token,
            BAUTA_API_URL=sandbox.api,
            BAUTA_GATEWAY_URL=sandbox.gateway,
        )
        # Commands that Discord refuses are named, and the house serves on with those that it has.
        sandbox.fault("PUT /applications/[^/]*/commands", status=400)
        window = await Person.connect(sandbox.entrance, "Alba")
        async with window:
            async with forked(values, tmp_path / "log") as process:
                await eventually(lambda: window.bot.get("online"))
                sandbox.state.gateway.dispatch("CHANNEL_DELETE", {"nothing": "that anybody expects"})
                await eventually(lambda: "commands" in told(tmp_path / "bauta.db"))
                assert not window.commands
                assert len(sandbox.state.gateway.starts.identify_times) == 1
                process.terminate()
                assert await process.wait() == 0
            async with forked(values, tmp_path / "log") as process:
                await eventually(lambda: window.bot.get("online") and window.commands)
                sandbox.state.gateway.dispatch("INTERACTION_CREATE", {"id": "no number"})
                assert (await window.command("games", "help")).message is not None
                assert len(sandbox.state.gateway.starts.identify_times) == 2


def told(database: Path) -> Mapping[str, str]:
    beat = read_beat(Config(database=database).pulse())
    return beat.conditions if beat is not None else {}


@pytest.mark.nightly  # with a browser to open, it is tried in every run
async def test_one_command_opens_the_sandbox_with_a_bot_in_it(tmp_path: Path) -> None:
    values = environment(BAUTA_DATABASE=str(tmp_path / "bauta.db"), BAUTA_SANDBOX_PORT="0")
    async with started("run --no-browser", values) as process:
        assert process.stdout is not None
        line = (await asyncio.wait_for(process.stdout.readline(), PATIENCE)).decode()
        entrance = line.split()[-1]
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(cookie_jar=jar) as session, session.get(entrance) as response:
            assert response.status == 200
            assert entrance.startswith(f"{response.url.origin()}/?key=")
        window = await Person.connect(entrance, "Alba")
        async with window:
            await eventually(lambda: window.bot.get("online") and window.commands)
        process.send_signal(signal.SIGINT)
        assert await asyncio.wait_for(process.wait(), PATIENCE) == 0


def command_lines() -> bytes:
    """Return what every user of this computer can read of all processes."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            found.append((process / "cmdline").read_bytes())
    return b"\0".join(found)


def token_of(pid: int) -> bytes:
    """Return the token of the bot that a sandbox has started, which no other user can read."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    [bot] = [child for child in children if b"serve" in Path(f"/proc/{child}/cmdline").read_bytes()]
    environ = Path(f"/proc/{bot}/environ")
    assert environ.stat().st_mode & 0o077 == 0
    return dict(each.split(b"=", 1) for each in environ.read_bytes().split(b"\0") if b"=" in each)[
        b"DISCORD_TOKEN"
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")
async def test_a_browser_is_opened_with_what_helps_nobody_else(tmp_path: Path) -> None:
    """The key and the bot's token stand on no command line and in no log; the opened address lets us in."""
    opened, script = tmp_path / "opened", tmp_path / "browser"
    script.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}.part && mv {opened}.part {opened}\n')
    script.chmod(0o755)
    values = environment(
        BAUTA_DATABASE=str(tmp_path / "bauta.db"),
        BAUTA_SANDBOX_PORT="0",
        BAUTA_LOG_LEVEL="DEBUG",
        BROWSER=f"{script} %s",
        DISPLAY=":0",
    )
    async with started("run", values) as process:
        assert process.stdout is not None
        entrance = (await asyncio.wait_for(process.stdout.readline(), PATIENCE)).decode().split()[-1]
        await eventually(opened.is_file)
        address, key = opened.read_text(), entrance.rpartition("=")[2]
        assert address.partition("?")[0] == entrance.partition("?")[0]
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(cookie_jar=jar) as http:
            async with http.get(address) as response:
                assert response.status == 200
            async with http.get(response.url.with_path("/people")) as response:
                assert response.status == 200
        window = await Person.connect(entrance, "Alba")
        async with window:
            await eventually(lambda: window.bot.get("online") and window.commands)
        secrets = [key.encode(), token_of(process.pid)]
        assert not any(secret in command_lines() for secret in secrets)
        process.send_signal(signal.SIGINT)
        _, log = await asyncio.wait_for(process.communicate(), PATIENCE)
        assert process.returncode == 0
    assert not any(secret in log for secret in secrets)


async def test_the_bot_beside_the_sandbox_ends_with_it(tmp_path: Path) -> None:
    """A bot that is told to end with its input does so, however its parent went."""
    async with Sandbox(page=False) as sandbox:
        values = environment(
            BAUTA_DATABASE=str(tmp_path / "bauta.db"),
            DISCORD_TOKEN=sandbox.token,
            BAUTA_API_URL=sandbox.api,
            BAUTA_GATEWAY_URL=sandbox.gateway,
        )
        window = await Person.connect(sandbox.entrance, "Alba")
        async with window, forked(values, tmp_path / "log") as process:
            await eventually(lambda: window.bot.get("online"))
            process.end_input()
            assert await process.wait() == 0


def painters_of(pid: int) -> int:
    """Return how many painting processes a bot has."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    return sum(b"\0painter\0" in Path(f"/proc/{child}/cmdline").read_bytes() for child in children)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists a process's children so")
@pytest.mark.parametrize("warm", some(["1", "0"]))
async def test_the_operator_says_whether_the_painters_start_with_the_bot(warm: str, tmp_path: Path) -> None:
    async with Sandbox(page=False) as sandbox:
        values = environment(
            BAUTA_DATABASE=str(tmp_path / "bauta.db"),
            BAUTA_WARM_UP=warm,
            BAUTA_PAINTERS="3",
            DISCORD_TOKEN=sandbox.token,
            BAUTA_API_URL=sandbox.api,
            BAUTA_GATEWAY_URL=sandbox.gateway,
        )
        window = await Person.connect(sandbox.entrance, "Alba")
        async with window, started("serve", values) as process:
            await eventually(lambda: window.bot.get("online") and window.commands)
            # Three painters, and the process that warms up for as long as that takes.
            assert painters_of(process.pid) in ((3, 4) if warm == "1" else (0,))
