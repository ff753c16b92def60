"""Bots in processes of their own, forked from one that has done all imports.

The imports alone would take longer than most tests. Everything else is as after ``python -m bot``, which
``tests/e2e/test_start.py`` runs as a user would.
"""

from __future__ import annotations

import multiprocessing
import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path

from bot.workers.pool import Running, WorkingProcess
from engines.core.registry import games
from tests.kit.waiting import PATIENCE, eventually


@cache
def _nursery() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    painters = (f"renderers.{key}" for key in games())
    context.set_forkserver_preload(["bot.__main__", "bot.workers.worker", *painters])
    return context


class Program:
    """One run of ``bauta``; its standard input stays open as long as this object and its process live."""

    def __init__(
        self, arguments: Sequence[str], environment: Mapping[str, str], out: Path, errors: Path
    ) -> None:
        context = _nursery()
        theirs, self._stdin = context.Pipe(duplex=False)
        given = (tuple(arguments), dict(environment), str(out), str(errors), theirs)
        self._process: ForkServerProcess = context.Process(target=_run, args=given)
        self._process.start()
        theirs.close()

    @property
    def pid(self) -> int:
        found = self._process.pid
        assert found is not None
        return found

    @property
    def returncode(self) -> int | None:
        """Return the exit code, the negative number of a signal, or ``None`` while it runs."""
        return self._process.exitcode

    def terminate(self) -> None:
        self._process.terminate()

    def kill(self) -> None:
        self._process.kill()

    def end_input(self) -> None:
        """Close its standard input, as the end of whoever started it would."""
        self._stdin.close()

    async def wait(self, patience: float = PATIENCE) -> int:
        """Return the exit code once there is one; raises ``TimeoutError``."""
        await eventually(lambda: self.returncode is not None, patience)
        self._stdin.close()
        assert self.returncode is not None
        return self.returncode


class Worker(WorkingProcess):
    """A process that works for this one, forked as the bots are; the fixture ``forked`` puts it in place."""

    def _begin(self, command: Sequence[str], environment: Mapping[str, str], line: socket.socket) -> Running:
        process: ForkServerProcess = _nursery().Process(
            target=_serve, args=(tuple(command), dict(environment), line), daemon=True
        )
        process.start()
        return _Begun(process)


class _Begun:
    """A process of the nursery, as crews know them."""

    def __init__(self, process: ForkServerProcess) -> None:
        self._process = process
        assert process.pid is not None
        self.pid = process.pid

    def kill(self) -> None:
        self._process.kill()

    def wait(self, timeout: float) -> None:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout)


def _serve(command: Sequence[str], environment: Mapping[str, str], line: socket.socket) -> None:
    from tests.kit.template import work

    work(command, environment, line.detach())


def _run(
    arguments: Sequence[str], environment: Mapping[str, str], out: str, errors: str, stdin: Connection
) -> None:
    os.environ.clear()
    os.environ.update(environment)
    for path, number in ((out, 1), (errors, 2)):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        os.dup2(file, number)
        os.close(file)
    os.dup2(stdin.fileno(), 0)
    sys.stdin = os.fdopen(0, closefd=False)
    from bot.__main__ import main
    from bot.matches.limits import LIMITS, UNLIMITED
    from tests.kit.painting import wait_for_workers
    from tests.kit.template import fork_workers

    fork_workers()
    wait_for_workers()
    # The few people of a file open all its tables: what an hour allows is tested without Discord.
    object.__setattr__(LIMITS, "tables_per_hour", UNLIMITED)
    sys.exit(main(arguments))
