"""A pool of worker processes, each with its own socket, so that one dying does not affect the others.

The processes of an executor share a pipe and its lock. One killed in the middle of an answer leaves half of
it in the pipe, or takes the lock with it, and all that read the pipe or wait for the lock hang forever.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, Protocol

from bot.domain.fair_queue import FairQueue, Ticket
from bot.workers.worker import LENGTH, Answer, Work, frame

SECRET_VARIABLES = frozenset(
    {"DISCORD_TOKEN", "DISCORD_TOKEN_FILE", "BAUTA_DATABASE", "BAUTA_API_URL", "PGPASSWORD", "PGPASSFILE"}
)
"""Environment variables that no worker inherits, because they may hold a token or a password."""

RUN: tuple[str, ...] = ("-P", "-m")
"""Interpreter options: run a module, and import nothing from the working directory."""

MODULE = "bot.workers"
"""The module that a process runs: :mod:`bot.workers.__main__`."""

START_TIMEOUT_S = 120.0
"""Timeout in seconds for a process to start."""

KILL_TIMEOUT_S = 2.0
"""Seconds to wait for a killed process to exit."""

MIN_TWO_PAINTERS_BYTES = 1_500 << 20
"""Bytes of memory needed for a second painter: each takes about 150 MiB."""

CGROUP = Path("/sys/fs/cgroup/memory.max")
"""The container's memory limit; a number of bytes, or ``max``."""


class ProcessDied(Exception):  # noqa: N818 - a finding, not a fault
    """A process exited before it had answered."""


class WorkFailed(Exception):  # noqa: N818 - a finding, not a fault
    """A job raised an exception in its process; the text is that exception's name."""


class Running(Protocol):
    """A started process."""

    @property
    def pid(self) -> int:
        """Return the process's id."""
        ...

    def kill(self) -> None:
        """Kill it; does nothing if it has already exited."""
        ...

    def wait(self, timeout: float) -> object:
        """Wait until it has exited; raises :class:`subprocess.TimeoutExpired`."""
        ...


class WorkingProcess:
    """One process, which does one job at a time. ``command``: its kind, and arguments."""

    def __init__(self, command: Sequence[str]) -> None:
        self._line, theirs = socket.socketpair()
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.jobs = 0
        """Jobs done."""
        environment = {
            name: value for name, value in os.environ.items() if name.upper() not in SECRET_VARIABLES
        }
        # Same import path as this process, whatever its working directory.
        environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        with theirs:
            self._process = self._begin(command, environment, theirs)

    def _begin(self, command: Sequence[str], environment: Mapping[str, str], line: socket.socket) -> Running:
        return subprocess.Popen(  # noqa: S603 - this very program
            [sys.executable, *RUN, MODULE, str(line.fileno()), *command],
            env=environment,
            stdin=subprocess.DEVNULL,
            pass_fds=[line.fileno()],
        )

    @property
    def pid(self) -> int:
        """Return the process's id."""
        return self._process.pid

    async def ready(self) -> None:
        """Wait until it has started; raises :class:`ProcessDied`."""
        if self._streams is None:
            self._streams = await asyncio.open_unix_connection(sock=self._line)
            await self._read(self._streams[0])

    async def do(self, work: Work) -> Answer:
        """Do a job; call :meth:`ready` first. Raises :class:`ProcessDied`. If cancelled, end the process."""
        assert self._streams is not None, "it is not ready"
        reader, writer = self._streams
        try:
            writer.write(frame(work))
            await writer.drain()
        except OSError as error:
            raise ProcessDied from error
        return await self._read(reader)

    async def _read(self, reader: asyncio.StreamReader) -> Answer:
        try:
            size = int.from_bytes(await reader.readexactly(LENGTH))
            answer: Answer = pickle.loads(await reader.readexactly(size))  # noqa: S301 - our own process
        except (OSError, EOFError) as error:
            raise ProcessDied from error
        return answer

    async def end(self) -> None:
        """Kill it, even in the middle of a job: it holds nothing that cannot be rebuilt."""
        self._process.kill()
        (self._line if self._streams is None else self._streams[1]).close()
        with suppress(subprocess.TimeoutExpired):
            await asyncio.to_thread(self._process.wait, KILL_TIMEOUT_S)


