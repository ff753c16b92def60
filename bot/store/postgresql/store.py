"""The PostgreSQL store: a pool of writers and a pool of read-only connections."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from weakref import WeakSet

import psycopg
from psycopg import AsyncRawCursor
from psycopg.pq import TransactionStatus
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from bot.domain.address import PostgresqlAddress
from bot.domain.shards import Shards
from bot.store.finishing import CLOSE_TIMEOUT_S, ended_within, finished
from bot.store.postgresql.connections import Connection, Pool, hang_up, take
from bot.store.postgresql.explaining import opening_error, serving_error
from bot.store.postgresql.identity import HouseIdentity
from bot.store.postgresql.preparing import conninfo, prepare
from bot.store.postgresql.sharing import PostgresqlSharing
from bot.store.postgresql.units import PostgresqlReader, PostgresqlTransaction
from bot.store.reader import Reader
from bot.store.transaction import Transaction

WRITERS, READERS = 8, 4
"""Maximum connections of one process."""

POOL_TIMEOUT_S = 5.0
"""Seconds to wait for a connection; short, because a user is waiting."""

BOUNDS = {"statement_timeout": "10s", "lock_timeout": "5s", "idle_in_transaction_session_timeout": "5s"}
"""PostgreSQL's limits for a unit: if this process freezes within one, its row locks are released."""

FAILURES = (psycopg.Error, PoolTimeout, OSError)


async def open_postgresql(address: PostgresqlAddress, shards: Shards) -> PostgresqlStore:
    """Open a database, creating missing tables, and register this process for its shards.

    Raises :class:`StoreError`.
    """
    await asyncio.to_thread(prepare, address)
    house = HouseIdentity(address)
    connections: WeakSet[Connection] = WeakSet()
    writers = _pool(address, WRITERS, house, connections)
    readers = _pool(address, READERS, house, connections, reads=True)
    try:
        for pool in (writers, readers):
            await pool.open(wait=True, timeout=POOL_TIMEOUT_S)
        sharing = PostgresqlSharing(address, writers, shards, house)
        await sharing.presence.begin()
    # On cancellation too, leave no connection behind.
    except BaseException as error:
        for pool in (writers, readers):
            await pool.close()
        if isinstance(error, FAILURES):
            raise opening_error(error, address) from None
        raise
    return PostgresqlStore(address, writers, readers, connections, sharing, house)


def _pool(
    address: PostgresqlAddress,
    most: int,
    house: HouseIdentity,
    connections: WeakSet[Connection],
    *,
    reads: bool = False,
) -> Pool:
    bounds = dict(BOUNDS)
    if reads:
        # Several queries see the same snapshot.
        bounds |= {"default_transaction_isolation": "repeatable read", "default_transaction_read_only": "on"}

    async def configure(connection: Connection) -> None:
        connections.add(connection)
        asked = ", ".join(f"set_config('{name}', '{value}', false)" for name, value in bounds.items())
        await connection.execute(f"SELECT {asked}".encode())
        await house.check(connection)

    return AsyncConnectionPool(
        conninfo(address),
        connection_class=Connection,
        # Values are sent apart from the statement, as $1: no SQL injection.
        kwargs={"autocommit": True, "cursor_factory": AsyncRawCursor},
        min_size=1,
        max_size=most,
        configure=configure,
        timeout=POOL_TIMEOUT_S,
        reconnect_timeout=0,
        open=False,
    )


class PostgresqlStore:
    """A database that this process serves, perhaps with others. Built by :func:`open_postgresql`."""

    files: Mapping[str, str] = {}
    """Empty: the files are the server's."""

    def __init__(
        self,
        address: PostgresqlAddress,
        writers: Pool,
        readers: Pool,
        connections: WeakSet[Connection],
        sharing: PostgresqlSharing,
        house: HouseIdentity,
    ) -> None:
        self._house = house
        self.sharing = sharing
        self.address = address
        self._writers = writers
        self._readers = readers
        self._connections = connections
        self._open: set[PostgresqlTransaction] = set()
        self._idle = asyncio.Event()

    @asynccontextmanager
    async def read(self) -> AsyncIterator[Reader]:
        """Lend a reader with a consistent snapshot; raises :class:`StoreError`."""
        reader = PostgresqlReader(self._readers)
        with self._explained():
            try:
                yield reader
            finally:
                await finished(reader.close())

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        """Begin a unit of changes; raises :class:`StoreError` if the database cannot be written.

        A write-only unit is executed at the end of the block, and raises :class:`Conflict` there.
        """
        unit = PostgresqlTransaction(self._writers)
        self._open.add(unit)
        try:
            with self._explained():
                try:
                    yield unit
                    await unit.commit()
                    self.sharing.presence.tell(unit.changes)
                except BaseException:
                    await unit.undo()
                    raise
        finally:
            self._open.discard(unit)
            if not self._open:
                self._idle.set()

    async def scrub(self) -> None:
        """Vacuum, so that the space of deleted rows is reused. Raises :class:`StoreError`.

        Unlike SQLite's, this does not overwrite deleted data at once: ``VACUUM FULL`` would block all writes.
        """
        with self._explained():
            connection = await take(self._writers)
            try:
                await connection.execute("SET statement_timeout = 0")
                await connection.execute("VACUUM")
            finally:
                # Close it: resetting the timeout could fail, and the next unit would have no limit.
                await connection.close()
                await self._writers.putconn(connection)

    async def close(self) -> None:
        """Close all connections; hang up on those that wait too long for the server.

        Their units were not acknowledged.
        """
        await ended_within(CLOSE_TIMEOUT_S, self._open, self._idle)
        closing = [
            asyncio.create_task(pool.close(timeout=CLOSE_TIMEOUT_S))
            for pool in (self._writers, self._readers)
        ]
        await asyncio.sleep(0)  # from here on the pools lend no connection
        for connection in self._connections:
            if not connection.closed and connection.info.transaction_status is not TransactionStatus.IDLE:
                hang_up(connection)
        await self.sharing.presence.close()
        await asyncio.gather(*closing)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        self._house.require()
        try:
            yield
        except FAILURES as error:
            self._house.require()
            raise serving_error(error, self.address) from error
