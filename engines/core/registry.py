"""The games that are installed: every package beside ``engines.core`` that has a ``GAME``."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

import engines
from engines.core.match import AnyGame


@cache
def games() -> dict[str, AnyGame]:
    """Return all games by key, in the order of their keys."""
    found: dict[str, AnyGame] = {}
    for info in sorted(pkgutil.iter_modules(engines.__path__), key=lambda info: info.name):
        if info.ispkg and info.name != "core":
            game: AnyGame | None = getattr(importlib.import_module(f"engines.{info.name}"), "GAME", None)
            if game is None:
                continue
            if game.manifest.key != info.name:
                raise RuntimeError(f"engines.{info.name} calls itself {game.manifest.key!r}")
            found[info.name] = game
    return found


def game(key: str) -> AnyGame:
    """Return the game ``key``; raises ``KeyError``."""
    return games()[key]
