"""Limits on starting sessions: how many per day, and how soon after each other. "Gateway", Sharding."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from sandbox.model import Json

DAY_S = 86_400.0


@dataclass(frozen=True, slots=True)
class Sharding:
    """The rules for shards.

    `shards`: the recommended count.
    `max_concurrency`: the number of keys; a shard's key is its number modulo this.
    `spacing`: seconds between two IDENTIFYs of the same key, 5 on Discord; 0: no limit.
    `sessions`: the number of IDENTIFYs per day.
    `guilds_a_shard`: the maximum for a session, 2,500 on Discord; None: no limit.
    ValueError: a field is out of range.
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
    """Counts the IDENTIFYs of all the bot's connections, by the sandbox clock."""

    def __init__(self, now: Callable[[], float], sharding: Sharding) -> None:
        self._now = now
        self.sharding = sharding
        self.identify_times: list[float] = []
        """The times of the IDENTIFYs within the last day, including refused ones."""
        self._started_at: dict[int, float] = {}

    def change(self, **changes: Any) -> None:
        """Change some fields of `sharding`. ValueError: a value is out of range. TypeError: unknown field."""
        self.sharding = replace(self.sharding, **changes)

    def limit(self) -> Json:
        """Return the `session_start_limit` of GET /gateway/bot."""
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
        """Count an IDENTIFY of a shard; return whether it may start a session."""
        left = self.limit()["remaining"]
        now = self._now()
        if left == 0:
            return False
        self.identify_times.append(now)
        if self._is_too_early(shard, now):
            return False
        # Refused attempts do not extend the wait: shards that retry every five seconds could starve.
        self._started_at[shard] = now
        return True

    def _is_too_early(self, shard: int, now: float) -> bool:
        keys = self.sharding.max_concurrency
        same_key = [at for other, at in self._started_at.items() if other % keys == shard % keys]
        return bool(same_key) and now - max(same_key) < self.sharding.spacing
