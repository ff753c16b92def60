"""The main loop of a worker process: it reads jobs from a socket and does them one after another.

It exits when the socket closes, even in the middle of a job, so that no worker outlives the bot.
"""

from __future__ import annotations

import logging
import os
import pickle
import queue
import signal
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO

from bot.runtime.log_setup import set_up_worker
from bot.runtime.memory import trim_heap
from bot.workers.wire import LENGTH, NOTES, Answer, Note, frame

TRIM = 0.25
"""CPU seconds of work after which memory is returned to the system: every few pictures, after each film."""

NICE = 5
"""Default niceness of worker processes: the main process, which answers people, comes first."""


class _Notebook(logging.Handler):
    """Collects the warnings and errors that a process logs, to be sent with its next answer."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.notes: list[Note] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.notes.append(Note(record.name, record.levelno, record.getMessage()[:300]))

    def take(self) -> tuple[Note, ...]:
        taken, self.notes = tuple(self.notes[:NOTES]), []
        return taken


_notebook = _Notebook()


def serve(line: socket.socket, prepare: Callable[[], None], *, nice: int = NICE) -> None:
    """Call ``prepare`` to load what the jobs need, then do jobs from the socket until it is closed."""
    # The parent handles Ctrl-C.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    set_up_worker()
    logging.getLogger().addHandler(_notebook)
    with suppress(OSError):
        os.nice(nice)
    jobs: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(line.makefile("rb"), jobs), daemon=True).start()
    prepare()
    given_back = time.process_time()
    with suppress(BrokenPipeError):  # the bot was killed before it read the answer
        line.sendall(frame(Answer(None, ())))  # ready
        while True:
            line.sendall(frame(_answered(jobs.get())))
            if time.process_time() >= given_back + TRIM:
                trim_heap()
                given_back = time.process_time()


def _read(stream: BinaryIO, jobs: queue.SimpleQueue[bytes]) -> None:
    # In its own thread, so that this process exits with its parent even in the middle of a job.
    with suppress(OSError):
        while head := stream.read(LENGTH):
            jobs.put(stream.read(int.from_bytes(head)))
    os._exit(0)


def _answered(packed: bytes) -> Answer:
    try:
        work, given = pickle.loads(packed)  # noqa: S301 - sent by the process that started this one
        return Answer(work(*given), _notebook.take())
    except Exception as error:
        return Answer(None, _notebook.take(), type(error).__name__)
