"""``bauta doctor`` against the sandbox: what is well, and what is said of everything that is not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.cli.doctor import discord_side
from bot.cli.doctor.discord_side import check_discord
from bot.cli.doctor.report import Finding, State
from bot.cli.doctor.rest import Rest
from bot.gateway.permissions import invite_link, permissions
from bot.pages.custom_ids import Button
from sandbox.server import Sandbox
from tests.e2e.stage import TABLES, Stage, press_id
from tests.e2e.test_clicks import IN_TURN, TOGETHER
from tests.e2e.test_recovery import moved_on, say
from tests.e2e.upkeep import bauta, lines
from tests.kit.components import pictures

NEEDED = permissions().value
USE_COMMANDS = 1 << 31


async def ask(sandbox: Sandbox, token: str | None = None) -> dict[str, Finding]:
    """Return what the doctor finds at Discord, by name."""
    async with Rest(sandbox.api, token or sandbox.token) as rest:
        return {finding.name: finding for finding in await check_discord(rest)}


async def test_a_bot_that_runs_is_well(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        stage.sandbox.set_permissions(NEEDED)
        await stage.begin(TOGETHER)
        ended = await bauta(stage.environment(), "doctor")
        found = lines(ended.out)
        assert ended.code == 0, ended.out
        assert found["database"].startswith("ok whole")
        assert "1 running" in found["database"]
        assert found["lock"] == "ok a bot serves it now"
        assert found["commands"].startswith("ok")
        assert found["server"].startswith("ok “The Carnival”: it can be played in 2 of the 2")
        assert found["intents"].startswith("ok asks for guilds only")
        assert f"permissions={NEEDED}" in found["invite"]
        assert stage.sandbox.token not in ended.out + ended.err
        assert (await bauta(stage.environment(), "health")).code == 0
        assert await stage.stop_bot() == 0
        assert (await bauta(stage.environment(), "health")).code == 1
        offline = lines((await bauta(stage.environment(), "doctor", "--offline")).out)
        assert offline["lock"] == "ok no bot serves it now"


async def test_the_permissions_of_the_invite_are_enough_for_a_match(tmp_path: Path) -> None:
    """Where no role grants more than the link asks for, a match is opened, played, and comes to its end."""
    async with Stage(tmp_path, bot_permissions=NEEDED) as stage:
        for role in stage.sandbox.records.guild.roles.values():
            if role.bot_id is None:
                role.permissions = NEEDED | USE_COMMANDS
        await stage.alba.window.command(TABLES, "settings", dms="on")
        thread = await stage.begin(IN_TURN)
        for _ in range(2):
            await moved_on(stage, thread, await say(stage, thread))
        outcome = await stage.alba.window.command(thread, "resign")
        assert outcome.message is not None
        await stage.alba.window.press(outcome.message, press_id(outcome.message, Button.RESIGN))
        await stage.alba.board(thread, lambda board: len(pictures(board)) == 2)  # the film is there
        assert [request.path for request in stage.sandbox.requests if request.status == 403] == []
        assert stage.sandbox.violations == []


async def test_before_the_first_start(tmp_path: Path) -> None:
    async with Sandbox(page=False) as sandbox:
        found = await ask(sandbox)
    assert found["commands"].state is State.FAIL
    assert "Start the bot" in found["commands"].advice


async def test_a_wrong_token(tmp_path: Path) -> None:
    async with Sandbox(page=False) as sandbox:
        found = await ask(sandbox, "not.the.token")
    assert list(found) == ["token"]
    assert found["token"].state is State.FAIL
    assert "Reset Token" in found["token"].advice


async def test_clocks_that_differ() -> None:
    async with Sandbox(page=False) as sandbox:
        assert (await ask(sandbox))["clock"].state is State.OK
        sandbox.advance(10)
        assert (await ask(sandbox))["clock"].state is State.NOTE
        sandbox.advance(3_600)
        clock = (await ask(sandbox))["clock"]
    assert clock.state is State.FAIL
    assert "36" in clock.text
    assert "behind" in clock.text


async def test_privileged_intents_that_nobody_needs() -> None:
    async with Sandbox(page=False, privileged=1 << 15) as sandbox:
        intents = (await ask(sandbox))["intents"]
    assert intents.state is State.NOTE
    assert "Message Content" in intents.text


async def test_missing_permissions_are_named() -> None:
    async with Sandbox(page=False) as sandbox:
        for role in sandbox.records.guild.roles.values():
            role.permissions = 0
        sandbox.set_permissions(NEEDED & ~(1 << 38))
        server = (await ask(sandbox))["server"]
        assert server.state is State.FAIL
        assert "Send Messages in Threads" in server.text
        assert "View Channel" not in server.text
        assert invite_link(sandbox.records.bot.id) in server.advice
        sandbox.set_permissions(NEEDED)
        assert (await ask(sandbox))["server"].state is State.OK
        sandbox.set_permissions(NEEDED & ~(1 << 15), sandbox.channel(TABLES))
        server = (await ask(sandbox))["server"]
        assert server.state is State.NOTE
        assert "1 of the 2" in server.text
        assert f"#{TABLES} lacks Attach Files" in server.text
        # A channel that is hidden from the bot is nobody's fault.
        sandbox.set_permissions(0, sandbox.channel(TABLES))
        assert (await ask(sandbox))["server"].state is State.OK
        sandbox.set_permissions(NEEDED | 1 << 28)
        assert "Manage Roles" in (await ask(sandbox))["server"].text
        sandbox.set_permissions(8)
        administrator = (await ask(sandbox))["server"]
        assert administrator.state is State.NOTE
        assert "Administrator" in administrator.text


async def test_a_bot_in_no_server_gets_the_invite() -> None:
    async with Sandbox(page=False) as sandbox:
        sandbox.kick()
        servers = (await ask(sandbox))["servers"]
        assert servers.state is State.FAIL
        assert invite_link(sandbox.records.bot.id) in servers.advice


async def test_commands_that_differ(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        commands = stage.sandbox.records.commands
        by_name = {command.name: command for command in commands.values()}
        by_name["help"].definition["description"] = "An older text"
        del commands[by_name["turn"].id]
        finding = (await ask(stage.sandbox))["commands"]
        assert finding.state is State.FAIL
        assert finding.text == "missing: /turn; outdated: /help"


@pytest.mark.parametrize(
    "befall",
    [
        lambda sandbox: sandbox.fault("GET /users/@me", 9, status=503),
        lambda sandbox: sandbox.fault("GET /users/@me", 9, drop=True),
        lambda sandbox: sandbox.fault("GET /users/@me", 9, status=429, retry_after=0.01),
    ],
)
async def test_a_discord_in_trouble(befall: Callable[[Sandbox], None]) -> None:
    async with Sandbox(page=False) as sandbox:
        befall(sandbox)
        found = await ask(sandbox)
    assert found["discord"].state is State.FAIL
    assert "cannot be reached" in found["discord"].text


async def test_one_answer_that_fails_hides_no_other() -> None:
    async with Sandbox(page=False) as sandbox:
        sandbox.fault("GET /applications/.*/commands", 9, status=500)
        found = await ask(sandbox)
    assert found["commands"].state is State.FAIL
    assert found["server"].state is not State.FAIL


async def test_too_many_requests_are_waited_for() -> None:
    async with Sandbox(page=False) as sandbox:
        sandbox.fault("GET /users/@me", 2, status=429, retry_after=0.01)
        assert (await ask(sandbox))["token"].state is State.OK


@pytest.mark.parametrize(
    ("route", "name"),
    [
        ("GET /users/@me$", "token"),
        ("GET /applications/@me", "token"),
        ("GET /gateway/bot", "gateway"),
        ("GET /applications/.*/commands", "commands"),
        ("GET /users/@me/guilds", "servers"),
        ("GET /guilds/[0-9]*$", "server"),
        ("GET /guilds/[0-9]*/members", "server"),
        ("GET /guilds/[0-9]*/channels", "server"),
    ],
)
async def test_an_answer_that_cannot_be_read_fails_its_own_check(route: str, name: str) -> None:
    async with Sandbox(page=False) as sandbox:
        before = await ask(sandbox)
        for answer in ("7", '["quoted"]', '[{"id": "1"}, null]'):
            sandbox.fault(route, answer=answer)
            found = await ask(sandbox)
            assert found[name].state is State.FAIL
            assert "quoted" not in repr(found)
            if "applications/@me" in route:
                continue  # all others need it
            assert all(before[each].state is found[each].state for each in found if each != name)


async def test_a_server_without_roles_hides_no_other() -> None:
    async with Sandbox(page=False) as sandbox:
        other = sandbox.add_guild("Without roles")
        sandbox.fault(f"GET /guilds/{other.id}$", answer=f'{{"id": "{other.id}", "name": "Without roles"}}')
        async with Rest(sandbox.api, sandbox.token) as rest:
            found = {each.text: each for each in await check_discord(rest) if each.name == "server"}
    well, ill = sorted(found.values(), key=lambda each: "Without roles" in each.text)
    assert well.text.startswith("“The Carnival”: it can be played")
    assert ill.state is State.FAIL
    assert ill.text.startswith(
        "“Without roles”: this could not be checked (builtins.KeyError at doctor/discord_side.py"
    )


async def test_a_discord_that_knows_no_pages_is_asked_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    # Of a whole page, each server costs requests, of which Discord takes fifty a second.
    monkeypatch.setattr(discord_side, "PAGE", 20)
    async with Sandbox(page=False) as sandbox:
        listed = json.dumps([{"id": str(number), "name": "one"} for number in range(discord_side.PAGE)])
        sandbox.fault("GET /users/@me/guilds", 9, answer=listed)
        async with Rest(sandbox.api, sandbox.token) as rest:
            found = [each for each in await check_discord(rest) if each.name == "server"]
    assert len(found) == discord_side.PAGE


async def test_an_entry_point_is_not_left_over(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        stage.sandbox.enable_activities()
        assert (await ask(stage.sandbox))["commands"].state is State.OK
