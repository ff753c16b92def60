"""What who manages a server has chosen for it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import Enum

from bot.domain.clocks import Pace

THREADS_PER_DAY = 40
"""Threads that one member may begin in a day where nobody has chosen another number: no player needs more."""


class Opening(Enum):
    """Who may open tables."""

    EVERYBODY = "everybody"
    ROLES = "roles"
    """Members with one of some roles."""
    MANAGERS = "managers"
    """Who manages the server; they may anyway."""


@dataclass(frozen=True, slots=True)
class ServerRules:
    """The rules of one server; as long as nobody has chosen any, everything is allowed."""

    opening: Opening = Opening.EVERYBODY
    roles: tuple[int, ...] = ()
    """Whose members may open tables, where that is for some roles."""
    channels: tuple[int, ...] = ()
    """Where tables may stand; empty: in every text channel."""
    most: int | None = None
    """Tables that may be open or running at once; ``None``: as many as the bot allows."""
    paces: tuple[Pace, ...] = tuple(Pace)
    """Paces that tables may have; at least one."""
    pace: Pace = Pace.NONE
    """The pace of tables whose host names none; one of :attr:`paces`."""
    threads_per_day: int | None = None
    """Threads that one member may begin in a day; ``None``: :data:`THREADS_PER_DAY`, as nobody has chosen."""

    def with_paces(self, paces: Collection[Pace]) -> ServerRules:
        """Return the rules with other paces, in their usual order; raises ``ValueError`` for none."""
        allowed = tuple(pace for pace in Pace if pace in paces)
        if not allowed:
            raise ValueError("no pace is allowed")
        return replace(self, paces=allowed, pace=self.pace if self.pace in allowed else allowed[0])


@dataclass(frozen=True, slots=True)
class Opener:
    """Who wants to open a table: what Discord says of them there."""

    roles: frozenset[int]
    manages: bool
    """Whether they manage the server."""


MEMBER = Opener(frozenset(), manages=False)
"""A member without any role."""
