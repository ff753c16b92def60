"""What a game can do beyond the contract, found by its methods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from engines.core.contract import Enumerable, Fact, Msg, Positional, Situational, Storyteller
from engines.core.match import AnyGame


def enumerable(game: AnyGame) -> Enumerable[Any] | None:
    """Return the game if it lists whole sentences itself."""
    return cast("Enumerable[Any]", game) if hasattr(game, "legal") else None


def positional(game: AnyGame) -> Positional[Any] | None:
    """Return the game if its states can be written on one line."""
    return cast("Positional[Any]", game) if hasattr(game, "position") else None


def situational(game: AnyGame) -> Situational[Any] | None:
    """Return the game if its states can be given as readable data."""
    return cast("Situational[Any]", game) if hasattr(game, "situation") else None


def story(game: AnyGame, facts: Sequence[Fact]) -> tuple[Msg, ...]:
    """Return sentences for facts in a row: the game's own way of telling them, or one for each worth it."""
    if hasattr(game, "retell"):
        return cast("Storyteller", game).retell(facts)
    told = (game.narrate(fact) for fact in facts)
    return tuple(message for message in told if message is not None)
