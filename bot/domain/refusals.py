"""Answers that say no."""

from __future__ import annotations

from bot.domain.tables import TableInfo
from engines.core.contract import Msg, msg


class Refusal(Exception):  # noqa: N818 - it is an answer, not a fault
    """The house says no: nothing was changed. ``msg`` is a text of the house's own catalogue."""

    def __init__(self, msg: Msg) -> None:
        super().__init__(msg.key)
        self.msg = msg


class GameRefusal(Refusal):
    """The game says no. ``msg`` is a text of the game's catalogue, and depends on the seat's view alone."""

    def __init__(self, table: TableInfo, msg: Msg) -> None:
        super().__init__(msg)
        self.table = table


def refusal(key: str, **args: str | int) -> Refusal:
    """Return the refusal whose text is ``no.<key>`` in the house's catalogue."""
    return Refusal(msg(f"no.{key}", **args))
