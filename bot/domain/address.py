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


@dataclass(frozen=True, slots=True)
class PostgresqlAddress:
    """A server, as libpq takes it. Shown without its password, whatever else stands in it."""

    url: str = field(repr=False)

    def __str__(self) -> str:
        # Nothing here may raise: an address that cannot be read is not repeated.
        try:
            parts = urlsplit(self.url)
            said = [unquote(parts.netloc.rpartition("@")[2]), parts.path.lstrip("/")]
            said += [f"{name}={value}" for name, value in parse_qsl(parts.query) if name in _SAID]
        except ValueError:
            return "postgresql://…"
        return f"postgresql://{' '.join(filter(None, said))}"


Address: TypeAlias = "Path | PostgresqlAddress"


def address_of(text: str) -> Address:
    """Return what a text names: a server, or a file, with or without ``sqlite:`` before it."""
    if text.startswith(SCHEMES):
        return PostgresqlAddress(text)
    return Path(text.removeprefix(SQLITE))
