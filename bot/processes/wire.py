"""What goes to and fro between the bot and its processes."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Work: TypeAlias = tuple[Callable[..., Any], tuple[Any, ...]]
"""A job as it is sent to a process: what to call, and what with."""

LENGTH = 8
"""Bytes before each job and each answer: how many follow, the highest first."""

NOTES = 64
"""Different texts of the processes that are logged, at most."""


@dataclass(frozen=True, slots=True)
class Note:
    """A log record of a process, to be logged by the bot."""

    logger: str
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a job."""

    made: Any = field(repr=False)
    notes: tuple[Note, ...]
    failure: str = ""
    """The name of the exception that it failed with: what an exception says may hold what nobody may read."""


def frame(thing: object) -> bytes:
    """Return a job or an answer as it is sent."""
    packed = pickle.dumps(thing)
    return len(packed).to_bytes(LENGTH) + packed
