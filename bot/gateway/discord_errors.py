"""Discord's error codes by name. See "JSON error codes" in Discord's documentation."""

from __future__ import annotations

import re

import aiohttp
import discord

UNKNOWN_CHANNEL = 10003
GONE = frozenset({UNKNOWN_CHANNEL, 10008})  # 10008: unknown message
"""The channel or the message no longer exists."""

# Unknown interaction, unknown webhook, unknown message, invalid webhook token.
TOO_LATE = frozenset({10062, 10015, 10008, 50027})
"""The interaction or its token has expired, or its message is gone."""

ALREADY_ACKNOWLEDGED = 40060
"""The interaction has had its first response."""

INVALID_FORM = 50035
"""The body is refused, for example because it names an attachment that the message no longer has."""

NOBODY = frozenset({10007, 10013})
"""There is no such member of the server, or no such user at all."""

ARCHIVED = 50083
FORBIDDEN = frozenset({50001, 50013})  # missing access, missing permissions
DMS_CLOSED = frozenset({50007, 50278})  # by the person's choice, or no server in common
THREAD_EXISTS = 160004
THREAD_LOCKED = 160005
TOO_MANY_THREADS = 160006

UNREACHED = (discord.DiscordException, aiohttp.ClientError, OSError)
"""Errors of requests that failed through no fault of our own."""


OUTAGE = (discord.RateLimited, discord.DiscordServerError, aiohttp.ClientError, OSError)
"""Errors of requests while Discord is unreachable or accepts none: a traceback would add nothing."""


class ThreadLocked(Exception):  # noqa: N818 - a finding, not a fault
    """The thread is locked: only a member with Manage Threads can open it."""


def code_of(error: BaseException) -> int:
    """Return an error's Discord code; 0 for any other error."""
    return error.code if isinstance(error, discord.HTTPException) else 0


_WORD = re.compile(r"@?[a-z][a-z-]{1,23}")
_TOKEN_AFTER = frozenset({"interactions", "webhooks"})
_ROUTE = "bauta_route"


def route_of(method: str, path: str) -> str:
    """Return a request's route without its ids and tokens: an interaction's token is a secret."""
    parts = path.split("/")
    if parts[1:2] == ["api"]:
        parts = ["", *parts[3 if parts[2][:1] == "v" else 2 :]]
    shown = []
    for place, part in enumerate(parts):
        is_token = place >= 2 and parts[place - 2] in _TOKEN_AFTER  # as in /webhooks/{id}/{token}
        shown.append("{token}" if is_token else part if not part or _WORD.fullmatch(part) else "{id}")
    return f"{method} {'/'.join(shown)}"


def failure_of(error: BaseException) -> str:
    """Describe an error for the log: its type and, if a request failed, status, code and route."""
    said = [type(error).__name__]
    if isinstance(error, discord.HTTPException):
        response = error.response
        said += [str(error.status), *([f"code {error.code}"] if error.code else [])]
        if isinstance(response, aiohttp.ClientResponse):
            said.append(route_of(response.method, response.url.path))
    # For a request without a response, the route was noted where it failed.
    return " ".join([*said, *filter(None, [vars(error).get(_ROUTE)])])


def note_route(error: BaseException, method: str, path: str) -> None:
    """Attach a failed request's route to its error, for :func:`failure_of`.

    Not as one of Python's notes: those of other errors may quote anything.
    """
    vars(error)[_ROUTE] = route_of(method, path)
