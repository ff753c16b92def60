"""``bauta backup FILE`` and ``bauta restore FILE``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from bot.config import StartError, load
from bot.store import StoreError
from bot.store.copying import back_up, restore
from bot.store.inspecting import Inspection

REFUSED = 1
"""Exit code where nothing was done; the message says why."""


def backup_main(arguments: Sequence[str]) -> int:
    """Run ``bauta backup`` and return its exit code."""
    parser = argparse.ArgumentParser(
        prog="bauta backup",
        description="Save the database that BAUTA_DATABASE names to a new file, while the bot may run. "
        "The file holds the secrets of all running matches: keep it as you keep the database.",
    )
    parser.add_argument("file", type=Path, help="the file to make; one that exists is never overwritten")
    target: Path = parser.parse_args(arguments).file
    try:
        found = back_up(load().database.resolve(), target)
    except (StoreError, StartError) as error:
        return _refuse("backup", error)
    sys.stdout.write(f"{target}: {_written(found)}\n")
    return 0


def restore_main(arguments: Sequence[str]) -> int:
    """Run ``bauta restore`` and return its exit code."""
    parser = argparse.ArgumentParser(
        prog="bauta restore",
        description="Put a backup in the place of the database that BAUTA_DATABASE names. The bot must be "
        "stopped. The former database stays beside it under a name that ends in .before-restore.",
    )
    parser.add_argument("file", type=Path, help="a file that `bauta backup` made")
    backup: Path = parser.parse_args(arguments).file
    try:
        database = load().database
        found, former = restore(backup, database)
    except (StoreError, StartError) as error:
        return _refuse("restore", error)
    lines = [f"{database}: {_written(found)}"]
    if found.lacks:
        lines.append(f"Its schema is older by {found.lacks}: the next start brings it up to date.")
    if former is not None:
        lines.append(f"The former database is {former}; delete it when you are sure.")
    lines.append("When the bot starts, it tells the threads that went on since the backup.")
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def _refuse(command: str, error: Exception) -> int:
    sys.stderr.write(f"bauta {command}: {error}\n")
    return REFUSED


def _written(found: Inspection) -> str:
    matches = ", ".join(f"{number} {status}" for status, number in found.matches) or "no matches"
    return f"{matches}; schema {found.schema}, {found.size / (1 << 20):.1f} MiB, whole"
