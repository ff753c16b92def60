"""Prepare a PostgreSQL database for serving: check the server, and apply missing migrations."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from importlib.resources import files

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from bot.domain.address import PostgresqlAddress
from bot.store.backup import RESTORED_KEY
from bot.store.errors import StoreError, Unreachable
from bot.store.postgresql.explaining import (
    NAMED,
    explain_pooler,
    explain_standby,
    explain_start,
    opening_error,
)

OLDEST = 150_000
"""PostgreSQL 15 as a libpq version number: the oldest version that we support and test with."""

MIGRATION_LOCK = 0x4261757401
"""The advisory lock for migrations. Our lock numbers begin with "Baut"."""

CONNECT_SECONDS = 5

CONNECTION_DEFAULTS: Mapping[str, str | int] = {
    "application_name": "bauta",
    "connect_timeout": CONNECT_SECONDS,
    # Detect a lost server machine in seconds, not after TCP's default of hours.
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""Connection parameters; those in the address take precedence."""

MIGRATION_SECONDS = 600

POOLER_TRIES = 3
"""Attempts to find out whether two connections share a session."""

SHARD_COUNT_LOCK = 0x42617512
"""The class of the advisory lock that all serving processes share; its object id is the shard count."""

_SERVED = """
SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid::bigint = %s AND objsubid = 2
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
"""


def migrations() -> dict[int, str]:
    """Return the SQL scripts by number, which is the version that each migrates to.

    The first one includes all earlier versions.
    """
    folder = files("bot.store") / "migrations" / "postgresql"
    found = {
        int(item.name.partition("_")[0]): item for item in folder.iterdir() if item.name.endswith(".sql")
    }
    return {number: found[number].read_text("utf-8") for number in sorted(found)}


def prepare(address: PostgresqlAddress) -> None:
    """Check a database and bring it up to date; raises :class:`StoreError` with advice."""
    try:
        with psycopg.connect(conninfo(address), autocommit=True) as connection:
            check_server(connection, address)
            check_sessions(connection, address)
            migrate(connection, address)
    except psycopg.Error as error:
        raise opening_error(error, address) from None


def conninfo(address: PostgresqlAddress, named: str = NAMED) -> str:
    """Return an address with our defaults for what it does not set. Raises :class:`StoreError`."""
    try:
        said = conninfo_to_dict(address.url)
        return make_conninfo(
            address.url, **{name: value for name, value in CONNECTION_DEFAULTS.items() if name not in said}
        )
    except psycopg.Error as error:
        raise StoreError(explain_start(error, address, named)) from None


def inspect(address: PostgresqlAddress) -> str:
    """Describe a database in words, without changing it; raises :class:`StoreError`."""
    try:
        with psycopg.connect(conninfo(address), autocommit=True) as connection:
            check_server(connection, address)
            check_sessions(connection, address)
            server = connection.info.server_version // 10_000
            version, known = schema_version(connection), max(migrations())
            _refuse_unknown(address, version, known)
            if version == 0:
                return f"PostgreSQL {server}; it is empty, and the bot makes its tables when it first starts"
            rows = connection.execute("SELECT status, count(*) FROM match GROUP BY status ORDER BY status")
            counts = ", ".join(f"{number} {status}" for status, number in rows) or "no matches"
            [(size,)] = connection.execute("SELECT pg_database_size(current_database())").fetchall()
            text = f"PostgreSQL {server}, schema {version}, {size / (1 << 20):,.1f} MiB; {counts}"
            lacks = sum(number > version for number in migrations())
            return f"{text}; {lacks} migrations follow at the next start" if lacks else text
    except psycopg.Error as error:
        raise StoreError(explain_start(error, address)) from None


