"""Thinking processes: who is served when, how far it may think, and what happens where it fails."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bot.processes.crew import Crew, ProcessDied, WorkFailed
from bot.processes.wire import Answer
from bot.thinking import looking_back
from bot.thinking.looking_back import LookingBackFailed, Part, T
from bot.thinking.request import FAILED, ThinkRequest, Wanted, always, answer, without_player
from engines.core.contract import Words
from engines.core.registry import game
from engines.core.skill import Level

log = logging.getLogger(__name__)

PATIENCE = 25.0
"""Seconds after which a thought is given up and its process killed: some times what the best level takes."""

QUICK = 5.0
"""The same for the player without levels, which takes a moment."""

LOOK_BACK = 90.0
"""The same for a part of looking back: on a busy machine, where all others come first, it may take long."""

MEMORY = 512 << 20
"""Bytes that a thinking process may take."""

REST = 300.0
"""Seconds without a decision after which the processes are ended."""

FAILURES = (ProcessDied, WorkFailed, TimeoutError)
"""What becomes of a thought that comes to no answer."""

LOOK = 1.0
"""Seconds between two looks at whether a thought is still wanted."""

BURST = 10.0
"""Seconds in which all that wait are to be served. Where they come together, the last one waits four times
as long, since each has a share of what is left."""

EFFORTS = (1.0, 1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32)
"""The shares of its budget that a level may use. Few, so that a decision can be found again."""

COST = 1.0
"""Seconds that a decision is thought to take, before any has been seen."""

NEWEST = 0.2
"""How much the latest decision weighs in what one is thought to take."""


@dataclass(slots=True)
class Load:
    """How much is to be thought of: what decides how far each may think."""

    processes: int
    waiting: int = 0
    """Requests that wait for a process."""
    expected: int = 0
    """Matches that will ask as soon as they may."""
    _costs: dict[tuple[str, Level], float] = field(default_factory=dict)
    """Seconds of a decision at full effort, by game and level."""

    def effort(self, request: ThinkRequest) -> float:
        """Return the share of its budget for a request whose turn has come; 0: there is no time to think."""
        if request.level is None:
            return 0.0
        waiting = 1 + self.waiting + self.expected
        seconds = waiting * self._costs.get((request.game, request.level), COST) / self.processes
        return next((effort for effort in EFFORTS if effort * seconds <= BURST), 0.0)

    def took(self, request: ThinkRequest, effort: float, seconds: float) -> None:
        """Note what a decision has taken."""
        if request.level is not None and effort > 0:
            key = request.game, request.level
            before = self._costs.get(key, COST)
            self._costs[key] = before + NEWEST * (seconds / effort - before)


class ThinkingPool:
    """Thinks in processes of its own. Use it as an asynchronous context manager.

    A player that raises, hangs or eats memory is replaced for this decision by the one without levels, and
    that one by a walk of the menus: the match goes on.
    """

    def __init__(
        self,
        processes: int = 1,
        *,
        patience: float | None = None,
        memory: int = MEMORY,
        think_with: Callable[[ThinkRequest, float], Words | None] | None = None,
    ) -> None:
        self._patience = PATIENCE if patience is None else patience
        self._think_with = think_with or think
        self.crew = Crew(processes, ("bot.thinking", str(memory)), rest=REST)
        self.load = Load(processes)

    async def __aenter__(self) -> ThinkingPool:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.crew.close()

    def expect(self, count: int) -> None:
        """Note how many matches wait for a computer player and were not sent here yet."""
        self.load.expected = count

    async def think(
        self, request: ThinkRequest, wanted: Wanted = always, *, first: bool = False
    ) -> Words | None:
        """Return what the seat says, as :class:`~bot.thinking.request.Thinker` has it."""
        for levelled in (True, False) if request.level is not None else (False,):
            await self._wait_for_process(first=first)
            if not wanted():
                self.crew.free.release()
                return None
            effort = self.load.effort(request) if levelled else 0.0
            try:
                return await self._thought(request, effort, wanted)
            except FAILURES as error:
                log.error(FAILED, request.match, request.game, _name(error))
        return await asyncio.to_thread(without_player, game(request.game), request)

    async def look_back(self, part: Part[T], wanted: Wanted) -> T | None:
        """Return what comes of a part, as :class:`~bot.thinking.looking_back.LooksBack` has it.

        It counts for nobody's effort: no computer player thinks less far because somebody looks back.
        """
        await self.crew.free.acquire()
        if not wanted():
            self.crew.free.release()
            return None
        try:
            answer = await self._watched(LOOK_BACK, wanted, do_part, part)
        except FAILURES as error:
            log.error(looking_back.FAILED, part.match, part.game, _name(error))
            raise LookingBackFailed from None
        found: T | None = None if answer is None else answer.made
        return found

    async def _wait_for_process(self, *, first: bool) -> None:
        self.load.waiting += 1
        try:
            await self.crew.free.acquire(first=first)
        finally:
            self.load.waiting -= 1

    async def _thought(self, request: ThinkRequest, effort: float, wanted: Wanted) -> Words | None:
        loop = asyncio.get_running_loop()
        begun, patience = loop.time(), self._patience if effort > 0 else QUICK
        answer = await self._watched(patience, wanted, self._think_with, request, effort)
        if answer is None:
            return None
        self.load.took(request, effort, loop.time() - begun)
        words: Words | None = answer.made
        return words

    async def _watched(
        self, patience: float, wanted: Wanted, work: Callable[..., Any], *given: Any
    ) -> Answer | None:
        """Let a process work, and end it as soon as nobody wants the answer any more."""
        task = self.crew.begin(patience, work, *given)
        try:
            while not (await asyncio.wait({task}, timeout=LOOK))[0]:
                if not wanted():
                    return None
            return await task
        finally:
            task.cancel()


def think(request: ThinkRequest, effort: float) -> Words | None:
    """Answer a request; runs in a thinking process."""
    return answer(game(request.game), request, effort)


def do_part(part: Part[T]) -> T:
    """Do a part of looking back; runs in a thinking process."""
    return part.done_with(game(part.game))


def _name(error: Exception) -> str:
    """Return what the log says of an error: no text of its own, which may hold a secret."""
    return str(error) if isinstance(error, WorkFailed) else type(error).__name__
