"""Logging: one line a record on standard error, and no secret in it."""

from __future__ import annotations

import logging
import re
import sys

QUIET = ("aiosqlite", "discord", "asyncio")
"""Loggers that print parameters, bodies or custom ids below INFO."""

_TOKENS_IN_PATHS = re.compile(r"/(webhooks|interactions)/(\d+)/[\w%.-]+")


class RedactingFormatter(logging.Formatter):
    """Writes a record without the given secrets, and without the tokens that Discord's paths hold.

    It works on the finished line, tracebacks included, so that nothing is formatted after it.
    """

    def __init__(self, secrets: tuple[str, ...] = ()) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s", "%Y-%m-%d %H:%M:%S")
        self._secrets = tuple(secret for secret in secrets if secret)

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of ``record``."""
        line = super().format(record)
        for secret in self._secrets:
            line = line.replace(secret, "[token]")
        return _TOKENS_IN_PATHS.sub(r"/\1/\2/[token]", line)


def set_up(level: str, *secrets: str) -> None:
    """Let the whole process log at ``level``; the loggers in :data:`QUIET` at INFO at least."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(RedactingFormatter(secrets))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    floor = max(logging.INFO, root.level)
    for name in QUIET:
        logging.getLogger(name).setLevel(floor)
    logging.captureWarnings(capture=True)
