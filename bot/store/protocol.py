"""The database interface of the use cases, implemented for SQLite, PostgreSQL, tests and the doctor."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from bot.store.reader import Reader
from bot.store.sharing import Sharing
from bot.store.transaction import Transaction


class Store(Protocol):
    """An open database."""

    @property
    def sharing(self) -> Sharing | None:
        """Return this process's part in a shared database; ``None``: no other process uses it."""
        ...

    @property
    def files(self) -> Mapping[str, str]:
        """Return the open files: device and inode by file name suffix. Empty for a database server."""
        ...

    def read(self) -> AbstractAsyncContextManager[Reader]:
        """Lend a reader with a consistent snapshot; raises :class:`StoreError`."""
        ...

    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        """Begin a unit of changes: committed at the end of the block, rolled back if the block raises.

        Raises :class:`StoreError`, and :class:`Conflict` at the end of the block.
        """
        ...

    async def scrub(self) -> None:
        """Overwrite remains of deleted rows, if the database can; commits continue meanwhile.

        Raises :class:`StoreError`.
        """
        ...

    async def close(self) -> None:
        """Close every connection and release the database."""
        ...
