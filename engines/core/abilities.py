"""What a game can do beyond the contract, found by its methods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar, cast

from engines.core.contract import Enumerable, Positional, Setup
from engines.core.match import AnyGame
from engines.core.rng import Rng

S_co = TypeVar("S_co", covariant=True)


class Situational(Protocol[S_co]):
    """Games whose states can be given as readable data, as docs/notation.md says."""

    def situation(self, value: Mapping[str, Any], setup: Setup, rng: Rng) -> S_co:
        """Return the state that ``value`` describes; hidden parts that it leaves out are dealt from ``rng``.

        Raises :class:`InvalidAction` for anything that describes no state.
        """
        ...


def enumerable(game: AnyGame) -> Enumerable[Any] | None:
    """Return the game if it lists whole sentences itself."""
    return cast("Enumerable[Any]", game) if hasattr(game, "legal") else None


def positional(game: AnyGame) -> Positional[Any] | None:
    """Return the game if its states can be written on one line."""
    return cast("Positional[Any]", game) if hasattr(game, "position") else None


def situational(game: AnyGame) -> Situational[Any] | None:
    """Return the game if its states can be given as readable data."""
    return cast("Situational[Any]", game) if hasattr(game, "situation") else None
