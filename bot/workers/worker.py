"""A worker process, and the messages between it and the bot: it does one job after another.

It exits when its socket closes, even in the middle of a job, so that no worker outlives the bot.
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
from dataclasses import dataclass, field
from typing import Any, BinaryIO, TypeAlias

from bot.runtime.log_setup import set_up_worker
from bot.runtime.memory import trim_heap

Work: TypeAlias = tuple[Callable[..., Any], tuple[Any, ...]]
"""A job as sent to a process: a function and its arguments."""

LENGTH = 8
"""Size in bytes of the big-endian length prefix of each job and each answer."""

NOTES = 64
"""Maximum log records sent with one answer, and distinct ones that the bot logs."""


@dataclass(frozen=True, slots=True)
class Note:
    """A log record of a worker, to be logged by the bot."""

    logger: str
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of a job."""

    made: Any = field(repr=False)
    notes: tuple[Note, ...]
    failure: str = ""
    """The name of the exception it failed with, without its text, which may contain secrets."""


def frame(thing: object) -> bytes:
    """Pickle a job or an answer and prefix its length."""
    packed = pickle.dumps(thing)
    return len(packed).to_bytes(LENGTH) + packed


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
