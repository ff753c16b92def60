"""Two processes that share a database of PostgreSQL, and do not keep out of each other's way."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any
from unittest import mock

from bot.matches.table_cache import TableCache
from bot.store.postgresql import sharing
from bot.store.postgresql.connections import Connection
from bot.store.postgresql.sharing import PostgresqlSharing


def a_lost_lease_is_renewed() -> AbstractContextManager[Any]:
    """Renew leases that another process has taken over."""
    sql = sharing._RENEW.replace("holder = $1", "$1 <> ''")  # noqa: SLF001
    return mock.patch.object(sharing, "_RENEW", sql)


def others_commits_are_not_heard() -> AbstractContextManager[Any]:
    """Believe what is in memory, whatever the other process has committed."""

    async def nothing(self: TableCache, table_id: str) -> int:
        return 0

    return mock.patch.object(TableCache, "_committed_elsewhere", nothing)


def a_lease_is_released_while_busy() -> AbstractContextManager[Any]:
    """Give every lease back as soon as it is taken."""
    claim = PostgresqlSharing.claim

    async def claimed(self: PostgresqlSharing, now: float, most: int, afterwards: int) -> frozenset[str]:
        found = await claim(self, now, most, afterwards)
        if found:
            await self.release(found)
        return found

    return mock.patch.object(PostgresqlSharing, "claim", claimed)


def nothing_is_locked_while_it_is_asked() -> AbstractContextManager[Any]:
    """Let units that ask while they write run beside each other."""
    execute = Connection.execute

    async def unlocked(self: Connection, query: Any, *given: Any, **named: Any) -> Any:
        if query == "SELECT pg_advisory_xact_lock($1)":
            query = "SELECT $1::int8"
        return await execute(self, query, *given, **named)

    return mock.patch.object(Connection, "execute", unlocked)
