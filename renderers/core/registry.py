"""The painters that are installed: every package beside ``renderers.core`` that has a ``RENDERER``."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Any, TypeAlias, cast

import renderers
from renderers.core.contract import Animator, Renderer

AnyRenderer: TypeAlias = Renderer[Any]


@cache
def renderers_by_game() -> dict[str, AnyRenderer]:
    """Return all painters by the key of their game, in the order of the keys."""
    found: dict[str, AnyRenderer] = {}
    for info in sorted(pkgutil.iter_modules(renderers.__path__), key=lambda info: info.name):
        if info.ispkg and info.name != "core":
            found[info.name] = importlib.import_module(f"renderers.{info.name}").RENDERER
    return found


def renderer(key: str) -> AnyRenderer:
    """Return the painter of the game ``key``; raises ``KeyError`` if there is none."""
    return renderers_by_game()[key]


def animator(painter: AnyRenderer) -> Animator[Any] | None:
    """Return the renderer if it animates what has just happened, else ``None``."""
    return cast("Animator[Any]", painter) if hasattr(painter, "animate") else None
