"""What the use cases need of a store; tests and the doctor bring stores of their own."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Protocol

from bot.store.reader import Reader
from bot.store.transaction import Transaction


class Store(Protocol):
    """A database."""

    def read(self) -> AbstractAsyncContextManager[Reader]:
        """Lend a reader, which sees one moment; raises :class:`StoreError`."""
        ...

    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        """Begin a unit of changes: committed at the end of the block, undone if the block raises.

        Raises :class:`StoreError`, and :class:`Conflict` at the end of the block.
        """
        ...

    async def close(self) -> None:
        """Close every connection and release the database."""
        ...
