"""``bauta move --from sqlite:FILE --to postgresql://…``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bot.cli import Commands, ExitCode
from bot.domain.address import Address, PostgresqlAddress, address_of
from bot.store import StoreError
from bot.store.opening import require_postgresql

if TYPE_CHECKING:
    from bot.store.postgresql.moving import Moved

FEW = 5
"""Broken logs that are named, at most; all are counted."""

ONE_WAY = (
    "A house is moved from SQLite to PostgreSQL only: --from sqlite:FILE --to postgresql://…\n"
    "There is no way back but the file that it was moved from, which stays as it was. To copy a file of "
    "SQLite use `bauta backup`, and the server's own tools (pg_dump) for PostgreSQL."
)


def add_command(commands: Commands) -> None:
    """Add ``bauta move``."""
    parser = commands.add_parser(
        "move",
        help="carry everything from SQLite to PostgreSQL",
        description="Carry a whole house from a file of SQLite to an empty database of PostgreSQL, and check "
        "it there. The bot must be stopped. The file is left as it is. However a move ends, everything is in "
        "the new database, or nothing. A password in the address can be seen in the list of processes: "
        "~/.pgpass or PGPASSFILE keep it out of there.",
    )
    parser.add_argument(
        "--from",
        dest="source",
        type=_address,
        required=True,
        metavar="sqlite:FILE",
        help="the database to move",
    )
    parser.add_argument(
        "--to",
        dest="target",
        type=_address,
        required=True,
        metavar="postgresql://…",
        help="an empty database of a server",
    )
    parser.set_defaults(run=_move)


def _move(options: argparse.Namespace) -> int:
    try:
        source, target = _both(options.source, options.target)
        require_postgresql("--to")
        # Imported late: not needed, nor always installed, for SQLite.
        from bot.store.postgresql.moving import move  # noqa: PLC0415

        moved = move(source, target, _tell)
    except StoreError as error:
        sys.stderr.write(f"bauta move: {error}\n")
        return ExitCode.FAILED
    except KeyboardInterrupt:
        sys.stderr.write(
            "bauta move: It was stopped: nothing was moved, unless that was its very last step.\n"
            "Move again: it says which.\n"
        )
        return ExitCode.INTERRUPTED
    sys.stdout.write(f"{target}: {_summary(moved)}\n")
    sys.stdout.write(
        f"{source} is as it was: keep it until you are sure, and do not serve it any more.\n"
        "Set BAUTA_DATABASE to the new address, then start the bot.\n"
    )
    return 0


def _address(text: str) -> Address:
    try:
        return address_of(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _both(source: Address, target: Address) -> tuple[Path, PostgresqlAddress]:
    if isinstance(source, PostgresqlAddress) or not isinstance(target, PostgresqlAddress):
        raise StoreError(ONE_WAY)
    return source, target


def _tell(words: str) -> None:
    sys.stderr.write(f"{words}\n")
    sys.stderr.flush()


def _summary(moved: Moved) -> str:
    parts = [
        ", ".join(f"{number:,} {status}" for status, number in moved.matches) or "no matches",
        f"{moved.rows:,} rows of {moved.tables} tables and {moved.logs.matches:,} logs are the same there",
    ]
    if broken := moved.logs.broken:
        named = ", ".join(broken[:FEW]) + (", …" if len(broken) > FEW else "")
        parts.append(f"{len(broken)} of these logs are broken, as they were ({named})")
    return "; ".join([*parts, f"{moved.seconds:.1f} s"])
