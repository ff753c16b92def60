"""Positions that the tests of pictures look at: a module for each game, with its ``LOOKS`` by name."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from functools import cache
from importlib import import_module

from tests.renderers.looks.base import TABLE, Look, look

__all__ = ["LOOKS", "SAMPLE", "TABLE", "Look", "look", "named"]


def _collected() -> dict[str, Callable[[], Look]]:
    found: dict[str, Callable[[], Look]] = {}
    for info in pkgutil.iter_modules(__path__):
        if info.name != "base":
            module = import_module(f"{__name__}.{info.name}")
            found |= {f"{info.name}_{name}": build for name, build in module.LOOKS.items()}
    return found


LOOKS = _collected()
"""Looks of all games by the game's key and the look's name: ``"volt_board"``."""

SAMPLE = tuple(name for name in LOOKS if name.endswith(("_board", "_private")))
"""A public and a private picture of every game, for tests of what all pictures share."""


@cache
def named(name: str) -> Look:
    """Return a look by its name; raises ``KeyError``."""
    return LOOKS[name]()
