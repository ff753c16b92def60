"""Where the two opinions differ, and Discord's documentation has settled it: README.md says how."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.nightly.referee.world import Json

HAS_THREAD = 1 << 5
DEFAULT, THREAD_CREATED, REPLY, THREAD_STARTER = 0, 18, 19, 21


@dataclass(frozen=True, slots=True)
class Ruling:
    """How a message of one world is read so that it can be compared; ``None``: it is not.

    ``what`` stands in the table of README.md.
    """

    what: str
    world: str
    read: Callable[[Json], Json | None]


def _without(kind: int) -> Callable[[Json], Json | None]:
    return lambda message: None if message["type"] == kind else message


def _unthreaded(message: Json) -> Json:
    return message | {"flags": message["flags"] & ~HAS_THREAD}


def _no_reply(message: Json) -> Json:
    return message | {"type": DEFAULT} if message["type"] == REPLY else message


RULINGS = (
    Ruling("a message with a thread says so", "sandbox", _unthreaded),
    Ruling("a thread begins with its starter message", "sandbox", _without(THREAD_STARTER)),
    Ruling("a thread is announced in its channel", "simcord", _without(THREAD_CREATED)),
    Ruling("a component's answer is a reply", "sandbox", _no_reply),
)
