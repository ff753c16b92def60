"""Detect connections to another PostgreSQL database than the one that was opened.

The address may lead elsewhere later: to another server, or to a database that was dropped and recreated.
Each database has a random id, created once; a copy, a standby and a backup share the id of their original.
"""

from __future__ import annotations

import logging
import secrets
from typing import Any

from psycopg import AsyncConnection, errors

from bot.domain.address import PostgresqlAddress
from bot.store.errors import DatabaseReplaced

LOG = logging.getLogger("bauta.store")

HOUSE_ID = "house_id"
"""Key in ``house``: the random id of a database."""

ADVICE = (
    "Nothing is read or changed any more. docs/troubleshooting.md, “The database was deleted or replaced”, "
    "says what to do; start the processes again once the address leads to the right one."
)


class HouseIdentity:
    """The id of the database that was opened."""

    def __init__(self, address: PostgresqlAddress) -> None:
        self._address = address
        self._id: str | None = None
        self._is_lost = False

    async def check(self, connection: AsyncConnection[Any]) -> None:
        """Raise :class:`DatabaseReplaced` if this or an earlier connection leads to another database.

        The first connection, which must be writable, defines the right one.
        """
        self.require()
        if self._id is None:
            await connection.execute(
                "INSERT INTO house (key, value) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                [HOUSE_ID, secrets.token_hex(16)],
            )
            self._id = await _house_id(connection)
        elif await _house_id(connection) != self._id:
            if not self._is_lost:  # several connections may be checked at once
                self._is_lost = True
                LOG.error("%s\n%s", self._reason, ADVICE)
            self.require()

    def require(self) -> None:
        """Raise :class:`DatabaseReplaced` if a connection has led to another database."""
        if self._is_lost:
            raise DatabaseReplaced(f"{self._reason}\n{ADVICE}")

    @property
    def _reason(self) -> str:
        return f"{self._address} leads to another database than the one that was opened."


async def _house_id(connection: AsyncConnection[Any]) -> str | None:
    try:
        cursor = await connection.execute("SELECT value FROM house WHERE key = $1", [HOUSE_ID])
        row = await cursor.fetchone()
    except errors.UndefinedTable:
        return None
    return None if row is None else str(row[0])
