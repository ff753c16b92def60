"""Pooled connections: detect dead ones, time out unresponsive ones, and retry work that met one."""

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
    """A connection that keeps the type of its first error, after which it is not reused."""

    error: type[BaseException] | None = None


Pool: TypeAlias = AsyncConnectionPool[Connection]

RESPONSE_TIMEOUT_S = 12.0
"""Seconds that PostgreSQL may take to respond: longer than its own statement timeout.

Its own timeouts do not help if the server itself is frozen, which an open connection does not reveal.
"""

ATTEMPTS = 3
"""Maximum attempts for work that meets a broken connection or another unit's locks."""

STALE_SESSION_ERRORS = (
    errors.InvalidSqlStatementName,
    errors.DuplicatePreparedStatement,
    errors.FeatureNotSupported,
)
"""Errors of a query whose prepared statement or result types have changed on the server.

Cause: a migration, or a pooler that resets sessions. All connections of the pool are affected.
"""

RETRYABLE_ERRORS = (
    errors.DeadlockDetected,
    errors.SerializationFailure,
    errors.AdminShutdown,
    *STALE_SESSION_ERRORS,
)
"""Transient errors that leave nothing of a unit committed."""


async def with_retries(pool: Pool, work: Callable[[Connection], Awaitable[T]]) -> tuple[Connection, T]:
    """Run ``work`` with a connection; return both connection and result, with the transaction still open.

    The work is retried if its connection breaks or the error is transient, but not after a timeout of
    PostgreSQL's own: the statement would only take as long again.
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
    """Take a live connection from a pool; a server restart kills all idle ones."""
    for _ in range(pool.max_size):
        connection = await pool.getconn()
        if _is_alive(connection):
            return connection
        await pool.putconn(connection)
    return await pool.getconn()


def _is_alive(connection: Connection) -> bool:
    try:
        # The server's last message precedes the end of the stream: the second read finds the end.
        for _ in range(2):
            connection.pgconn.consume_input()
    except OperationalError:
        return False
    return not connection.closed


@contextmanager
def awaited(connection: Connection) -> Iterator[None]:
    """Record errors on a connection; hang up if PostgreSQL does not respond, and raise ``TimeoutError``."""
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
    """Shut down a connection's socket without notifying the server."""
    # Cancelling would have to wait for the server that does not respond.
    if not connection.closed:
        found = socket.socket(fileno=connection.fileno())
        with suppress(OSError):
            found.shutdown(socket.SHUT_RDWR)
        found.detach()


async def give_back(pool: Pool, connection: Connection) -> None:
    """Roll back an open transaction and return the connection to its pool, which replaces it after an error.

    After an error, psycopg's view of the session may be wrong: in a pipeline it assumes that a statement is
    prepared as soon as it is sent, but the server skips everything after an error.
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
        # Its state is unknown: close it, and the server rolls back.
        connection.error = connection.error or OperationalError
        return
    with awaited(connection):
        await connection.execute("ROLLBACK")