class Places:
    """A semaphore with one place per process, and two priorities of waiters."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._first: deque[asyncio.Future[None]] = deque()
        self._others: deque[asyncio.Future[None]] = deque()

    async def acquire(self, *, first: bool = False) -> None:
        """Wait for a place and take it; ``first``: ahead of all waiters without this flag."""
        if self._free:
            self._free -= 1
            return
        waiter = asyncio.get_running_loop().create_future()
        (self._first if first else self._others).append(waiter)
        try:
            await waiter
        except asyncio.CancelledError:
            if not waiter.cancelled():  # its turn came at the same moment
                self.release()
            raise

    def release(self) -> None:
        """Give a place back, passing it to the next waiter if there is one."""
        for queue in (self._first, self._others):
            while queue:
                waiter = queue.popleft()
                if not waiter.done():
                    waiter.set_result(None)
                    return
        self._free += 1


class FairPlaces(Places):
    """Places taken in fair turns: one person's many jobs delay each other, not other people's jobs."""

    def __init__(self, places: int) -> None:
        super().__init__(places)
        self._line = FairQueue()
        self._waiters: dict[str, asyncio.Future[None]] = {}
        self._numbers = count()

    async def take_turn(self, ticket: Ticket) -> None:
        """Wait until it is the turn of the ticket's person, and take a place."""
        # A match may wait for several places at once, so each wait needs its own id.
        own = replace(ticket, match=f"{ticket.match}:{next(self._numbers)}")
        self._line.put(own)
        if self._free:
            self._free -= 1
            self._line.take()  # nobody else waits; it counts as a turn
            return
        waiter = self._waiters[own.match] = asyncio.get_running_loop().create_future()
        try:
            await waiter
        except asyncio.CancelledError:
            if waiter.cancelled():
                self._line.remove(own.match)
                del self._waiters[own.match]
            else:  # its turn came at the same moment
                self.release()
            raise

    def release(self) -> None:
        """Give a place back, passing it to the waiter whose turn it is, if any."""
        while (ticket := self._line.take()) is not None:
            waiter = self._waiters.pop(ticket.match)
            if not waiter.done():
                waiter.set_result(None)
                return
        super().release()


def usual_painters(cgroup: Path = CGROUP) -> int:
    """Return how many painters to start: two if there are two cores and enough memory, else one."""
    return 2 if _cores() > 1 and memory(cgroup) >= MIN_TWO_PAINTERS_BYTES else 1


