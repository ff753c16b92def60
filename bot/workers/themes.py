"""The themes that pictures can be painted in, and their names for people."""

from __future__ import annotations

from bot.domain.refusals import Refusal
from engines.core.contract import msg
from engines.core.texts import FALLBACK, load
from renderers.core.registry import renderers_by_game
from renderers.core.theme import DEFAULT

CHOICES = 25
"""Maximum themes to choose from: Discord's limit for the choices of a command option."""


def theme_names() -> tuple[str, ...]:
    """Return the names of all painters' themes, the default first."""
    found = dict.fromkeys([DEFAULT])
    for painter in renderers_by_game().values():
        found.update(dict.fromkeys(painter.themes))
    return tuple(found)[:CHOICES]


def known_theme(name: str) -> str:
    """Return ``name`` if there is such a theme; raises :class:`Refusal` otherwise."""
    if name not in theme_names():
        raise Refusal(msg("no.unknown_theme"))
    return name


def theme_label(name: str, language: str) -> str:
    """Return the display name of a theme; the default's for a theme that no painter has any more."""
    text = theme_text(name)
    if text is None:
        return name if name in theme_names() else theme_label(DEFAULT, language)
    package, key = text
    return load(package).render(msg(key), str, language)


def theme_text(name: str) -> tuple[str, str] | None:
    """Return the package whose catalogue names a theme, and the text's key; ``None``: none does.

    The name is in the shared catalogue, or in that of a painter that has the theme.
    """
    own = (f"renderers.{key}" for key, painter in renderers_by_game().items() if name in painter.themes)
    for package in ("renderers.core", *own):
        if f"theme.{name}" in load(package).languages[FALLBACK]:
            return package, f"theme.{name}"
    return None
