"""Calls: who is told that a match waits for them, and how. They travel as targets of the outbox's jobs."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from enum import Enum

from engines.core.contract import Seat


class Way(Enum):
    """How somebody is called."""

    MENTION = "m"
    """By a mention in the match's thread."""
    MESSAGE = "d"
    """By a direct message that lists all matches that wait for them."""
    ANSWER = "a"
    """By a mention in the match's thread, where a question is open to them: they are named by their ids."""
    GOODBYE = "g"
    """By the direct message that says how their match ended, which was held back."""
    TURN = "t"
    """By their panel as a direct message, which was held back."""
    INVITATION = "i"
    """By the message of a table to which they are invited, which did not ping them: named by their ids."""
    HOST = "h"
    """By the message that tells the host of a table that the match can start, which was held back."""


@dataclass(frozen=True, slots=True)
class Call:
    """One message to the people of some seats of a match."""

    way: Way
    at: int
    """Unix time from which on it is sent."""
    seats: tuple[Seat, ...]
    """The seats that are meant; of :attr:`Way.ANSWER` and :attr:`Way.INVITATION`, the people; of
    :attr:`Way.HOST` 0: whoever is host by then."""
    nudge: bool = False
    """Whether those who wait have asked for it."""
    version: int = 0
    """The public version of the match that a reminder is about: where the machine's clock was set back, a
    second comes twice."""

    @property
    def target(self) -> str:
        """Return the call as a job carries it."""
        seats = ".".join(map(str, self.seats))
        about = f":{self.version}" if self.version else ""
        return f"{self.way.value}:{self.at}:{seats}:{int(self.nudge)}{about}"

    @property
    def number(self) -> int:
        """Return what its message carries, so that it is found again: nine digits at most.

        It tells this call from all others of its match, those of the same second too: whose quiet hours end
        at the same time.
        """
        return zlib.crc32(self.target.encode()) % 10**9

    @classmethod
    def parse(cls, target: str) -> Call:
        """Return the call of a job; raises ``ValueError`` for any other text."""
        way, at, seats, nudge, *rest = target.split(":")
        [version] = rest or ["0"]
        return cls(Way(way), int(at), tuple(map(int, seats.split("."))), nudge == "1", int(version))
