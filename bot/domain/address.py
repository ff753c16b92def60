"""Database addresses: an SQLite file, or a PostgreSQL URL, which may contain a password."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias
from urllib.parse import parse_qsl, unquote, urlsplit

SCHEMES = ("postgresql://", "postgres://")

SQLITE = "sqlite:"

_SAID = ("host", "port", "dbname", "user")
"""Parameters of an address that may be shown."""


HIDDEN = "postgresql://…"
"""Shown for an address that may leak its password."""


@dataclass(frozen=True, slots=True)
class PostgresqlAddress:
    """A server's address for libpq. Its text form never contains the password."""

    url: str = field(repr=False)

    @property
    def readable(self) -> bool:
        """Return whether the end of the password is clear: it has no unencoded special character."""
        return str(self) != HIDDEN

    def __str__(self) -> str:
        # Must not raise: an address that cannot be parsed is not shown.
        try:
            return f"postgresql://{' '.join(filter(None, _shown(self.url)))}"
        except ValueError:
            return HIDDEN


def _shown(url: str) -> list[str]:
    """Return the parts that may be shown; raises ``ValueError`` if they may contain some of the password.

    An unencoded ``@``, ``/``, ``?`` or ``#`` ends a password early: the rest looks like a host or a path.
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
    # A nested address may have its own password.
    said += [
        f"{name}={value}" for name, value in parse_qsl(parts.query) if name in _SAID and "@" not in value
    ]
    return said


Address: TypeAlias = "Path | PostgresqlAddress"

NEITHER = (
    "it is neither the path of a file nor an address such as postgresql://user@host/name "
    "(small letters, no driver's name, no blanks)"
)
"""Message for an ambiguous value, which is never quoted, since it may contain a password."""

_NO_FILE = re.compile(
    r"""
    ://                                              # an address of some kind
    | ^ [^/]* : | ^ //                               # a scheme, or a user before a password
    | (pass(word|wd|file)?|host(addr)?|dbname|user|service) \s* =   # libpq's other way to write an address
    | ^ \s | \s $ | [\x00-\x1f\x7f]                 # copied with a blank or a line end
    | ^ (bot\s+)? [\w-]{20,} \. [\w-]{5,8} \. [\w-]{25,} $      # a token of Discord's
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Matches misplaced passwords, tokens and addresses, but hardly any path."""


def address_of(text: str) -> Address:
    """Parse an address: a server, or a file with an optional prefix ``sqlite:``.

    Raises ``ValueError``, which does not quote the text, if it is ambiguous.
    """
    if not text.startswith(SCHEMES):
        return file_of(text.removeprefix(SQLITE))
    if any(char.isspace() or not char.isprintable() for char in text):
        raise ValueError(NEITHER)
    return PostgresqlAddress(text)


def file_of(text: str) -> Path:
    """Parse a path; raises ``ValueError``, which does not quote the text, if it may be a secret."""
    if not text or _NO_FILE.search(text):
        raise ValueError(NEITHER)
    return Path(text)
