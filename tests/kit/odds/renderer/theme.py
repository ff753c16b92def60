"""The colours."""

from __future__ import annotations

from dataclasses import dataclass

from renderers.core.theme import Themes


@dataclass(frozen=True, slots=True)
class Side:
    """The colours of one side."""

    cloth: str


@dataclass(frozen=True, slots=True)
class Theme:
    """One theme: the ground, the ink, and the sides."""

    ground: str
    ink: str
    sides: tuple[Side, Side]


THEMES = Themes(
    "odds",
    {
        "default": Theme("#F4EAD8", "#2A2320", (Side("#9A3324"), Side("#1F5A80"))),
        "clear": Theme("#FFFFFF", "#000000", (Side("#D55E00"), Side("#0072B2"))),
    },
)
