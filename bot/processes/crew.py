"""Processes that work for the bot: each with a socket of its own, so that the end of one hurts no other.

The processes of an executor share a pipe and its lock. One that is killed in the middle of an answer leaves
half of it in the pipe, or takes the lock with it, and whoever reads there or waits for it hangs for ever.
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

from bot.processes.places import Places
from bot.processes.wire import LENGTH, Answer, Work, frame

SECRET = frozenset(
    {"DISCORD_TOKEN", "DISCORD_TOKEN_FILE", "BAUTA_DATABASE", "BAUTA_API_URL", "PGPASSWORD", "PGPASSFILE"}
)
"""Variables that no process gets: they hold a token or a password, or may."""

RUN: tuple[str, ...] = ("-P", "-m")
"""How the interpreter is told to run a module, and to take nothing from the working directory."""

START = 120.0
"""Seconds that a process may take to start."""

REAP = 2.0
"""Seconds within which a process that was killed is gone."""


class ProcessDied(Exception):  # noqa: N818 - a finding, not a fault
    """A process ended before it had answered."""


class WorkFailed(Exception):  # noqa: N818 - a finding, not a fault
    """What a process was to do raised an exception; the text is that one's name."""


class Running(Protocol):
    """A process that was started."""

    @property
    def pid(self) -> int:
        """Return the process's id."""
        ...

    def kill(self) -> None:
        """Kill it; one that has ended stays as it is."""
        ...

    def wait(self, timeout: float) -> object:
        """Wait until it has ended; raises :class:`subprocess.TimeoutExpired`."""
        ...


class WorkingProcess:
    """One process, which does one job at a time. ``command``: a module that serves, and its arguments."""

    def __init__(self, command: Sequence[str]) -> None:
        self._line, theirs = socket.socketpair()
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.jobs = 0
        """Jobs that it has done; from nought again where its renewal has begun."""
        environment = {name: value for name, value in os.environ.items() if name.upper() not in SECRET}
        # It finds what this process finds, wherever that was started.
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
        """Do a job, once it is ready; raises :class:`ProcessDied`. Who stops waiting must end the process."""
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
        """Kill it, whatever it does: it holds nothing that cannot be made again."""
        self._process.kill()
        (self._line if self._streams is None else self._streams[1]).close()
        with suppress(subprocess.TimeoutExpired):
            await asyncio.to_thread(self._process.wait, REAP)


class Crew:
    """Some processes, started when they are needed and kept for the next job.

    ``command``: the module that serves in them, and its arguments. ``rest``: seconds without a job after
    which they are ended; ``None``: they are kept. ``life``: jobs after which a process is renewed, one at a
    time and behind the scenes; ``None``: it stays. ``places``: as many as processes, where
    they are not taken in two lines.
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
        """Acquired by whoever calls :meth:`work`, and released once the process is free again."""
        self.processes: set[WorkingProcess] = set()
        """Those that were started and not ended: one more than there are places, while one is renewed."""
        self._size = size
        self._command = command
        self._rest = rest
        self._life = life
        self._idle: list[WorkingProcess] = []
        self._tasks: set[asyncio.Task[Any]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._successor: WorkingProcess | None = None
        """Started to take the place of another, until the one that is too many then has ended."""
        self._relief: dict[WorkingProcess, WorkingProcess] = {}
        """Whose place is taken after its present job, and by whom."""

    def start_all(self) -> None:
        """Start every process now, so that nobody waits for it later."""
        while len(self.processes) - (self._successor is not None) < self._size:
            self._idle.append(self._start())

    async def close(self) -> None:
        """End all processes, whatever they do, and wait for their end."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._cancel_rest()
        await asyncio.gather(*(process.end() for process in self.processes))
        self.processes.clear()
        self._idle.clear()

    async def work(self, patience: float, work: Callable[..., Any], *given: Any) -> Answer:
        """Do a job in a process, and wait for it; who stops waiting leaves the process to its job.

        Raises as the task of :meth:`begin` does.
        """
        return await asyncio.shield(self.begin(patience, work, *given))

    def begin(self, patience: float, work: Callable[..., Any], *given: Any) -> asyncio.Task[Answer]:
        """Begin a job in a process, and do it once more where the process dies; return its task.

        The caller has acquired :attr:`free`, which is released once the task is done; to cancel the task ends
        the process. The task raises :class:`ProcessDied`, :class:`WorkFailed`, or ``TimeoutError`` where the
        job takes longer than ``patience`` seconds; the process is killed then.
        """
        self._cancel_rest()
        task: asyncio.Task[Answer] = self._spawn(self._carry_out(patience, (work, given)))
        # Not by the task itself: one that is cancelled before it has begun does nothing at all.
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
            task.exception()  # whoever waits is told; nobody may wait any more

    async def _carry_out(self, patience: float, work: Work) -> Answer:
        try:
            try:
                return await self._attempt(patience, work, self._idle_process() or self._start())
            except ProcessDied:
                # A fresh one: others may have died with it, as where memory ran out.
                return await self._attempt(patience, work, self._start())
        finally:
            self._cancel_rest()
            if self._rest is not None:
                loop = asyncio.get_running_loop()
                self._timer = loop.call_later(self._rest, lambda: self._spawn(self.end_idle()))

    async def _attempt(self, patience: float, work: Work, process: WorkingProcess) -> Answer:
        try:
            # On a busy machine a start may take longer than any job.
            async with asyncio.timeout(START):
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
        """Keep a process for the next job, or in its place the one that relieves it."""
        kept = self._relief.pop(process, process)
        self._idle.append(kept)
        if kept is not process:
            self._spawn(self._retire(process))

    async def _lose(self, process: WorkingProcess) -> None:
        """End a process, and the one that was to relieve it: whoever needs another one starts it."""
        self.processes.discard(process)
        successor = self._relief.pop(process, None)
        await process.end()
        if successor is not None:
            await self._retire(successor)

    def _renew_if_due(self, process: WorkingProcess) -> None:
        if self._life is None or process.jobs < self._life or self._successor is not None:
            return
        process.jobs = 0
        # Where the system has no room for another one, the next try may find some.
        with suppress(OSError):
            self._successor = self._start()
            self._spawn(self._renew(process, self._successor))

    async def _renew(self, old: WorkingProcess, successor: WorkingProcess) -> None:
        """Let the old one work until its successor can: nobody waits for either."""
        try:
            async with asyncio.timeout(START):
                await successor.ready()
        except BaseException:
            await self._retire(successor)
            raise
        if old not in self.processes:  # it has ended meanwhile
            await self._retire(successor)
            return
        self._relief[old] = successor
        if old in self._idle:
            self._idle.remove(old)
            self._keep(old)

    async def _retire(self, process: WorkingProcess) -> None:
        await process.end()
        # Not before: who closes the crew meanwhile waits for its end too, and no other is renewed.
        self.processes.discard(process)
        self._successor = None

    def _start(self) -> WorkingProcess:
        process = WorkingProcess(self._command)
        self.processes.add(process)
        return process

    def _idle_process(self) -> WorkingProcess | None:
        # The one that worked last: what it needs is still in its memory.
        return self._idle.pop() if self._idle else None

    async def end_idle(self) -> None:
        """End the processes that have nothing to do."""
        idle, self._idle = self._idle, []
        self.processes.difference_update(idle)
        await asyncio.gather(*(process.end() for process in idle))

    def _cancel_rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
