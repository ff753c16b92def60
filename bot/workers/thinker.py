"""A thinking process: what computer players are asked, how they answer, and how much effort they may use.

On a slow machine a level uses less, so that it answers within its floor there too. This does not depend on
the position: a lap is a fixed piece of work, and a level's longest decision is bounded by counts, so the
share of its budget follows from the machine alone.
"""

from __future__ import annotations

import resource
import socket
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, Protocol, TypeAlias

from bot.domain.fair_queue import Ticket
from bot.domain.tables import PersonId
from bot.workers.worker import serve
from engines.core.contract import Menu, Words
from engines.core.match import AnyGame
from engines.core.optional_methods import Level, Skill, decide, interrupt
from engines.core.player import walk
from engines.core.registry import game, games
from engines.core.rng import Rng

EFFORTS = (1.0, 1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32)
"""The shares of its budget that a level may use. Few, so that decisions can be reproduced."""

LONGEST_S = {Level.FIRST: 0.5, Level.MIDDLE: 1.5, Level.BEST: 5.5}
"""Seconds of a level's longest decision with its full budget, on a machine where a lap takes :data:`LAP_S`.

``python -m bench.players --work 24 --effort 1`` measures both, over truths that others cannot tell apart.
"""

LAP_S = 0.0035
"""Seconds of a lap on the machine that :data:`LONGEST_S` was measured on."""

LAPS = 32
"""Laps whose mean is the machine's speed: a single lap may have been interrupted."""

STEPS = 20_000
"""Steps per lap."""

Wanted: TypeAlias = Callable[[], bool]


def always() -> bool:
    """Want the answer, however late it comes."""
    return True


@dataclass(frozen=True, slots=True)
class ThinkRequest:
    """Everything a computer player is given: what its seat sees and may say, never the game's state."""

    game: str
    match: str
    """The id of the table, for the log."""
    view: Any = field(repr=False)
    menu: Menu = field(repr=False)
    """The seat's menu before anything is drafted."""
    rng: Rng = field(repr=False)
    level: Level | None
    """``None``: use the player without levels, which answers at once."""
    unasked: bool = False
    """Whether the match does not wait for it: it may keep quiet, and anything it says is an aside."""
    within_s: float | None = None
    """Seconds it may take: on a slow machine its budget is cut to fit. ``None``: no limit."""


@dataclass(frozen=True, slots=True)
class Said:
    """The answer to a request. ``waited_s``: seconds it waited for other requests and for a process."""

    words: Words | None = field(repr=False)
    waited_s: float = 0.0


class Thinker(Protocol):
    """Anything that can think for computer players."""

    async def think(self, request: ThinkRequest, ticket: Ticket, wanted: Wanted = always) -> Said:
        """Return what the seat says; no words: it keeps quiet, or the answer is no longer ``wanted``.

        ``ticket``: the person and match that the turn counts for.
        """
        ...

    async def advise(self, request: ThinkRequest, ticket: Ticket, wanted: Wanted = always) -> Words | None:
        """Return a hint for the seat, without waiting for the decisions of computer players.

        ``None``: there is none, or it is no longer ``wanted``.
        """
        ...

    def expect(self, waiting: Mapping[PersonId, int]) -> None:
        """Set how many matches per person wait for a computer player but were not sent here yet."""
        ...


FAILED = "match %s: its computer player of %s failed: %s"
"""Log line for a failed player; the last value is the error's name only."""


class AnswerError(ValueError):
    """A computer player's answer is not a complete sentence of its seat."""


def answer(game: AnyGame, request: ThinkRequest, effort: float) -> Words | None:
    """Return what the seat says; raises :class:`AnswerError`, and whatever the game's player raises.

    ``effort``: the share of the level's budget to use; 0: the player without levels answers.
    """
    skill = Skill(request.level, effort) if request.level is not None and effort > 0 else None
    if request.unasked:
        words = interrupt(game, request.view, request.menu, skill, request.rng)
        if words is None:
            return None
    else:
        words = decide(game, request.view, request.menu, skill, request.rng)
    menu = game.menu(request.view, words)
    if menu is None or not menu.complete:
        raise AnswerError
    return words


def without_player(game: AnyGame, request: ThinkRequest) -> Words | None:
    """Answer after every player has failed: by a walk of the menus, or with nothing if unasked."""
    if request.unasked:
        return None
    return walk(game, request.view, request.menu, request.rng.child("fallback"))


def lap() -> float:
    """Do a fixed piece of work and return the seconds it took."""
    begun = time.perf_counter()
    found: dict[int, tuple[int, ...]] = {}
    for step in range(STEPS):
        found[step * step % 1_009] = (step, *found.get(step % 1_009, ())[:1])
    return time.perf_counter() - begun


@dataclass(slots=True)
class Speed:
    """The recent speed of this process. ``run``: does a lap and returns its seconds."""

    run: Callable[[], float] = lap
    _laps: deque[float] = field(default_factory=lambda: deque(maxlen=LAPS))

    def share(self, level: Level, within_s: float) -> float:
        """Return the largest share of its budget with which a level answers in time; 0: none does."""
        self._laps.append(self.run())
        slowness = fmean(self._laps) / LAP_S
        return next((effort for effort in EFFORTS if effort * slowness * LONGEST_S[level] <= within_s), 0.0)


@dataclass(frozen=True, slots=True)
class Answered:
    """The result of a thinking process: the words, the share of the budget used, and the seconds taken."""

    words: Words | None = field(repr=False)
    effort: float
    seconds: float


_speed = Speed()
"""The speed of this process; used in thinking processes only."""


def timed(
    think_with: Callable[[ThinkRequest, float], Words | None], request: ThinkRequest, effort: float
) -> Answered:
    """Answer a request with ``effort`` or less on a slow machine; runs in a thinking process."""
    if request.level is not None and request.within_s is not None:
        effort = min(effort, _speed.share(request.level, request.within_s))
    begun = time.perf_counter()
    words = think_with(request, effort)
    return Answered(words, effort, time.perf_counter() - begun)


def think(request: ThinkRequest, effort: float) -> Words | None:
    """Answer a request; runs in a thinking process."""
    return answer(game(request.game), request, effort)


def main(line: socket.socket, memory: str, nice: str) -> None:
    """Think about what comes from a socket, until it closes. ``memory``: the limit in bytes."""
    serve(line, lambda: _prepare(int(memory)), nice=int(nice))


def _prepare(memory: int) -> None:
    """Load the games and limit this process to ``memory`` bytes: allocations beyond that fail."""
    games()
    # Some systems have no such limit.
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
