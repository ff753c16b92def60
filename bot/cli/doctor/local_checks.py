"""Checks of this computer: programs, settings, database, disk, cache, painters. Nothing is changed."""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

import discord

from bot.cli.doctor.report import Finding, fail, note, ok
from bot.cli.health import health_problem
from bot.config import Config, unknown_variables
from bot.domain.address import PostgresqlAddress
from bot.runtime.heartbeat import check_same_files, read_beat
from bot.store import StoreError
from bot.store.checks import Inspection, check_file, is_held
from bot.store.opening import require_postgresql
from bot.store.prepare import check_sqlite
from engines.core.match import Match
from engines.core.registry import games
from engines.core.setups import complete
from renderers.core.contract import Table
from renderers.core.disk_cache import OPEN, privacy_fault
from renderers.core.fonts import has_raqm
from renderers.core.registry import renderers_by_game
from renderers.core.type import use_fonts

LEAST_ROOM, GOOD_ROOM = 100 << 20, 1 << 30
"""Bytes of free disk below which the database is in danger, and below which a note is due."""

CONDITION_ADVICE = {
    "sessions": "Does something restart the bot again and again? See its log. It continues by itself.",
    "commands": "The old ones keep working. Update the bot and restart it: only then does it try again.",
    "api": "Clocks stop meanwhile, and it tries again by itself. A restart does not help.",
    "messages": "Players find their turns in the threads meanwhile, and it tries again by itself.",
}
"""Advice for the conditions that the bot reports, by name."""

HEALTH_ADVICE = (
    "See the bot's log. If no bot runs, this is what one that was killed has left. If the database was "
    "deleted or replaced, do not stop it yet: docs/troubleshooting.md says what to do."
)

SEED = bytes(32)
"""Seed of the matches that are painted to check whether painting works: nobody plays them."""


def check_programs() -> Finding:
    """Report the versions of Python, SQLite and discord.py; an SQLite that is too old fails."""
    versions = ("Python", platform.python_version()), ("SQLite", sqlite3.sqlite_version)
    text = ", ".join(f"{name} {number}" for name, number in (*versions, ("discord.py", discord.__version__)))
    try:
        check_sqlite()
    except StoreError as error:
        return _of(error, "programs", text)
    return ok("programs", text)


def check_settings(settings: Config) -> Finding:
    """Report the settings, except for the token."""
    text = f"database {settings.database}, cache {settings.cache}, log level {settings.log_level}"
    if settings.api_url is not None:
        # Its address may have a password or a key in it.
        return note("settings", f"{text}; another Discord: {urlsplit(settings.api_url).hostname}")
    return ok("settings", text)


def check_variables() -> list[Finding]:
    """Note variables that look like settings but are none: another program's, or mistakes."""
    if not (unknown := unknown_variables()):
        return []
    text = f"the environment has variables that are no settings: {', '.join(unknown)}"
    return [note("variables", text, "Unset them, unless another program has made them (Kubernetes does).")]


def check_token_file(settings: Config) -> list[Finding]:
    """Note a token that every user of a container can read; elsewhere such a file is refused."""
    file = settings.discord_token_file
    if (
        file is None
        or not settings.token_is_mounted()
        or not file.exists()
        or not file.stat().st_mode & 0o077
    ):
        return []
    return [
        note(
            "token file",
            f"every user of this container can read {file}, as its engine mounts secrets",
            "Let nothing else run in the container, or mount the secret with mode 0400 and the bot's user.",
        )
    ]


def check_database(settings: Config) -> list[Finding]:
    """Check the database without changing it, the health of its bot, and free disk space."""
    if isinstance(settings.database, Path):
        file = check_sqlite_file(settings.database, settings.pulse())
        found = [*file, check_disk(settings.database)]
    else:
        found = [check_postgresql(settings.database)]
    return [*found, *check_service(settings.pulse())]


def check_postgresql(address: PostgresqlAddress) -> Finding:
    """Check a PostgreSQL database without changing it."""
    try:
        require_postgresql()
        from bot.store.postgresql.preparing import inspect  # noqa: PLC0415 - not needed for SQLite

        return ok("database", inspect(address))
    except StoreError as error:
        return _of(error, "database")


def check_sqlite_file(path: Path, pulse: Path) -> list[Finding]:
    """Check an SQLite file without changing it, and whether a bot serves it."""
    database = path.resolve()
    try:
        # First of all: opening a database whose log is missing creates another log.
        check_same_files(pulse, database)
    except StoreError as error:
        return [_of(error, "database")]
    if not database.exists():
        return [_check_new_file(path, database)]
    try:
        found = check_file(database)
    except StoreError as error:
        return [_of(error, "database")]
    counts = ", ".join(f"{number} {status}" for status, number in found.matches) or "no matches"
    text = f"whole, schema {found.schema}, {_mib(found.size)}; {counts}"
    if found.lacks:
        text += f"; {found.lacks} migrations follow at the next start"
    held = "a bot serves it now" if is_held(database) else "no bot serves it now"
    return [ok("database", text), ok("lock", held), *check_compact(found), *check_private(database)]


def check_compact(found: Inspection) -> list[Finding]:
    """Note a file that an older version has made and that was not compacted since."""
    if found.is_compact:
        return []
    text = "an older version has made the file: what was deleted then may be in free pages, which it keeps"
    return [note("compact", text, "Stop the bot and run `bauta compact`, once.")]


def _check_new_file(path: Path, database: Path) -> Finding:
    # The bot creates the folder of its database, but none above it.
    folder = database.parent if database.parent.exists() else database.parent.parent
    if (fault := _write_fault(folder)) is not None:
        advice = (
            "Make its folder, give this user the right to write there, or set BAUTA_DATABASE to another file."
        )
        return fail("database", f"{path} is not there, and cannot be made: {folder} {fault}", advice)
    advice = "The bot makes it when it first starts. Is it the right path?"
    return note("database", f"{path} is not there yet", advice)


