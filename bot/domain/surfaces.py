"""Under which names our messages are recorded, and under which nonces they are posted.

A surface is a table's message that is kept up to date, or a record about such messages. The database keeps
these names, so they never change. A question's surface has its job's name: see ``QUESTIONS`` in ``bot/sync``.
"""

from __future__ import annotations

from enum import Enum, unique

from engines.core.contract import Seat

LOBBY = "lobby"
"""The table's message."""

HASH = "hash"
"""The message with the hash of the bot's part in the shuffle: posted once, never edited."""

HOST_CALL = "full"
"""The message that tells the host that the match can start. Earlier versions sent it for full tables only."""

HOST_CALLED = "host_called:"
"""The prefix of the records of when that message pinged the host, as Unix times; what it said follows."""

INVITATION = "invitation:"
"""The prefix of the surfaces of a table's messages that ping at the end of quiet hours."""

BOARD = "board"
"""The board. Its record tells how much of the board's news is new."""

FILM = "film"
"""The message that includes the film of a match."""

FROZEN = "frozen"
"""The notice that a match is frozen."""

IDLE = "idle"
"""The warning that an idle match will be closed: the epoch is the time of the last act, the version that of
sending."""

ELSEWHERE = "elsewhere"
"""The surface of a match whose server has no thread left: it is played in its channel."""

SET_BACK = "set_back:"
"""The prefix of the surfaces of the notices that a backup was restored; the restore id follows."""

REMINDER = "reminder:"
"""The prefix of the surfaces of calls in a thread; the number of the call follows. Each call has its own, so
that it is not posted again even after later ones."""

DM_REMINDER = "dm_reminder:"
"""The same for those by direct message; seat and number follow."""

DM = "dm:"
"""The prefix of the surfaces of direct messages; the seat follows."""

GOODBYE = "goodbye:"
"""The same for the direct messages that say how a match ended."""


def unreached_surface(why: str, seat: Seat) -> str:
    """Return the surface of the notice that no direct message reaches a seat's person.

    ``why``: the person has ``closed`` them or turned them ``off``, or the bot has ``paused`` them.
    """
    return f"dm_{why}:{seat}"


def unreached_surfaces(seat: Seat) -> tuple[str, str]:
    """Return the surfaces of the notices that no direct message could be sent to a seat's person."""
    return unreached_surface("closed", seat), unreached_surface("paused", seat)


def written_to_surface(seat: Seat) -> str:
    """Return the surface that stores the epoch whose board asked a seat by direct message only."""
    return f"written_to:{seat}"


def resting_surface(seat: Seat) -> str:
    """Return the surface that stores the epoch whose board did not ping a seat because of quiet hours."""
    return f"resting:{seat}"


def thread_surface(channel_id: int) -> str:
    """Return the surface that stores the thread a match left in a channel, to reuse if it returns."""
    return f"thread:{channel_id}"


@unique
class Nonce(Enum):
    """The nonces of all posts. Within minutes, Discord answers the same nonce with the message it has.

    A message that replaces one that is gone, or stands elsewhere, has a number appended.
    """

    LOBBY = "t.{match}"
    INVITATION = "t.{match}.{call}"
    """The table's message, posted again for people who were invited in their quiet hours."""
    HASH = "h.{match}"
    HOST_CALL = "u.{match}.{table_version}"
    BOARD = "{match}.{epoch}"
    FROZEN = "f.{match}"
    IDLE = "i.{match}.{last_act}"
    UNREACHED = "{why}.{match}.{seat}.{epoch}"
    """``why``: the reason's first letter."""
    DRAW = "o.{match}.{version}"
    OVERDUE = "u.{match}.{version}"
    MOTION = "m.{match}.{version}"
    SEAT_OFFER = "s.{match}.{version}"
    CALL = "{way}.{match}.{call}"
    """A call that is a message of its own: by mention, by direct message, or to answer a question."""
    PANEL = "d.{match}:{decision}"
    """A direct message with a seat's panel."""
    GOODBYE = "g.{match}:{seat}"
    SET_BACK = "s.{match}"
    LOST = "l.{channel}"
    """The notice that a match is lost, after an older backup was restored."""
    WELCOME = "w.{server}"

    def of(self, **parts: object) -> str:
        """Return the nonce of one post; raises ``KeyError`` if one of its parts is missing."""
        template: str = self.value
        return template.format(**parts)
