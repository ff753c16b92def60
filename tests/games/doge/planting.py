"""Planting mistakes: a check that passes must fail once a mistake is planted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from engines.core.contract import ActionError
from engines.doge import rules
from engines.doge.rules import Progress
from tests.kit.planting import passes

Patch: TypeAlias = pytest.MonkeyPatch

Plant: TypeAlias = Callable[[Patch], None]
"""Puts one mistake into the engine."""

Check: TypeAlias = Callable[[], None]
"""A test that is there for it."""


def name_of(value: Any) -> str:
    """Return the name of a case's part."""
    return getattr(value, "__name__", "check")


def after(patch: Patch, name: str, deed: Callable[..., None]) -> None:
    """Let a deed follow one of the rules' own: it gets the progress, what was public before, and the rest."""
    sound = getattr(rules, name)

    def wrong(progress: Progress, *args: Any) -> None:
        before = progress.public
        sound(progress, *args)
        deed(progress, before, *args)

    patch.setattr(rules, name, wrong)


def must_be_seen(plant: Plant, check: Check, patch: Patch) -> None:
    """Fail unless a check passes before a mistake is planted, and fails afterwards."""
    assert passes(check)
    plant(patch)
    with pytest.raises((AssertionError, ActionError, pytest.fail.Exception)):
        check()
