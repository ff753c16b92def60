"""A painting process: ``python -m bot.rendering FD SHARE [CACHE]``.

It reads jobs from the socket FD, one after another, and writes back what came of each. It ends with that
socket, whatever it is doing: no painting process outlives the bot.
"""

from __future__ import annotations

import logging
import os
import pickle
import queue
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from bot.memory import give_back
from bot.rendering.worker import LENGTH, NOTES, Answer, Note, frame
from renderers.core.caches import keep_little, keep_on_disk
from renderers.core.registry import renderers_by_game

TRIM = 0.25
"""Seconds of work after which memory is given back: after some pictures, and after each film."""

NICE = 5
"""Niceness of the painting processes: the process that answers people comes first."""


class _Notebook(logging.Handler):
    """Collects the log records of a process."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.notes: list[Note] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.notes.append(Note(record.name, record.levelno, record.getMessage()[:300]))

    def take(self) -> tuple[Note, ...]:
        taken, self.notes = tuple(self.notes[:NOTES]), []
        return taken


_notebook = _Notebook()


def main(line: socket.socket, share: int, cache: Path | None) -> None:
    """Do jobs from a socket until it is closed; ``share`` is explained at :func:`keep_little`."""
    # Ctrl-C is left to the parent.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.getLogger().addHandler(_notebook)
    with suppress(OSError):
        os.nice(NICE)
    jobs: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(line.makefile("rb"), jobs), daemon=True).start()
    keep_on_disk(cache)
    # Importing them takes longer than most pictures.
    renderers_by_game()
    keep_little(share)
    given_back = time.process_time()
    with suppress(BrokenPipeError):  # the bot was killed before it had read the answer
        line.sendall(frame(Answer(None, ())))  # ready
        while True:
            line.sendall(frame(_answered(jobs.get())))
            if time.process_time() >= given_back + TRIM:
                give_back()
                given_back = time.process_time()


def _read(stream: BinaryIO, jobs: queue.SimpleQueue[bytes]) -> None:
    # A thread of its own: the end of the parent ends this process in the middle of a picture too.
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


if __name__ == "__main__":
    main(
        socket.socket(fileno=int(sys.argv[1])),
        int(sys.argv[2]),
        Path(sys.argv[3]) if sys.argv[3:] else None,
    )
