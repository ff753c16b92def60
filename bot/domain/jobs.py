"""The outbox: what has to be shown, and what is shown where."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bot.domain.tables import PersonId


class JobKind(Enum):
    """What has to be shown or done after a commit."""

    LOBBY = "lobby"
    """The table's message."""
    THREAD = "thread"
    """The match's thread: start it."""
    BOARD = "board"
    """The board message at the thread's end."""
    TURN = "turn"
    """The private message of a seat that is asked; ``target`` is the seat."""
    COMPUTER = "computer"
    """A computer player is asked, and answers at once: ``Actions.play_computer``."""
    THINK = "think"
    """A computer player is asked that thinks for a while: the same, once the board is shown."""
    INTERRUPT = "interrupt"
    """A computer player sees something new, and may speak unasked: ``Actions.play_computer``."""
    OFFER = "offer"
    """Offers of a draw: ask for the answers, or show that there is nothing to answer any more."""
    OVERDUE = "overdue"
    """A seat's time is up: ask the one who waits, or show that there is nothing to answer any more."""
    REMIND = "remind"
    """Somebody is to be told that a match waits for them; ``target`` says whom: see ``domain/calls``."""
    MOTION = "motion"
    """Somebody proposes something: ask the others, or show that there is nothing to answer any more."""
    SEAT_OFFER = "seat_offer"
    """A seat is offered to somebody: ask them, or show that there is nothing to answer any more."""
    FORGET = "forget"
    """A seat has passed on: delete the direct messages of who held it; ``target`` is that person's id."""
    ABSENTEES = "absentees"
    """Somebody is asked, or reminded: see whether they are still on the server; ``target``: their seats."""
    IDLE = "idle"
    """Nobody plays a match any more: say when it will be closed; ``target`` is the time of its last act."""
    END = "end"
    """The match is over."""
    GOODBYE = "goodbye"
    """The match is over: say how it ended to who plays by direct message; ``target`` is the seat."""
    FILM = "film"
    """The film of a match that is over: paint it, and add it to the last board."""
    ARCHIVE = "archive"
    """The match is over: let Discord archive its thread after an hour of silence."""
    EXPIRE = "expire"
    """An open table that nobody joins: close it; due a day after its last change."""
    SET_BACK = "set_back"
    """A backup was restored: tell the thread, and remove the buttons of messages that are newer than it."""
    FROZEN = "frozen"
    """The match is frozen: tell its players."""
    REVIEW = "review"
    """A process has died, or a job was given up: see whether a request of it came late, once none can."""
    LOOK = "look"
    """Somebody may miss the board, and Discord could not say whether it is there: ask again."""
    CHECK = "check"
    """The bot has started: see whether the match can be played on, and whether its board is the right one."""


AFTERWARDS = (
    JobKind.FILM,
    JobKind.ABSENTEES,
    JobKind.IDLE,
    JobKind.EXPIRE,
    JobKind.ARCHIVE,
    JobKind.REVIEW,
    JobKind.CHECK,
)
"""What nobody waits for."""


@dataclass(frozen=True, slots=True)
class Job:
    """A row of the outbox. A newer commit that enqueues the same job gives it a new ``revision``."""

    table_id: str
    kind: JobKind
    target: str
    """Empty, or what the kind says."""
    revision: int
    tries: int
    """How often it has failed so far."""
    version: int = 0
    """The version of the table that it was enqueued for: an older one must not be shown."""

    @property
    def seat(self) -> int:
        """Return the seat that a turn or a goodbye is for; raises ``ValueError`` for other kinds."""
        return int(self.target)


DOUBTED = "?"
"""Stands for the digest of a message that must be looked at again.

A doubt about a table's messages is followed by a mark of its own: a page whose maker has not read it does not
end it.
"""


@dataclass(frozen=True, slots=True)
class QueuedJob:
    """A job, and what decides when its turn comes."""

    job: Job
    due: float
    """Unix time."""
    channel_id: int
    host: PersonId
    """Who opened the table."""
    is_open: bool = False
    is_live: bool = False
    """Whether the match was on when the job was read."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A message of ours on Discord: where it is, and what it shows."""

    channel_id: int
    message_id: int
    epoch: int = 0
    version: int = 0
    """What the public could count: see ``Board``. Earlier versions of the bot numbered epochs otherwise, from
    one on: only :attr:`reach` may be compared."""
    table_version: int = 0
    """The version of the table, which counts what happens in secret too: it stands in no message."""
    digest: str = ""
    """Of the page as it was sent; empty: nobody has noted it."""

    @property
    def reach(self) -> int:
        """Return the version that the message has come to: one in words alone shows that of its epoch."""
        return max(self.epoch, self.version)

    @property
    def doubted(self) -> bool:
        """Return whether the message may show something else, or be gone."""
        return self.digest.startswith(DOUBTED)


@dataclass(frozen=True, slots=True)
class Begun:
    """What was noted of a surface when a page for it was begun."""

    version: int
    """The table's version: the page shows that one, or a newer one."""
    shown: Shown | None
    digest: str
    """A doubt that comes after it may be about the page."""


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job to enqueue; ``due`` is a Unix time."""

    table_id: str
    kind: JobKind
    target: str = ""
    due: float = 0.0


@dataclass(frozen=True, slots=True)
class ShownRow:
    """What a surface of a table shows, or showed last."""

    message: Shown | None
    """``None``: it is gone."""
    epoch: int
    version: int
    since: int
    """The version that the message before this epoch's showed; 0: there was none."""
    digest: str
    """Of the message, or a doubt about the next one."""

    @property
    def reach(self) -> int:
        """Return the version that the message has, or had, come to: see :class:`Shown`."""
        return max(self.epoch, self.version)
