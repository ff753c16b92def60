"""The ``bauta`` command: serve Discord with a token, open the sandbox without one, run maintenance commands.

This is the only module that may import both the bot and the sandbox.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
import tempfile
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from bot.app import serve
from bot.cli import (
    ExitCode,
    Parser,
    backup,
    doctor,
    escape_unprintable,
    health,
    move,
    rehearse,
    replay,
    texts,
)
from bot.cli.running import run_until_stopped
from bot.config import Config, StartError, TryAgainError, load, unknown_variables
from bot.runtime.log_setup import set_up
from bot.runtime.program import installed_version
from sandbox.server import PortInUseError, Sandbox

log = logging.getLogger("bauta")

NOTHING_GIVEN = (
    "There is no token: set DISCORD_TOKEN, or DISCORD_TOKEN_FILE to a file that holds it.\n"
    "The README says how to get one. To try everything without a token, run `bauta`."
)

STOP_TIMEOUT_S = 6.5
"""Seconds that the bot beside the sandbox gets to shut down by itself."""

RESTART_DELAY_S = 1.0
"""Seconds until a bot that died beside the sandbox is restarted."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    escape_unprintable()
    options = command_line().parse_args(arguments)
    if not logging.getLogger().handlers:
        # Until a command sets up its own log, neither libraries nor tracebacks may quote an address or a row.
        set_up("CRITICAL")
    try:
        code: int = options.run(options)
    except Exception as error:
        log.critical("uncaught exception", exc_info=error)
        return ExitCode.FAILED
    return code


def command_line() -> Parser:
    """Build the argument parser; parsed options have the function to call as ``run``."""
    parser = Parser(prog="bauta", description="Board games with secrets, on Discord.")
    parser.add_argument("--version", action="version", version=f"bauta {installed_version()}")
    parser.set_defaults(run=_run, no_browser=False, until_eof=False, shards=None, shard_count=None)
    # `bauta --no-browser` is `bauta run --no-browser`: both parsers take these options. The subcommand's
    # suppresses its defaults, which would overwrite options given before the subcommand.
    shared = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    for each in (parser, shared):
        each.add_argument("--no-browser", action="store_true", help="do not open the sandbox in a browser")
        each.add_argument("--until-eof", action="store_true", help="stop when standard input ends")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, text in (
        ("run", "serve Discord with a token, open the sandbox without one (the default)"),
        ("serve", "serve Discord, never the sandbox"),
    ):
        command = commands.add_parser(
            name, parents=[shared], help=text, description=f"{text[0].upper()}{text[1:]}."
        )
        command.add_argument("--shards", metavar="FIRST-LAST", help="the shards that this process serves")
        command.add_argument("--shard-count", type=int, metavar="COUNT", help="how many shards there are")
    for add_command in (
        doctor.add_command,
        health.add_command,
        backup.add_backup_command,
        backup.add_restore_command,
        backup.add_compact_command,
        move.add_command,
        replay.add_command,
        rehearse.add_command,
        texts.add_command,
    ):
        add_command(commands)
    return parser


def _run(options: argparse.Namespace) -> int:
    try:
        settings = load(shards=options.shards, shard_count=options.shard_count)
        token = settings.token()
        set_up(settings.log_level, token.get_secret_value() if token is not None else "")
        if unknown := unknown_variables():
            log.warning("unknown settings in the environment: %s", ", ".join(unknown))
        if token is not None:
            work = serve(settings, token.get_secret_value())
            return run_until_stopped(work, until_eof=options.until_eof)
        if options.command == "serve":
            return _refuse(NOTHING_GIVEN)
        return run_until_stopped(_sandbox(settings, browser=not options.no_browser), until_eof=False)
    except TryAgainError as error:
        return _refuse(str(error), ExitCode.TRY_AGAIN)
    except StartError as error:
        return _refuse(str(error))


def _refuse(reason: str, code: ExitCode = ExitCode.NEEDS_OPERATOR) -> ExitCode:
    sys.stderr.write(f"bauta: {reason}\n")
    return code


async def _sandbox(settings: Config, *, browser: bool) -> None:
    with tempfile.TemporaryDirectory(prefix="bauta-") as folder:
        await _sandbox_in(Path(folder), settings, browser=browser)


async def _sandbox_in(folder: Path, settings: Config, *, browser: bool) -> None:
    time_file = folder / "time"
    sandbox = Sandbox(settings.sandbox_host, settings.sandbox_port, time_file=time_file)
    try:
        await sandbox.start()
    except PortInUseError:
        raise StartError(
            f"Port {settings.sandbox_port} is in use, perhaps by another sandbox.\n"
            "Stop that one, or set BAUTA_SANDBOX_PORT to another number (0 takes any that is free)."
        ) from None
    except OSError as error:
        raise StartError(f"The sandbox cannot listen: {error.strerror or error}") from None
    try:
        sys.stdout.write(
            f"Bauta's sandbox is open: {sandbox.entrance}\n"
            "Its key keeps other users of this computer out. Ctrl-C closes it.\n"
        )
        sys.stdout.flush()
        if browser and _has_screen():
            await asyncio.to_thread(webbrowser.open, sandbox.opened)
        # The sandbox keeps nothing when it closes: its matches' database is in a temporary folder, too.
        await _bot_beside(sandbox, folder / "bauta.db", time_file)
    finally:
        await sandbox.stop()


async def _bot_beside(sandbox: Sandbox, database: Path, time_file: Path) -> None:
    environment = {
        **{key: value for key, value in os.environ.items() if key != "DISCORD_TOKEN_FILE"},
        "DISCORD_TOKEN": sandbox.token,
        "BAUTA_API_URL": sandbox.api,
        "BAUTA_GATEWAY_URL": sandbox.gateway,
        "BAUTA_DATABASE": str(database),
        "BAUTA_TIME_FILE": str(time_file),
    }
    while True:
        code = await _bot(environment)
        if code == ExitCode.NEEDS_OPERATOR:
            raise StartError("The bot could not start; the lines above say why.")
        log.warning("bot exited (%s): restarting", code)
        await asyncio.sleep(RESTART_DELAY_S)


async def _bot(environment: dict[str, str]) -> int:
    # The pipe ends it with this process, however this process ends.
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "serve", "--until-eof", stdin=asyncio.subprocess.PIPE, env=environment
    )
    try:
        return await process.wait()
    finally:
        if process.returncode is None:
            process.terminate()
            try:
                await asyncio.wait_for(process.wait(), STOP_TIMEOUT_S)
            except TimeoutError:
                process.kill()
                await process.wait()


def _has_screen() -> bool:
    # Without a display a text browser would open, and take over the terminal.
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


if __name__ == "__main__":
    sys.exit(main())
