"""Connections: which of a pool may be used, how long PostgreSQL may take to respond, and what is retried."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias, TypeVar

from psycopg import AsyncConnection, OperationalError, errors
from psycopg.pq import PipelineStatus, TransactionStatus
from psycopg_pool import AsyncConnectionPool

T = TypeVar("T")


class Connection(AsyncConnection[tuple[Any, ...]]):
    """A connection that remembers the kind of the first error on it: such a one is used by nobody else."""

    error: type[BaseException] | None = None


Pool: TypeAlias = AsyncConnectionPool[Connection]

RESPONSE_TIMEOUT_S = 12.0
"""Seconds that PostgreSQL may take to respond: more than the statements that it ends itself may take.

Its own timeouts do not help if it is frozen itself; and a connection that is open says nothing of that.
"""

ATTEMPTS = 3
"""How often work is begun that met a broken connection, or another unit's locks."""

STALE_SESSION_ERRORS = (
    errors.InvalidSqlStatementName,
    errors.DuplicatePreparedStatement,
    errors.FeatureNotSupported,
)
"""What a query meets if somebody else changed its prepared statement, or the types of what it returns.

All connections of a pool are affected by then: by a migration, or by a pooler that resets sessions.
"""

RETRYABLE_ERRORS = (
    errors.DeadlockDetected,
    errors.SerializationFailure,
    errors.AdminShutdown,
    *STALE_SESSION_ERRORS,
)
"""What a unit may meet through no fault of its own, with nothing of it committed."""


async def with_retries(pool: Pool, work: Callable[[Connection], Awaitable[T]]) -> tuple[Connection, T]:
    """Return a connection, and what ``work`` on it returns: a transaction that is begun, not committed.

    The work is begun again if its connection breaks. What PostgreSQL ends itself, such as a statement that
    takes too long, would only take as long again.
    """
    left = ATTEMPTS
    while True:
        left -= 1
        connection = await take(pool)
        try:
            return connection, await work(connection)
        except BaseException as error:
            is_broken = connection.closed
            await give_back(pool, connection)
            if not (left and _may_succeed(error, is_broken=is_broken)):
                raise


def _may_succeed(error: BaseException, *, is_broken: bool) -> bool:
    return isinstance(error, RETRYABLE_ERRORS) or (isinstance(error, OperationalError) and is_broken)


async def take(pool: Pool) -> Connection:
    """Take a connection from a pool; after a restart of the server, all that were idle in it are dead."""
    for _ in range(pool.max_size):
        connection = await pool.getconn()
        if _is_alive(connection):
            return connection
        await pool.putconn(connection)
    return await pool.getconn()


def _is_alive(connection: Connection) -> bool:
    try:
        # The server's reason stands before the end: the first look finds the one, the second the other.
        for _ in range(2):
            connection.pgconn.consume_input()
    except OperationalError:
        return False
    return not connection.closed


@contextmanager
def awaited(connection: Connection) -> Iterator[None]:
    """Note an error on a connection; hang up if PostgreSQL does not respond, and raise ``TimeoutError``."""
    hung_up = False

    def time_out() -> None:
        nonlocal hung_up
        hung_up = True
        hang_up(connection)

    timer = asyncio.get_running_loop().call_later(RESPONSE_TIMEOUT_S, time_out)
    try:
        yield
    except BaseException as error:
        connection.error = connection.error or type(error)
        if hung_up and isinstance(error, OperationalError):
            raise TimeoutError from None
        raise
    finally:
        timer.cancel()


def hang_up(connection: Connection) -> None:
    """End what a connection waits for, without a word to the server."""
    # Cancelling would ask the very server that does not respond, and wait for it.
    if not connection.closed:
        found = socket.socket(fileno=connection.fileno())
        with suppress(OSError):
            found.shutdown(socket.SHUT_RDWR)
        found.detach()


async def give_back(pool: Pool, connection: Connection) -> None:
    """Roll back what a connection has begun, and return it to its pool, which replaces it after an error.

    After an error, what psycopg believes of a session may be wrong: in a pipeline it takes a statement for
    prepared as soon as that is sent, and the server skips all that follows an error.
    """
    try:
        await _roll_back(connection)
    finally:
        if connection.error is not None:
            await connection.close()
            if issubclass(connection.error, STALE_SESSION_ERRORS):
                await pool.drain()
        await pool.putconn(connection)


async def _roll_back(connection: Connection) -> None:
    if connection.closed or connection.info.transaction_status is TransactionStatus.IDLE:
        return
    if connection.pgconn.pipeline_status != PipelineStatus.OFF:
        # Nobody knows what it would answer: the server rolls back as it is closed.
        connection.error = connection.error or OperationalError
        return
    with awaited(connection):
        await connection.execute("ROLLBACK")
