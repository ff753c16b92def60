"""How well a computer player thinks: its level, and how much of the level's budget it may use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum


class Level(Enum):
    """The three computer players that a game has; each game gives them names of its own world."""

    FIRST = "first"
    """Makes the mistakes that people make, and never nonsense."""
    MIDDLE = "middle"
    BEST = "best"


@dataclass(frozen=True, slots=True)
class Skill:
    """A level, and the share of its budget that is used: less under load."""

    level: Level
    effort: float = 1.0

    def playouts(self, budgets: Mapping[Level, int]) -> int:
        """Return the number of playouts, from the budget of each level; at least one."""
        return max(1, round(budgets[self.level] * self.effort))
