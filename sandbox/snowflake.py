"""Snowflakes: 42 bits of milliseconds since 2015, 10 bits of worker and process, 12 bits of counter.

Discord's documentation, "Reference", Snowflakes.
"""

from collections.abc import Callable

EPOCH_MS = 1_420_070_400_000


class Snowflakes:
    """Makes ids that grow strictly, from the sandbox clock."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._last_ms = 0
        self._counter = 0

    def make(self) -> int:
        """Return the next id."""
        # A clock that is set back must not bring an id again.
        return self._make(max(int(self._now() * 1000) - EPOCH_MS, self._last_ms))

    def make_on_shard(self, shard: tuple[int, int] = (0, 1)) -> int:
        """Return an id with a millisecond of its own, the next that falls on a shard `(number, count)`.

        Ids that are made one after the other so are spread evenly over any number of shards.
        """
        number, count = shard
        ms = max(int(self._now() * 1000) - EPOCH_MS, self._last_ms + 1)
        return self._make(ms + (number - ms) % count)

    def _make(self, ms: int) -> int:
        if ms == self._last_ms:
            self._counter += 1
            # 4,096 ids in a millisecond: the next ones borrow from the one to come.
            if self._counter == 1 << 12:
                ms, self._counter = ms + 1, 0
        else:
            self._counter = 0
        self._last_ms = ms
        return (ms << 22) | (1 << 17) | self._counter


def shard_of(guild_id: int, count: int) -> int:
    """Return which of so many shards a guild falls on: "Gateway", Sharding."""
    return (guild_id >> 22) % count


def moment(snowflake: int) -> float:
    """Return the second since 1970 in which an id was made."""
    return ((snowflake >> 22) + EPOCH_MS) / 1000


def parse(text: object) -> int | None:
    """Read an id as clients send it, a string of digits or a number; None if it is not an id."""
    # True is an int in Python.
    if isinstance(text, bool):
        return None
    if isinstance(text, int):
        return text if 0 <= text < 1 << 64 else None
    if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= 20:
        return parse(int(text))
    return None
