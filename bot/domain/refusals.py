"""Refusals: a request is valid, but not allowed."""

from __future__ import annotations

from bot.domain.tables import TableInfo
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
