"""What a search has found of a match that is over, for who sat in one of its seats."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bot.domain.tables import TableInfo
from engines.core.contract import Menu, Msg, Seat, Words


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A moment of the match at which its seat had something clearly better to say."""

    turn: int
    """The turn that was going on, from 1 on."""
    played: Words = field(repr=False)
    better: Words = field(repr=False)
    view: Any = field(repr=False)
    """What the seat saw then, with the better words tried out on it."""
    menu: Menu | None = field(repr=False)
    """What could have followed these."""
    reason: Msg | None = field(repr=False)
    """What speaks for them, a text of the game's catalogue; ``None``: the game says nothing about it."""
    chance_played: float
    """The chance of winning after what was played, from 0 to 1, as the search estimates it."""
    chance_better: float


@dataclass(frozen=True, slots=True)
class TurningPoints:
    """The turning points of one seat, in the order of the match; none where nothing was clearly worse."""

    table: TableInfo
    seat: Seat
    found: tuple[TurningPoint, ...]
