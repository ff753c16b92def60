"""Statements on their way to a real PostgreSQL: the loop has one at a time carried out, when it likes.

psycopg gives each as a generator that says when it waits for its socket. It is waited for in no virtual time.
One that waits for another unit's lock is parked: its backend is stopped, and goes on alone once the lock is
free. So nothing happens on the server beside anything else, and a seed plays again exactly.
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
"""Milliseconds without an answer after which it is asked whether a statement waits for a lock."""

LOCK_TIMEOUT = 5.0
"""Virtual seconds for which a statement waits for a lock: the store's own bound, which counts real ones."""

CUT_COMMITS = 8
"""How many times as often the connection of a commit ends: most of all statements only look."""

PRECISION = 0.1
"""Seconds to which the server knows virtual time: telling it costs as much as a statement."""

COMMITTING: ContextVar[bool] = ContextVar("committing", default=False)
"""Whether a unit is committed: its answer takes as long as that of SQLite's writer."""

_BLOCKERS = "SELECT pid, pg_blocking_pids(pid) FROM unnest(%s::int[]) AS pid"

_PRESENT = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid::bigint = %s AND objsubid = 2"

_THERE = "SELECT FROM pg_stat_activity WHERE pid = ANY(%s)"


class Statement:
    """What is asked on a connection, up to its answer."""

    def __init__(self, line: Line, work: Work) -> None:
        self.line = line
        self.commits = COMMITTING.get()
        self.backend: int = line.info.backend_pid
        self.answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.result: Any = None
        self.error: Exception | None = None
        self.timer: asyncio.TimerHandle | None = None
        self._work = work
        # Looked up once, as psycopg does: a connection that is found dead has none any more.
        self._wire = line.pgconn.socket
        self._waits_for: Wait | None = None

    def go_on(self, is_blocked: Callable[[int], bool]) -> bool:
        """Carry it on; return whether it is answered: or else it waits for a lock."""
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
        except Exception as error:  # it belongs to whoever waits for the answer
            self.error = error
        return True

    def drop(self) -> None:
        """Let go of what was not sent."""
        self._work.close()


def _ready(wire: int, wanted: Wait) -> int:
    # What can be sent is sent before anything is read: how much has come by now would be chance.
    writes = bool(wanted & Wait.W)
    poll = select.poll()
    poll.register(wire, select.POLLOUT if writes else select.POLLIN)
    if not poll.poll(ASKED_AFTER):
        return 0
    return Ready.W if writes else Ready.R


class Statements:
    """All of one run. ``observer`` is the simulation's own connection, ``wall`` Unix time on the server."""

    def __init__(self, loop: SeededLoop, observer: Observer, wall: Callable[[], float]) -> None:
        self.under_way: Counter[int] = Counter()
        """By life: how many are waited for."""
        self.cuts = 0.0
        """How many of the statements meet the end of their connection: half of them before they are sent, the
        others once they are carried out, with their answer. Of commits more: :data:`CUT_COMMITS`."""
        self.lines: dict[Line, int] = {}
        """The life of each connection."""
        self.on_committed: Callable[[], None] = lambda: None
        """Called after each commit: nobody has been told."""
        self.on_given_up: Callable[[], None] = lambda: None
        """Called where a statement has waited too long for a lock."""
        self._loop = loop
        self._observer = observer
        self._wall = wall
        self._time = 0.0
        self._parked: list[Statement] = []
        self._held_back: dict[Line, list[Work]] = {}

    # --- in the place of psycopg's own waiting ----------------------------------------------------

    async def connect(self, work: Work, **_: object) -> Any:
        """Stand in for ``psycopg.waiting.wait_conn_async``."""
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
        """Stand in for ``AsyncConnection.wait``."""
        if (seconds := options.get("timeout")) is not None:
            # For what other processes have to say, which comes along with the next answer.
            await self._loop.rest(seconds)
            raise errors._WaitTimeout  # noqa: SLF001
        step = getattr(work, "__name__", "")
        if step == "_enter_gen":
            return _at_once(work)
        if step == "_execute_gen" and line.pgconn.pipeline_status:
            # What goes in one journey is sent together: the server would begin with it.
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
        """Return the connections of a life on which nothing is asked in a transaction that is begun."""
        begun = (TransactionStatus.INTRANS, TransactionStatus.INERROR)
        return [line for line in self._open_lines(life) if line.info.transaction_status in begun]

    def present(self, life: int) -> list[Line]:
        """Return the connection that says that a life is there: it has the locks of its shards."""
        found = {pid for (pid,) in self._observer.execute(_PRESENT, (SHARD,)).fetchall()}
        return [line for line in self._open_lines(life) if line.info.backend_pid in found]

    def _open_lines(self, life: int) -> list[Line]:
        return [line for line, owner in self.lines.items() if owner == life and not line.closed]

    def end(self, lines: Sequence[Line]) -> None:
        """End connections from the server's side, and let those go on that wait for their locks."""
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
            # PostgreSQL finds it in a second, and ends what waits last.
            statement.go_on(lambda _: False)
            self._answer(statement)
            return
        os.kill(statement.backend, signal.SIGSTOP)
        self._parked.append(statement)
        if statement.timer is None:
            statement.timer = self._loop.call_later(LOCK_TIMEOUT, self._time_out, statement)

    def go_on_where_free(self) -> None:
        """Let those go on, one after the other, whose locks are free by now."""
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
        """Return whom all that are parked wait for, and ``others``, by their backends."""
        backends = [*(each.backend for each in self._parked), *others]
        return dict(self._observer.execute(_BLOCKERS, (backends,)).fetchall())

    def _is_blocked(self, backend: int) -> bool:
        return bool(self._blockers(backend)[backend])

    def _is_deadlock(self, statement: Statement) -> bool:
        """Return whether a statement waits for one that waits for it."""
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
        """Do as psycopg does where whoever waits for an answer is cancelled."""
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
            # By itself it would notice only once it had its lock.
            self._observer.execute("SELECT pg_terminate_backend(%s)", (statement.backend,))
            self._continue(statement)
        del self.under_way[life]
        self._wait_for_end(backends)
        self.go_on_where_free()

    def _wait_for_end(self, backends: list[int]) -> None:
        while self._observer.execute(_THERE, (backends,)).fetchall():
            time.sleep(0.0005)


def _at_once(work: Work) -> Any:
    """Return the result of what never waits."""
    try:
        next(work)
    except StopIteration as end:
        return end.value
    raise AssertionError("it waits")


def _together(works: Sequence[Work]) -> Work:
    """Do all, also where one fails; raises the first error, and returns what the last one gives."""
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
