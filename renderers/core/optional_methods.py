"""What a painter can do beyond the contract, found by its methods."""

from __future__ import annotations

from typing import Any, cast

from renderers.core.contract import Animator
from renderers.core.registry import AnyRenderer


def animator(painter: AnyRenderer) -> Animator[Any] | None:
    """Return the painter if it shows moving what has just happened."""
    return cast("Animator[Any]", painter) if hasattr(painter, "animate") else None
