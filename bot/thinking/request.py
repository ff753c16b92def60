"""What a computer player is asked, and what it answers with."""

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
    """Return that an answer is wanted, however late it comes."""
    return True


@dataclass(frozen=True, slots=True)
class ThinkRequest:
    """All that a computer player is told: what its seat sees and may say. No state is ever a part of it."""

    game: str
    match: str
    """The id of the table, for the log."""
    view: Any = field(repr=False)
    menu: Menu = field(repr=False)
    """What the seat may begin with."""
    rng: Rng = field(repr=False)
    level: Level | None
    """``None``: the player without levels, which answers at once."""
    unasked: bool = False
    """Whether it may keep quiet, and says an aside if it says anything."""
    within_s: float | None = None
    """Seconds that it may take: a slow machine has its budget cut for that. ``None``: any number."""


@dataclass(frozen=True, slots=True)
class Said:
    """What came of a request. ``waited_s``: seconds for which it waited for others, and for a process."""

    words: Words | None = field(repr=False)
    waited_s: float = 0.0


class Thinker(Protocol):
    """Where computer players think."""

    async def think(self, request: ThinkRequest, ticket: Ticket, wanted: Wanted = always) -> Said:
        """Return what the seat says; no words: it keeps quiet, or its answer is not ``wanted`` any more.

        ``ticket``: whose turn is spent on it.
        """
        ...

    async def advise(self, request: ThinkRequest, ticket: Ticket, wanted: Wanted = always) -> Words | None:
        """Return what the seat should say, as a hint: it waits for no thought of a computer player."""
        ...

    def expect(self, waiting: Mapping[PersonId, int]) -> None:
        """Note how many matches of each person wait for a computer player and were not sent here yet."""
        ...


FAILED = "match %s: its computer player of %s failed: %s"
"""What the log says of a player that failed; the last gap is for the error's name alone."""


class AnswerError(ValueError):
    """A computer player has said something that is not a whole sentence of its seat."""


def answer(game: AnyGame, request: ThinkRequest, effort: float) -> Words | None:
    """Return what the seat says; raises :class:`AnswerError`, and whatever the game's player raises.

    ``effort``: the share of the level's budget that is used; 0: none, the player without levels answers.
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
    """Return what is said where every player has failed: a walk of the menus, or nothing unasked."""
    if request.unasked:
        return None
    return walk(game, request.view, request.menu, request.rng.child("fallback"))
