"""``bauta backup FILE``, ``bauta restore FILE`` and ``bauta compact``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bot.cli import Commands, ExitCode, file_argument
from bot.config import StartError, load
from bot.domain.address import PostgresqlAddress
from bot.runtime.heartbeat import check_same_files
from bot.store import StoreError
from bot.store.backup import back_up, compact, restore
from bot.store.checks import Inspection
from bot.store.opening import require_postgresql


def add_backup_command(commands: Commands) -> None:
    """Add ``bauta backup``."""
    parser = commands.add_parser(
        "backup",
        help="save the database, while the bot runs",
        description="Save the database that BAUTA_DATABASE names to a new file, while the bot may run. "
        "The file holds the secrets of all running matches: keep it as you keep the database.",
    )
    parser.add_argument(
        "file", type=file_argument, help="the file to make; one that exists is never overwritten"
    )
    parser.set_defaults(run=_backup)


def add_restore_command(commands: Commands) -> None:
    """Add ``bauta restore``."""
    parser = commands.add_parser(
        "restore",
        help="put a backup in the database's place",
        description="Put a backup in the place of the database that BAUTA_DATABASE names. The bot must be "
        "stopped. The former database stays beside it under a name that ends in .before-restore. With "
        "PostgreSQL, whose own tools have set the database back, say so without a file: the next start "
        "tells the threads.",
    )
    parser.add_argument(
        "file", type=file_argument, nargs="?", help="a file that `bauta backup` made; none with PostgreSQL"
    )
    parser.set_defaults(run=_restore)


def add_compact_command(commands: Commands) -> None:
    """Add ``bauta compact``."""
    parser = commands.add_parser(
        "compact",
        help="rewrite the database, once, if an older version made it",
        description="Rewrite the database that BAUTA_DATABASE names: without free pages, and so that the "
        "bot can return these while it runs. The bot must be stopped. It says first how long this may take.",
    )
    parser.set_defaults(run=_compact)


def _backup(options: argparse.Namespace) -> int:
    try:
        database, pulse = _sqlite_file()
        check_same_files(pulse, database)
        found = back_up(database, options.file)
    except (StoreError, StartError) as error:
        return _refuse("backup", error)
    sys.stdout.write(f"{options.file}: {_summary(found)}\n")
    return 0


def _restore(options: argparse.Namespace) -> int:
    try:
        settings = load()
        database = settings.database
        if isinstance(database, Path):
            # The lock of a bot whose lock file was deleted does not protect its database.
            check_same_files(settings.pulse(), database)
            lines = _restored(database, options.file)
        else:
            lines = _marked(database, options.file)
    except (StoreError, StartError) as error:
        return _refuse("restore", error)
    lines.append("When the bot starts, it tells the threads that went on since the backup.")
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def _compact(_: argparse.Namespace) -> int:
    def tell(text: str) -> None:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()

    try:
        database, pulse = _sqlite_file()
        # The lock of a bot whose lock file was deleted does not protect its database.
        check_same_files(pulse, database)
        found, seconds = compact(database, tell)
    except (StoreError, StartError) as error:
        return _refuse("compact", error)
    tell(f"{database}: {_summary(found)}; it took {seconds:.1f} s")
    return 0


def _restored(database: Path, file: Path | None) -> list[str]:
    """Replace a database with a backup, and return the lines to print; raises :class:`StoreError`."""
    if file is None:
        raise StoreError("There is no file to restore.\nName one that `bauta backup` made.")
    found, former = restore(file, database)
    lines = [f"{database}: {_summary(found)}"]
    if found.lacks:
        lines.append(f"Its schema is older by {found.lacks}: the next start brings it up to date.")
    if former is not None:
        lines.append(f"The former database is {former}; delete it when you are sure.")
    return lines


def _marked(address: PostgresqlAddress, file: Path | None) -> list[str]:
    """Note that PostgreSQL was set back, and return the lines to print; raises :class:`StoreError`."""
    if file is not None:
        raise StoreError(
            f"{address} is PostgreSQL's, whose own tools set it back.\n"
            "Do that first, then run `bauta restore` without a file."
        )
    require_postgresql()
    from bot.store.postgresql.preparing import mark_restored  # noqa: PLC0415 - SQLite needs none of it

    mark_restored(address)
    return [f"{address}: it is noted that this was set back."]


def _sqlite_file() -> tuple[Path, Path]:
    """Return the file to work on and its pulse; raises :class:`StartError` if PostgreSQL is named."""
    settings = load()
    database = settings.database
    if isinstance(database, Path):
        return database.resolve(), settings.pulse()
    raise StartError(
        f"{database} is PostgreSQL's, which has its own tools for this.\ndocs/postgresql.md says how."
    )


def _refuse(command: str, error: Exception) -> int:
    sys.stderr.write(f"bauta {command}: {error}\n")
    return ExitCode.FAILED


def _summary(found: Inspection) -> str:
    matches = ", ".join(f"{number} {status}" for status, number in found.matches) or "no matches"
    return f"{matches}; schema {found.schema}, {found.size / (1 << 20):.1f} MiB, whole"
