"""Access rights to act as a person: for programs with the key, and browsers of one user with a cookie.

Other users of this computer reach loopback too. They can read the command line that starts a browser, and
can listen on another port, to which a browser sends the same cookies. So the key is printed in the terminal
only. The opened address and the cookie hold a *ticket*, which is valid over connections of its user only.
"""

import hashlib
import hmac
import ipaddress
import os
import secrets
import sys
from pathlib import Path

from aiohttp import web

ROOT_UID = 0
"""Root may do anything, and forwards ports for other users."""

TCP_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
"""Linux lists the owner of each connection here."""

_ESTABLISHED = "01"
"""Only established connections have an owner: of closed ones, the kernel names root."""


class Access:
    """The key of one run of the sandbox, and the tickets derived from it."""

    def __init__(self) -> None:
        self.key = secrets.token_urlsafe(24)
        self.port = 0
        """Part of the cookie's name, because browsers send a cookie to every port of a host."""

    @property
    def cookie(self) -> str:
        """The name of the cookie."""
        return f"sandbox-{self.port}"

    def ticket(self, user: int | None) -> str:
        """Return the ticket of a user of this computer; ``None``: for connections whose user is unknown."""
        name = "" if user is None else str(user)
        return f"{name}.{hmac.digest(self.key.encode(), name.encode(), hashlib.sha256).hex()}"

    def own_user_ticket(self) -> str | None:
        """Return the ticket to put on a command line; ``None`` if other users could use it too."""
        if TCP_TABLES[0].exists():
            return self.ticket(os.getuid())
        # These systems hide from each user the addresses that others open.
        return self.ticket(None) if sys.platform in ("darwin", "win32") else None

    def is_authorized(self, request: web.Request) -> bool:
        """Return whether a request has the key, or a cookie with a valid ticket."""
        given = request.headers.get("Authorization", "")
        return _equal(given, f"Bearer {self.key}") or self._is_valid(
            request.cookies.get(self.cookie, ""), request
        )

    def exchange(self, request: web.Request) -> str | None:
        """Return the ticket that a browser gets for the key or ticket in its address; ``None``: invalid."""
        if _equal(request.query.get("key", ""), self.key):
            return self.ticket(peer_user(request))
        given = request.query.get("ticket", "")
        return given if self._is_valid(given, request) else None

    def _is_valid(self, ticket: str, request: web.Request) -> bool:
        name = ticket.partition(".")[0]
        user = int(name) if name.isdecimal() and len(name) < 20 else None
        return _equal(ticket, self.ticket(user)) and peer_user(request) in (user, ROOT_UID)


def peer_user(request: web.Request) -> int | None:
    """Return the user at the other end of a request's connection; ``None``: the system does not say."""
    transport = request.transport
    if transport is None:
        return None
    there, here = transport.get_extra_info("peername"), transport.get_extra_info("sockname")
    for path, size in zip(TCP_TABLES, (4, 16), strict=True):
        wanted = [_address(there, size), _address(here, size), _ESTABLISHED]
        try:
            rows = path.read_text("ascii").splitlines()
        except OSError:
            continue
        for row in rows:
            _, *ends, _, _, _, user = row.split()[:8]
            if ends == wanted:
                return int(user)
    return None


def _address(end: tuple[str, int], size: int) -> str:
    """Write an end of a connection as the kernel does: in 32-bit words of the machine's byte order."""
    packed = ipaddress.ip_address(end[0]).packed
    if len(packed) < size:
        packed = bytes(10) + b"\xff\xff" + packed
    words = (packed[at : at + 4] for at in range(0, len(packed), 4))
    return "".join(f"{int.from_bytes(word, sys.byteorder):08X}" for word in words) + f":{end[1]:04X}"


def _equal(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode(errors="surrogateescape"), expected.encode())
