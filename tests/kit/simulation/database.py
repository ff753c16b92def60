"""The interface of a simulation to the bot's database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from random import Random
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from bot.store import Store
from tests.kit.simulation.loop import SeededLoop
from tests.kit.simulation.plan import Plan
from tests.kit.simulation.profiles import Profile

if TYPE_CHECKING:  # missing in older checkouts of the bot: see ``bench/simulation.py``
    from bot.domain.address import Address


class Site(Protocol):
    """What a database needs of its run."""

    loop: SeededLoop
    random: Random
    plan: Plan
    tally: Counter[str]

    def others_wall(self) -> float:
        """Return the database's Unix time."""
        ...

    def committed(self) -> None:
        """Note that a unit, or a group of units, was committed, before the acknowledgement."""
        ...

    def tell(self, what: str, text: str) -> None: ...


class Database(Protocol):
    """The database of one run."""

    processes: int
    """The number of the bot's processes that share it."""

    @property
    def profiles(self) -> tuple[Profile, ...]:
        """Return the profiles of trouble for this kind of database."""
        ...

    @property
    def address(self) -> Address:
        """Return its address for the bot."""
        ...

    @property
    def is_polled(self) -> bool:
        """Return whether the bot polls it for changes of other processes."""
        ...

    @property
    def is_busy(self) -> bool:
        """Return whether the bot waits for a response that takes virtual time."""
        ...

    @property
    def is_connected(self) -> bool:
        """Return whether the bot has an open connection."""
        ...

    @property
    def has_failed(self) -> bool:
        """Return whether a connection may have been lost while the bot was serving."""
        ...

    def edges(self, site: Site, /) -> AbstractContextManager[None]:
        """Replace threads, sockets and clocks by the run's loop and time."""
        ...

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        """Return committed rows."""
        ...

    def version(self) -> object:
        """Return a value that changes with each commit."""
        ...

    async def open_to_audit(self) -> Store:
        """Open it for audits."""
        ...

    def fail(self, *, is_failing: bool) -> None:
        """Start or stop injecting the plan's faults into statements and commits."""
        ...

    def hold(self, seconds: float, /) -> str:
        """Hold locks for a while, like another program; return on what. Empty: on nothing."""
        ...

    def freeze(self, life: int, /) -> None:
        """Do what the database does about a frozen life."""
        ...

    def cut_off(self, life: int, /) -> None:
        """Close all connections of a life, like the end of a killed process."""
        ...


Storage: TypeAlias = Callable[[], AbstractContextManager[Database]]
"""Yields an empty database with all migrations for a run."""
