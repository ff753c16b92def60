"""What the use cases need of a database. SQLite and PostgreSQL bring it; so do tests and the doctor."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from bot.store.reader import Reader
from bot.store.sharing import Sharing
from bot.store.transaction import Transaction


class Store(Protocol):
    """A database that is open."""

    @property
    def sharing(self) -> Sharing | None:
        """Return our part among the processes that share it; ``None``: it is this one's alone."""
        ...

    @property
    def files(self) -> Mapping[str, str]:
        """Return which files are open: device and inode, by the end of the name. Empty for a server's."""
        ...

    def read(self) -> AbstractAsyncContextManager[Reader]:
        """Lend a reader, which sees one moment; raises :class:`StoreError`."""
        ...

    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        """Begin a unit of changes: committed at the end of the block, undone if the block raises.

        Raises :class:`StoreError`, and :class:`Conflict` at the end of the block.
        """
        ...

    async def scrub(self) -> None:
        """Overwrite what is left of deleted rows, as far as the database can, while commits go on.

        Raises :class:`StoreError`.
        """
        ...

    async def close(self) -> None:
        """Close every connection and release the database."""
        ...
