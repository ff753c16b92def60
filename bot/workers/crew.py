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
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol

from bot.workers.places import Places
from bot.workers.wire import LENGTH, Answer, Work, frame

SECRET_VARIABLES = frozenset(
    {"DISCORD_TOKEN", "DISCORD_TOKEN_FILE", "BAUTA_DATABASE", "BAUTA_API_URL", "PGPASSWORD", "PGPASSFILE"}
)
"""Environment variables that no worker inherits, because they may hold a token or a password."""

RUN: tuple[str, ...] = ("-P", "-m")
"""Interpreter options: run a module, and import nothing from the working directory."""

START_TIMEOUT_S = 120.0
"""Timeout in seconds for a process to start."""

KILL_TIMEOUT_S = 2.0
"""Seconds to wait for a killed process to exit."""


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
    """One process, which does one job at a time. ``command``: the module it runs, and its arguments."""

    def __init__(self, command: Sequence[str]) -> None:
        self._line, theirs = socket.socketpair()
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.jobs = 0
        """Jobs done; reset to zero when its replacement is started."""
        environment = {
            name: value for name, value in os.environ.items() if name.upper() not in SECRET_VARIABLES
        }
        # Same import path as this process, whatever its working directory.
        environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        with theirs:
            self._process = self._begin(command, environment, theirs)

    def _begin(self, command: Sequence[str], environment: Mapping[str, str], line: socket.socket) -> Running:
        module, *arguments = command
        return subprocess.Popen(  # noqa: S603 - this very program
            [sys.executable, *RUN, module, str(line.fileno()), *arguments],
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


class Crew:
    """A pool of processes, started on demand and kept for the next job.

    ``command``: the module they run, and its arguments. ``rest``: idle seconds after which they are ended;
    ``None``: never. ``life``: jobs after which a process is replaced in the background, one at a time;
    ``None``: never. ``places``: replaces the default two-queue :class:`Places`; as many places as processes.
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
        self._successor: WorkingProcess | None = None
        """The replacement that was started, until the surplus process (usually the old one) has exited."""
        self._relief: dict[WorkingProcess, WorkingProcess] = {}
        """Old process -> its replacement, ready to take over after the old one's current job."""

    def start_all(self) -> None:
        """Start every process now, so that no job waits for a start later."""
        while len(self.processes) - (self._successor is not None) < self._size:
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
        try:
            # A timeout of its own: on a busy machine a start may take longer than any job.
            async with asyncio.timeout(START_TIMEOUT_S):
                await process.ready()
            async with asyncio.timeout(patience):
                answer = await process.do(work)
        except BaseException:
            await self._lose(process)
            raise
        process.jobs += 1
        self._keep(process)
        self._renew_if_due(process)
        if answer.failure:
            raise WorkFailed(answer.failure)
        return answer

    def _keep(self, process: WorkingProcess) -> None:
        """Keep a process for the next job, or swap in its replacement and retire it."""
        kept = self._relief.pop(process, process)
        self._idle.append(kept)
        if kept is not process:
            self._spawn(self._retire(process))

    async def _lose(self, process: WorkingProcess) -> None:
        """End a failed process and its replacement, if any; the next job starts another."""
        self.processes.discard(process)
        successor = self._relief.pop(process, None)
        await process.end()
        if successor is not None:
            await self._retire(successor)

    def _renew_if_due(self, process: WorkingProcess) -> None:
        if self._life is None or process.jobs < self._life or self._successor is not None:
            return
        process.jobs = 0
        # If the system cannot start another process now, try again after ``life`` more jobs.
        with suppress(OSError):
            self._successor = self._start()
            self._spawn(self._renew(process, self._successor))

    async def _renew(self, old: WorkingProcess, successor: WorkingProcess) -> None:
        """Keep the old process working until its successor is ready, so that no job waits."""
        try:
            async with asyncio.timeout(START_TIMEOUT_S):
                await successor.ready()
        except BaseException:
            await self._retire(successor)
            raise
        if old not in self.processes:  # it has exited meanwhile
            await self._retire(successor)
            return
        self._relief[old] = successor
        if old in self._idle:
            self._idle.remove(old)
            self._keep(old)

    async def _retire(self, process: WorkingProcess) -> None:
        await process.end()
        # Only after it has exited: until then ``close`` must wait for it, and no other may be replaced.
        self.processes.discard(process)
        self._successor = None

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
