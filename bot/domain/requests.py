"""Interactions that were carried out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from bot.domain.people import PersonId

RequestId: TypeAlias = int | str
"""The id of an interaction: the same one is carried out once."""


@dataclass(frozen=True, slots=True)
class HandledRequest:
    """A use case that was carried out for an interaction. ``answer`` is what it was answered."""

    id: str
    table_id: str
    person: PersonId
    act: str
    answer: str = ""
