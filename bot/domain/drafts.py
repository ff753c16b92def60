"""Sentences in the making."""

from __future__ import annotations

from dataclasses import dataclass, field

from engines.core.contract import Seat, Words


@dataclass(frozen=True, slots=True)
class Preset:
    """The last sentence that a person said at a menu, kept for their next match, in the game's notation."""

    game: str
    menu: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Draft:
    """The beginning of a sentence, not yet said."""

    words: Words = field(default=(), repr=False)
    revision: int = 0
    """Grows with every change, and never goes back."""
    cut: int = 0
    """How many words fell away at the end when the match moved on."""
    trail: tuple[Words, ...] = field(default=(), repr=False)
    """What the draft was before each of its last changes, the latest at the end: what Back leads to."""


@dataclass(frozen=True, slots=True)
class DraftRow:
    """Whose draft: a seat's own, or the second one for asides."""

    seat: Seat
    aside: bool
    draft: Draft
