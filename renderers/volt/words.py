"""Names of modules, as the game's own texts have them."""

from __future__ import annotations

from engines.core.contract import msg
from engines.core.texts import load
from renderers.core.captions import Voice

_GAME = "engines.volt"


def module_name(voice: Voice, name: str) -> str:
    """Return what a module is called."""
    return load(_GAME).render(msg(f"module.{name}"), str, voice.table.language)


def module_short(voice: Voice, name: str) -> str:
    """Return in some words what a module does."""
    return load(_GAME).render(msg(f"module.{name}.short"), str, voice.table.language)


def use_name(voice: Voice, use: str) -> str:
    """Return a module with its choice, as a unit's strip says it."""
    name, _, choice = use.partition("-")
    said = module_name(voice, name)
    if not choice:
        return said
    key = f"use.{choice}" if choice in ("left", "right") else "use.more" if name == "turbo" else "use.other"
    return voice.say(key, module=said, choice=choice)
