"""Where a database is: a file of SQLite, or a PostgreSQL server's address, which may hold a password."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias
from urllib.parse import parse_qsl, unquote, urlsplit

SCHEMES = ("postgresql://", "postgres://")

SQLITE = "sqlite:"

_SAID = ("host", "port", "dbname", "user")
"""Parameters of an address that may be shown."""


HIDDEN = "postgresql://…"
"""An address of which nothing can be shown."""


@dataclass(frozen=True, slots=True)
class PostgresqlAddress:
    """A server, as libpq takes it. Shown without its password, whatever else stands in it."""

    url: str = field(repr=False)

    @property
    def readable(self) -> bool:
        """Return whether it is clear where the password ends: no sign in it is left unencoded."""
        return str(self) != HIDDEN

    def __str__(self) -> str:
        # Nothing here may raise: an address that cannot be read is not repeated.
        try:
            return f"postgresql://{' '.join(filter(None, _shown(self.url)))}"
        except ValueError:
            return HIDDEN


def _shown(url: str) -> list[str]:
    """Return the parts that may be shown; raises ``ValueError`` where they may have some of the password.

    A password with an ``@``, ``/``, ``?`` or ``#`` as it is ends early: the rest looks like a host or a path.
    """
    parts = urlsplit(url)
    user, _, hosts = parts.netloc.rpartition("@")
    if "#" in url or any("@" in part for part in (user, parts.path, parts.query)):
        raise ValueError("it is not clear where the password ends")
    for host in hosts.split(","):
        port = host.rpartition("]")[2].partition(":")[2]
        if port and not port.isdecimal():
            raise ValueError("what stands for a port is none")
    said = [unquote(hosts), parts.path.lstrip("/")]
    # An address within the address has a password of its own.
    said += [
        f"{name}={value}" for name, value in parse_qsl(parts.query) if name in _SAID and "@" not in value
    ]
    return said


Address: TypeAlias = "Path | PostgresqlAddress"


def address_of(text: str) -> Address:
    """Return what a text names: a server, or a file, with or without ``sqlite:`` before it."""
    if text.startswith(SCHEMES):
        return PostgresqlAddress(text)
    return Path(text.removeprefix(SQLITE))
