"""Explain PostgreSQL errors to the operator, with advice, never showing a password."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from psycopg import OperationalError, errors
from psycopg_pool import PoolTimeout, TooManyRequests

from bot.domain.address import PostgresqlAddress
from bot.store.errors import StoreError, Unreachable

NAMED = "BAUTA_DATABASE"
"""The setting with the address of the bot's database."""

_PEER = (
    "Over its socket the server may let in the user of the same name on this computer without a password: "
    "run this as that user, or leave the user out of {named}."
)

_PASSING = (
    ("too many", "Raise the server's max_connections, or run fewer processes."),
    ("connection slots", "Raise the server's max_connections, or run fewer processes."),
    ("starting up", "Wait until the server has started, then start again."),
    ("shutting down", "Wait until the server has started, then start again."),
    ("recovery mode", "Wait until the server has recovered, then start again."),
)
"""Signs of a server that temporarily refuses connections, with advice. Checked first."""

_AT_START = (
    *_PASSING,
    ("Peer authentication failed", _PEER),
    ("password authentication failed", "Put the right user and password into {named}."),
    ("no password supplied", "Put a user and a password into {named}."),
    ("no pg_hba.conf entry", "Let this user in from this machine (pg_hba.conf), or name another user."),
    ('role "', "Make the user first (CREATE ROLE), or name another one in {named}."),
    ("does not exist", "Make the database first (CREATE DATABASE), or name another one in {named}."),
)
"""Signs of a refused connection, with advice; the first match counts."""


def explain_start(error: BaseException, address: PostgresqlAddress, named: str = NAMED) -> str:
    """Explain why a database cannot be opened, with advice; ``named``: the setting with its address."""
    # A user without access to any schema has none to create tables in.
    if isinstance(error, (errors.InsufficientPrivilege, errors.InvalidSchemaName)):
        return (
            f"This user may not make tables in {address}.\n"
            "Let it own the database (ALTER DATABASE … OWNER TO …), or name another user."
        )
    if isinstance(error, errors.ReadOnlySqlTransaction):
        return explain_standby(address)
    if isinstance(error, errors.DiskFull):
        return f"There is no room left on the server of {address}. Free some space, then start again."
    said = " ".join(str(error).split())
    help_ = next((advice for sign, advice in _AT_START if sign in said), None)
    if help_ is None:
        help_ = "See whether the server runs and its address in {named} is right."
    if "on socket" in said and "no password supplied" in said:
        help_ = f"{_PEER}\nElse put a user and a password into {{named}}, or the password into ~/.pgpass."
    help_ = help_.format(named=named)
    if not address.readable:
        # The error may quote part of the password.
        return (
            f"The database {address} cannot be used.\n{help_}\n"
            "In a password, write each of @ / ? # % as %40 %2F %3F %23 %25."
        )
    return f"The database {address} cannot be used ({_without_password(said, address)}).\n{help_}"


def opening_error(error: BaseException, address: PostgresqlAddress) -> StoreError:
    """Build the error for a database that cannot be opened: :class:`Unreachable` if that may pass."""
    kind = Unreachable if _may_pass(error) else StoreError
    return kind(explain_start(error, address))


def _may_pass(error: BaseException) -> bool:
    # A standby may be promoted, and a server with a full disk may recover.
    if isinstance(error, errors.ReadOnlySqlTransaction):
        return True
    if not isinstance(error, (OperationalError, PoolTimeout, TooManyRequests, OSError)):
        return False
    found = next(((sign, advice) for sign, advice in _AT_START if sign in str(error)), None)
    return found is None or found in _PASSING


def explain_standby(address: PostgresqlAddress) -> str:
    """Return the message for a read-only server."""
    return (
        f"{address} takes no changes: it is a standby.\n"
        "Name the primary, or all servers and target_session_attrs=read-write."
    )


def explain_pooler(address: PostgresqlAddress) -> str:
    """Return the message for a pooler in transaction mode."""
    return (
        f"{address} is a pooler that lends connections by the transaction (PgBouncer's pool_mode).\n"
        "Name the server itself, or set the pooler to pool_mode = session."
    )


def serving_error(error: BaseException, address: PostgresqlAddress) -> StoreError:
    """Build the error for an open database that fails: :class:`Unreachable` if that may pass."""
    kind = Unreachable if _may_pass(error) else StoreError
    return kind(explain_serving(error, address))


def explain_serving(error: BaseException, address: PostgresqlAddress) -> str:
    """Explain why an open database fails, without the error's own text, which could quote stored data."""
    if isinstance(error, errors.DiskFull):
        return f"There is no room left on the server of {address}. Free some space."
    if isinstance(error, (PoolTimeout, TooManyRequests, TimeoutError)):
        return f"The database {address} does not answer."
    name = getattr(error, "sqlstate", None) or type(error).__name__
    return f"The database {address} cannot be used ({name})."


def _without_password(said: str, address: PostgresqlAddress) -> str:
    for secret in _secrets(address):
        said = said.replace(secret, "…")
    return said


def _secrets(address: PostgresqlAddress) -> list[str]:
    """Return the parts of a readable address that must not be shown, longest first."""
    parts = urlsplit(address.url)
    found = [parts.netloc.rpartition("@")[0].partition(":")[2]]
    for each in parts.query.split("&"):
        name, _, value = each.partition("=")
        if "pass" in unquote(name):
            found.append(value)
    every = {address.url, *found, *map(unquote, found)}
    return sorted(filter(None, every), key=len, reverse=True)
