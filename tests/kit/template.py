"""The processes that work for a bot, forked from one that has done all imports, as the bot itself is.

Each would import for a second otherwise. Everything else is as where the bot starts them, but the niceness:
on a busy machine, a test that waits for a nice process waits for all that others do.
"""

from __future__ import annotations

import os
import pickle
import runpy
import select
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NoReturn

from bot.workers import pool
from bot.workers.pool import Running, WorkingProcess
from tests.kit.painted_once import folder_of, paint_once

IS_KNOWN = hasattr(os, "pidfd_open")
"""Whether this system can tell of the end of a process that is another one's child."""

REQUEST = 1 << 18
"""Bytes of a request, at most: most of it is an environment."""


def fork_workers() -> None:
    """Fork the processes of this bot from now on. Nothing may run in it yet."""
    if not IS_KNOWN:
        return
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.fork() == 0:
        ours.close()
        _serve(theirs)
    theirs.close()

    class Forked(WorkingProcess):
        def _begin(
            self, command: Sequence[str], environment: Mapping[str, str], line: socket.socket
        ) -> Running:
            packed = pickle.dumps((tuple(command), dict(environment)))
            socket.send_fds(ours, [packed], [line.fileno()])
            return _Process(int(ours.recv(REQUEST)))

    setattr(pool, "WorkingProcess", Forked)  # noqa: B010 - no type checker takes one class for another


class _Process:
    """A process that the template has forked."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._end: int | None = None
        with suppress(ProcessLookupError):  # it has ended
            self._end = os.pidfd_open(pid)

    def kill(self) -> None:
        if self._end is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._end, signal.SIGKILL)

    def wait(self, timeout: float) -> None:
        if self._end is None:
            return
        if not select.select([self._end], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired(str(self.pid), timeout)
        os.close(self._end)
        self._end = None


def _serve(requests: socket.socket) -> NoReturn:
    """Fork a process for each request, until the bot is gone."""
    # Nobody waits for a child here: what is gone is seen by its number.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while (request := next_request(requests)) is not None:
        packed, lines = request
        pid = os.fork()
        if pid == 0:
            requests.close()
            command, environment = pickle.loads(packed)
            work(command, environment, lines[0])
        os.close(lines[0])
        with suppress(ConnectionError):
            requests.send(str(pid).encode())
    os._exit(0)


def next_request(requests: socket.socket) -> tuple[bytes, list[int]] | None:
    """Return the next request and its descriptors; ``None`` once the bot is gone, killed ones included.

    A bot that is killed before it has read an answer resets the connection instead of closing it.
    """
    try:
        packed, lines, _, _ = socket.recv_fds(requests, REQUEST, 1)
    except ConnectionResetError:
        return None
    return (packed, lines) if packed else None


def work(command: Sequence[str], environment: Mapping[str, str], line: int) -> NoReturn:
    """Be the process that a bot would have started, in one that was forked; it never returns.

    ``line``: the descriptor of its socket.
    """
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.environ.clear()
        os.environ.update(environment)
        os.nice = lambda _: 0
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        sys.argv = [pool.MODULE, str(line), *command]
        if (cache := environment.get("BAUTA_CACHE")) and folder_of(cache).is_dir():
            paint_once(cache)
        runpy.run_module(pool.MODULE, run_name="__main__", alter_sys=True)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
    os._exit(0)
