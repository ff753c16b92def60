"""Discord's gateway in parts: which servers' events reach which process."""

from __future__ import annotations

import re
from dataclasses import dataclass

MOST = 100_000
"""More shards than any bot has: 2,500 servers each would be 250 million."""

_RANGE = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?")


@dataclass(frozen=True, slots=True)
class Shards:
    """The shards ``first`` to ``last`` of ``count``, which one process serves."""

    first: int
    last: int
    count: int

    def __post_init__(self) -> None:
        if not 1 <= self.count <= MOST:
            raise ValueError(f"there are 1 to {MOST} shards, not {self.count}")
        if not 0 <= self.first <= self.last < self.count:
            raise ValueError(
                f"{self.count} shards have the numbers 0 to {self.count - 1}: {self} are not among them"
            )

    @classmethod
    def parse(cls, ids: str, count: int) -> Shards:
        """Return what ``0-3`` or ``5`` names; raises ``ValueError``."""
        found = _RANGE.fullmatch(ids.strip())
        if found is None:
            raise ValueError("shards are one number, such as 5, or the first and the last, such as 0-3")
        first, last = found.groups()
        return cls(int(first), int(last or first), count)

    @property
    def ids(self) -> range:
        """Return the numbers of the shards."""
        return range(self.first, self.last + 1)

    @property
    def whole(self) -> bool:
        """Return whether these are all shards that there are."""
        return self.first == 0 and self.last == self.count - 1

    @property
    def share(self) -> float:
        """Return which part of all shards these are."""
        return len(self.ids) / self.count

    def of(self, guild_id: int) -> int:
        """Return the shard of a server: Discord's formula. Direct messages are shard 0's."""
        return (guild_id >> 22) % self.count

    def has(self, guild_id: int) -> bool:
        """Return whether a server's events reach this process."""
        return self.of(guild_id) in self.ids

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class ServedShards:
    """Shards, of ``count``, whose servers are in service.

    ``until``: deadlines up to this Unix time are past. It lags behind the clock by outages that the deadlines
    were not moved by yet.
    """

    ids: tuple[int, ...]
    count: int
    until: float


ALL = Shards(0, 0, 1)
"""Of a bot that one process serves: whatever the number of its connections, all events reach it."""
