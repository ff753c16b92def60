"""A second language, made from English: each text in brackets, so that nobody has to know it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from engines.core.registry import games
from engines.core.texts import CHOSEN_BY, load
from renderers.core.registry import renderers_by_game

GERMAN = "de"
"""Its code: one that Discord and the plural rules know."""

NAME = "⟦Deutsch⟧"
"""What it calls itself."""


def speak_it(patch: pytest.MonkeyPatch) -> None:
    """Let the bot, its games and their pictures speak the second language too."""
    keys = [*games()]
    packages = ["bot", "renderers.core", *(f"engines.{key}" for key in keys)]
    packages += [f"renderers.{key}" for key in keys if key in renderers_by_game()]
    for package in packages:
        found: Any = load(package).languages
        patch.setitem(found, GERMAN, {key: bracketed(text) for key, text in found["en"].items()})
    patch.setitem(load("bot").languages[GERMAN], "language.name", NAME)


def bracketed(template: Any, change: Callable[[str], str] = lambda text: f"⟦{text}⟧") -> Any:
    """Return a template with all its forms changed."""
    if isinstance(template, str):
        return change(template)
    forms: Mapping[str, Any] = template
    return {key: form if key == CHOSEN_BY else bracketed(form, change) for key, form in forms.items()}
