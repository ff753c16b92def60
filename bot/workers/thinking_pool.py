"""Thinking processes: the order of requests, the effort of each, and what happens if one fails."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.domain.fair_queue import Ticket
from bot.domain.tables import PersonId
from bot.workers import looking_back
from bot.workers.looking_back import LookingBackFailed, Part, T
from bot.workers.pool import FairPlaces, ProcessDied, WorkerPool, WorkFailed
from bot.workers.thinker import (
    EFFORTS,
    FAILED,
    Answered,
    Said,
    ThinkRequest,
    Wanted,
    always,
    think,
    timed,
    without_player,
)
from bot.workers.worker import Answer
from engines.core.contract import Words
from engines.core.optional_methods import Level
from engines.core.registry import game

log = logging.getLogger(__name__)

DECISION_TIMEOUT_S = 25.0
"""Timeout in seconds for a decision, several times what the best level takes; its process is then killed."""

SIMPLE_PLAYER_TIMEOUT_S = 5.0
"""The same for the player without levels, which is fast."""

LOOK_BACK_TIMEOUT_S = 90.0
"""The same for a part of looking back: it comes last, so on a busy machine it may take long."""

MEMORY = 512 << 20
"""Memory limit of a thinking process in bytes."""

REST = 300.0
"""Idle seconds after which the processes are ended."""

FAILURES = (ProcessDied, WorkFailed, TimeoutError)
"""Errors of a job that gave no answer."""

WANTED_CHECK_INTERVAL_S = 1.0
"""Interval in seconds for checking whether an answer is still wanted."""

BURST = 10.0
"""Target in seconds for serving all waiting requests. If all arrive together, the last one waits four times
as long, since each takes its share of what is left."""

INITIAL_DECISION_S = 1.0
"""Estimated seconds of a decision before any was measured."""

ESTIMATE_WEIGHT = 0.2
"""Weight of the latest measurement in the estimated seconds of a decision."""

NICE, NICE_TO_HINTS = 10, 5
"""The niceness of the processes for computer players, and of the one for hints."""


@dataclass(slots=True)
class Load:
    """The requests waiting or expected, from which the effort of each decision follows."""

    processes: int
    waiting: Counter[PersonId] = field(default_factory=Counter)
    """Requests waiting for a process, per person."""
    expected: Mapping[PersonId, int] = field(default_factory=dict)
    """Matches whose requests are expected but not sent yet, per person."""
    _costs: dict[tuple[str, Level], float] = field(default_factory=dict)
    """Estimated seconds of a decision at full effort, by game and level."""

    def effort(self, request: ThinkRequest, person: PersonId) -> float:
        """Return the share of its budget that a request may use; 0: there is no time to think.

        All people get equal shares of the processes, each divided among that person's own matches.
        """
        if request.level is None:
            return 0.0
        people = {person, *(who for each in (self.waiting, self.expected) for who in each if each[who] > 0)}
        own = 1 + self.waiting[person] + self.expected.get(person, 0)
        cost = self._costs.get((request.game, request.level), INITIAL_DECISION_S)
        seconds = len(people) * own * cost / self.processes
        return next((effort for effort in EFFORTS if effort * seconds <= BURST), 0.0)

    def took(self, request: ThinkRequest, effort: float, seconds: float) -> None:
        """Update the estimate with the seconds that a decision took."""
        if request.level is not None and effort > 0:
            key = request.game, request.level
            before = self._costs.get(key, INITIAL_DECISION_S)
            self._costs[key] = before + ESTIMATE_WEIGHT * (seconds / effort - before)


class RequestQueue:
    """A queue of requests with its own processes, served in fair turns per person."""

    def __init__(self, processes: int, memory: int, nice: int) -> None:
        self.places = FairPlaces(processes)
        command = ("thinker", str(memory), str(nice))
        self.pool = WorkerPool(processes, command, rest=REST, places=self.places)
        self.load = Load(processes)

    async def take_turn(self, ticket: Ticket) -> None:
        """Wait for a process, counting the request as waiting."""
        self.load.waiting[ticket.person] += 1
        try:
            await self.places.take_turn(ticket)
        finally:
            self.load.waiting[ticket.person] -= 1
            self.load.waiting += Counter()  # drops people without waiting requests


class ThinkingPool:
    """Thinks in worker processes. Use it as an asynchronous context manager.

    A player that raises, hangs or runs out of memory is replaced for this decision by the one without levels,
    and if that fails too by a walk of the menus: the match goes on.

    Hints have a separate process. A running decision is not interrupted, and the best level takes seconds: in
    the same queue a hint would wait for it, and would also reveal when it ends.
    """

    def __init__(
        self,
        processes: int = 1,
        *,
        patience: float | None = None,
        memory: int = MEMORY,
        think_with: Callable[[ThinkRequest, float], Words | None] | None = None,
    ) -> None:
        self._patience = DECISION_TIMEOUT_S if patience is None else patience
        self._think_with = think_with or think
        self.thoughts = RequestQueue(processes, memory, NICE)
        self.hints = RequestQueue(1, memory, NICE_TO_HINTS)

    async def __aenter__(self) -> ThinkingPool:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.gather(*(queue.pool.close() for queue in (self.thoughts, self.hints)))

    def expect(self, waiting: Mapping[PersonId, int]) -> None:
        """Set how many matches per person wait for a computer player but were not sent here yet."""
        self.thoughts.load.expected = waiting

    async def think(self, request: ThinkRequest, ticket: Ticket, wanted: Wanted = always) -> Said:
        """Answer a request, as :class:`~bot.workers.thinker.Thinker` specifies."""
        return await self._answer(self.thoughts, request, ticket, wanted)

    async def advise(self, request: ThinkRequest, ticket: Ticket, wanted: Wanted = always) -> Words | None:
        """Find a hint, as :class:`~bot.workers.thinker.Thinker` specifies."""
        return (await self._answer(self.hints, request, ticket, wanted)).words

    async def look_back(self, part: Part[T], ticket: Ticket, wanted: Wanted) -> T | None:
        """Do a part of looking back, as :class:`~bot.workers.looking_back.LooksBack` specifies.

        It does not count as load: no computer player thinks less because somebody looks back.
        """
        queue = self.thoughts
        await queue.places.take_turn(ticket)
        if not wanted():
            queue.places.release()
            return None
        try:
            answer = await _watched(queue, LOOK_BACK_TIMEOUT_S, wanted, looking_back.do_part, part)
        except FAILURES as error:
            log.error(looking_back.FAILED, part.match, part.game, _name(error))
            raise LookingBackFailed from None
        found: T | None = None if answer is None else answer.made
        return found

    async def _answer(
        self, queue: RequestQueue, request: ThinkRequest, ticket: Ticket, wanted: Wanted
    ) -> Said:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        for levelled in (True, False) if request.level is not None else (False,):
            await queue.take_turn(ticket)
            if not wanted():
                queue.places.release()
                return Said(None, loop.time() - begun)
            effort = queue.load.effort(request, ticket.person) if levelled else 0.0
            try:
                answered = await self._thought(queue, request, effort, wanted)
            except FAILURES as error:
                log.error(FAILED, request.match, request.game, _name(error))
            else:
                # Includes the time to start a process.
                return Said(answered.words, max(0.0, loop.time() - begun - answered.seconds))
        words = await asyncio.to_thread(without_player, game(request.game), request)
        return Said(words, loop.time() - begun)

    async def _thought(
        self, queue: RequestQueue, request: ThinkRequest, effort: float, wanted: Wanted
    ) -> Answered:
        patience = self._patience if effort > 0 else SIMPLE_PLAYER_TIMEOUT_S
        answer = await _watched(queue, patience, wanted, timed, self._think_with, request, effort)
        if answer is None:
            return Answered(None, effort, 0.0)
        answered: Answered = answer.made
        queue.load.took(request, answered.effort, answered.seconds)
        return answered


async def _watched(
    queue: RequestQueue, patience: float, wanted: Wanted, work: Callable[..., Any], *given: Any
) -> Answer | None:
    """Do a job in a process; end the process and return ``None`` once the answer is no longer wanted."""
    task = queue.pool.begin(patience, work, *given)
    try:
        while not (await asyncio.wait({task}, timeout=WANTED_CHECK_INTERVAL_S))[0]:
            if not wanted():
                return None
        return await task
    finally:
        task.cancel()


def _name(error: Exception) -> str:
    """Return an error's name for the log, without its text, which may contain secrets."""
    return str(error) if isinstance(error, WorkFailed) else type(error).__name__
