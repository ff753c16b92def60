"""Whose turn it is: matches wait here, and are taken round robin over channels and people.

Boards wait so, and thoughts of computer players. It knows nothing of jobs, Discord or time. See
``docs/adr/0024-fair-queues-and-limits.md``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

YIELDS = 4
"""Every so many turns go to the least urgent who wait: they come late, and they come."""

MOST_SERVED = 4_096
"""Channels and people whose last turn is remembered at most."""


class Urgency(IntEnum):
    """What goes first. Within one urgency, turns are shared out."""

    LIVE = 0
    """A match that is on: somebody waits for its board."""
    TABLE = 1
    """A table that people may join."""
    PAST = 2
    """What is over, or never began."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """A match that waits for its turn. The turn counts for its channel and for who opened its table."""

    match: str
    channel: int
    person: int
    urgency: Urgency


_Flow: TypeAlias = tuple[int, int]
"""A channel and a person."""


class FairQueue:
    """Matches that wait. The next is one whose channel and whose person had their last turn longest ago.

    So whoever brings a hundred matches, to one channel or to many, waits for most of them alone.
    """

    def __init__(self) -> None:
        self._tickets: dict[str, Ticket] = {}
        self._lines: dict[Urgency, dict[_Flow, dict[str, None]]] = {}
        """By urgency, channel and person: the matches in the order in which they came."""
        self._turn = 0
        self._channels: dict[int, int] = {}
        """When each channel had its last turn."""
        self._people: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._tickets)

    def people(self) -> Counter[int]:
        """Return how many matches of each person wait."""
        return Counter(ticket.person for ticket in self._tickets.values())

    def remove(self, match: str) -> None:
        """Forget a match, if it waits."""
        if (ticket := self._tickets.get(match)) is not None:
            self._remove(ticket)

    def put(self, ticket: Ticket) -> None:
        """Let a match wait. One that waits already keeps its place, unless it is more or less urgent now."""
        before = self._tickets.get(ticket.match)
        if before is not None and before != ticket:
            self._remove(before)
        self._tickets[ticket.match] = ticket
        flows = self._lines.setdefault(ticket.urgency, {})
        flows.setdefault((ticket.channel, ticket.person), {}).setdefault(ticket.match)

    def take(self) -> Ticket | None:
        """Return whose turn it is; ``None``: nobody waits."""
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
        # The later of both decides, or somebody with many channels had a turn for each of them.
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
