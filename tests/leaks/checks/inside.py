"""What stays within the house but must hold no secret either: logs, reprs, names of tasks, warnings, files."""

from __future__ import annotations

import io
import logging
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from bot.logs import QUIET, set_up

STAMP = len("2026-01-01 00:00:00 ")


@contextmanager
def logged(into: list[str]) -> Iterator[None]:
    """Log as the real bot does at DEBUG, within the block; adds the lines, without their times."""
    root, stream = logging.getLogger(), io.StringIO()
    handlers, level = list(root.handlers), root.level
    levels = {name: logging.getLogger(name).level for name in QUIET}
    hooks = sys.excepthook, threading.excepthook, sys.unraisablehook
    stderr, sys.stderr = sys.stderr, stream
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            set_up("DEBUG", "a-token")
            try:
                yield
            finally:
                logging.captureWarnings(capture=False)
    finally:
        sys.stderr = stderr
        root.handlers[:], logging.raiseExceptions = handlers, True
        root.setLevel(level)
        for name, old in levels.items():
            logging.getLogger(name).setLevel(old)
        sys.excepthook, threading.excepthook, sys.unraisablehook = hooks
        into += [line[STAMP:] if line[:2] == "20" else line for line in stream.getvalue().splitlines()]
