"""What one person, one channel and one match may have or do: every limit that is counted in people's acts.

So nobody fills a channel, calls somebody again and again, or keeps the bot from others.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.domain.acts import DAY_S, HOUR_S
from bot.domain.match import LogRow, RowKind
from bot.domain.refusals import refusal
from bot.domain.servers import THREADS_PER_DAY
from engines.core.contract import Seat

FOR_EVER = 1 << 30

QUESTIONS = frozenset({RowKind.PROPOSE, RowKind.OFFER})
"""The rows of a log that ask the other players."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The most of each. An hour and a day are the last ones before now, not those of a clock."""

    # --- tables that there are: counted where tables are stored
    opened: int = 5
    """Tables that one person has opened and that wait for players."""
    seats: int = 30
    """Tables, open or running, at which one person sits."""
    waiting: int = 20
    """Tables in one channel that wait for players."""
    channel: int = 200
    """Tables in one channel, open or running. A server has a thousand threads."""
    open_for_s: float = DAY_S
    """Seconds without a change after which an open table closes."""

    # --- acts of one person: counted in the database, over restarts and processes
    tables_per_hour: int = 20
    """Tables that one person opens, or opens again."""
    joins_per_hour: int = 20
    """Tables of others that one person joins: their messages change each time, in other people's channels."""
    threads_per_day: int = THREADS_PER_DAY
    """Threads that one person begins on one server: its managers may choose another number."""
    moves_per_day: int = 4
    """Moves of one match by one person."""
    invitations_per_hour: int = 8
    """Invitations of one person by one other."""
    invitations_received_per_hour: int = 20
    """Invitations of one person by all others."""
    exports_per_hour: int = 5
    """Files with all that is stored about one person."""

    # --- pings that others' acts bring about: the last one is noted with what is shown
    host_called_every_s: float = 900.0
    """Seconds between two pings that tell a host the same of one table: that it can start, or is full."""

    # --- questions to the other players of a match: counted in its log
    questions_per_hour: int = 10
    """Proposals and offers of a draw in one match, by one seat: each pings the others."""

    # --- work of one interaction
    typed_characters: int = 400
    """Characters of a typed turn."""
    menus_per_completion: int = 80
    """Menus that one completion asks for: the event loop works it out, at every key that is pressed."""

    # --- what is done at the same time: counted in memory, in each process
    interactions_at_once: int = 16
    """Interactions of one person that are being answered; one more is refused at once."""
    pictures_at_once: int = 8
    """Private pictures, pasts, lists and exports that one person waits for; they are made one by one."""

    def check_question(self, rows: Iterable[LogRow], seat: Seat, now: float) -> None:
        """Raise ``Refusal`` where a seat may ask the other players of its match nothing more for now."""
        asked = [
            row.at for row in rows if row.seat == seat and row.kind in QUESTIONS and row.at > now - HOUR_S
        ]
        most = self.questions_per_hour
        if len(asked) >= most:
            raise refusal("limit_questions", n=most, when=int(asked[-most] + HOUR_S) + 1)


LIMITS = Limits()

NO_LIMITS = Limits(
    opened=FOR_EVER,
    seats=FOR_EVER,
    waiting=FOR_EVER,
    channel=FOR_EVER,
    tables_per_hour=FOR_EVER,
    joins_per_hour=FOR_EVER,
    threads_per_day=FOR_EVER,
    moves_per_day=FOR_EVER,
)
"""For benchmarks, which fill one channel with a few people's matches."""
