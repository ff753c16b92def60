"""The themes that pictures can be painted in: those of all painters, and what people call them."""

from __future__ import annotations

from bot.domain.refusals import Refusal
from engines.core.contract import msg
from engines.core.texts import FALLBACK, load
from renderers.core.registry import renderers_by_game
from renderers.core.theme import DEFAULT

CHOICES = 25
"""Themes that can be chosen from: as many as an option of a command takes."""


def theme_names() -> tuple[str, ...]:
    """Return the names of the themes that any painter has, the default first."""
    found = dict.fromkeys([DEFAULT])
    for painter in renderers_by_game().values():
        found.update(dict.fromkeys(painter.themes))
    return tuple(found)[:CHOICES]


def known_theme(name: str) -> str:
    """Return ``name`` if it is a theme's; raises :class:`Refusal`."""
    if name not in theme_names():
        raise Refusal(msg("no.unknown_theme"))
    return name


def theme_label(name: str, language: str) -> str:
    """Return what people call a theme. One that no painter has any more is called as the default."""
    text = theme_text(name)
    if text is None:
        return name if name in theme_names() else theme_label(DEFAULT, language)
    package, key = text
    return load(package).render(msg(key), str, language)


def theme_text(name: str) -> tuple[str, str] | None:
    """Return the package whose catalogue names a theme, and the text's key; ``None``: none does.

    It is the catalogue of all painters, or that of the painter that has the theme.
    """
    own = (f"renderers.{key}" for key, painter in renderers_by_game().items() if name in painter.themes)
    for package in ("renderers.core", *own):
        if f"theme.{name}" in load(package).languages[FALLBACK]:
            return package, f"theme.{name}"
    return None