def usual_thinkers() -> int:
    """Return how many thinking processes to start: one per two cores, at least one."""
    return max(1, _cores() // 2)


def memory(cgroup: Path = CGROUP) -> int:
    """Return the memory of this machine or container in bytes; a huge number if it is unknown."""
    found = [1 << 62]
    with suppress(OSError, ValueError, AttributeError):
        found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    with suppress(OSError, ValueError):
        found.append(int(cgroup.read_text("ascii")))
    return min(found)


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


class WorkerPool:
    """A pool of processes, started on demand and kept for the next job.

    ``command``: their kind, and its arguments. ``rest``: idle seconds after which they are ended;
    ``None``: never. ``life``: jobs after which a process ends, one at a time, once another is free; ``None``:
    never. ``places``: replaces the default two-queue :class:`Places`; as many places as processes.
    """

    def __init__(
        self,
        size: int,
        command: Sequence[str],
        *,
        rest: float | None = None,
        life: int | None = None,
        places: Places | None = None,
    ) -> None:
        self.free = places or Places(size)
        """Acquired by callers of :meth:`work` and :meth:`begin`; released when the process is free again."""
        self.processes: set[WorkingProcess] = set()
        """All running processes: one more than there are places while one is being replaced."""
        self._size = size
        self._command = command
        self._rest = rest
        self._life = life
        self._idle: list[WorkingProcess] = []
        self._tasks: set[asyncio.Task[Any]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._renewing = False
        """Whether another process was started so that an old one can end, and none has ended since."""
        self._has_spare = False
        """Whether that process is ready: the next old one that has finished a job ends."""

    def start_all(self) -> None:
        """Start every process now, so that no job waits for a start later."""
        while len(self.processes) < self._size:
            self._idle.append(self._start())

    async def close(self) -> None:
        """Kill all processes, even busy ones, and wait until they have exited."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._cancel_rest()
        await asyncio.gather(*(process.end() for process in self.processes))
        self.processes.clear()
        self._idle.clear()

    async def work(self, patience: float, work: Callable[..., Any], *given: Any) -> Answer:
        """Do a job in a process and return its answer; if cancelled, the process still finishes the job.

        Raises what the task of :meth:`begin` raises.
        """
        return await asyncio.shield(self.begin(patience, work, *given))

    def begin(self, patience: float, work: Callable[..., Any], *given: Any) -> asyncio.Task[Answer]:
        """Start a job in a process, retrying once if the process dies; return its task.

        The caller must have acquired :attr:`free`, which is released when the task is done. Cancelling the
        task ends the process. The task raises :class:`ProcessDied`, :class:`WorkFailed`, or ``TimeoutError``
        if the job takes longer than ``patience`` seconds; the process is then killed.
        """
        self._cancel_rest()
        task: asyncio.Task[Answer] = self._spawn(self._carry_out(patience, (work, given)))
        # Not in the task itself: a task cancelled before it starts runs none of its code.
        task.add_done_callback(lambda _: self.free.release())
        return task

    def _spawn(self, work: Any) -> asyncio.Task[Any]:
        task: asyncio.Task[Any] = asyncio.create_task(work, name="a process at work")
        self._tasks.add(task)
        task.add_done_callback(self._forget)
        return task

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # mark it retrieved: perhaps nobody awaits the task any more

    async def _carry_out(self, patience: float, work: Work) -> Answer:
        try:
            try:
                return await self._attempt(patience, work, self._idle_process() or self._start())
            except ProcessDied:
                # A fresh process: idle ones may have died too, e.g. for lack of memory.
                return await self._attempt(patience, work, self._start())
        finally:
            self._cancel_rest()
            if self._rest is not None:
                loop = asyncio.get_running_loop()
                self._timer = loop.call_later(self._rest, lambda: self._spawn(self.end_idle()))

    async def _attempt(self, patience: float, work: Work, process: WorkingProcess) -> Answer:
        await self._ready(process)
        try:
            async with asyncio.timeout(patience):
                answer = await process.do(work)
        except BaseException:
            await self._lose(process)
            raise
        process.jobs += 1
        self._keep(process)
        if answer.failure:
            raise WorkFailed(answer.failure)
        return answer

    def _keep(self, process: WorkingProcess) -> None:
        """Keep a process for the next job; an old one ends instead if there is a spare one."""
        if not self._is_old(process):
            self._idle.append(process)
        elif self._has_spare:
            self._has_spare = False
            self._spawn(self._retire(process))
        else:
            self._idle.append(process)
            if not self._renewing:
                self._renewing = True
                self._spawn(self._renew())

    def _is_old(self, process: WorkingProcess) -> bool:
        return self._life is not None and process.jobs >= self._life

    async def _renew(self) -> None:
        """Start a spare process; the old ones go on working until it is ready, so that no job waits."""
        try:
            spare = self._start()
            await self._ready(spare)
        except (OSError, TimeoutError, ProcessDied):
            # Perhaps the system cannot start another now: the old ones begin another life.
            for process in self.processes:
                process.jobs = 0
            self._renewing = False
            return
        self._has_spare = True
        self._idle.insert(0, spare)
        if old := next(filter(self._is_old, self._idle), None):
            self._idle.remove(old)
            self._keep(old)

    async def _retire(self, process: WorkingProcess) -> None:
        await process.end()
        # Only after it has exited: until then ``close`` must wait for it, and no other may be replaced.
        self.processes.discard(process)
        self._renewing = False

    async def _ready(self, process: WorkingProcess) -> None:
        """Wait until a process has started; if it does not, end it."""
        try:
            # A timeout of its own: on a busy machine a start may take longer than any job.
            async with asyncio.timeout(START_TIMEOUT_S):
                await process.ready()
        except BaseException:
            await self._lose(process)
            raise

    async def _lose(self, process: WorkingProcess) -> None:
        """End a failed process; the next job starts another."""
        self.processes.discard(process)
        await process.end()

    def _start(self) -> WorkingProcess:
        process = WorkingProcess(self._command)
        self.processes.add(process)
        return process

    def _idle_process(self) -> WorkingProcess | None:
        # The most recently used one: its memory is still warm.
        return self._idle.pop() if self._idle else None

    async def end_idle(self) -> None:
        """End the idle processes."""
        idle, self._idle = self._idle, []
        self.processes.difference_update(idle)
        await asyncio.gather(*(process.end() for process in idle))

    def _cancel_rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
