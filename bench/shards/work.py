"""Who keeps the cores busy: the bot's processes, their painters, PostgreSQL, the sandbox, and others."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Coroutine, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import coroutine
from typing import Any, TypeVar

from bench.matches import descendants, worked

T = TypeVar("T")

LOOKS = 1.0
"""Seconds between two looks: what a process works between the last one and its end is not seen."""

FULL = 0.9
"""Of a core: whoever takes as much of one, in one process, cannot do more."""

BOT, PAINTERS, POSTGRESQL = "the bot's processes", "their painters", "PostgreSQL"
SANDBOX, PEOPLE, OTHERS = "the sandbox", "the people of this bench", "other programs of this machine"


@dataclass(frozen=True, slots=True)
class Share:
    """Cores that somebody kept busy, on average; ``most``: one process of theirs."""

    cores: float
    most: float


@dataclass(slots=True)
class Meter:
    """Adds up seconds on cores. ``bots`` and ``servers`` say which processes run just now."""

    bots: Callable[[], Iterable[int]]
    servers: Callable[[], Iterable[int]]
    people: float = 0.0
    """Seconds that the people of this process have taken."""
    _seen: dict[tuple[str, int], float] = field(default_factory=dict)
    _before: dict[tuple[str, int], float] = field(default_factory=dict)
    _begun: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def look(self) -> None:
        """Note how much all have worked so far."""
        for pid in self.bots():
            alone, ended = worked(pid)
            self._note(BOT, pid, alone)
            self._note(PAINTERS, pid, ended + _all_worked(descendants(pid)))
        for pid in self.servers():
            self._note(POSTGRESQL, pid, _all_worked([str(pid), *descendants(pid)]))

    def _note(self, who: str, pid: int, seconds: float) -> None:
        # Of a process that has just ended nothing can be read.
        self._seen[who, pid] = max(seconds, self._seen.get((who, pid), 0.0))

    def begin(self) -> None:
        """Begin to count."""
        self.look()
        self._before, self.people = dict(self._seen), 0.0
        self._begun = time.monotonic(), time.process_time(), _busy()

    async def watch(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            self.look()
            await asyncio.sleep(LOOKS)

    def shares(self) -> dict[str, Share]:
        """Return who has kept how many cores busy since the beginning."""
        self.look()
        begun, own, busy = self._begun
        seconds = time.monotonic() - begun
        whole: dict[str, float] = dict.fromkeys((BOT, PAINTERS, POSTGRESQL), 0.0)
        most = dict(whole)
        for (who, pid), seen in self._seen.items():
            taken = seen - self._before.get((who, pid), 0.0)
            whole[who] += taken
            most[who] = max(most[who], taken)
        here = time.process_time() - own
        whole[PEOPLE], whole[SANDBOX] = self.people, here - self.people
        whole[OTHERS] = max(0.0, _busy() - busy - sum(whole.values()))
        most |= {SANDBOX: here, PEOPLE: here, OTHERS: 0.0}
        return {who: Share(taken / seconds, most[who] / seconds) for who, taken in whole.items()}

    @coroutine
    def measured(self, work: Coroutine[Any, Any, T]) -> Generator[Any, Any, T]:
        """Do work of the people, and add up what it takes of this process."""
        answer: Any = None
        error: BaseException | None = None
        while True:
            begun = time.thread_time()
            try:
                waited = work.send(answer) if error is None else work.throw(error)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            finally:
                self.people += time.thread_time() - begun
            answer = error = None
            try:
                answer = yield waited
            except BaseException as met:  # a cancellation, for one: it is for whom we wait for
                error = met


def _all_worked(processes: Iterable[str]) -> float:
    return sum(sum(worked(each)) for each in processes)


def _busy() -> float:
    """Return the seconds that all cores of the machine have worked."""
    user, nice, system, _, _, *others = map(int, Path("/proc/stat").read_text("ascii").split()[1:9])
    return (user + nice + system + sum(others)) / os.sysconf("SC_CLK_TCK")


def limit(shares: Mapping[str, Share]) -> str:
    """Return in words who was the limit."""
    cores = os.cpu_count() or 1
    busy = sum(share.cores for share in shares.values())
    first = max(shares, key=lambda who: shares[who].cores)
    narrow = [who for who, share in shares.items() if share.most >= FULL and who != OTHERS]
    if narrow:
        return f"one process was full: {', '.join(narrow)}; {busy:.2f} of {cores} cores were busy"
    if busy >= FULL * cores:
        return f"all {cores} cores were busy ({busy:.2f}), most of all with {first}"
    return f"nobody: {busy:.2f} of {cores} cores were busy, most of all with {first}"
