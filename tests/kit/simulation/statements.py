"""Statements for a real PostgreSQL: the loop executes one at a time, in its own order.

psycopg provides each as a generator that yields when it waits for its socket; this takes no virtual time.
A statement that waits for a lock is parked: its backend is stopped, and continues alone once the lock is
free. So nothing runs concurrently on the server, and a seed repeats exactly.
"""

from __future__ import annotations

import asyncio
import os
import select
import signal
import socket
import time
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextvars import ContextVar
from typing import Any, TypeAlias

import psycopg
from psycopg import AsyncConnection, errors, waiting
from psycopg.pq import TransactionStatus
from psycopg.waiting import Ready, Wait

from bot.store.postgresql.presence import SHARD
from tests.kit.simulation.loop import LIFE, SeededLoop

Line: TypeAlias = "AsyncConnection[Any]"
Work: TypeAlias = "Generator[Any, Any, Any]"
Observer: TypeAlias = "psycopg.Connection[tuple[Any, ...]]"

ASKED_AFTER = 4
"""Milliseconds without a response after which it is checked whether a statement waits for a lock."""

LOCK_TIMEOUT = 5.0
"""The lock timeout in virtual seconds; the store's own counts real ones."""

CUT_COMMITS = 8
"""Factor for the end of connections at commits, because most statements only read."""

PRECISION = 0.1
"""The precision of the server's virtual time in seconds, because updating it costs a statement."""

COMMITTING: ContextVar[bool] = ContextVar("committing", default=False)
"""Whether a statement is a commit, whose response takes as long as one of SQLite's writer."""

_BLOCKERS = "SELECT pid, pg_blocking_pids(pid) FROM unnest(%s::int[]) AS pid"

_PRESENT = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid::bigint = %s AND objsubid = 2"

_THERE = "SELECT FROM pg_stat_activity WHERE pid = ANY(%s)"


class Statement:
    """A request on a connection, until its response."""

    def __init__(self, line: Line, work: Work) -> None:
        self.line = line
        self.commits = COMMITTING.get()
        self.backend: int = line.info.backend_pid
        self.answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.result: Any = None
        self.error: Exception | None = None
        self.timer: asyncio.TimerHandle | None = None
        self._work = work
        # Looked up once, like psycopg: a dead connection has none any more.
        self._wire = line.pgconn.socket
        self._waits_for: Wait | None = None

    def go_on(self, is_blocked: Callable[[int], bool]) -> bool:
        """Continue; return whether it is answered (otherwise it waits for a lock)."""
        try:
            wanted = next(self._work) if self._waits_for is None else self._waits_for
            while True:
                if ready := _ready(self._wire, wanted):
                    wanted = self._work.send(ready)
                elif is_blocked(self.backend):
                    self._waits_for = wanted
                    return False
        except StopIteration as end:
            self.result = end.value
        except Exception as error:  # it belongs to the waiter for the response
            self.error = error
        return True

    def drop(self) -> None:
        """Drop unsent data."""
        self._work.close()


def _ready(wire: int, wanted: Wait) -> int:
    # Send everything before reading: the amount received by now would be random.
    writes = bool(wanted & Wait.W)
    poll = select.poll()
    poll.register(wire, select.POLLOUT if writes else select.POLLIN)
    if not poll.poll(ASKED_AFTER):
        return 0
    return Ready.W if writes else Ready.R


