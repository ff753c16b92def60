"""Acts of people that are counted, since one person must not do a hundred of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bot.domain.tables import PersonId

HOUR_S = 3_600.0
DAY_S = 86_400.0
"""No act counts for longer: its row is pruned then."""


class Act(Enum):
    """What is counted."""

    TABLE = "table"
    """A table is opened, or opened again."""
    THREAD = "thread"
    """A match begins, or moves to a channel where it has no thread yet."""
    MOVE = "move"
    """A match goes on in another channel."""
    JOIN = "join"
    """A chair is taken at somebody else's table."""
    INVITATION = "invitation"
    """A person is invited to a table or a seat."""
    EXPORT = "export"
    """Somebody's data are put into a file."""


@dataclass(frozen=True, slots=True)
class CountedAct:
    """One act. The same interaction does each once."""

    request: str
    """The interaction."""
    act: Act
    person: PersonId
    """Who did it."""
    at: float
    """Unix time."""
    guild: int = 0
    match: str = ""
    recipient: PersonId = 0
    """The invited person; 0: none."""
