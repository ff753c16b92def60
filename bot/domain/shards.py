"""Gateway shards: which servers' events reach which process."""

from __future__ import annotations

import re
from dataclasses import dataclass

MOST = 100_000
"""Upper bound of shards: at 2,500 servers each, 250 million servers."""

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
        """Parse shard ids such as ``0-3`` or ``5``; raises ``ValueError``."""
        found = _RANGE.fullmatch(ids.strip())
        if found is None:
            raise ValueError("shards are one number, such as 5, or the first and the last, such as 0-3")
        first, last = found.groups()
        return cls(int(first), int(last or first), count)

    @property
    def ids(self) -> range:
        """Return the shard ids."""
        return range(self.first, self.last + 1)

    @property
    def whole(self) -> bool:
        """Return whether these are all shards."""
        return self.first == 0 and self.last == self.count - 1

    @property
    def share(self) -> float:
        """Return the fraction of all shards that these are."""
        return len(self.ids) / self.count

    def of(self, guild_id: int) -> int:
        """Return the shard of a server, by Discord's formula. Direct messages belong to shard 0."""
        return (guild_id >> 22) % self.count

    def has(self, guild_id: int) -> bool:
        """Return whether a server's events reach this process."""
        return self.of(guild_id) in self.ids

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class ServedShards:
    """Shards, of ``count``, whose servers are in service.

    ``until``: deadlines up to this Unix time have expired. It lags behind the clock by the outages that the
    deadlines have not been moved by yet.
    """

    ids: tuple[int, ...]
    count: int
    until: float


ALL = Shards(0, 0, 1)
"""All shards, for a bot with one process: all events reach it, whatever its number of connections."""
