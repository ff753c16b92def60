"""Refusals: a request is valid, but not allowed; and acts that are counted to limit them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bot.domain.tables import PersonId, TableInfo
from engines.core.contract import Msg, msg


class Refusal(Exception):  # noqa: N818 - an answer, not a bug
    """The bot refuses, and nothing was changed. ``msg`` is a text of the bot's own catalogue."""

    def __init__(self, msg: Msg) -> None:
        super().__init__(msg.key)
        self.msg = msg


class GameRefusal(Refusal):
    """The game refuses. ``msg`` is a text of the game's catalogue, derived only from the seat's view."""

    def __init__(self, table: TableInfo, msg: Msg) -> None:
        super().__init__(msg)
        self.table = table


def refusal(key: str, **args: str | int) -> Refusal:
    """Return the refusal with the text ``no.<key>`` of the bot's catalogue."""
    return Refusal(msg(f"no.{key}", **args))


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
