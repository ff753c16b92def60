"""The outbox: jobs that are due after commits, and what our messages show."""

from __future__ import annotations

import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from bot.domain.tables import PersonId
from engines.core.contract import Seat


class JobKind(Enum):
    """What to show or do after a commit.

    A new kind needs a line in ``LANES`` (``bot/sync/backlog.py``) or in :data:`DEFERRABLE`, one in
    :data:`TIMED` if it waits for its time, and its work in the ``jobs`` of a surface (``bot/sync``).
    """

    LOBBY = "lobby"
    """Update the table's message."""
    THREAD = "thread"
    """Start the match's thread."""
    BOARD = "board"
    """Update the board message at the thread's end."""
    TURN = "turn"
    """Send the private message of a pending seat; ``target`` is the seat."""
    COMPUTER = "computer"
    """A computer player must decide, and answers at once: ``Actions.play_computer``."""
    THINK = "think"
    """A computer player must decide, and thinks for a while: the same, once the board is shown."""
    INTERRUPT = "interrupt"
    """A computer player sees something new, and may act out of turn: ``Actions.play_computer``."""
    OFFER = "offer"
    """A draw is offered: ask for answers, or show that the question is closed."""
    OVERDUE = "overdue"
    """A seat's time is up: ask the waiting player, or show that the question is closed."""
    REMIND = "remind"
    """Remind people that a match waits for them; ``target`` is an encoded :class:`Call`."""
    MOTION = "motion"
    """A motion is proposed: ask the others, or show that the question is closed."""
    SEAT_OFFER = "seat_offer"
    """A seat is offered to a person: ask them, or show that the question is closed."""
    FORGET = "forget"
    """A seat has a new holder: delete the former one's direct messages; ``target`` is their id."""
    ABSENTEES = "absentees"
    """Check that players who were asked or reminded are still on the server; ``target``: their seats."""
    IDLE = "idle"
    """A match is idle: announce when it will be closed; ``target`` is the time of its last act."""
    END = "end"
    """The match is over."""
    GOODBYE = "goodbye"
    """The match is over: send the result to a player by direct message; ``target`` is the seat."""
    FILM = "film"
    """The match is over: paint its film, and add it to the last board."""
    ARCHIVE = "archive"
    """The match is over: let Discord archive its thread after an hour without messages."""
    EXPIRE = "expire"
    """Close an open table that nobody joins; due a day after its last change."""
    SET_BACK = "set_back"
    """A backup was restored: notify the thread, and remove the buttons of newer messages."""
    FROZEN = "frozen"
    """The match is frozen: notify its players."""
    REVIEW = "review"
    """A process died or a job was given up: once its requests have all ended, look for late effects."""
    LOOK = "look"
    """The board may be missing, and Discord could not confirm it: check again."""
    CHECK = "check"
    """The bot has started: check that the match can be continued and its board is up to date."""


DEFERRABLE = (
    JobKind.FILM,
    JobKind.ABSENTEES,
    JobKind.IDLE,
    JobKind.EXPIRE,
    JobKind.ARCHIVE,
    JobKind.REVIEW,
    JobKind.CHECK,
)
"""Jobs that nobody waits for.

PostgreSQL's index ``job_urgent`` (``0011_begin.sql``) lists them: a new one needs a migration.
"""

TIMED = (JobKind.REMIND, JobKind.REVIEW, JobKind.ARCHIVE, JobKind.EXPIRE)
"""The only jobs that wait until their ``due``. All others are ready at once, or some time after a failure."""


@dataclass(frozen=True, slots=True)
class Job:
    """A row of the outbox. A newer commit that enqueues the same job gives it a new ``revision``."""

    table_id: str
    kind: JobKind
    target: str
    """Empty, or as defined by the kind."""
    revision: int
    tries: int
    """Number of failures so far."""
    version: int = 0
    """The table's version when it was enqueued; older versions must not be shown."""

    @property
    def seat(self) -> int:
        """Return the seat that a turn or a goodbye is for; raises ``ValueError`` for other kinds."""
        return int(self.target)


Work: TypeAlias = Callable[[Job], Awaitable[object]]
"""Carries out a job; it can be repeated at any time."""

STALE_MARK = "?"
"""The stale mark: begins the digest of a message that must be checked or sent again.

A random suffix identifies each mark: only a page built after reading that mark clears it.
"""


@dataclass(frozen=True, slots=True)
class QueuedJob:
    """A job, with what its scheduling depends on."""

    job: Job
    due: float
    """Unix time."""
    channel_id: int
    host: PersonId
    """Who opened the table."""
    is_open: bool = False
    is_live: bool = False
    """Whether the match was running when the job was read."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One of our messages on Discord: its place, and what it shows."""

    channel_id: int
    message_id: int
    epoch: int = 0
    version: int = 0
    """The public version: see ``Board``. Earlier versions of the bot numbered epochs differently, from 1 on,
    so compare only :attr:`reach`."""
    table_version: int = 0
    """The table's version; it also counts secret acts, so no message contains it."""
    digest: str = ""
    """Digest of the page as sent; empty: unknown."""

    @property
    def reach(self) -> int:
        """Return the version that the message has reached; for a text-only one, that of its epoch."""
        return max(self.epoch, self.version)

    @property
    def is_stale(self) -> bool:
        """Return whether the message is marked stale: it may be outdated or gone."""
        return self.digest.startswith(STALE_MARK)


@dataclass(frozen=True, slots=True)
class RecordBefore:
    """The stored state of a surface when building a page for it began."""

    version: int
    """The table's version: the page shows this or a newer one."""
    shown: Shown | None
    digest: str
    """A stale mark set later also applies to the page."""


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job to enqueue."""

    table_id: str
    kind: JobKind
    target: str = ""
    due: float = 0.0
    """Unix time. The worker waits for it only if the kind is in :data:`TIMED`; others may be done at once."""


@dataclass(frozen=True, slots=True)
class ShownRow:
    """What a surface of a table shows, or last showed."""

    message: Shown | None
    """``None``: the message is gone."""
    epoch: int
    version: int
    since: int
    """The version that the previous epoch's message showed; 0: there was none."""
    digest: str
    """Digest of the message, or a stale mark for the next one."""

    @property
    def reach(self) -> int:
        """Return the version that the message reached: see :class:`Shown`."""
        return max(self.epoch, self.version)


class CallWay(Enum):
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

    way: CallWay
    at: int
    """Unix time at which it is due."""
    seats: tuple[Seat, ...]
    """The seats to call; user ids for :attr:`CallWay.ANSWER` and :attr:`CallWay.INVITATION`; 0 for
    :attr:`CallWay.HOST`: the host at that time."""
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
        return cls(CallWay(way), int(at), tuple(map(int, seats.split("."))), nudge == "1", int(version))
