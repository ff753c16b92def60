"""Notes for translators, what the gaps of texts hold, and limits: ``locale/en.notes.json`` of each package.

``gaps`` gives each gap its :class:`Kind`; names that all packages share stand in ``engines/core``, and a
package may give one another kind. ``texts`` has a note for a key, or for all keys with a prefix: ``"end.*"``.
``limits`` has the most characters of a text with everything filled in, by key or prefix too.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

NOTES_SUFFIX = ".notes"
"""What follows the language in the name of a file with notes."""

SHARED = "engines.core"
"""The package whose gaps all others share."""

_ALL = "*"


class Kind(StrEnum):
    """What a gap holds, as a translator reads it."""

    NAME = "a player’s name: never inflect it, and put nothing directly behind it"
    NAMES = "a list of players’ names"
    SIDE = "what the game calls a side or a seat, such as “Red”"
    COUNT = "a whole number of things"
    NUMBER = "a number that counts nothing, such as a page’s"
    NUMBERS = "a list of such numbers"
    TIME = "a time, which Discord shows in the reader’s time zone"
    HOUR = "an hour of the day, such as 22:00"
    MATCH = "the name of a match"
    TITLE = "the name of a game, never translated"
    LINK = "a link to a channel, a thread or a role"
    LINKS = "a list of such links"
    SQUARE = "a place on the board, such as c4"
    SQUARES = "a list of places on the board"
    TERM = "a name of this catalogue: a card, a piece, a colour, a direction …"
    TERMS = "a list of such names"
    PART = "a short text of this catalogue that can be read alone"
    PARTS = "several of them"
    CHOICE = "a word that chooses between the forms, and is not shown"
    QUOTE = "what somebody typed"
    NOTATION = "a turn, or a part of one, in the game’s notation"
    CODE = "an id or a hash"


@dataclass(frozen=True, slots=True)
class Notes:
    """The notes of one package."""

    gaps: Mapping[str, Kind] = field(repr=False)
    """The kinds of gaps, those that all packages share included."""
    own: frozenset[str] = field(repr=False)
    """The gaps that the package itself describes."""
    texts: Mapping[str, str] = field(repr=False)
    """The notes by key or prefix."""
    limits: Mapping[str, int] = field(repr=False)
    """The most characters by key or prefix."""

    def of(self, key: str) -> str:
        """Return the notes for a text, the general ones first; empty if it has none."""
        found = [name for name in self.texts if _covers(name, key)]
        return " ".join(self.texts[name] for name in sorted(found, key=len))

    def limit(self, key: str) -> int | None:
        """Return the most characters of a text, by the longest name that covers it; ``None``: no limit."""
        found = [name for name in self.limits if _covers(name, key)]
        return self.limits[max(found, key=len)] if found else None

    def unused(self, keys: Collection[str]) -> list[str]:
        """Return the names of notes and limits that belong to none of ``keys``."""
        names = [*self.texts, *self.limits]
        return [name for name in names if not any(_covers(name, key) for key in keys)]


def _covers(name: str, key: str) -> bool:
    return key.startswith(name.removesuffix(_ALL)) if name.endswith(_ALL) else key == name


@cache
def notes(package: str) -> Notes:
    """Return the notes of a package; raises ``ValueError`` for a gap of an unknown kind."""
    own = _read(package)
    shared = own if package == SHARED else _read(SHARED)
    gaps = {**shared.get("gaps", {}), **own.get("gaps", {})}
    if unknown := {gap: kind for gap, kind in gaps.items() if kind.upper() not in Kind.__members__}:
        raise ValueError(f"{package}: unknown kinds of gaps: {unknown}")
    kinds = {gap: Kind[kind.upper()] for gap, kind in gaps.items()}
    return Notes(kinds, frozenset(own.get("gaps", {})), own.get("texts", {}), own.get("limits", {}))


def _read(package: str) -> Mapping[str, Mapping[str, Any]]:
    file = files(package) / "locale" / f"en{NOTES_SUFFIX}.json"
    if not file.is_file():
        return {}
    found: Mapping[str, Mapping[str, Any]] = json.loads(file.read_text("utf-8"))
    return found
