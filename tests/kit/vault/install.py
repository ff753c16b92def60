"""Installs the vault beside the other games, within a block or for the whole process."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engines.core import registry
from renderers.core import registry as painters
from tests.kit import vault

KEY = vault.GAME.manifest.key


def install() -> None:
    """Install the game, its painter and the texts of both."""
    sys.modules[f"engines.{KEY}"] = sys.modules[f"renderers.{KEY}"] = vault
    game: Any = vault.GAME
    painter: Any = vault.RENDERER
    registry.games()[KEY] = game
    painters.renderers_by_game()[KEY] = painter


def remove() -> None:
    """Remove the game."""
    for name in (f"engines.{KEY}", f"renderers.{KEY}"):
        sys.modules.pop(name, None)
    registry.games().pop(KEY, None)
    painters.renderers_by_game().pop(KEY, None)


@contextmanager
def installed() -> Iterator[None]:
    """Install the game within the block."""
    install()
    try:
        yield
    finally:
        remove()
