"""``bauta health``: whether the bot that serves the database is healthy. For containers and supervisors.

It reads the pulse (:mod:`bot.runtime.heartbeat`). Containers run this module itself
(``python -m bot.cli.health``) every half minute: it imports little.
"""

from __future__ import annotations

import sys
import time

from bot.cli import Commands, ExitCode, escape_unprintable
from bot.config import StartError, load
from bot.runtime.heartbeat import Beat, read_beat, replaced_files

MAX_OFFLINE_S = 300.0
"""Seconds without Discord that still count as healthy: connections come and go."""

MAX_OVERDUE_S = 1_800.0
"""Seconds after which a due job should have been done or postponed; films wait for each other."""


def add_command(commands: Commands) -> None:
    """Add ``bauta health``."""
    text = "say whether the bot that serves the database is well"
    parser = commands.add_parser("health", help=text, description=f"{text.capitalize()}.")
    parser.set_defaults(run=lambda _: report())


def report() -> int:
    """Print a one-line status; return 0 if healthy."""
    try:
        settings = load()
        beat = read_beat(settings.pulse())
    except StartError as error:
        problem = str(error)
    except ValueError:
        problem = "its pulse cannot be read"
    else:
        problem = (
            "no bot serves this database"
            if beat is None
            else health_problem(beat, time.time()) or replaced_files(beat, settings.database)
        )
    sys.stdout.write(f"{problem or 'well'}\n")
    return ExitCode.FAILED if problem else ExitCode.OK


def health_problem(beat: Beat, now: float) -> str:
    """Return what is wrong with a bot, judged by its last beat; an empty text: nothing."""
    if not beat.is_fresh(now):
        return f"it gave no sign for {now - beat.at:.0f} s"
    if beat.problem:
        return beat.problem
    if not beat.online and now - beat.since > MAX_OFFLINE_S:
        return f"it has not been connected to Discord for {now - beat.since:.0f} s"
    if beat.overdue > MAX_OVERDUE_S:
        return f"its outbox is {beat.overdue:.0f} s behind"
    return ""


if __name__ == "__main__":
    escape_unprintable()
    sys.exit(report())
