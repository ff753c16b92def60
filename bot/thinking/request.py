"""What a computer player is asked, and what it answers with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

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


class Thinker(Protocol):
    """Whoever thinks for computer players."""

    async def think(
        self, request: ThinkRequest, wanted: Wanted = always, *, first: bool = False
    ) -> Words | None:
        """Return what the seat says; ``None``: nothing, or its answer is not ``wanted`` any more.

        ``first``: somebody looks at the screen meanwhile.
        """
        ...

    def expect(self, count: int) -> None:
        """Note how many matches wait for a computer player and were not sent here yet."""
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
