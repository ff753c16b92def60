"""``bauta rehearse`` as an operator runs it: beside a bot that serves, to its end, and interrupted."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from bot.gateway.permissions import permissions
from bot.rehearsal.perform import LINES
from sandbox.server import Sandbox
from tests.e2e.stage import TABLES, Stage
from tests.e2e.upkeep import bauta
from tests.kit.environment import environment
from tests.kit.nursery import Program
from tests.kit.waiting import eventually

ATTACH_FILES = 1 << 15


async def test_beside_a_bot_that_serves_it_refuses(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        channel = stage.sandbox.channel(TABLES)
        command = ("rehearse", "--channel", str(channel.id))
        here = await bauta(stage.environment(), *command)
        assert (here.code, here.out) == (2, "")
        assert f"A bot serves {stage.database} now." in here.err
        # With a database of its own, only the bot itself can say that it is there.
        asked = len(stage.sandbox.state.gateway.sessions)
        elsewhere = {**stage.environment(), "BAUTA_DATABASE": str(tmp_path / "other.db")}
        there = await bauta(elsewhere, *command)
        assert (there.code, there.out) == (2, "")
        assert "Another process serves with this token." in there.err
        assert len(stage.sandbox.state.gateway.sessions) == asked
        assert left_in(stage.sandbox) == []
        # Threads of matches are no business of the roll call.
        thread = stage.sandbox.records.channels[int(await stage.begin("volo"))].thread
        assert thread is not None
        assert not thread.archived


def left_in(sandbox: Sandbox) -> list[int]:
    """Return the messages that stand where it was rehearsed."""
    return [
        message.id for message in sandbox.records.history(sandbox.channel(TABLES).id, sandbox.records.bot.id)
    ]


def outside(sandbox: Sandbox, folder: Path) -> dict[str, str]:
    return environment(
        DISCORD_TOKEN=sandbox.token,
        BAUTA_API_URL=sandbox.api,
        BAUTA_GATEWAY_URL=sandbox.gateway,
        BAUTA_DATABASE=str(folder / "bauta.db"),
    )


async def test_it_prints_its_table_and_leaves_nothing(tmp_path: Path) -> None:
    async with Sandbox(page=False) as sandbox:
        command = ("rehearse", "--channel", str(sandbox.channel(TABLES).id), "--no-press")
        done = await bauta(outside(sandbox, tmp_path), *command, "--line", "thread", "--line", "commands")
        assert done.code == 0, done
        assert "| ok | thread | A thread begun from a message has the message's id" in done.out
        assert "3 ok, 0 differ, 0 skipped" in done.out
        assert sandbox.token not in done.out + done.err
        assert left_in(sandbox) == []
        sandbox.set_permissions(permissions().value & ~ATTACH_FILES, sandbox.channel(TABLES))
        differs = await bauta(outside(sandbox, tmp_path), *command, "--line", "permissions")
        assert differs.code == 1, differs
        assert "| missing: attach_files |" in differs.out


async def test_ctrl_c_cleans_up(tmp_path: Path) -> None:
    async with Sandbox(page=False) as sandbox:
        command = ("rehearse", "--channel", str(sandbox.channel(TABLES).id), "--line", "operator")
        out, err = tmp_path / "out", tmp_path / "err"
        program = Program(command, outside(sandbox, tmp_path), out, err)
        await eventually(lambda: err.exists() and "operator: Press" in err.read_text("utf-8"))
        os.kill(program.pid, signal.SIGINT)
        assert await program.wait() == 130
        assert left_in(sandbox) == []
        assert "| ok | cleaning up |" in out.read_text("utf-8")
        assert "Traceback" not in err.read_text("utf-8")


async def test_without_a_token_it_says_so(tmp_path: Path) -> None:
    refused = await bauta(
        environment(BAUTA_DATABASE=str(tmp_path / "bauta.db")), "rehearse", "--channel", "1"
    )
    assert refused.code == 2
    assert "There is no token" in refused.err


async def test_the_help_names_every_line(tmp_path: Path) -> None:
    helped = await bauta(environment(), "rehearse", "--help")
    said = " ".join(helped.out.split())
    assert [line.key for line in LINES if line.key not in said] == []
