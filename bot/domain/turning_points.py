"""Turning points: what an analysis of a finished match found for one of its seats."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bot.domain.tables import TableInfo
from engines.core.contract import Menu, Msg, Seat, Words


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A moment at which the seat had a clearly better sentence available."""

    turn: int
    """The turn, counted from 1."""
    played: Words = field(repr=False)
    better: Words = field(repr=False)
    view: Any = field(repr=False)
    """What the seat saw then, with the better words previewed."""
    menu: Menu | None = field(repr=False)
    """The possible next words after the better ones."""
    reason: Msg | None = field(repr=False)
    """Why they are better, a text of the game's catalogue; ``None``: the game gives no reason."""
    chance_played: float
    """The estimated chance of winning after the played words, from 0 to 1."""
    chance_better: float


@dataclass(frozen=True, slots=True)
class TurningPoints:
    """The turning points of one seat in the order of the match; empty if no turn was clearly worse."""

    table: TableInfo
    seat: Seat
    found: tuple[TurningPoint, ...]
