"""Methods that a renderer may have beyond the contract."""

from __future__ import annotations

from typing import Any, cast

from renderers.core.contract import Animator
from renderers.core.registry import AnyRenderer


def animator(painter: AnyRenderer) -> Animator[Any] | None:
    """Return the renderer if it animates what has just happened."""
    return cast("Animator[Any]", painter) if hasattr(painter, "animate") else None
