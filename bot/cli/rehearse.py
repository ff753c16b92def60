"""``bauta rehearse --channel ID``: everything that the bot does on Discord, once, on a real server."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from pathlib import Path

from bot.cli import Commands, ExitCode
from bot.cli.running import when_asked_to_stop
from bot.config import Config, StartError, load
from bot.gateway import discord_patches
from bot.rehearsal.perform import LINES, Rehearsed, Wanted, rehearse, written
from bot.rehearsal.stage import State
from bot.runtime.heartbeat import read_beat
from bot.runtime.log_setup import set_up, watch
from bot.store.checks import is_held


def add_command(commands: Commands) -> None:
    """Add ``bauta rehearse``."""
    parser = commands.add_parser(
        "rehearse",
        help="try on a real server all that the bot relies on",
        description="Go once through everything that the bot does on Discord, in a channel of a server of "
        "yours, and print a table of what Discord did. The bot must not serve meanwhile. What is made is "
        "taken away again. You are told what to press, in the channel and here.",
    )
    parser.add_argument("--channel", type=int, required=True, metavar="ID", help="a text channel's id")
    parser.add_argument("--no-press", action="store_true", help="leave out what somebody has to press")
    parser.add_argument("--long", action="store_true", help="edit a message after an hour, too, and so on")
    keys = [line.key for line in LINES]
    parser.add_argument(
        "--line",
        action="append",
        default=[],
        choices=keys,
        metavar="NAME",
        help=f"try this line alone; may be repeated. The lines are: {', '.join(keys)}",
    )
    parser.set_defaults(run=_rehearse)


def _rehearse(options: argparse.Namespace) -> int:
    try:
        settings = load()
        token = _token(settings)
        _check_alone(settings)
        set_up("WARNING", token)
        discord_patches.apply()
        if settings.api_url is not None:
            discord_patches.point_discord_at(settings.api_url, settings.gateway_url)
        only = frozenset(options.line)
        wanted = Wanted(options.channel, press=not options.no_press, long=options.long, only=only)
        began = time.monotonic()
        done = asyncio.run(_until_done(token, wanted))
    except StartError as error:
        sys.stderr.write(f"bauta rehearse: {error}\n")
        return ExitCode.NEEDS_OPERATOR
    report = written(done.results, done.left_over, seconds=time.monotonic() - began, secret=token)
    sys.stdout.write(report)
    if done.interrupted:
        return ExitCode.INTERRUPTED
    return ExitCode.FAILED if any(each.state is State.DIFFERS for each in done.results) else ExitCode.OK


def _token(settings: Config) -> str:
    found = settings.token()
    if found is None:
        raise StartError(
            "There is no token: set DISCORD_TOKEN_FILE to a file that holds it, or DISCORD_TOKEN."
        )
    return found.get_secret_value()


def _check_alone(settings: Config) -> None:
    """Raise :class:`StartError` if a bot on this computer serves the configured database."""
    try:
        beat = read_beat(settings.pulse())
    except ValueError:
        beat = None
    alive = beat is not None and beat.is_fresh(time.time())
    database = settings.database
    if alive or (isinstance(database, Path) and is_held(database.resolve())):
        raise StartError(
            f"A bot serves {database} now. Stop it first: people who click would get two answers."
        )


async def _until_done(token: str, wanted: Wanted) -> Rehearsed:
    task = asyncio.current_task()
    watch(asyncio.get_running_loop())
    assert task is not None
    # The first signal ends the rehearsal, which then cleans up; a second one ends that too.
    when_asked_to_stop(task.cancel)
    return await rehearse(token, wanted, _tell)


def _tell(words: str) -> None:
    sys.stderr.write(f"{words}\n")
    sys.stderr.flush()
