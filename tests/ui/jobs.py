"""What painting processes are given to do instead of pictures; it imports nothing that they lack."""

from __future__ import annotations

import logging
import os
import pickle
import signal
import sys
import time
from pathlib import Path
from threading import Event

from bot.workers.painter import WarmJob
from bot.workers.worker import LENGTH
from engines.core.contract import Setup
from renderers.core.contract import Picture


def fails(packed: bytes) -> Picture:
    raise ValueError(packed[:1])


def works_for(seconds: float) -> None:
    Event().wait(seconds)


def dies(packed: bytes) -> Picture:
    os._exit(len(packed) % 1 + 3)


def sleeps(packed: bytes) -> Picture:
    works_for(30)
    return fails(packed)


def dies_in_mid_answer(packed: bytes) -> Picture:
    # Half an answer lies on its line when it is killed.
    os.write(int(sys.argv[1]), (1 << 20).to_bytes(LENGTH) + packed)
    os.kill(os.getpid(), signal.SIGKILL)
    return sleeps(packed)


def obeys(packed: bytes) -> Picture:
    match pickle.loads(packed).draft:
        case ("die",):
            return dies(packed)
        case ("sleep",):
            return sleeps(packed)
        case ("half",):
            return dies_in_mid_answer(packed)
    return counts(packed)


def counts(packed: bytes) -> Picture:
    works_for(0.2)
    return Picture(packed, f"image/{os.getpid()}-{time.monotonic_ns()}", 1, 1, "")


def leaves_a_mark(packed: bytes) -> Picture:
    works_for(0.4)
    Path(pickle.loads(packed).draft[0]).write_text("")
    return Picture(packed, "image/png", 1, 1, "")


def grumbles(packed: bytes) -> Picture:
    logging.getLogger("renderers.grumble").warning("the brush is %s", "dry")
    return Picture(packed, "image/png", 1, 1, "")


def signed(packed: bytes) -> Picture:
    return Picture(packed, "image/webp", 1, 1, f"{os.getpid()}")


def waits_for_a_file(packed: bytes) -> Picture:
    _wait_for(Path(pickle.loads(packed).game))
    return signed(packed)


def waits_for(path: Path) -> int:
    path.with_suffix(".begun").write_text("")
    _wait_for(path)
    return os.getpid()


def _wait_for(path: Path) -> None:
    while not path.exists():
        works_for(0.01)


def nothing_to_warm() -> list[WarmJob]:
    return []


def some_jobs(where: str) -> list[WarmJob]:
    return [WarmJob(Setup(where, "1", 2, ()), number) for number in range(6)]


def notes_its_process(job: WarmJob) -> None:
    with Path(job.setup.game).open("a") as file:
        file.write(f"{job.turns} {os.getpid()}\n")
