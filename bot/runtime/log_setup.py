r"""Logging: one line per record on standard error, without secrets.

An exception's message may quote what somebody has typed, drafted or drawn, and a response of Discord may
quote its request. So tracebacks are written without messages: only types, numbers and source locations.

A line break within a record is written as ``\n``, in messages and tracebacks alike: journals and containers
take each line for a record, and no text may pass for a record of its own.
"""

from __future__ import annotations

import logging
import re
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import asyncio

QUIET = {
    "aiosqlite": logging.INFO,
    "asyncio": logging.INFO,
    "discord": logging.INFO,
    "psycopg": logging.WARNING,
}
"""Minimum levels of loggers that below them print parameters, bodies, custom ids or each use of a pool."""

LIBRARIES = ("aiohttp", *QUIET)
"""Loggers that warn about every attempt, such as to connect, each time with other values."""

REPEAT_INTERVAL_S = 60.0
"""Seconds for which repeats of a warning are dropped; the next one says how many there were."""

MAX_WARNINGS = 256
"""Different warnings that are remembered."""

NUMBERS = ("status", "code", "errno", "sqlite_errorcode", "sqlstate")
"""Attributes of exceptions worth writing: numbers that distinguish errors of one type."""

DEPTH = 8
"""Exceptions of a chain, and nested groups, that are written, at most."""

log = logging.getLogger(__name__)

_TOKENS_IN_PATHS = re.compile(r"/(webhooks|interactions)/(\d+)/[\w%.-]+")

_ESCAPES = {number: repr(chr(number))[1:-1] for number in (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029)}
"""Escapes for characters that end a line or control a terminal."""

_Info: TypeAlias = "tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]"


class RedactingFormatter(logging.Formatter):
    """Formats a record without the given secrets, the tokens in Discord's paths, and exceptions' messages.

    It works on the finished line, tracebacks included, so that nothing is formatted after it.
    """

    def __init__(self, secrets: tuple[str, ...] = ()) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s", "%Y-%m-%d %H:%M:%S")
        self._secrets = tuple(secret for secret in secrets if secret)

    def format(self, record: logging.LogRecord) -> str:
        """Return ``record`` as one line."""
        record.exc_text = None  # another handler may have cached its own text there
        line = super().format(record)
        for secret in self._secrets:
            line = line.replace(secret, "[token]")
        return _TOKENS_IN_PATHS.sub(r"/\1/\2/[token]", line).translate(_ESCAPES)

    def formatException(self, ei: _Info) -> str:  # noqa: N802 - the name that logging calls
        """Return a traceback without the messages of its exceptions."""
        return "" if ei[1] is None else "\n".join(_told(ei[1], DEPTH))


@dataclass(slots=True)
class _Said:
    """When a warning was last written, and how many repeats were dropped since."""

    at: float
    left_out: int = 0


class RepeatFilter(logging.Filter):
    """Drops repeats of recent warnings and errors; a library's count as repeats whatever their values."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._said: dict[tuple[str, str], _Said] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to write ``record``; adds how many repeats were dropped before it."""
        key = _what_it_says(record)
        if key is None:
            return True
        now = self._clock()
        said = self._said.pop(key, None)
        if said is not None and now < said.at + REPEAT_INTERVAL_S:
            said.left_out += 1
            self._said[key] = said
            return False
        if said is not None and said.left_out:
            record.msg, record.args = f"{record.getMessage()} ({said.left_out} more before)", ()
        self._said[key] = _Said(now)
        if len(self._said) > MAX_WARNINGS:
            del self._said[next(iter(self._said))]
        return True


def _what_it_says(record: logging.LogRecord) -> tuple[str, str] | None:
    """Return the key by which records count as repeats; ``None``: always written."""
    if record.levelno < logging.WARNING:
        return None
    if record.name.partition(".")[0] in LIBRARIES:
        return record.name, str(record.msg)
    # Equal messages may have different tracebacks.
    if record.exc_info:
        return None
    try:
        return record.name, record.getMessage()
    except Exception:
        return None


def _told(error: BaseException, depth: int) -> Iterator[str]:
    # The cause comes first, as in Python's own tracebacks.
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
    """Return an exception's type and numbers, without its message."""
    kind = type(error)
    found = ((name, getattr(error, name, None)) for name in NUMBERS)
    numbers = [f"{name} {value}" for name, value in found if type(value) is int]
    return f"{kind.__module__}.{kind.__qualname__}" + (f" ({', '.join(numbers)})" if numbers else "")


def origin_of(error: BaseException) -> str:
    """Return the type and numbers of an exception's root cause, and the file and line that raised it."""
    while error.__cause__ is not None:
        error = error.__cause__
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return kind_of(error)
    path = PurePath(frames[-1].filename)
    return f"{kind_of(error)} at {path.parent.name}/{path.name}:{frames[-1].lineno}"


def set_up(level: str, *secrets: str) -> None:
    """Make the whole process log at ``level``, but the loggers in :data:`QUIET` not below theirs.

    Other output to standard error, such as warnings and uncaught exceptions, goes through the log.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(RedactingFormatter(secrets))
    handler.addFilter(RepeatFilter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name, floor in QUIET.items():
        logging.getLogger(name).setLevel(max(floor, root.level))
    logging.captureWarnings(capture=True)
    logging.raiseExceptions = False  # a record that cannot be written would be printed with its arguments
    sys.excepthook = _uncaught
    threading.excepthook = _uncaught_in_thread
    sys.unraisablehook = lambda found: log.error(
        "uncaught exception in a finalizer", exc_info=found.exc_value
    )


def set_up_worker() -> None:
    """Make a worker process log only why it crashes; the bot writes its other records."""
    set_up("WARNING")
    logging.getLogger().handlers[0].setLevel(logging.CRITICAL)


def watch(loop: asyncio.AbstractEventLoop) -> None:
    """Log unhandled errors in ``loop``, without the arguments of its callbacks."""
    loop.set_exception_handler(_in_loop)


def _in_loop(_: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
    # asyncio's own message goes on with the arguments of a callback, or the repr of a failed task.
    said = str(context.get("message", "")).partition("(")[0]
    log.error("event loop: %s", said, exc_info=context.get("exception"))


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if not issubclass(kind, KeyboardInterrupt):
        log.critical("uncaught exception", exc_info=(kind, error, trace))


def _uncaught_in_thread(found: threading.ExceptHookArgs) -> None:
    error = found.exc_value
    if error is not None and not isinstance(error, SystemExit):
        log.critical("uncaught exception in a thread", exc_info=error)
