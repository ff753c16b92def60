"""The messages between the bot and its worker processes, and their framing."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Work: TypeAlias = tuple[Callable[..., Any], tuple[Any, ...]]
"""A job as sent to a process: a function and its arguments."""

LENGTH = 8
"""Size in bytes of the big-endian length prefix of each job and each answer."""

NOTES = 64
"""Maximum log records sent with one answer, and distinct ones that the bot logs."""


@dataclass(frozen=True, slots=True)
class Note:
    """A log record of a worker, to be logged by the bot."""

    logger: str
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of a job."""

    made: Any = field(repr=False)
    notes: tuple[Note, ...]
    failure: str = ""
    """The name of the exception it failed with, without its text, which may contain secrets."""


def frame(thing: object) -> bytes:
    """Pickle a job or an answer and prefix its length."""
    packed = pickle.dumps(thing)
    return len(packed).to_bytes(LENGTH) + packed
