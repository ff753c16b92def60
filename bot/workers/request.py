"""Requests to computer players, and their answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from bot.domain.fair_queue import Ticket
from bot.domain.tables import PersonId
from engines.core import computer
from engines.core.contract import Menu, Words
from engines.core.match import AnyGame
from engines.core.player import walk
from engines.core.rng import Rng
from engines.core.skill import Level, Skill

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
        words = computer.interrupt(game, request.view, request.menu, skill, request.rng)
        if words is None:
            return None
    else:
        words = computer.decide(game, request.view, request.menu, skill, request.rng)
    menu = game.menu(request.view, words)
    if menu is None or not menu.complete:
        raise AnswerError
    return words


def without_player(game: AnyGame, request: ThinkRequest) -> Words | None:
    """Answer after every player has failed: by a walk of the menus, or with nothing if unasked."""
    if request.unasked:
        return None
    return walk(game, request.view, request.menu, request.rng.child("fallback"))
