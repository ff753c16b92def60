"""The rules that a server's managers have chosen."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import Enum

from bot.domain.clocks import Pace

THREADS_PER_DAY = 40
"""Default maximum of threads that one member may start per day: no player needs more."""


class Opening(Enum):
    """Who may open tables."""

    EVERYBODY = "everybody"
    ROLES = "roles"
    """Members with one of some roles."""
    MANAGERS = "managers"
    """Managers of the server, who always may."""


@dataclass(frozen=True, slots=True)
class ServerRules:
    """The rules of one server; the defaults allow everything."""

    opening: Opening = Opening.EVERYBODY
    roles: tuple[int, ...] = ()
    """Roles whose members may open tables, with :attr:`Opening.ROLES`."""
    channels: tuple[int, ...] = ()
    """Channels that allow tables; empty: every text channel."""
    most: int | None = None
    """Maximum open and running tables; ``None``: the bot's own limit."""
    paces: tuple[Pace, ...] = tuple(Pace)
    """Paces that tables may have; at least one."""
    pace: Pace = Pace.NONE
    """The default pace of tables; one of :attr:`paces`."""
    threads_per_day: int | None = None
    """Maximum threads that one member may start per day; ``None``: :data:`THREADS_PER_DAY`."""

    def with_paces(self, paces: Collection[Pace]) -> ServerRules:
        """Return the rules with other paces, in their usual order; raises ``ValueError`` for none."""
        allowed = tuple(pace for pace in Pace if pace in paces)
        if not allowed:
            raise ValueError("no pace is allowed")
        return replace(self, paces=allowed, pace=self.pace if self.pace in allowed else allowed[0])


@dataclass(frozen=True, slots=True)
class Opener:
    """Discord's data about a member who wants to open a table."""

    roles: frozenset[int]
    manages: bool
    """Whether they manage the server."""


MEMBER = Opener(frozenset(), manages=False)
"""A member without any role."""
