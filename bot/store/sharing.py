"""How processes that share a database coordinate: division of work, and change notifications."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from bot.domain.shards import Shards


@dataclass(frozen=True, slots=True)
class Change:
    """Another process committed a change to a table. ``version`` 0: only jobs."""

    table_id: str
    version: int


class Sharing(Protocol):
    """One process's part in a shared database."""

    @property
    def shards(self) -> Shards:
        """Return this process's shards."""
        ...

    async def keep(self, heard: Callable[[Change], None]) -> None:
        """Stay registered until cancelled, and pass other processes' changes to ``heard``.

        Raises :class:`StoreError` if another process serves one of our shards.
        """
        ...

    async def claim(self, now: float, most: int, afterwards: int) -> frozenset[str]:
        """Lease the matches of up to ``most`` urgent jobs that are due at a Unix time.

        ``afterwards``: the limit of jobs that can wait. Matches on other processes' servers are leased only
        once their jobs have been overdue for some seconds. Raises :class:`StoreError`.
        """
        ...

    async def renew(self, matches: Iterable[str]) -> frozenset[str]:
        """Extend leases; return those we still hold. Raises :class:`StoreError`."""
        ...

    async def release(self, matches: Iterable[str]) -> None:
        """Release leases. Raises :class:`StoreError`."""
        ...

    async def identify_in(self, key: int, spacing: float) -> float:
        """Reserve the next slot for a gateway session; return the seconds until then.

        Slots of one key are at least ``spacing`` seconds apart across processes. Raises :class:`StoreError`.
        """
        ...
