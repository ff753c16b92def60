"""``bauta health``: whether the bot that serves the database is well. For containers and supervisors.

It reads the pulse (:mod:`bot.heartbeat`). Containers run this module itself (``python -m bot.cli.health``)
every half minute: it imports little.
"""

from __future__ import annotations

import sys
import time

from bot.cli import Commands
from bot.config import StartError, load
from bot.heartbeat import EVERY, Beat, read_beat

ILL = 1

SILENT = 6 * EVERY
"""Seconds without a beat after which the bot hangs, or its database does."""

OFFLINE = 300.0
"""Seconds without Discord that are no illness: connections come and go."""

BEHIND = 1_800.0
"""Seconds after which a job that is due should have been done, or put off; films wait for one another."""


def add_command(commands: Commands) -> None:
    """Add ``bauta health``."""
    text = "say whether the bot that serves the database is well"
    parser = commands.add_parser("health", help=text, description=f"{text.capitalize()}.")
    parser.set_defaults(run=lambda _: report())


def report() -> int:
    """Say in one line how the bot is; return 0 where it is well."""
    try:
        beat = read_beat(load().pulse())
    except StartError as error:
        trouble = str(error)
    except ValueError:
        trouble = "its pulse cannot be read"
    else:
        trouble = "no bot serves this database" if beat is None else ailment(beat, time.time())
    sys.stdout.write(f"{trouble or 'well'}\n")
    return ILL if trouble else 0


def ailment(beat: Beat, now: float) -> str:
    """Return what is wrong with a bot whose last beat this is; an empty text: nothing."""
    # A beat from the future is no sign of life either: the clock was set back since.
    if abs(now - beat.at) > SILENT:
        return f"it gave no sign for {now - beat.at:.0f} s"
    if not beat.online and now - beat.since > OFFLINE:
        return f"it has not been connected to Discord for {now - beat.since:.0f} s"
    if beat.overdue > BEHIND:
        return f"its outbox is {beat.overdue:.0f} s behind"
    return ""


if __name__ == "__main__":
    sys.exit(report())
