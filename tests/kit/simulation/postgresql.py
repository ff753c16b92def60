"""PostgreSQL in a simulation: a real server with the loop's clock, used by one bot after the other.

Leases use virtual time by a ``clock_timestamp`` that shadows PostgreSQL's, and waits for locks by
:mod:`tests.kit.simulation.statements`. Other timeouts of the server are off.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock

import psycopg
import psycopg.connection_async
import psycopg_pool.base
import psycopg_pool.pool_async
import psycopg_pool.sched_async
from psycopg import AsyncConnection, waiting

import bot.clocks
from bot.clocks.loop import CHECK_INTERVAL_S
from bot.domain.address import PostgresqlAddress
from bot.domain.shards import Shards
from bot.store import Store, open_store
from bot.store.postgresql import presence, store, units
from bot.store.postgresql.preparing import prepare
from bot.sync.job_source import LeasedJobs
from tests.kit.postgresql import Cluster
from tests.kit.simulation.database import Site, Storage
from tests.kit.simulation.loop import WORLD
from tests.kit.simulation.profiles import POSTGRESQL
from tests.kit.simulation.statements import COMMITTING, Line, Observer, Statements, Work

RESTS = (
    (presence, "LISTEN_INTERVAL_S", 1.0),
    (LeasedJobs, "rest", 5.0),
    (bot.clocks, "SHARED_REST_S", CHECK_INTERVAL_S),
)
"""Virtual seconds between a process's checks for changes of others, which are more frequent outside."""

IDLE_IN_TRANSACTION = 5.0
"""Seconds after which PostgreSQL ends a connection that is idle in a transaction: see ``BOUNDS``."""

HELD = ("match", "job", "lease", "log", "chair")
"""The tables on which another program may hold locks."""

_WITH_CLOCKS = (
    psycopg.connection_async,
    psycopg_pool.base,
    psycopg_pool.pool_async,
    psycopg_pool.sched_async,
)

_SETTINGS = ("jit = off", "max_parallel_workers_per_gather = 0", "synchronous_commit = off")

_CLOCK = """
CREATE SEQUENCE virtual_time;
CREATE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
    'SELECT to_timestamp(last_value::float8 / 1e6) FROM virtual_time'
"""
"""Microseconds since 1970. Setting a sequence is not transactional."""

_KEEP_ROWS_IN_PLACE = """
DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'house' LOOP
        EXECUTE format('ALTER TABLE %I SET (autovacuum_enabled = off)', name);
    END LOOP;
END $$
"""
"""The physical order of rows decides the order of results, and must not depend on vacuuming."""

_TABLES = """
SELECT string_agg(quote_ident(tablename), ', ' ORDER BY tablename) FROM pg_tables
WHERE schemaname = 'house' AND tablename <> 'migration'
"""


class _NoShards(Shards):
    """No shards, for reading only."""

    @property
    def ids(self) -> range:
        """Return nothing."""
        return range(0)


