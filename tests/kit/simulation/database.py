"""What a simulation has to do with the database of its house, whichever it is."""

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

if TYPE_CHECKING:  # an older checkout's house may have none: see ``bench/simulation.py``
    from bot.domain.address import Address


class Site(Protocol):
    """What a database needs of the run that it is part of."""

    loop: SeededLoop
    random: Random
    plan: Plan
    tally: Counter[str]

    def others_wall(self) -> float:
        """Return Unix time where the database is."""
        ...

    def committed(self) -> None:
        """Note that a unit of the house, or a group of them, is committed: nobody has been told."""
        ...

    def tell(self, what: str, text: str) -> None: ...


class Database(Protocol):
    """Where the house of one run is stored."""

    processes: int
    """How many share it, of one house."""

    @property
    def profiles(self) -> tuple[Profile, ...]:
        """Return the kinds of trouble that a house may meet that is stored here."""
        ...

    @property
    def address(self) -> Address:
        """Return what the house is told of it."""
        ...

    @property
    def is_polled(self) -> bool:
        """Return whether the house asks it for news all the time: other processes may have some."""
        ...

    @property
    def is_busy(self) -> bool:
        """Return whether the house waits for an answer of it that takes virtual time."""
        ...

    @property
    def is_connected(self) -> bool:
        """Return whether a connection of the house is open."""
        ...

    @property
    def has_failed(self) -> bool:
        """Return whether any of its connections may have been lost while the house served."""
        ...

    def edges(self, site: Site, /) -> AbstractContextManager[None]:
        """Put a run's loop and time in the place of threads, sockets and clocks."""
        ...

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        """Return rows of what is committed."""
        ...

    def version(self) -> object:
        """Return what is another after each commit."""
        ...

    async def open_to_audit(self) -> Store:
        """Open it for whoever looks at it beside the house."""
        ...

    def fail(self, *, is_failing: bool) -> None:
        """Let what the plan has befall statements and commits from now on, or no more."""
        ...

    def hold(self, seconds: float, /) -> str:
        """Hold locks for a while, as another program would; return on what. Empty: there are none to hold."""
        ...

    def freeze(self, life: int, /) -> None:
        """Do what the database does about a life that stands still."""
        ...

    def cut_off(self, life: int, /) -> None:
        """Close every connection of a life, as the end of a killed process does."""
        ...


Storage: TypeAlias = Callable[[], AbstractContextManager[Database]]
"""Lends an empty database, with all migrations, for a run."""
