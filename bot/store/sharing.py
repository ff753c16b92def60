"""What processes that share a database say to each other: who does what, and what has changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from bot.domain.shards import Shards


@dataclass(frozen=True, slots=True)
class Change:
    """Another process has committed something about a table. ``version`` 0: jobs alone."""

    table_id: str
    version: int


class Sharing(Protocol):
    """One process's part in a database that several serve."""

    @property
    def shards(self) -> Shards:
        """Return the shards that this process serves."""
        ...

    async def keep(self, heard: Callable[[Change], None]) -> None:
        """Stay present until cancelled, and pass on what is heard of other processes.

        Raises :class:`StoreError` where another process serves one of our shards.
        """
        ...

    async def claim(self, now: float, most: int, afterwards: int) -> frozenset[str]:
        """Take leases of matches with jobs that are due at a Unix time: ``most`` that somebody waits for.

        ``afterwards``: how many jobs may be those that nobody waits for. Those of other processes' servers
        are taken once nobody has done their jobs for some seconds. Raises :class:`StoreError`.
        """
        ...

    async def renew(self, matches: Iterable[str]) -> frozenset[str]:
        """Make leases last longer; return those that are ours still. Raises :class:`StoreError`."""
        ...

    async def release(self, matches: Iterable[str]) -> None:
        """Give leases back. Raises :class:`StoreError`."""
        ...

    async def identify_in(self, key: int, spacing: float) -> float:
        """Reserve the next moment for a session of the gateway, and return the seconds until then.

        No two processes get moments of one key that are closer than ``spacing``. Raises :class:`StoreError`.
        """
        ...
