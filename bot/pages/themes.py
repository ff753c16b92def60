"""The themes of pictures that people choose from: those of all painters, under friendly names."""

from __future__ import annotations

from discord.app_commands import Choice, locale_str

from bot.domain.refusals import Refusal
from bot.interactions.command_factory import DESCRIPTION
from bot.pages.texts import Texts, shorten
from engines.core.contract import msg
from engines.core.texts import FALLBACK, load
from renderers.core.registry import renderers_by_game
from renderers.core.theme import DEFAULT

CHOICES = 25
"""Choices that an option can have."""


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


def theme_label(name: str, speech: Texts) -> str:
    """Return what people call a theme; one that no painter has any more is called as the default."""
    package = _package(name)
    if package is None:
        return name if name in theme_names() else theme_label(DEFAULT, speech)
    return load(package).render(msg(_key(name)), str, speech.language)


def theme_choices() -> list[Choice[str]]:
    """Return the themes as the choices of an option, their names to be translated where they are shown."""
    return [Choice(name=_shown(name), value=name) for name in theme_names()]


def _shown(name: str) -> locale_str:
    label = shorten(theme_label(name, Texts()), DESCRIPTION)
    package = _package(name)
    return locale_str(label) if package is None else locale_str(label, package=package, key=_key(name))


def _key(name: str) -> str:
    return f"theme.{name}"


def _package(name: str) -> str | None:
    """Return whose catalogue names a theme: that of all painters, or that of the one that has it."""
    own = (f"renderers.{key}" for key, painter in renderers_by_game().items() if name in painter.themes)
    packages = ("renderers.core", *own)
    return next((one for one in packages if _key(name) in load(one).languages[FALLBACK]), None)
