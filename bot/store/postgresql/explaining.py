"""What an error of PostgreSQL means for whoever runs the house, and what to do: never with a password."""

from __future__ import annotations

from urllib.parse import parse_qsl, unquote, urlsplit

from psycopg import errors
from psycopg_pool import PoolTimeout, TooManyRequests

from bot.domain.address import PostgresqlAddress

NAMED = "BAUTA_DATABASE"
"""Where the address of the house's database stands."""

_AT_START = (
    ("password authentication failed", "Put the right user and password into {named}."),
    ("no password supplied", "Put a user and a password into {named}."),
    ("no pg_hba.conf entry", "Let this user in from this machine (pg_hba.conf), or name another user."),
    ("role", "Make the user first (CREATE ROLE), or name another one in {named}."),
    ("does not exist", "Make the database first (CREATE DATABASE), or name another one in {named}."),
    ("too many", "Raise the server's max_connections, or run fewer processes."),
    ("starting up", "Wait until the server has started, then start again."),
)
"""What the server says while it lets nobody in, and what helps; the first that fits."""


def explain_start(error: BaseException, address: PostgresqlAddress, named: str = NAMED) -> str:
    """Return why a database cannot be opened, and what to do; ``named``: where its address stands."""
    if isinstance(error, errors.InsufficientPrivilege):
        return (
            f"This user may not make tables in {address}.\n"
            "Let it own the database (ALTER DATABASE … OWNER TO …), or name another user."
        )
    if isinstance(error, errors.ReadOnlySqlTransaction):
        return (
            f"{address} takes no changes: it is a standby.\n"
            "Name the primary, or all servers and target_session_attrs=read-write."
        )
    if isinstance(error, errors.DiskFull):
        return f"There is no room left on the server of {address}. Free some space, then start again."
    said = _without_password(" ".join(str(error).split()), address)
    help_ = next((advice for sign, advice in _AT_START if sign in said), None)
    if help_ is None:
        help_ = "See whether the server runs and its address in {named} is right."
    return f"The database {address} cannot be used ({said}).\n{help_.format(named=named)}"


def explain_serving(error: BaseException, address: PostgresqlAddress) -> str:
    """Return why a database cannot be used just now. What the error says could quote what was written."""
    if isinstance(error, errors.DiskFull):
        return f"There is no room left on the server of {address}. Free some space."
    if isinstance(error, (PoolTimeout, TooManyRequests)):
        return f"The database {address} does not answer."
    name = getattr(error, "sqlstate", None) or type(error).__name__
    return f"The database {address} cannot be used ({name})."


def _without_password(said: str, address: PostgresqlAddress) -> str:
    for secret in _secrets(address):
        said = said.replace(secret, "…")
    return said


def _secrets(address: PostgresqlAddress) -> list[str]:
    """Return what must not be said of an address, the longest first."""
    url = address.url
    try:
        parts = urlsplit(url)
        raw = parts.netloc.rpartition("@")[0].partition(":")[2]
        found = {url, raw, unquote(raw), *(value for name, value in parse_qsl(parts.query) if "pass" in name)}
    except ValueError:
        found = {url, url.partition("//")[2]}
    return sorted(filter(None, found), key=len, reverse=True)
