"""Connections: which of a pool's live, how long PostgreSQL may keep silent, and what is tried again."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias, TypeVar

from psycopg import AsyncConnection, OperationalError, errors
from psycopg.pq import TransactionStatus
from psycopg_pool import AsyncConnectionPool

T = TypeVar("T")

Line: TypeAlias = "AsyncConnection[tuple[Any, ...]]"
Pool: TypeAlias = "AsyncConnectionPool[Line]"

ANSWER = 12.0
"""Seconds that PostgreSQL may keep silent: more than the statements that it ends itself may take.

Its own bounds do not help where it is frozen itself; and a connection that lives says nothing of that.
"""

ATTEMPTS = 3
"""How often work is begun that met a connection that died, or another unit's locks."""

AGAIN = (errors.DeadlockDetected, errors.SerializationFailure, errors.AdminShutdown)
"""What a unit may meet through no fault of its own, with nothing of it committed."""


async def persistently(pool: Pool, work: Callable[[Line], Awaitable[T]]) -> tuple[Line, T]:
    """Return a connection, and what ``work`` on it gives: a transaction that is begun, not committed.

    It is begun anew where its connection dies. What PostgreSQL gives up itself, such as a statement that
    takes too long, would only take as long again.
    """
    left = ATTEMPTS
    while True:
        left -= 1
        line = await living(pool)
        try:
            return line, await work(line)
        except BaseException as error:
            await give_back(pool, line)
            if not (left and _may_succeed(error, line)):
                raise


def _may_succeed(error: BaseException, line: Line) -> bool:
    return isinstance(error, AGAIN) or (isinstance(error, OperationalError) and line.closed)


async def living(pool: Pool) -> Line:
    """Take a connection from a pool; after a restart of the server, all that were idle in it are dead."""
    for _ in range(pool.max_size):
        line = await pool.getconn()
        if _lives(line):
            return line
        await pool.putconn(line)
    return await pool.getconn()


def _lives(line: Line) -> bool:
    try:
        # What stands in the way of the end of a connection is its reason: one look finds that, one the end.
        for _ in range(2):
            line.pgconn.consume_input()
    except OperationalError:
        return False
    return not line.closed


@contextmanager
def answered(line: Line) -> Iterator[None]:
    """Hang up where PostgreSQL keeps silent for too long; raises ``TimeoutError`` then."""
    hung_up = False

    def hang_up() -> None:
        nonlocal hung_up
        hung_up = True
        _hang_up(line)

    timer = asyncio.get_running_loop().call_later(ANSWER, hang_up)
    try:
        yield
    except OperationalError:
        if hung_up:
            raise TimeoutError from None
        raise
    finally:
        timer.cancel()


def _hang_up(line: Line) -> None:
    # Cancelling would ask the very server that says nothing, and wait for it.
    if not line.closed:
        found = socket.socket(fileno=line.fileno())
        with suppress(OSError):
            found.shutdown(socket.SHUT_RDWR)
        found.detach()


async def roll_back(connection: Line) -> None:
    """Roll back the transaction under way, if there is one and the connection lives."""
    if not connection.closed and connection.info.transaction_status is not TransactionStatus.IDLE:
        with answered(connection):
            await connection.execute("ROLLBACK")


async def give_back(pool: Pool, connection: Line) -> None:
    """End what a connection has begun, and let others have it."""
    try:
        await roll_back(connection)
    finally:
        await pool.putconn(connection)