def mark_restored(address: PostgresqlAddress) -> None:
    """Mark a database as restored, so that the next start notifies the threads.

    Raises :class:`StoreError`, also if a process serves it.
    """
    try:
        with psycopg.connect(conninfo(address), autocommit=True) as connection, connection.transaction():
            check_server(connection, address)
            _refuse_unknown(address, schema_version(connection), max(migrations()))
            [(served,)] = connection.execute(_SERVED, (SHARD_COUNT_LOCK,)).fetchall()
            if served:
                raise StoreError(f"A process serves {address} now.\nStop all of them first.")
            connection.execute(
                "INSERT INTO house (key, value) VALUES (%s, %s)"
                " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                (RESTORED_KEY, secrets.token_hex(16)),
            )
            # Commands are registered again. The time of the copy is unknown.
            connection.execute("DELETE FROM house WHERE key LIKE 'commands:%' OR key = 'copied_at'")
    except psycopg.Error as error:
        raise StoreError(explain_start(error, address)) from None


def schema_version(connection: psycopg.Connection) -> int:
    """Return the number of a database's last migration; 0: none yet, -1: another program's database."""
    rows = connection.execute(
        "SELECT to_regclass('migration') IS NOT NULL, to_regclass('match') IS NOT NULL"
    ).fetchall()
    [(is_ours, has_tables)] = rows
    if not is_ours:
        return -1 if has_tables else 0
    [(version,)] = connection.execute("SELECT coalesce(max(number), 0) FROM migration").fetchall()
    return int(version)


def check_server(connection: psycopg.Connection, address: PostgresqlAddress) -> None:
    """Raise :class:`StoreError` if the server is too old or read-only, or the encoding is not UTF-8."""
    version = connection.info.server_version
    if version < OLDEST:
        raise StoreError(
            f"The server of {address} is PostgreSQL {version // 10_000}, which is too old.\n"
            "Use PostgreSQL 15 or newer."
        )
    # Not by a query: in SQL_ASCII databases, the answer would be bytes.
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise StoreError(
            f"The database {address} keeps text as {encoding}, which has not all characters.\n"
            "Make one with ENCODING 'UTF8'."
        )
    # If the tables exist already, a read-only server would otherwise fail at the first unit of changes.
    [(takes_changes,)] = connection.execute(
        "SELECT current_setting('transaction_read_only') = 'off'"
    ).fetchall()
    if not takes_changes:
        raise Unreachable(explain_standby(address))


def check_sessions(connection: psycopg.Connection, address: PostgresqlAddress) -> None:
    """Raise :class:`StoreError` if a pooler lets two connections take turns in one server session.

    The bot's session state would be lost or shared: locks, settings, ``LISTEN``.
    """
    with psycopg.connect(conninfo(address), autocommit=True) as other:
        # Once is enough, unless a third connection interferes at that moment.
        for _ in range(POOLER_TRIES):
            mine = _session(connection)
            try:
                with other.transaction():
                    is_shared = _session(other) == mine or _session(connection) != mine
            except psycopg.errors.ProtocolViolation:
                # A pooler in statement mode refuses transactions altogether.
                is_shared = True
            if is_shared:
                raise StoreError(explain_pooler(address))


def _session(connection: psycopg.Connection) -> int:
    [(pid,)] = connection.execute("SELECT pg_backend_pid()", prepare=False).fetchall()
    return int(pid)


def migrate(connection: psycopg.Connection, address: PostgresqlAddress) -> None:
    """Bring the schema up to date, in the open transaction if any; raises :class:`StoreError`."""
    scripts = migrations()
    known = max(scripts)
    with connection.transaction():
        connection.execute(f"SET LOCAL statement_timeout = '{MIGRATION_SECONDS}s'".encode())
        # A process that starts at the same time waits here, then finds it done.
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
        version = schema_version(connection)
        _refuse_unknown(address, version, known)
        # One transaction: all migrations or none.
        for number in (number for number in scripts if number > version):
            connection.execute(scripts[number].encode())
            connection.execute("INSERT INTO migration (number) VALUES (%s)", (number,))


def _refuse_unknown(address: PostgresqlAddress, version: int, known: int) -> None:
    if version < 0:
        raise StoreError(
            f"{address} holds another program's tables. It was left as it is.\n"
            "Name a database of the house's own."
        )
    if version > known:
        raise StoreError(newer(address, version, known))


def newer(address: PostgresqlAddress, version: int, known: int) -> str:
    """Return the message for a database with more migrations than this version knows."""
    return (
        f"{address} was written by a newer version of the house (its number is {version}, "
        f"this one knows {known}). It was left as it is.\nInstall the newer version again."
    )
