"""Answers of Discord at the start that are not as expected: the bot serves all the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engines.core.rng import Rng
from sandbox.server import Sandbox
from tests.e2e.stage import Stage
from tests.e2e.test_start import told
from tests.kit.environment import environment
from tests.kit.nursery import Program
from tests.kit.person import Person
from tests.kit.waiting import eventually
from tests.sandbox.line import changing

COMMANDS, APPLICATION, GATEWAY = (
    "GET /applications/[^/]*/commands",
    "GET /(oauth2/)?applications/@me",
    "GET /gateway/bot",
)
ODD = ("no JSON", '[{"id": "1"}]')


def values_of(sandbox: Sandbox, folder: Path) -> dict[str, str]:
    return environment(
        BAUTA_DATABASE=str(folder / "bauta.db"),
        DISCORD_TOKEN=sandbox.token,
        BAUTA_API_URL=sandbox.api,
        BAUTA_GATEWAY_URL=sandbox.gateway,
    )


async def serves(sandbox: Sandbox, folder: Path, done: Callable[[Person], object]) -> None:
    """Start the bot, wait until it is online and ``done`` holds of a window, try a command, and stop it."""
    window = await Person.connect(sandbox.entrance, "Alba")
    log = folder / "log"
    async with window:
        process = Program(("serve", "--until-eof"), values_of(sandbox, folder), log, log)
        try:
            await eventually(lambda: window.bot.get("online") and done(window))
            if window.commands:
                assert (await window.command("games", "help")).message is not None
            assert len(sandbox.state.gateway.starts.identify_times) == 1, "it was connected at once"
            process.terminate()
            assert await process.wait() == 0
        finally:
            process.kill()
    assert sandbox.violations == []


def asks(sandbox: Sandbox, method: str) -> int:
    return sum(each.method == method and each.path.endswith("/commands") for each in sandbox.requests)


async def test_commands_are_registered_beside_an_entry_point(tmp_path: Path) -> None:
    async with Sandbox(page=False) as sandbox:
        sandbox.enable_activities()
        await serves(sandbox, tmp_path, lambda window: len(window.commands) > 1)
        kept = [each for each in sandbox.records.commands.values() if each.definition["type"] == 4]
        assert [(each.name, each.definition["handler"]) for each in kept] == [("launch", 2)]
        assert asks(sandbox, "PUT") == 1
        sandbox.state.gateway.starts.identify_times.clear()
        await serves(sandbox, tmp_path, lambda window: len(window.commands) > 1)
        assert asks(sandbox, "PUT") == 1, "nothing has changed"


@pytest.mark.parametrize("answer", ODD)
async def test_commands_that_cannot_be_read_are_sent(answer: str, tmp_path: Path) -> None:
    async with Sandbox(page=False) as sandbox:
        sandbox.fault(COMMANDS, answer=answer)
        sandbox.fault("PUT /applications/[^/]*/commands", answer=answer, after=True)
        await serves(sandbox, tmp_path, lambda window: window.commands)
        assert asks(sandbox, "PUT") == 1


@pytest.mark.parametrize("status", [403, 503])
async def test_commands_that_are_not_told_keep_nobody_waiting(status: int, tmp_path: Path) -> None:
    async with Sandbox(page=False) as sandbox:
        sandbox.fault(COMMANDS, 9, status=status)
        trouble = status >= 500
        await serves(
            sandbox,
            tmp_path,
            lambda window: "commands" in told(tmp_path / "bauta.db") if trouble else window.commands,
        )


@pytest.mark.parametrize("answer", ["null", '{"id": "OUR"}', None])
async def test_an_application_that_cannot_be_read(answer: str | None, tmp_path: Path) -> None:
    async with Sandbox(page=False) as sandbox:
        said = None if answer is None else answer.replace("OUR", str(sandbox.records.bot.id))
        sandbox.fault(APPLICATION, 9, status=403 if said is None else None, answer=said)
        await serves(sandbox, tmp_path, lambda window: window.commands)


async def test_a_gateway_that_cannot_be_read(tmp_path: Path) -> None:
    async with Sandbox(page=False) as sandbox:
        sandbox.fault(GATEWAY, 9, answer='{"shards": "x"}')
        await serves(sandbox, tmp_path, lambda window: window.commands)


async def test_an_account_that_lacks_fields(tmp_path: Path) -> None:
    async with Sandbox(page=False) as sandbox:
        sandbox.fault("GET /users/@me$", 9, answer=json.dumps({"id": str(sandbox.records.bot.id)}))
        await serves(sandbox, tmp_path, lambda window: window.commands)


def lacking(interaction: dict[str, Any]) -> None:
    """Leave out of an interaction what is called optional, and what other servers do not send."""
    for key in ("channel", "guild", "guild_locale", "version", "attachment_size_limit", "entitlements"):
        interaction.pop(key, None)
    for person in (interaction.get("member", {}).get("user"), interaction.get("user")):
        for key in ("global_name", "discriminator", "avatar"):
            if person is not None:
                person.pop(key, None)
    for key in ("roles", "flags", "nick"):
        interaction.get("member", {}).pop(key, None)
    for key in ("content", "type"):
        interaction.get("message", {}).pop(key, None)


@pytest.mark.parametrize("is_known", [True, False])
async def test_interactions_that_lack_fields_are_answered(is_known: bool, tmp_path: Path) -> None:
    """Where the bot does not know a thread either, the channel's id says which match is meant."""
    unknown = (lambda _: None) if is_known else (lambda thread: thread.update(id="no number"))
    with changing("INTERACTION_CREATE", lacking), changing("THREAD_CREATE", unknown):
        async with Stage(tmp_path) as stage:
            thread = await stage.begin("volo")
            asked = stage.alba if await stage.alba.turn(thread, Rng(bytes(32)).stream("one")) else stage.bruno
            await asked.open(thread)
            # Who plays nowhere means the thread's match.
            looked = await (await stage.player("Zeno")).window.command(thread, "board")
            assert looked.message is not None
            assert "Volo" in json.dumps(looked.message)
            direct = await asked.window.command((await asked.window.dm())["id"], "games")
            assert direct.message is not None
            assert "(INTERACTION_CREATE" not in stage.logged()
