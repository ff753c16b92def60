"""How a fault is planted around a function of the house, public or not, as a patch names it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


def around(patch: pytest.MonkeyPatch, owner: object, name: str, wrap: Callable[[Any], Any]) -> None:
    """Replace ``owner.name`` by what ``wrap`` makes of it."""
    patch.setattr(owner, name, wrap(getattr(owner, name)))
