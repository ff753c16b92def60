"""A fair queue of matches: round robin over channels and people.

Used for boards and for computer players' thinking. It does not depend on jobs, Discord or time. See
``docs/adr/0024``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

YIELDS = 4
"""Every n-th turn goes to the lowest urgency, so that it is never starved."""

MOST_SERVED = 4_096
"""Maximum channels and people whose last turn is remembered."""


class Urgency(IntEnum):
    """Priority classes. Within a class, turns are shared fairly."""

    LIVE = 0
    """A running match: players wait for its board."""
    TABLE = 1
    """A table that people may join."""
    PAST = 2
    """A match that is over or never began."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """A waiting match. Its turn counts for its channel and for the person who opened its table."""

    match: str
    channel: int
    person: int
    urgency: Urgency


_Flow: TypeAlias = tuple[int, int]
"""A channel and a person."""


class FairQueue:
    """Waiting matches. The next is the one whose channel and person had their last turn longest ago.

    So a person with a hundred matches, in one channel or in many, delays only their own.
    """

    def __init__(self) -> None:
        self._tickets: dict[str, Ticket] = {}
        self._lines: dict[Urgency, dict[_Flow, dict[str, None]]] = {}
        """Matches in order of arrival, by urgency and by channel and person."""
        self._turn = 0
        self._channels: dict[int, int] = {}
        """When each channel had its last turn."""
        self._people: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._tickets)

    def people(self) -> Counter[int]:
        """Return the number of waiting matches by person."""
        return Counter(ticket.person for ticket in self._tickets.values())

    def remove(self, match: str) -> None:
        """Remove a match if it is waiting."""
        if (ticket := self._tickets.get(match)) is not None:
            self._remove(ticket)

    def put(self, ticket: Ticket) -> None:
        """Enqueue a match. A waiting match keeps its place unless its ticket has changed."""
        before = self._tickets.get(ticket.match)
        if before is not None and before != ticket:
            self._remove(before)
        self._tickets[ticket.match] = ticket
        flows = self._lines.setdefault(ticket.urgency, {})
        flows.setdefault((ticket.channel, ticket.person), {}).setdefault(ticket.match)

    def take(self) -> Ticket | None:
        """Remove and return the next ticket; ``None``: the queue is empty."""
        if not self._lines:
            return None
        self._turn += 1
        choose = max if self._turn % YIELDS == 0 else min
        flows = self._lines[choose(self._lines)]
        channel, person = flow = min(flows, key=self._last_turns)
        ticket = self._tickets[next(iter(flows[flow]))]
        self._remove(ticket)
        for served, who in ((self._channels, channel), (self._people, person)):
            if len(served) >= MOST_SERVED:
                served.clear()
            served[who] = self._turn
        return ticket

    def _last_turns(self, flow: _Flow) -> tuple[int, int]:
        # The later of both counts, or a person with many channels would get a turn for each.
        channel, person = self._channels.get(flow[0], 0), self._people.get(flow[1], 0)
        return max(channel, person), person

    def _remove(self, ticket: Ticket) -> None:
        flow = (ticket.channel, ticket.person)
        flows = self._lines[ticket.urgency]
        del self._tickets[ticket.match], flows[flow][ticket.match]
        if not flows[flow]:
            del flows[flow]
        if not flows:
            del self._lines[ticket.urgency]