def check_service(pulse: Path) -> list[Finding]:
    """Report whether the bot that writes a pulse is healthy, and its lasting problems."""
    try:
        beat = read_beat(pulse)
    except ValueError as error:
        return [fail("service", f"{pulse} is no pulse ({error})", "Delete it: the bot writes another one.")]
    if beat is None:
        return []
    problem = health_problem(beat, time.time())
    service = fail("service", problem, HEALTH_ADVICE) if problem else ok("service", "the bot is well")
    return [
        service,
        *(note(name, text, CONDITION_ADVICE.get(name, "")) for name, text in beat.conditions.items()),
    ]


def check_private(database: Path) -> list[Finding]:
    """Note a database that other users of this computer can read."""
    if database.stat().st_mode & 0o004 and _open_to_others(database.parent):
        return [
            note(
                "secrets",
                f"every user of this computer can read {database.name}, and so all secrets in it",
                f"chmod o-rwx {database.parent}",
            )
        ]
    return []


def _open_to_others(folder: Path) -> bool:
    # Others get to a file only if they may pass through every folder above it.
    return all(parent.stat().st_mode & 0o001 for parent in (folder, *folder.parents))


def check_disk(path: Path) -> Finding:
    """Report the database's free disk space: its log grows, and a backup needs as much again."""
    folder = _nearest(path.resolve().parent)
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return fail(
            "disk", f"{folder} cannot be asked ({error.strerror})", "Put the database on a local disk."
        )
    size = path.stat().st_size if path.is_file() else 0
    text = f"{_mib(free)} free beside the database"
    if free < LEAST_ROOM + size:
        return fail("disk", text, "Free some space: a full disk stops every match.")
    if free < GOOD_ROOM + size:
        return note("disk", text, "Free some space before it is needed.")
    return ok("disk", text)


def check_cache(folder: Path) -> Finding:
    """Check whether scenes and sprites can be cached; a missing folder is not created."""
    advice = "Give this user the right to write there, or set BAUTA_CACHE to another folder."
    nearest = _nearest(folder.absolute())
    if (fault := _write_fault(nearest)) is not None:
        return fail("cache", f"{nearest} {fault}", advice)
    if nearest != folder.absolute():
        return ok("cache", f"{folder} will be made")
    if (fault := privacy_fault(folder)) is not None:
        advice = (
            f"chmod 700 {folder}"
            if fault == OPEN
            else "Run the doctor as the bot's user, or set BAUTA_CACHE."
        )
        return note("cache", f"{folder} is not private: {fault}", advice)
    return ok("cache", f"{folder} can be written")


def check_fonts(folder: Path | None) -> list[Finding]:
    """Report the additional fonts for names, and whether text can be shaped.

    From now on this process paints with them.
    """
    count, unreadable = use_fonts(folder)
    if folder is None:
        text = "names in Latin, Greek and Cyrillic letters are painted; other names are shown as sides"
        return [ok("fonts", text)]
    if not count:
        return [note("fonts", f"there are none in {folder}", "Set BAUTA_FONTS to a folder of fonts.")]
    if unreadable:
        names = ", ".join(path.name for path in unreadable[:3])
        return [note("fonts", f"not all can be read: {names}", f"Look at what is in {folder}.")]
    shaped = "" if has_raqm() else "; Raqm is missing: Arabic or Indic names are shown as sides"
    return [ok("fonts", f"{count} more from {folder}{shaped}")]


def _write_fault(folder: Path) -> str | None:
    """Return why no file can be created in a folder; ``None``: one can. Leaves no file there."""
    if not folder.is_dir():
        return "is no folder"
    if not os.access(folder, os.W_OK | os.X_OK):
        return "cannot be written"
    try:
        # Permissions say nothing about a disk that is full or read-only, or about /proc, which is no disk.
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"\0")
    except OSError as error:
        return f"cannot be written ({error.strerror})"
    return None


def check_painters() -> list[Finding]:
    """Load every game and its painter, fonts included, and paint one board of each."""
    advice = "Install again what requirements/run.txt names; the README says how."
    try:
        found, painters = games(), renderers_by_game()
    except Exception as error:
        return [fail("games", f"not all can be loaded ({type(error).__name__}: {error})", advice)]
    if not found:
        return [fail("games", "none is installed", advice)]
    findings = [ok("games", ", ".join(f"{game.manifest.title}" for game in found.values()))]
    for key, game in found.items():
        title = game.manifest.title
        if key not in painters:
            findings.append(fail("painter", f"{title} has none: its boards are shown as text", advice))
            continue
        try:
            match = Match.start(game, complete(game.manifest), SEED)
            names = tuple(f"Player {seat}" for seat in range(match.setup.seats))
            view = match.view(None)
            for picture, _ in painters[key].pictures(view):
                painters[key].paint(view, picture, Table(names), (), None)
        except Exception as error:
            findings.append(fail("painter", f"{title} cannot be painted ({type(error).__name__})", advice))
        else:
            findings.append(ok("painter", f"{title} paints"))
    return findings


def _of(error: StoreError, name: str, before: str = "") -> Finding:
    wrong, _, advice = str(error).partition("\n")
    return fail(name, f"{before}: {wrong}" if before else wrong, advice)


def _nearest(folder: Path) -> Path:
    return next((one for one in (folder, *folder.parents) if one.exists()), folder)


def _mib(size: int) -> str:
    return f"{size / (1 << 20):,.1f} MiB"
