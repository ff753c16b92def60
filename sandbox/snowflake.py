"""Snowflakes: 42 bits of milliseconds since 2015, 10 bits of worker and process, 12 bits of counter.

Discord's documentation, "Reference", Snowflakes.
"""

from collections.abc import Callable

EPOCH_MS = 1_420_070_400_000


class Snowflakes:
    """Makes strictly increasing ids from the sandbox clock."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._last_ms = 0
        self._counter = 0

    def make(self) -> int:
        """Return the next id."""
        # No id is repeated when the clock is set back.
        return self._make(max(int(self._now() * 1000) - EPOCH_MS, self._last_ms))

    def make_on_shard(self, shard: tuple[int, int] = (0, 1)) -> int:
        """Return the next id with a millisecond of its own on a shard `(number, count)`.

        Consecutive ids are spread evenly over any number of shards.
        """
        number, count = shard
        ms = max(int(self._now() * 1000) - EPOCH_MS, self._last_ms + 1)
        return self._make(ms + (number - ms) % count)

    def _make(self, ms: int) -> int:
        if ms == self._last_ms:
            self._counter += 1
            # After 4,096 ids in a millisecond, continue with the next one.
            if self._counter == 1 << 12:
                ms, self._counter = ms + 1, 0
        else:
            self._counter = 0
        self._last_ms = ms
        return (ms << 22) | (1 << 17) | self._counter


def shard_of(guild_id: int, count: int) -> int:
    """Return the shard of a guild, of `count` shards: "Gateway", Sharding."""
    return (guild_id >> 22) % count


def moment(snowflake: int) -> float:
    """Return the Unix time of an id, in seconds."""
    return ((snowflake >> 22) + EPOCH_MS) / 1000


def parse(text: object) -> int | None:
    """Read an id that a client sent, a string of digits or a number; None: it is not an id."""
    # True is an int in Python.
    if isinstance(text, bool):
        return None
    if isinstance(text, int):
        return text if 0 <= text < 1 << 64 else None
    if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= 20:
        return parse(int(text))
    return None