class Statements:
    """The statements of a run. ``observer``: the simulation's connection, ``wall``: server time."""

    def __init__(self, loop: SeededLoop, observer: Observer, wall: Callable[[], float]) -> None:
        self.under_way: Counter[int] = Counter()
        """By life: the number of pending statements."""
        self.cuts = 0.0
        """The share of statements whose connection ends: half of them before they are sent, the others after
        execution, but before the response. More for commits: :data:`CUT_COMMITS`."""
        self.lines: dict[Line, int] = {}
        """The life of each connection."""
        self.on_committed: Callable[[], None] = lambda: None
        """Called after each commit, before its acknowledgement."""
        self.on_given_up: Callable[[], None] = lambda: None
        """Called if a statement has waited too long for a lock."""
        self._loop = loop
        self._observer = observer
        self._wall = wall
        self._time = 0.0
        self._parked: list[Statement] = []
        self._held_back: dict[Line, list[Work]] = {}

    # --- replacements of psycopg's waiting --------------------------------------------------------

    async def connect(self, work: Work, **_: object) -> Any:
        """Replace ``psycopg.waiting.wait_conn_async``."""
        life = LIFE.get()
        made: list[Line] = []

        def connect() -> Line:
            made.append(waiting.wait_conn(work, interval=0.1))
            self.lines[made[0]] = life
            return made[0]

        self.under_way[life] += 1
        try:
            return await self._loop.run_in_executor(None, connect)
        except asyncio.CancelledError:
            for line in made:
                await line.close()
            raise
        finally:
            self.under_way[life] -= 1

    async def wait(self, line: Line, work: Work, **options: Any) -> Any:
        """Replace ``AsyncConnection.wait``."""
        if (seconds := options.get("timeout")) is not None:
            # A wait for notifications of other processes, which come with the next response.
            await self._loop.rest(seconds)
            raise errors._WaitTimeout  # noqa: SLF001
        step = getattr(work, "__name__", "")
        if step == "_enter_gen":
            return _at_once(work)
        if step == "_execute_gen" and line.pgconn.pipeline_status:
            # Data of one round trip is sent together: otherwise the server would start early.
            self._held_back.setdefault(line, []).append(work)
            return None
        return await self._carry_out(Statement(line, _together([*self._held_back.pop(line, []), work])))

    async def _carry_out(self, statement: Statement) -> Any:
        life = LIFE.get()
        self.under_way[life] += 1
        try:
            await self._loop.run_in_executor(statement.commits or None, self._begin, statement)
            await statement.answered
        except asyncio.CancelledError:
            self._give_up(statement)
            raise
        finally:
            self.under_way[life] -= 1
        if statement.error is not None:
            raise statement.error
        return statement.result

    # --- one at a time ----------------------------------------------------------------------------

    def _begin(self, statement: Statement) -> None:
        self._let_server_time_pass()
        cuts = self.cuts * (CUT_COMMITS if statement.commits else 1)
        chance = self._loop.random.random() if cuts else 1.0
        if chance < cuts / 2:
            self._cut(statement.line)
        self._go_on(statement)
        if statement.commits and statement.answered.done() and statement.error is None:
            self.on_committed()
        if cuts / 2 <= chance < cuts and statement.answered.done():
            self._cut(statement.line)
            statement.line.pgconn.finish()
            statement.error = psycopg.OperationalError("the answer was lost")
        self.go_on_where_free()

    def _cut(self, line: Line) -> None:
        """Cut a connection, and wait until the server has noticed."""
        if line.closed:
            return
        backend = line.info.backend_pid
        with socket.socket(fileno=os.dup(line.pgconn.socket)) as wire:
            wire.shutdown(socket.SHUT_RDWR)
        self._wait_for_end([backend])

    def within_transactions(self, life: int) -> list[Line]:
        """Return a life's connections that are idle in a transaction."""
        begun = (TransactionStatus.INTRANS, TransactionStatus.INERROR)
        return [line for line in self._open_lines(life) if line.info.transaction_status in begun]

    def present(self, life: int) -> list[Line]:
        """Return the connection that holds the locks of a life's shards."""
        found = {pid for (pid,) in self._observer.execute(_PRESENT, (SHARD,)).fetchall()}
        return [line for line in self._open_lines(life) if line.info.backend_pid in found]

    def _open_lines(self, life: int) -> list[Line]:
        return [line for line, owner in self.lines.items() if owner == life and not line.closed]

    def end(self, lines: Sequence[Line]) -> None:
        """End connections on the server, and continue statements that wait for their locks."""
        backends = [line.info.backend_pid for line in lines]
        for backend in backends:
            self._observer.execute("SELECT pg_terminate_backend(%s)", (backend,))
        self._wait_for_end(backends)
        self.go_on_where_free()

    def _let_server_time_pass(self) -> None:
        now = self._wall()
        if now >= self._time + PRECISION:
            self._time = now
            self._observer.execute("SELECT setval('virtual_time', %s)", (int(now * 1e6),))

    def _go_on(self, statement: Statement) -> None:
        if statement.go_on(self._is_blocked):
            self._answer(statement)
        else:
            self._park(statement)

    def _answer(self, statement: Statement) -> None:
        if statement.timer is not None:
            statement.timer.cancel()
        if not statement.answered.done():
            statement.answered.set_result(None)

    def _park(self, statement: Statement) -> None:
        if self._is_deadlock(statement):
            # PostgreSQL detects it within a second, and ends the latest waiter.
            statement.go_on(lambda _: False)
            self._answer(statement)
            return
        os.kill(statement.backend, signal.SIGSTOP)
        self._parked.append(statement)
        if statement.timer is None:
            statement.timer = self._loop.call_later(LOCK_TIMEOUT, self._time_out, statement)

    def go_on_where_free(self) -> None:
        """Continue statements whose locks are free, one after the other."""
        while self._parked:
            blockers = self._blockers()
            freed = next((each for each in self._parked if not blockers[each.backend]), None)
            if freed is None:
                return
            self._continue(freed)
            self._go_on(freed)

    def _continue(self, statement: Statement) -> None:
        self._parked.remove(statement)
        os.kill(statement.backend, signal.SIGCONT)

    def _blockers(self, *others: int) -> dict[int, list[int]]:
        """Return the blockers of all parked statements and ``others``, by backend."""
        backends = [*(each.backend for each in self._parked), *others]
        return dict(self._observer.execute(_BLOCKERS, (backends,)).fetchall())

    def _is_blocked(self, backend: int) -> bool:
        return bool(self._blockers(backend)[backend])

    def _is_deadlock(self, statement: Statement) -> bool:
        """Return whether a statement is part of a deadlock."""
        blockers = self._blockers(statement.backend)
        found, ahead = set[int](), [statement.backend]
        while ahead:
            for backend in blockers.get(ahead.pop(), []):
                if backend == statement.backend:
                    return True
                if backend not in found:
                    found.add(backend)
                    ahead.append(backend)
        return False

    # --- ends -------------------------------------------------------------------------------------

    def _time_out(self, statement: Statement) -> None:
        if statement in self._parked:
            self.on_given_up()
            self._cancel(statement)

    def _give_up(self, statement: Statement) -> None:
        """Do what psycopg does when the waiter for a response is cancelled."""
        if statement in self._parked:
            self._cancel(statement)
        elif not statement.answered.done():
            statement.drop()

    def _cancel(self, statement: Statement) -> None:
        self._continue(statement)
        statement.line.pgconn.get_cancel().cancel()
        statement.go_on(lambda _: False)
        self._answer(statement)
        self.go_on_where_free()

    def cut_off(self, life: int) -> None:
        """Close all connections of a life, and wait until the server has noticed."""
        lines = [line for line, owner in self.lines.items() if owner == life]
        backends = [line.info.backend_pid for line in lines if not line.closed]
        parked = [each for each in self._parked if each.line in lines]
        for line in lines:
            del self.lines[line]
            self._held_back.pop(line, None)
            line.pgconn.finish()
        for statement in parked:
            # Otherwise it would notice only after getting its lock.
            self._observer.execute("SELECT pg_terminate_backend(%s)", (statement.backend,))
            self._continue(statement)
        del self.under_way[life]
        self._wait_for_end(backends)
        self.go_on_where_free()

    def _wait_for_end(self, backends: list[int]) -> None:
        while self._observer.execute(_THERE, (backends,)).fetchall():
            time.sleep(0.0005)


def _at_once(work: Work) -> Any:
    """Return the result of a coroutine that never waits."""
    try:
        next(work)
    except StopIteration as end:
        return end.value
    raise AssertionError("it waits")


def _together(works: Sequence[Work]) -> Work:
    """Run all, even if one fails; raises the first error, and returns the last result."""
    first: Exception | None = None
    result: Any = None
    for work in works:
        try:
            result = yield from work
        except Exception as error:
            first = first or error
    if first is not None:
        raise first
    return result
