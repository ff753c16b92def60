"""How many sessions a bot may begin, and how soon after one another: "Gateway", Sharding."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from sandbox.model import Json

DAY_S = 86_400.0


@dataclass(frozen=True, slots=True)
class Sharding:
    """What the bot is told of its shards, and held to.

    `shards`: the recommended count. `max_concurrency`: how many keys there are by which IDENTIFYs are spaced.
    `spacing`: seconds between two of one key, 5 on Discord; 0: none. `sessions`: how many may be begun a day.
    `guilds_a_shard`: no session may have more, 2,500 on Discord; None: as many as there are.
    ValueError: some of these make no sense.
    """

    shards: int = 1
    max_concurrency: int = 1
    spacing: float = 0.0
    sessions: int = 1_000
    guilds_a_shard: int | None = None

    def __post_init__(self) -> None:
        if self.shards < 1 or self.max_concurrency < 1:
            msg = "there is at least one shard, and one that may begin a session at a time"
            raise ValueError(msg)
        if self.spacing < 0 or self.sessions < 0 or (self.guilds_a_shard or 0) < 0:
            msg = "seconds, sessions and guilds are not below zero"
            raise ValueError(msg)


class SessionStarts:
    """Counts IDENTIFYs by the sandbox clock, for all connections of the bot together."""

    def __init__(self, now: Callable[[], float], sharding: Sharding) -> None:
        self._now = now
        self.sharding = sharding
        self.identify_times: list[float] = []
        """When IDENTIFYs came within the last day, the refused ones too."""
        self._started_at: dict[int, float] = {}

    def change(self, **changes: Any) -> None:
        """Change some fields of `sharding`. ValueError: they make no sense. TypeError: there are no such."""
        self.sharding = replace(self.sharding, **changes)

    def limit(self) -> Json:
        """Return how many sessions may still be begun, as GET /gateway/bot says it."""
        now = self._now()
        self.identify_times = [at for at in self.identify_times if at > now - DAY_S]
        first = self.identify_times[0] if self.identify_times else now - DAY_S
        return {
            "total": self.sharding.sessions,
            "remaining": max(0, self.sharding.sessions - len(self.identify_times)),
            "reset_after": round(1000 * (first + DAY_S - now)),
            "max_concurrency": self.sharding.max_concurrency,
        }

    def try_start(self, shard: int) -> bool:
        """Count an IDENTIFY of a shard; return whether it may begin a session."""
        left = self.limit()["remaining"]
        now = self._now()
        if left == 0:
            return False
        self.identify_times.append(now)
        if self._is_too_early(shard, now):
            return False
        # What was refused keeps nobody waiting: else some who try again every five seconds never get in.
        self._started_at[shard] = now
        return True

    def _is_too_early(self, shard: int, now: float) -> bool:
        keys = self.sharding.max_concurrency
        same_key = [at for other, at in self._started_at.items() if other % keys == shard % keys]
        return bool(same_key) and now - max(same_key) < self.sharding.spacing
