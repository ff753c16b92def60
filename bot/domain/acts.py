"""Acts of users that are counted for rate limits."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bot.domain.tables import PersonId

HOUR_S = 3_600.0
DAY_S = 86_400.0
"""The longest time that an act counts; then its row is pruned."""


class Act(Enum):
    """Kinds of counted acts."""

    TABLE = "table"
    """Open or reopen a table."""
    THREAD = "thread"
    """Start a match, or move it to a channel where it has no thread yet."""
    MOVE = "move"
    """Move a match to another channel."""
    JOIN = "join"
    """Take a chair at another person's table."""
    INVITATION = "invitation"
    """Invite a person to a table or a seat."""
    EXPORT = "export"
    """Export one's own data."""


@dataclass(frozen=True, slots=True)
class CountedAct:
    """One act. An interaction counts once per kind and recipient."""

    request: str
    """The interaction's id."""
    act: Act
    person: PersonId
    """Who did it."""
    at: float
    """Unix time."""
    guild: int = 0
    match: str = ""
    recipient: PersonId = 0
    """The invited person; 0: none."""