class PostgresqlDatabase:
    """A database: see :class:`~tests.kit.simulation.database.Database`."""

    is_polled = True
    profiles = POSTGRESQL

    def __init__(self, address: PostgresqlAddress, observer: Observer, operator: Observer) -> None:
        self.address = address
        self.processes = 1
        self.has_failed = False
        self._observer = observer
        self._operator = operator
        self._site: Site
        self._statements: Statements

    @property
    def is_busy(self) -> bool:
        """Return whether the bot waits for a response that takes virtual time."""
        return self._statements.under_way.total() > 0

    @property
    def is_connected(self) -> bool:
        """Return whether the bot has an open connection."""
        return any(not line.closed for line in self._statements.lines)

    @contextmanager
    def edges(self, site: Site) -> Iterator[None]:
        """Replace sockets by the loop, and PostgreSQL's timeouts by virtual time."""
        self._site, loop = site, site.loop
        self._statements = statements = Statements(loop, self._observer, site.others_wall)
        statements.on_committed = site.committed
        statements.on_given_up = lambda: site.tally.update(["statements given up"])

        async def wait(line: Line, work: Work, **options: Any) -> Any:
            return await statements.wait(line, work, **options)

        with ExitStack() as stack:
            for module in _WITH_CLOCKS:
                stack.enter_context(mock.patch.object(module, "monotonic", loop.time))
            stack.enter_context(mock.patch.object(AsyncConnection, "wait", wait))
            stack.enter_context(mock.patch.object(waiting, "wait_conn_async", statements.connect))
            stack.enter_context(mock.patch.dict(store.BOUNDS, dict.fromkeys(store.BOUNDS, "0")))
            stack.enter_context(mock.patch.object(presence, "_BOUNDS", "SET statement_timeout = 0"))
            for place, name, seconds in RESTS:
                stack.enter_context(mock.patch.object(place, name, seconds))
            stack.enter_context(mock.patch.object(units, "commit", _committing(units.commit)))
            stack.callback(self._operator.rollback)
            yield

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        """Return committed rows."""
        return self._observer.execute(sql.encode(), prepare=False).fetchall()

    def version(self) -> object:
        """Return a value that changes with each commit."""
        return self.ask("SELECT pg_current_snapshot()::text")

    async def open_to_audit(self) -> Store:
        """Open it for audits; the bot's processes have all shards."""
        return await open_store(self.address, _NoShards(0, 0, self.processes))

    def fail(self, *, is_failing: bool) -> None:
        """Start or stop ending connections of some statements."""
        self.cut(self._site.plan.cuts if is_failing else 0.0)

    def cut(self, share: float) -> None:
        """End the connection of a share of the statements from now on."""
        self.has_failed |= share > 0
        self._statements.cuts = share

    def hold(self, seconds: float) -> str:
        """Lock a table against writes if no write is in progress; return its name."""
        table = self._site.random.choice(HELD)
        try:
            self._operator.execute(f"LOCK TABLE {table} IN EXCLUSIVE MODE NOWAIT".encode())
        except psycopg.errors.LockNotAvailable:
            self._operator.rollback()
            return ""
        self.has_failed = True
        self._site.loop.call_later(seconds, self._let_go)
        return table

    def _let_go(self) -> None:
        self._operator.rollback()
        self._statements.go_on_where_free()

    def freeze(self, life: int) -> None:
        """End the connections of a life that is frozen for too long, like PostgreSQL."""
        loop, world = self._site.loop, self._site.loop.in_life(WORLD)
        self.has_failed = True
        for seconds, pick in (
            (IDLE_IN_TRANSACTION, self._statements.within_transactions),
            (float(presence.FROZEN_SECONDS), self._statements.present),
        ):
            loop.call_later(seconds, self._end_idle, life, pick, context=world)

    def _end_idle(self, life: int, pick: Callable[[int], list[Line]]) -> None:
        if self._site.loop.is_frozen(life):
            self._statements.end(pick(life))

    def cut_off(self, life: int) -> None:
        """Close all connections of a life, and wait until the server has noticed."""
        self._statements.cut_off(life)

    def clear(self) -> None:
        """Remove all rows."""
        [(tables,)] = self.ask(_TABLES)
        self._observer.execute(f"TRUNCATE {tables} RESTART IDENTITY".encode())


def _committing(commit: Callable[[Any], Any]) -> Callable[[Any], Any]:
    async def committing(line: Line) -> None:
        before = COMMITTING.set(True)
        try:
            await commit(line)
        finally:
            COMMITTING.reset(before)

    return committing


@contextmanager
def in_postgresql(cluster: Cluster) -> Iterator[Storage]:
    """Create a database for this process, and yield it to one run after the other."""
    name = f"simulation{os.getpid()}"
    cluster.execute(f"CREATE DATABASE {name}")
    for each in _SETTINGS:
        cluster.execute(f"ALTER DATABASE {name} SET {each}")
    address = cluster.address(name, schema="house,pg_catalog")
    with psycopg.connect(address.url, autocommit=True) as observer, psycopg.connect(address.url) as operator:
        observer.execute("CREATE SCHEMA house")
        prepare(address)
        for sql in (_CLOCK, _KEEP_ROWS_IN_PLACE):
            observer.execute(sql.encode())
        # The log is append-only, except for a new start.
        observer.execute("SET session_replication_role = replica")

        @contextmanager
        def lend() -> Iterator[PostgresqlDatabase]:
            database = PostgresqlDatabase(address, observer, operator)
            database.clear()
            yield database

        yield lend
    cluster.execute(f"DROP DATABASE {name} WITH (FORCE)")
