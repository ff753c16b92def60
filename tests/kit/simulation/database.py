"""What a simulation has to do with the database of its house, whichever it is."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from bot.store import Store
from tests.kit.simulation.loop import SeededLoop

if TYPE_CHECKING:  # an older checkout's house may have none: see ``bench/simulation.py``
    from bot.domain.address import Address


class Database(Protocol):
    """Where the house of one run is stored."""

    processes: int
    """How many share it, of one house."""

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

    def edges(self, loop: SeededLoop, clock: Callable[[], float], /) -> AbstractContextManager[None]:
        """Put the loop, and Unix time where the database is, in the place of threads, sockets and clocks."""
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

    def fail(self, share: float) -> None:
        """Let a share of the statements meet the end of their connection from now on, if there is a wire."""
        ...

    def cut_off(self, life: int, /) -> None:
        """Close every connection of a life, as the end of a killed process does."""
        ...


Storage: TypeAlias = Callable[[], AbstractContextManager[Database]]
"""Lends an empty database, with all migrations, for a run."""
