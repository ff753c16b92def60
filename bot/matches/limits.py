"""All limits on what one person, one channel and one match may have or do.

They keep people from flooding a channel, pinging somebody again and again, or monopolising the bot.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.domain.match import LogRow, RowKind
from bot.domain.refusals import DAY_S, HOUR_S, refusal
from bot.domain.tables import THREADS_PER_DAY
from engines.core.contract import Seat

UNLIMITED = 1 << 30

QUESTIONS = frozenset({RowKind.PROPOSE, RowKind.OFFER})
"""Log rows that ask the other players something."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The maximum of each. An hour and a day are sliding windows that end now."""

    # --- existing tables: counted in the database
    opened: int = 5
    """Tables opened by one person that wait for players."""
    seats: int = 30
    """Tables, open or running, with a seat of one person."""
    waiting: int = 20
    """Tables in one channel that wait for players."""
    channel: int = 200
    """Tables in one channel, open or running. Discord allows a server a thousand threads."""
    open_for_s: float = DAY_S
    """Seconds without a change after which an open table closes."""

    # --- acts of one person: counted in the database, across restarts and processes
    tables_per_hour: int = 20
    """Tables that one person opens or reopens."""
    joins_per_hour: int = 20
    """Tables that one person joins: each join edits a message in other people's channels."""
    threads_per_day: int = THREADS_PER_DAY
    """Threads that one person creates on one server; its managers may set another number."""
    moves_per_day: int = 4
    """Moves of one match to another channel by one person."""
    invitations_per_hour: int = 8
    """Invitations of one person by one other person."""
    invitations_received_per_hour: int = 20
    """Invitations of one person by all others."""
    exports_per_hour: int = 5
    """Data exports of one person."""

    # --- pings caused by other people's acts: the last one is stored with the shown messages
    host_called_every_s: float = 900.0
    """Minimum seconds between two pings of a host with the same news of a table: it can start, or is full."""

    # --- questions to the other players of a match: counted in its log
    questions_per_hour: int = 10
    """Proposals and draw offers by one seat in one match: each pings the others."""

    # --- work of one interaction
    typed_characters: int = 400
    """Characters of a typed turn."""
    menus_per_completion: int = 80
    """Menus computed per completion: the event loop does this at every keystroke."""

    # --- concurrency: counted in memory, per process
    interactions_at_once: int = 16
    """Pending interactions of one person; further ones are refused at once."""
    pictures_at_once: int = 8
    """Pending private pictures, pasts, lists and exports of one person; they are made one by one."""

    def check_question(self, rows: Iterable[LogRow], seat: Seat, now: float) -> None:
        """Raise ``Refusal`` if a seat may not ask the other players of its match anything more for now."""
        asked = [
            row.at for row in rows if row.seat == seat and row.kind in QUESTIONS and row.at > now - HOUR_S
        ]
        most = self.questions_per_hour
        if len(asked) >= most:
            raise refusal("limit_questions", n=most, when=int(asked[-most] + HOUR_S) + 1)


LIMITS = Limits()

NO_LIMITS = Limits(
    opened=UNLIMITED,
    seats=UNLIMITED,
    waiting=UNLIMITED,
    channel=UNLIMITED,
    tables_per_hour=UNLIMITED,
    joins_per_hour=UNLIMITED,
    threads_per_day=UNLIMITED,
    moves_per_day=UNLIMITED,
)
"""For benchmarks, which fill one channel with a few people's matches."""
