"""The connection that holds a process's shard locks, and exchanges change notifications with the others.

PostgreSQL keeps the locks while the connection lasts. A process that dies loses them at once, a frozen one
after :data:`FROZEN_SECONDS`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

import psycopg
from psycopg import AsyncRawCursor, Notify

from bot.domain.address import PostgresqlAddress
from bot.domain.shards import Shards
from bot.store.errors import DatabaseReplaced, Unreachable
from bot.store.postgresql.connections import Connection
from bot.store.postgresql.explaining import opening_error
from bot.store.postgresql.identity import HouseIdentity
from bot.store.postgresql.preparing import SHARD_COUNT_LOCK, conninfo
from bot.store.sharing import Change

LOG = logging.getLogger("bauta.sharing")

CHANNEL = "bauta"

SHARD = 0x42617511
"""The class of the shards' advisory locks."""

LISTEN_INTERVAL_S = 0.1
"""Seconds per round of listening, after which our own changes are sent."""

KEEPALIVE_INTERVAL_S = 2.0
"""Seconds of silence after which a keepalive is sent."""

FROZEN_SECONDS = 7
"""Idle seconds after which PostgreSQL closes the connection, so that other processes can take over."""

SHARD_LOCK_TIMEOUT_S = 10.0
"""Seconds to retry a held shard lock before assuming that another process serves the shard.

PostgreSQL may take some time to notice that our own previous connection is gone.
"""

RETRY_INTERVAL_S = 0.5
"""Seconds between attempts to connect, or to take a held lock."""

_BOUNDS = (
    f"SET idle_session_timeout = '{FROZEN_SECONDS}s'; SET statement_timeout = '5s';"
    " SET tcp_keepalives_idle = 3; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 2"
)


class Presence:
    """Holds the locks of one process. ``me`` identifies it to the others."""

    def __init__(self, address: PostgresqlAddress, shards: Shards, me: str, house: HouseIdentity) -> None:
        self._house = house
        self._address = address
        self._shards = shards
        self._me = me
        self._connection: Connection | None = None
        self._changes: dict[str, int] = {}
        """Changes not yet sent to the other processes: version by table."""

    def tell(self, changes: dict[str, int]) -> None:
        """Notify the other processes of committed changes soon. Best effort: nothing relies on it."""
        self._changes |= changes

    async def begin(self) -> None:
        """Connect and take the locks of our shards; raises :class:`StoreError`."""
        try:
            self._connection = await self._connected()
        except psycopg.Error as error:
            raise opening_error(error, self._address) from None

    async def keep(self, heard: Callable[[Change], None]) -> None:
        """Hold the locks and exchange changes until cancelled; raises :class:`StoreError`."""
        while True:
            try:
                if self._connection is None:
                    self._connection = await self._connected()
                    LOG.info("database connection restored")
                await self._listen(self._connection, heard)
            except (psycopg.Error, DatabaseReplaced) as error:
                # Also if the database was replaced: a process that exits would restart on the wrong one.
                if self._connection is not None and isinstance(error, psycopg.Error):
                    LOG.warning("database connection lost (%s)", error.sqlstate or "no answer")
                await self.close()
                await asyncio.sleep(RETRY_INTERVAL_S)

    async def close(self) -> None:
        """Close the connection, which releases all locks."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

    async def _connected(self) -> Connection:
        self._house.require()
        connection = await Connection.connect(
            conninfo(self._address), autocommit=True, cursor_factory=AsyncRawCursor
        )
        try:
            for each in (*_BOUNDS.split(";"), f"LISTEN {CHANNEL}"):
                await connection.execute(each.encode())
            await self._house.check(connection)
            await self._take_shards(connection)
        except BaseException:
            await connection.close()
            raise
        return connection

    async def _take_shards(self, connection: Connection) -> None:
        until = time.monotonic() + SHARD_LOCK_TIMEOUT_S
        await self._take_count(connection, until)
        wanted = list(self._shards.ids)
        while wanted:
            wanted = [shard for shard in wanted if not await _locked(connection, SHARD, shard)]
            if wanted and time.monotonic() > until:
                raise Unreachable(
                    f"Another process serves shard {wanted[0]} of {self._shards.count} already.\n"
                    "Stop that one first, or give this one other shards (--shards)."
                )
            if wanted:
                await asyncio.sleep(RETRY_INTERVAL_S)

    async def _take_count(self, connection: Connection, until: float) -> None:
        """Take the lock shared by all processes with our shard count; raises :class:`StoreError`."""
        count = self._shards.count
        await connection.execute(
            "SELECT pg_advisory_lock_shared($1::int, $2::int)", [SHARD_COUNT_LOCK, count]
        )
        while (other := await self._other_count(connection)) is not None:
            if time.monotonic() > until:
                raise Unreachable(
                    f"Other processes count {other} shards, and this one {count}.\n"
                    "Give all of them the same --shard-count: stop those that have the old one first."
                )
            await asyncio.sleep(RETRY_INTERVAL_S)

    async def _other_count(self, connection: Connection) -> int | None:
        cursor = await connection.execute(
            "SELECT min(objid::bigint) FROM pg_locks WHERE locktype = 'advisory' AND classid::bigint = $1"
            " AND objid::bigint <> $2 AND objsubid = 2"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
            [SHARD_COUNT_LOCK, self._shards.count],
        )
        [(other,)] = await cursor.fetchall()
        return None if other is None else int(other)

    async def _listen(self, connection: Connection, heard: Callable[[Change], None]) -> None:
        spoken = time.monotonic()
        while True:
            async for notify in connection.notifies(timeout=LISTEN_INTERVAL_S):
                self._hear(notify, heard)
            if self._changes or time.monotonic() - spoken > KEEPALIVE_INTERVAL_S:
                spoken = time.monotonic()
                await self._speak(connection)

    def _hear(self, notify: Notify, heard: Callable[[Change], None]) -> None:
        who, _, told = notify.payload.partition(" ")
        if who == self._me:
            return
        for each in told.split():
            table_id, _, version = each.rpartition(":")
            if table_id and version.isdecimal():
                heard(Change(table_id, int(version)))

    async def _speak(self, connection: Connection) -> None:
        # Tables may be dropped and recreated under an open connection.
        await self._house.check(connection)
        changes, self._changes = self._changes, {}
        told = [f"{table_id}:{version}" for table_id, version in changes.items()]
        # A payload must be shorter than 8,000 bytes; an id has at most 40 characters.
        for first in range(0, max(1, len(told)), 100):
            payload = " ".join([self._me, *told[first : first + 100]])
            await connection.execute("SELECT pg_notify($1, $2)", [CHANNEL, payload])


async def _locked(connection: Connection, kind: int, number: int) -> bool:
    cursor = await connection.execute("SELECT pg_try_advisory_lock($1::int, $2::int)", [kind, number])
    [(taken,)] = await cursor.fetchall()
    return bool(taken)
