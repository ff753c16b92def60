"""How many tables there may be at one time: so that nobody fills a channel, nor keeps the house from others.

Built in for now. A server's own settings may say otherwise one day; then they are read here.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.domain.refusals import refusal
from bot.domain.tables import PersonId, Place
from bot.store import Reader

FOR_EVER = 1 << 30


@dataclass(frozen=True, slots=True)
class Limits:
    """The most tables of a person and of a channel, and how long an open one waits for players."""

    opened: int = 5
    """Tables that one person has opened and that wait for players."""
    seats: int = 30
    """Tables, open or running, at which one person sits."""
    waiting: int = 20
    """Tables in one channel that wait for players."""
    channel: int = 200
    """Tables in one channel, open or running. A server has a thousand threads."""
    open_for: float = 86_400.0
    """Seconds without a change after which an open table closes."""

    async def check_open(self, reader: Reader, person: PersonId, place: Place) -> None:
        """Raise ``Refusal`` where a person may open no further table in a channel."""
        count = await reader.count_tables(person, place.channel_id)
        if count.opened >= self.opened:
            raise refusal("limit_opened", n=self.opened)
        if count.seats >= self.seats:
            raise refusal("limit_seats", n=self.seats)
        if count.waiting >= self.waiting:
            raise refusal("limit_waiting", n=self.waiting)
        if count.channel >= self.channel:
            raise refusal("limit_channel", n=self.channel)

    async def check_seat(self, reader: Reader, person: PersonId) -> None:
        """Raise ``Refusal`` where a person may sit down at no further table."""
        if (await reader.count_tables(person, 0)).seats >= self.seats:
            raise refusal("limit_seats", n=self.seats)


LIMITS = Limits()

NO_LIMITS = Limits(FOR_EVER, FOR_EVER, FOR_EVER, FOR_EVER)
"""For benchmarks, which fill one channel with a few people's matches."""
