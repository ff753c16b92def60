"""The colours."""

from __future__ import annotations

from dataclasses import dataclass

from renderers.core.theme import Themes


@dataclass(frozen=True, slots=True)
class Theme:
    """One theme: the ground, the ink, and a colour for each side."""

    ground: str
    ink: str
    sides: tuple[str, str]


THEMES = Themes(
    "odds",
    {
        "default": Theme("#F4EAD8", "#2A2320", ("#9A3324", "#1F5A80")),
        "clear": Theme("#FFFFFF", "#000000", ("#D55E00", "#0072B2")),
    },
)
