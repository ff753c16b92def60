"""Calls: messages to players whom a match waits for. Jobs carry them as encoded targets."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from enum import Enum

from engines.core.contract import Seat


class Way(Enum):
    """How people are called."""

    MENTION = "m"
    """By a mention in the match's thread."""
    MESSAGE = "d"
    """By a direct message that lists all matches that wait for them."""
    ANSWER = "a"
    """By a mention in the match's thread, to answer a question there; identified by user ids."""
    GOODBYE = "g"
    """By the direct message with the result of their match, which was held back."""
    TURN = "t"
    """By the direct message with their panel, which was held back."""
    INVITATION = "i"
    """By the message of the table that invites them, which did not ping them; identified by user ids."""
    HOST = "h"
    """By the message to a table's host that the match can start, which was held back."""


@dataclass(frozen=True, slots=True)
class Call:
    """One message to the people of some seats of a match."""

    way: Way
    at: int
    """Unix time at which it is due."""
    seats: tuple[Seat, ...]
    """The seats to call; user ids for :attr:`Way.ANSWER` and :attr:`Way.INVITATION`; 0 for :attr:`Way.HOST`:
    the host at that time."""
    nudge: bool = False
    """Whether the waiting players asked for it."""
    version: int = 0
    """The public version of the match that a reminder is about. It distinguishes reminders with equal times,
    after the machine's clock was set back."""

    @property
    def target(self) -> str:
        """Return the call encoded as a job's target."""
        seats = ".".join(map(str, self.seats))
        about = f":{self.version}" if self.version else ""
        return f"{self.way.value}:{self.at}:{seats}:{int(self.nudge)}{about}"

    @property
    def number(self) -> int:
        """Return the number by which its message can be found again: nine digits at most.

        It differs for all calls of a match, even in the same second, when several people's quiet hours end.
        """
        return zlib.crc32(self.target.encode()) % 10**9

    @classmethod
    def parse(cls, target: str) -> Call:
        """Decode a job's target; raises ``ValueError`` if it is no call."""
        way, at, seats, nudge, *rest = target.split(":")
        [version] = rest or ["0"]
        return cls(Way(way), int(at), tuple(map(int, seats.split("."))), nudge == "1", int(version))
