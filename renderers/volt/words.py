"""Names of modules, as the game's own texts have them."""

from __future__ import annotations

from engines.core.contract import msg
from engines.core.texts import load

_GAME = "engines.volt"


def module_name(name: str, language: str = "en") -> str:
    """Return what a module is called."""
    return load(_GAME).render(msg(f"module.{name}"), str, language)


def module_short(name: str, language: str = "en") -> str:
    """Return in some words what a module does."""
    return load(_GAME).render(msg(f"module.{name}.short"), str, language)


def use_name(use: str, language: str = "en") -> str:
    """Return a module with its choice, as a unit's strip says it: ``Strafe left``, ``Turbo +2``."""
    name, _, choice = use.partition("-")
    said = module_name(name, language)
    if not choice:
        return said
    if choice in ("left", "right"):
        return f"{said} {'↶' if choice == 'left' else '↷'}"
    return f"{said} +{choice}" if name == "turbo" else f"{said} {choice}"
