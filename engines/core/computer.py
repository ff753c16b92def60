"""What computer players say: a function of what their seat sees, never of a state."""

from __future__ import annotations

from typing import Any

from engines.core.contract import Game, Interrupting, Menu, Words
from engines.core.optional_methods import Thinking
from engines.core.rng import Rng
from engines.core.skill import Skill


def decide(game: Game[Any, Any], view: Any, menu: Menu, skill: Skill | None, rng: Rng) -> Words:
    """Return a whole sentence for the seat that sees ``view`` and has the first menu ``menu``.

    ``skill``: how well it thinks; if ``None``, or if the game has no levels, it decides at once, without
    looking far ahead.
    """
    if skill is not None and isinstance(game, Thinking):
        return game.think(view, menu, skill, rng)
    return game.player(view, menu, rng)


def interrupt(game: Game[Any, Any], view: Any, menu: Menu, skill: Skill | None, rng: Rng) -> Words | None:
    """Return what a seat says unasked; ``None``: it keeps quiet."""
    return game.interrupt(view, menu, skill, rng) if isinstance(game, Interrupting) else None
