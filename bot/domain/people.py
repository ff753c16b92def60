"""People, where they play, and what they have chosen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

PersonId: TypeAlias = int
"""A Discord user id."""

DEFAULT_THEME = "default"
"""The theme of pictures that every painter has."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on Discord, and the name that the others know."""

    id: PersonId
    name: str = field(repr=False)


Who: TypeAlias = Person | PersonId
"""Use cases take a person or their id."""


def person_id(who: Who) -> PersonId:
    """Return the id of a person, however they are given."""
    return who.id if isinstance(who, Person) else who


@dataclass(frozen=True, slots=True)
class Place:
    """Where a table was opened."""

    guild_id: int
    channel_id: int


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a person has chosen."""

    dms: bool = False
    """Whether the turn comes as a direct message too."""
    language: str = "en"
    theme: str = DEFAULT_THEME
    """How the pictures are painted that only this person sees."""
