"""How processes share a PostgreSQL database: leases of matches, and one presence each."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import psycopg

from bot.domain.address import PostgresqlAddress
from bot.domain.jobs import DEFERRABLE
from bot.domain.shards import Shards
from bot.store.finishing import finished
from bot.store.postgresql.connections import Connection, Pool, awaited, give_back, with_retries
from bot.store.postgresql.explaining import serving_error
from bot.store.postgresql.identity import HouseIdentity
from bot.store.postgresql.presence import Presence
from bot.store.sharing import Change

LEASE_S = 5
"""Seconds that a lease lasts, unless it is renewed."""

TAKEOVER_DELAY_S = 4.0
"""Seconds that a due job is reserved for the process of its server's shard."""

MAX_CLAIMED_JOBS = 512
"""Maximum jobs that one claim reads."""

_DEFERRABLE = ", ".join(f"'{kind.value}'" for kind in DEFERRABLE)


def _ripe(kinds: str, most: str) -> str:
    """Return the query for unleased matches with due jobs of these kinds."""
    return f"""
    SELECT lease.match
    FROM job JOIN lease ON lease.match = job.match JOIN match ON match.id = job.match
    WHERE job.due <= $2 AND job.kind {kinds} ({_DEFERRABLE}) AND lease.until < clock_timestamp()
        AND ((match.guild >> 22) % $3 BETWEEN $4 AND $5 OR job.due <= $2 - {TAKEOVER_DELAY_S})
    ORDER BY job.due, job.revision LIMIT {most}
    FOR UPDATE OF lease SKIP LOCKED"""  # noqa: S608 - our own numbers and kinds


_CLAIM = f"""
WITH urgent AS MATERIALIZED ({_ripe("NOT IN", "$6")}),
afterwards AS MATERIALIZED ({_ripe("IN", "least($6, $7)")})
UPDATE lease SET holder = $1, until = clock_timestamp() + interval '{LEASE_S} seconds'
FROM (SELECT match FROM urgent UNION SELECT match FROM afterwards) AS ripe WHERE lease.match = ripe.match
RETURNING lease.match
"""  # noqa: S608

_RENEW = f"""
UPDATE lease SET until = clock_timestamp() + interval '{LEASE_S} seconds'
WHERE holder = $1 AND match = ANY($2) RETURNING match
"""  # noqa: S608

_RELEASE = "UPDATE lease SET holder = '', until = '-infinity' WHERE holder = $1 AND match = ANY($2)"

_IDENTIFY = """
INSERT INTO house (key, value) VALUES ($1, extract(epoch FROM clock_timestamp())::text)
ON CONFLICT (key) DO UPDATE SET value =
    greatest(house.value::float8 + $2, extract(epoch FROM clock_timestamp())::float8)::text
RETURNING value::float8 - extract(epoch FROM clock_timestamp())::float8
"""


class PostgresqlSharing:
    """One process's part in a shared database; :meth:`Presence.begin` registers the process."""

    def __init__(self, address: PostgresqlAddress, pool: Pool, shards: Shards, house: HouseIdentity) -> None:
        self.shards = shards
        self._address = address
        self._house = house
        self._pool = pool
        # Random: host and process ids may be equal in two containers.
        self._me = secrets.token_hex(8)
        self.presence = Presence(address, shards, self._me, house)

    async def keep(self, heard: Callable[[Change], None]) -> None:
        """Stay registered until cancelled; raises :class:`StoreError` if another process has our shards."""
        await self.presence.keep(heard)

    async def claim(self, now: float, most: int, afterwards: int) -> frozenset[str]:
        """Lease the matches of up to ``most`` urgent jobs that are due.

        ``afterwards``: the limit of jobs that can wait. Raises :class:`StoreError`.
        """
        shards = self.shards
        bounds = [min(most, MAX_CLAIMED_JOBS), afterwards]
        values = [self._me, now, shards.count, shards.first, shards.last, *bounds]
        return frozenset(match for (match,) in await self._execute(_CLAIM, values))

    async def renew(self, matches: Iterable[str]) -> frozenset[str]:
        """Extend leases; return those we still hold. Raises :class:`StoreError`."""
        return frozenset(match for (match,) in await self._execute(_RENEW, [self._me, list(matches)]))

    async def release(self, matches: Iterable[str]) -> None:
        """Release leases; raises :class:`StoreError`."""
        await self._execute(_RELEASE, [self._me, list(matches)])

    async def identify_in(self, key: int, spacing: float) -> float:
        """Reserve the next slot for a gateway session; return the seconds until then."""
        [(wait,)] = await self._execute(_IDENTIFY, [f"identify.{key}", spacing])
        return max(0.0, float(wait))

    async def _execute(self, sql: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        """Execute one statement, which must be safe to repeat; return its rows."""

        async def work(connection: Connection) -> list[tuple[Any, ...]]:
            with awaited(connection):
                cursor = await connection.execute(sql.encode(), values)
                return await cursor.fetchall() if cursor.description else []

        async def carry_out() -> list[tuple[Any, ...]]:
            connection, rows = await with_retries(self._pool, work)
            await give_back(self._pool, connection)
            return rows

        self._house.require()
        try:
            return await finished(carry_out())
        except (psycopg.Error, OSError) as error:
            raise serving_error(error, self._address) from error
