"""Logging: one line a record on standard error, and no secret in it.

What an exception says may quote what somebody has typed, drafted or drawn, and what Discord answers may
quote what it was sent. So tracebacks are written without the texts of their exceptions: types, numbers,
and where in the program it happened.
"""

from __future__ import annotations

import asyncio
import logging
import re
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from types import TracebackType
from typing import Any, TypeAlias

QUIET = ("aiosqlite", "asyncio", "discord", "psycopg")
"""Loggers that print parameters, bodies or custom ids below INFO."""

NUMBERS = ("status", "code", "errno", "sqlite_errorcode", "sqlstate")
"""Attributes of exceptions that are worth writing: numbers that say which of its kind it is."""

DEPTH = 8
"""Exceptions of a chain, and groups within groups, that are written."""

log = logging.getLogger(__name__)

_TOKENS_IN_PATHS = re.compile(r"/(webhooks|interactions)/(\d+)/[\w%.-]+")

_Info: TypeAlias = "tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]"


class RedactingFormatter(logging.Formatter):
    """Writes a record without the given secrets, the tokens in Discord's paths, and what exceptions say.

    It works on the finished line, tracebacks included, so that nothing is formatted after it.
    """

    def __init__(self, secrets: tuple[str, ...] = ()) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s", "%Y-%m-%d %H:%M:%S")
        self._secrets = tuple(secret for secret in secrets if secret)

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of ``record``."""
        record.exc_text = None  # another handler may have left its own wording there
        line = super().format(record)
        for secret in self._secrets:
            line = line.replace(secret, "[token]")
        return _TOKENS_IN_PATHS.sub(r"/\1/\2/[token]", line)

    def formatException(self, ei: _Info) -> str:  # noqa: N802 - the name that logging calls
        """Return a traceback without the texts of its exceptions."""
        return "" if ei[1] is None else "\n".join(_told(ei[1], DEPTH))


def _told(error: BaseException, depth: int) -> Iterator[str]:
    # What led to an error stands first, as in what Python itself writes.
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if depth and before is not None:
        yield from _told(before, depth - 1)
        yield "which led to:" if error.__cause__ is not None else "while that was dealt with:"
    yield "Traceback (most recent call last):"
    yield from (line.rstrip("\n") for line in traceback.format_tb(error.__traceback__))
    yield kind_of(error)
    if depth and isinstance(error, BaseExceptionGroup):
        for number, part in enumerate(error.exceptions, 1):
            yield f"part {number}:"
            yield from (f"  {line}" for line in _told(part, depth - 1))


def kind_of(error: BaseException) -> str:
    """Return an exception's type and numbers, and nothing of what it says."""
    kind = type(error)
    found = ((name, getattr(error, name, None)) for name in NUMBERS)
    numbers = [f"{name} {value}" for name, value in found if type(value) is int]
    return f"{kind.__module__}.{kind.__qualname__}" + (f" ({', '.join(numbers)})" if numbers else "")


def origin_of(error: BaseException) -> str:
    """Return the type and numbers of what an exception began with, and the file and line that raised it."""
    while error.__cause__ is not None:
        error = error.__cause__
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return kind_of(error)
    path = PurePath(frames[-1].filename)
    return f"{kind_of(error)} at {path.parent.name}/{path.name}:{frames[-1].lineno}"


def set_up(level: str, *secrets: str) -> None:
    """Let the whole process log at ``level``; the loggers in :data:`QUIET` at INFO at least.

    What would be written to standard error beside the log, such as an exception that nobody caught,
    goes through it.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(RedactingFormatter(secrets))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    floor = max(logging.INFO, root.level)
    for name in QUIET:
        logging.getLogger(name).setLevel(floor)
    logging.captureWarnings(capture=True)
    logging.raiseExceptions = False  # a record that cannot be written would be printed with its arguments
    sys.excepthook = _uncaught
    threading.excepthook = _uncaught_in_thread
    sys.unraisablehook = lambda found: log.error("nobody could catch this", exc_info=found.exc_value)


def watch(loop: asyncio.AbstractEventLoop) -> None:
    """Let what goes wrong in ``loop`` unseen be logged without the arguments of the callbacks in it."""
    loop.set_exception_handler(_in_loop)


def _in_loop(_: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
    # asyncio's own wording goes on with the arguments of a callback, and with the repr of a task that failed.
    said = str(context.get("message", "")).partition("(")[0]
    log.error("in the event loop: %s", said, exc_info=context.get("exception"))


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if not issubclass(kind, KeyboardInterrupt):
        log.critical("nobody caught this", exc_info=(kind, error, trace))


def _uncaught_in_thread(found: threading.ExceptHookArgs) -> None:
    error = found.exc_value
    if error is not None and not isinstance(error, SystemExit):
        log.error("nobody caught this in a thread", exc_info=error)
